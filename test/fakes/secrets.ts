/** Returns text that looks random and is always the same, so that no test holds a real secret. */
export function characters(count: number, alphabet = 'Ab0Cd1Ef2Gh3Ij4Kl5Mn6Op7Qr8St9UvWxYz'): string {
  return Array.from({ length: count }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
}

export const githubToken = `ghp_${characters(36)}`;

/** Lines of a private key without its first and last one. */
export const keyLines: readonly string[] = Array.from({ length: 20 }, (_, at) => String(at % 10) + characters(63));

export const privateKey = `-----BEGIN PRIVATE KEY-----\n${keyLines.join('\n')}\n-----END PRIVATE KEY-----`;

/** Pieces of the key that are long enough to identify the key. */
export const keyPieces: readonly string[] = keyLines.map((line) => line.slice(0, 12));
