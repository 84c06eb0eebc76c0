import { createHmac, randomBytes } from 'node:crypto';
import { findHeaders, findKeyValues, findRandom, shortestRandom } from './secretHeuristics.ts';
import { findSecrets, type SecretSpan } from './secretShapes.ts';

/** Takes secrets out of whatever is about to be written somewhere. */
export type Redact = (text: string) => string;

/** Anything shorter would take ordinary words out of the log. */
const shortestSecret = 16;
/** As the ids of requests are; each is another one, so that remembering it is of no use. */
const shortNumber = /^\d{1,15}$/;
const longestRemembered = 200;
const mostRemembered = 1000;
const existingMarker = /\[redacted:[a-z][a-z0-9_]{0,40}:[0-9a-f]{8}\]/g;

/**
 * The one place that keeps secrets out of logs, records, notifications and exports (threat rows
 * H13, A22). In the place of each stands `[redacted:<type>:<8 hex>]`: the digits are a hash with a key that lives as long as
 * this object and is never written, so that equal secrets can be told to be equal and none can be guessed. What is redacted
 * already stays as it is.
 */
export class Redactor {
  readonly #key = randomBytes(32);
  readonly #secrets: Set<string>;
  /** Lower-case spelling -> secret. */
  readonly #spellings = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #pattern: RegExp | undefined;
  /** Short texts without a secret: every record says much of what the one before it said. */
  readonly #clean = new Set<string>();

  constructor(secrets: Iterable<string> = []) {
    this.#secrets = new Set(secrets);
    this.#prepare();
  }

  /** How many secrets of each type were replaced. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** A new secret, at least 16 characters long; it is never forgotten, since old ones may still be quoted. */
  add(secret: string): void {
    if (secret.length < shortestSecret) throw new RangeError(`A secret has at least ${shortestSecret} characters`);
    this.#secrets.add(secret);
    this.#prepare();
  }

  /** One that knows the same secrets, whose fingerprints cannot be compared with these. */
  withFreshKey(): Redactor {
    return new Redactor(this.#secrets);
  }

  /** For text that may hold anything. */
  readonly redact: Redact = (text) => {
    if (this.#clean.has(text) || shortNumber.test(text)) return text;
    const layers = [this.#findKnown(text), findHeaders(text), findKeyValues(text), findSecrets(text)];
    const all = [...layers, randomBetween(text, layers)];
    const isClean = all.every((layer) => layer.length === 0);
    if (isClean && text.length <= longestRemembered) this.#remember(text);
    return isClean ? text : this.#replace(text, all);
  };

  /** For paths, whose long names are no secrets. */
  readonly redactPath: Redact = (text) => this.#replace(text, [this.#findKnown(text), findSecrets(text)]);

  /** Only the secrets that were added: for text that holds hashes and ids of ours. */
  readonly redactKnown: Redact = (text) => this.#replace(text, [this.#findKnown(text)]);

  /** The whole text is a secret, because of the name it goes by. */
  readonly replaceAll: Redact = (text) => this.#replace(text, [[{ start: 0, end: text.length, type: 'key_value' }]]);

  #remember(text: string): void {
    if (this.#clean.size >= mostRemembered) this.#clean.clear();
    this.#clean.add(text);
  }

  #prepare(): void {
    // What was clean may hold the secret that has just become known.
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

  /** What an earlier layer has found stays its own. */
  #replace(text: string, layers: readonly (readonly SecretSpan[])[]): string {
    if (layers.every((layer) => layer.length === 0)) return text;
    let found: readonly Finding[] = find(text, existingMarker, '').map((span) => ({ ...span, stays: true }));
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
  /** It is a marker. */
  readonly stays?: boolean;
}

function find(text: string, pattern: RegExp, type: string): SecretSpan[] {
  // A search with matchAll copies the pattern; nearly every text holds nothing.
  if (text.search(pattern) < 0) return [];
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length, type }));
}

/** What looks random by itself: the rest of a run in which a secret was found need not be one. */
function randomBetween(text: string, layers: readonly (readonly SecretSpan[])[]): SecretSpan[] {
  const spans = [...layers.flat(), ...find(text, existingMarker, '')].toSorted((a, b) => a.start - b.start);
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

/** @param layer sorted; its parts that nothing stands on yet are added, but not a rest without a letter or digit */
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
