/** Random looking, the same every time, so that no real secret stands in a test. */
export function characters(count: number, alphabet = 'Ab0Cd1Ef2Gh3Ij4Kl5Mn6Op7Qr8St9UvWxYz'): string {
  return Array.from({ length: count }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
}

export const githubToken = `ghp_${characters(36)}`;

/** Lines of a private key without its first and last one. */
export const keyLines: readonly string[] = Array.from({ length: 20 }, (_, at) => String(at % 10) + characters(63));

export const privateKey = `-----BEGIN PRIVATE KEY-----\n${keyLines.join('\n')}\n-----END PRIVATE KEY-----`;

/** Pieces of the key that are long enough to know it by. */
export const keyPieces: readonly string[] = keyLines.map((line) => line.slice(0, 12));
