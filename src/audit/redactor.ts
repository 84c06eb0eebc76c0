import { createHmac, randomBytes } from 'node:crypto';
import { anyMarker } from './redactText.ts';
import { findHeaders, findKeyValues, findRandom, shortestRandom } from './secretHeuristics.ts';
import { findSecrets, type SecretSpan } from './secretShapes.ts';

/** Returns a text with markers in place of its secrets. */
export type Redact = (text: string) => string;

/** Minimum length of a known secret; shorter ones would match ordinary words in the log. */
const shortestSecret = 16;
/** Matches request ids. Each id is new, so that it is not worth a place among the clean texts. */
const shortNumber = /^\d{1,15}$/;
const longestRemembered = 200;
const mostRemembered = 1000;

/**
 * Keeps secrets out of logs, records, notifications and exports (threat rows H13, A22). It replaces each secret with
 * `[redacted:<type>:<8 hex>]`. The digits are a keyed hash, and the key lives only as long as this object, so that a reader can
 * see which secrets are equal but cannot guess them. Existing markers stay as they are.
 */
export class Redactor {
  readonly #key = randomBytes(32);
  readonly #secrets: Set<string>;
  /** Maps each spelling, in lower case, to its secret. */
  readonly #spellings = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #pattern: RegExp | undefined;
  /** Caches short texts without a secret, because successive records repeat most of their texts. */
  readonly #clean = new Set<string>();

  constructor(secrets: Iterable<string> = []) {
    this.#secrets = new Set(secrets);
    this.#prepare();
  }

  /** Number of replaced secrets, by type. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /**
   * Adds a known secret. It is never removed, because old secrets may still be quoted.
   * @throws RangeError when the secret is shorter than 16 characters
   */
  add(secret: string): void {
    if (secret.length < shortestSecret) throw new RangeError(`A secret has at least ${shortestSecret} characters`);
    this.#secrets.add(secret);
    this.#prepare();
  }

  /** Returns a redactor that knows the same secrets and whose markers cannot be compared with those of this one. */
  withFreshKey(): Redactor {
    return new Redactor(this.#secrets);
  }

  /** Redacts any text. */
  readonly redact: Redact = (text) => {
    if (this.#clean.has(text) || shortNumber.test(text)) return text;
    const layers = [this.#findKnown(text), findHeaders(text), findKeyValues(text), findSecrets(text)];
    const all = [...layers, randomBetween(text, layers)];
    const isClean = all.every((layer) => layer.length === 0);
    if (isClean && text.length <= longestRemembered) this.#remember(text);
    return isClean ? text : this.#replace(text, all);
  };

  /** Redacts a path: long names are no secrets there, so only known secrets and known shapes count. */
  readonly redactPath: Redact = (text) => this.#replace(text, [this.#findKnown(text), findSecrets(text)]);

  /** Redacts only known secrets, for text that contains hashes and ids of Drawbridge. */
  readonly redactKnown: Redact = (text) => this.#replace(text, [this.#findKnown(text)]);

  /** Replaces the whole text, for a value whose name says that it is a secret. */
  readonly replaceAll: Redact = (text) => this.#replace(text, [[{ start: 0, end: text.length, type: 'key_value' }]]);

  #remember(text: string): void {
    if (this.#clean.size >= mostRemembered) this.#clean.clear();
    this.#clean.add(text);
  }

  #prepare(): void {
    // A text that was clean may contain the new secret.
    this.#clean.clear();
    this.#spellings.clear();
    for (const secret of this.#secrets) {
      for (const spelling of spellingsOf(secret)) this.#spellings.set(spelling.toLowerCase(), secret);
    }
    const longestFirst = [...this.#spellings.keys()].toSorted((a, b) => b.length - a.length);
    const alternatives = longestFirst.map((spelling) => spelling.replaceAll(/\W/g, '\\$&')).join('|');
    this.#pattern = alternatives === '' ? undefined : new RegExp(alternatives, 'gi');
  }

  #findKnown(text: string): SecretSpan[] {
    return this.#pattern === undefined ? [] : find(text, this.#pattern, 'token');
  }

  /** Replaces the spans of all layers; where spans overlap, the earlier layer wins. */
  #replace(text: string, layers: readonly (readonly SecretSpan[])[]): string {
    if (layers.every((layer) => layer.length === 0)) return text;
    let found: readonly Finding[] = find(text, anyMarker, '').map((span) => ({ ...span, stays: true }));
    for (const layer of layers) found = withLayer(text, found, layer);
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, type, stays } of found) {
      const secret = text.slice(start, end);
      parts.push(text.slice(at, start), stays === true ? secret : this.#marker(secret, type));
      at = end;
    }
    return parts.join('') + text.slice(at);
  }

  #marker(secret: string, type: string): string {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    const known = this.#spellings.get(secret.toLowerCase()) ?? secret;
    return `[redacted:${type}:${createHmac('sha256', this.#key).update(known).digest('hex').slice(0, 8)}]`;
  }
}

interface Finding extends SecretSpan {
  /** True for an existing marker, which stays. */
  readonly stays?: boolean;
}

function find(text: string, pattern: RegExp, type: string): SecretSpan[] {
  // matchAll copies the pattern, and nearly every text has no match.
  if (text.search(pattern) < 0) return [];
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length, type }));
}

/** Finds random runs between the spans of other layers, judged without the text of those spans. */
function randomBetween(text: string, layers: readonly (readonly SecretSpan[])[]): SecretSpan[] {
  const spans = [...layers.flat(), ...find(text, anyMarker, '')].toSorted((a, b) => a.start - b.start);
  const random: SecretSpan[] = [];
  let at = 0;
  for (const { start, end } of [...spans, { start: text.length, end: text.length }]) {
    for (const span of start - at < shortestRandom ? [] : findRandom(text.slice(at, start))) {
      random.push({ ...span, start: at + span.start, end: at + span.end });
    }
    at = Math.max(at, end);
  }
  return random;
}

/**
 * Adds the parts of a layer that no earlier span covers. A remainder without a letter or digit is not added.
 * @param layer sorted spans
 */
function withLayer(text: string, found: readonly Finding[], layer: readonly SecretSpan[]): readonly Finding[] {
  if (layer.length === 0) return found;
  const free: Finding[] = [];
  let next = 0;
  let at = 0;
  for (const { start, end, type } of layer) {
    at = Math.max(at, start);
    while ((found[next]?.end ?? Infinity) <= at) next += 1;
    for (let each = next; at < end; each += 1) {
      const taken = found[each];
      const stop = Math.min(end, taken?.start ?? Infinity);
      const isWhole = at === start && stop === end;
      if (stop > at && (isWhole || /[\p{L}\p{N}]/u.test(text.slice(at, stop))))
        free.push({ start: at, end: stop, type });
      at = Math.max(stop, Math.min(end, taken?.end ?? end));
    }
  }
  return [...found, ...free].toSorted((a, b) => a.start - b.start);
}

function spellingsOf(secret: string): string[] {
  const forms = [Buffer.from(secret)];
  // Tokens of Drawbridge are random bytes in base64url, and a program may have decoded one.
  if (/^[\w-]+$/.test(secret)) forms.push(Buffer.from(secret, 'base64url'));
  // A URL may write any character as an escape, not only those that need it.
  const escaped = Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&');
  const encoded = forms.flatMap((bytes) => [bytes.toString('hex'), ...base64Of(bytes)]);
  return [secret, encodeURIComponent(secret), escaped, ...encoded];
}

/** Returns the base64 of bytes within a longer text: three alignments, without the characters that neighbours influence. */
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
