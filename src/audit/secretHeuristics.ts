/** Finds secrets without a known shape: by the name before them, or because they look random. */
import type { SecretSpan } from './secretShapes.ts';

/** Separator between a name and its value. Quotes may be escaped, as in JSON within JSON. */
const assigned = /\\{0,3}["'`]?[ \t]{0,5}(?::=?|={1,3}>?)[ \t]{0,5}/.source;
const secretWord =
  /(?<![a-z])pass|pass(?:word|wd|phrase|code)|pwd|secret|token|credentials|connection_?string|(?:api|access|private|signing|encryption|account)[_-]?key/
    .source;

/** Headers whose value extends to the end of the line. */
const wholeLine = new RegExp(`(?<![\\w-])(?:(?:proxy-)?authorization|(?:set-)?cookie)${assigned}`, 'gi');
/** Headers by the end of their name. The part before it is bounded, so that a text of dashes is read in linear time. */
const namedHeader = new RegExp(`(?<![\\w-])[\\w-]{1,60}-(?:token|key|secret|signature)${assigned}`, 'gi');
const keyValue = new RegExp(`(?:${secretWord})\\d{0,2}${assigned}`, 'gi');
const option = new RegExp(`(?<!-)--(?:[\\w-]{0,40}-)?(?:${secretWord})[ \\t]{1,5}(?=[^\\s-])`, 'gi');
const secretName = new RegExp(`(?:${secretWord}|-(?:token|key|secret|signature)|authorization|cookie)\\d{0,2}$`, 'i');

/** Values that are never secrets. */
const harmless = /^(?:true|false|null|undefined|none|yes|no)$/i;
const scheme = /(?:bearer|basic|digest|negotiate|token)[ \t]{1,5}/iy;
const openingQuote = /(?<escape>\\{0,3})(?<quote>["'`])/y;
const oneWord = /[^\s"'`,;&<>(){}[\]|\\]+/y;
/** Excludes an object: its members are judged by their own names. */
const restOfLine = /(?!\{)[^\r\n"\\]+/y;

/** Returns whether a name marks its value as a secret, whatever the value looks like. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Finds values of HTTP headers that authenticate a caller. Returns sorted spans. */
export function findHeaders(text: string): SecretSpan[] {
  return mergeSorted([
    ...findValues(text, wholeLine, 'header', restOfLine),
    ...findValues(text, namedHeader, 'header', oneWord),
  ]);
}

/** Finds values that follow a name such as `password`, in any notation. Returns sorted spans. */
export function findKeyValues(text: string): SecretSpan[] {
  return mergeSorted([
    ...findValues(text, keyValue, 'key_value', oneWord),
    ...findValues(text, option, 'key_value', oneWord),
  ]);
}

/** Finds the values that follow a name, in linear time: the search continues after each value that it found. */
function findValues(text: string, name: RegExp, type: string, unquoted: RegExp): SecretSpan[] {
  const spans: SecretSpan[] = [];
  name.lastIndex = 0;
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const value = valueAt(text, name.lastIndex, unquoted);
    if (value === undefined) continue;
    name.lastIndex = Math.max(value.end, name.lastIndex);
    if (!harmless.test(text.slice(value.start, Math.min(value.end, value.start + 20)))) spans.push({ ...value, type });
  }
  return spans;
}

function valueAt(text: string, at: number, unquoted: RegExp): Omit<SecretSpan, 'type'> | undefined {
  const { escape, quote } = matchAt(openingQuote, text, at)?.groups ?? {};
  const opened = quote === undefined ? at : at + (escape ?? '').length + 1;
  const start = opened + (matchAt(scheme, text, opened)?.[0].length ?? 0);
  const end =
    quote === undefined
      ? start + (matchAt(unquoted, text, start)?.[0].trimEnd().length ?? 0)
      : endOfQuoted(text, start, quote, escape !== '');
  return end > start ? { start, end } : undefined;
}

/**
 * Returns the offset at which a quoted value ends.
 * @param isEscaped true when the quotes are written with a backslash, as in JSON within JSON
 */
function endOfQuoted(text: string, start: number, quote: string, isEscaped: boolean): number {
  let at = start;
  while (at < text.length && text[at] !== quote && text[at] !== '\n' && text[at] !== '\r') {
    at += text[at] === '\\' && !isEscaped ? 2 : 1;
  }
  const end = Math.min(at, text.length);
  return isEscaped ? end - (/\\{1,7}$/.exec(text.slice(Math.max(start, end - 7), end))?.[0].length ?? 0) : end;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

function mergeSorted(spans: readonly SecretSpan[]): SecretSpan[] {
  return spans.toSorted((a, b) => a.start - b.start);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Minimum length of a random run, in characters. */
export const shortestRandom = 32;
/** Number of characters by which a run is judged. */
const judged = 4096;

/** Finds runs of at least 32 characters that look random: keys and tokens of unknown shape. */
export function findRandom(text: string): SecretSpan[] {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{32,}={0,2}/g)].flatMap(({ 0: run, index }) =>
    isRandom(run.slice(0, judged)) ? [{ start: index, end: index + run.length, type: 'random' }] : [],
  );
}

/**
 * Returns whether a run looks random. Random text switches between lower case, upper case and digits at about every other
 * character; names and paths do so only where a word begins.
 */
function isRandom(run: string): boolean {
  const characters = run.replaceAll(/[^A-Za-z0-9]/g, '');
  const digits = characters.replaceAll(/\D/g, '').length;
  if (characters.length < 24 || digits < 2 || digits === characters.length || uuid.test(run)) return false;
  const isHexadecimal = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(characters);
  if (isHexadecimal) return entropy(characters) > 3;
  const isOneCase = !/[a-z]/.test(characters) || !/[A-Z]/.test(characters);
  return entropy(characters) > 3.5 && changes(characters) > (isOneCase ? 0.25 : 0.4);
}

/** Returns the share of neighbouring characters that are of different kinds. */
function changes(characters: string): number {
  const kinds = characters.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
  let count = 0;
  for (let at = 1; at < kinds.length; at += 1) if (kinds[at] !== kinds[at - 1]) count += 1;
  return count / (kinds.length - 1);
}

/** Returns the Shannon entropy in bits per character. */
function entropy(characters: string): number {
  const counts = new Map<string, number>();
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / characters.length) * Math.log2(count / characters.length),
    0,
  );
}
