/** Takes secrets out of whatever is about to be written somewhere. */
export type Redact = (text: string) => string;

const mark = '[redacted:token]';
/** Anything shorter would take ordinary words out of the log. */
const shortestSecret = 16;

/**
 * The one place that keeps exact secrets (our tokens) out of logs and records, in every encoding in which they could be
 * met: as text, hexadecimal and base64, also in the middle of a longer encoded text (threat row H13).
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;

  /** A new secret, at least 16 characters long; it is never forgotten, since old ones may still be quoted. */
  add(secret: string): void {
    if (secret.length < shortestSecret) throw new RangeError(`A secret has at least ${shortestSecret} characters`);
    this.#secrets.add(secret);
    const spellings = new Set([...this.#secrets].flatMap(spellingsOf));
    const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length);
    this.#pattern = new RegExp(longestFirst.map((spelling) => spelling.replaceAll(/\W/g, '\\$&')).join('|'), 'gi');
  }

  readonly redact: Redact = (text) => (this.#pattern === undefined ? text : text.replace(this.#pattern, mark));
}

function spellingsOf(secret: string): string[] {
  const forms = [Buffer.from(secret)];
  // Our tokens are random bytes in base64url; somebody may have decoded one.
  if (/^[\w-]+$/.test(secret)) forms.push(Buffer.from(secret, 'base64url'));
  return [secret, encodeURIComponent(secret), ...forms.flatMap((bytes) => [bytes.toString('hex'), ...base64Of(bytes)])];
}

/** Base64 of bytes wherever they stand in a longer text: three alignments, without the characters shared with neighbours. */
function base64Of(bytes: Buffer): string[] {
  const spellings = [0, 1, 2].map((offset) => {
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const start = Math.ceil((offset * 8) / 6);
    return Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(start, end);
  });
  return spellings.flatMap((spelling) => [
    spelling,
    spelling.replaceAll('+', '-').replaceAll('/', '_'),
    encodeURIComponent(spelling),
  ]);
}
