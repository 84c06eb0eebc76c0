import { privateKeyBody } from './privateKeyBody.ts';
import { secretTable } from './secretTable.ts';

/** A part of a text that must not leave, as offsets in UTF-16 units; `end` is behind the last. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** For example `github_token`; lower-case letters, digits and `_`. */
  readonly type: string;
}

/**
 * All in one expression, so that a text is read once whatever it holds. Most shapes begin no word's middle; to ask that first
 * also keeps a text of nothing but beginnings from being read over and over.
 */
const anyShape = new RegExp(`(?<![A-Za-z0-9])(?:${alternatives(false)})|${alternatives(true)}`, 'g');

function alternatives(inWord: boolean): string {
  return secretTable
    .flatMap(({ pattern, inWord: isInWord = false }, at) =>
      isInWord === inWord ? `(?<shape${at}>${pattern.source.replace('?<before>', `?<before${at}>`)})` : [],
    )
    .join('|');
}

/** Parts of a text that look like secrets by their shape: sorted, not overlapping. Linear in the text's length. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  anyShape.lastIndex = 0;
  for (let match = anyShape.exec(text); match !== null; match = anyShape.exec(text)) {
    const span = spanOf(text, match);
    if (span === undefined) {
      // What is no secret may hold one.
      anyShape.lastIndex = match.index + 1;
      continue;
    }
    spans.push(span);
    anyShape.lastIndex = span.end;
  }
  return spans;
}

function spanOf(text: string, match: RegExpExecArray): SecretSpan | undefined {
  const { groups = {}, index } = match;
  const at = secretTable.findIndex((_, each) => groups[`shape${each}`] !== undefined);
  const shape = secretTable[at];
  if (shape === undefined) return undefined;
  const end = index + match[0].length;
  if (shape.type === 'private_key') {
    const body = privateKeyBody(text, end);
    return body && { ...body, type: shape.type };
  }
  const start = index + (groups[`before${at}`]?.length ?? 0);
  if (shape.isSecret?.(text.slice(start, end), match[0]) === false) return undefined;
  return { start, end, type: shape.type };
}

/**
 * Puts `[redacted:<type>:<8 hex>]` in the place of each secret; a secret of several lines gets it on each. Line count and
 * line ends stay, and what is redacted already stays as it is.
 * @param fingerprint 8 hex digits; the same for the same secret, so that a reader can tell that two places hold the same.
 */
export function redactSecrets(
  text: string,
  fingerprint: (secret: string) => string,
): { readonly text: string; readonly count: number } {
  const secrets = findSecrets(text);
  return { text: redactPart(text, secrets, fingerprint, { start: 0, end: text.length }), count: secrets.length };
}

/**
 * A part of a text as {@link redactSecrets} leaves it, also where it begins or ends within a secret.
 * @param secrets of the whole text
 */
export function redactPart(
  text: string,
  secrets: readonly SecretSpan[],
  fingerprint: (secret: string) => string,
  part: { readonly start: number; readonly end: number },
): string {
  const pieces: string[] = [];
  let at = part.start;
  for (const { start, end, type } of secrets) {
    if (start >= part.end || end <= part.start) continue;
    const marker = markerOf(type, fingerprint(text.slice(start, end)));
    const from = Math.max(start, part.start);
    const to = Math.min(end, part.end);
    // Lines at even places, their ends at odd ones.
    const lines = text.slice(from, to).split(/(\r\n|\n|\r)/);
    const hidden = lines.map((line, index) => (index % 2 === 0 ? hide(line, marker) : line));
    pieces.push(text.slice(at, from), hidden.join(''));
    at = to;
  }
  return pieces.join('') + text.slice(at, part.end);
}

/** @param fingerprint 8 hex digits */
export function markerOf(type: string, fingerprint: string): string {
  return `[redacted:${type}:${fingerprint}]`;
}

/** In front of the content of a line: its indentation, and what diffs, comments and quotations put there. */
const lineStart = /^[\t ]*(?:[+>#|*]|-(?!-)|\/\/)?[\t ]*/;

function hide(line: string, marker: string): string {
  const [before = ''] = lineStart.exec(line) ?? [];
  return before.length === line.length ? line : before + marker;
}

const redaction = /\[redacted:[a-z][a-z0-9_]{0,40}:[0-9a-f]{8}\]/g;

/** The markers of {@link redactSecrets} in a text. */
export function redactionsIn(text: string): readonly string[] {
  return text.match(redaction) ?? [];
}

/** Whether a text holds a marker of {@link redactSecrets}. */
export function hasRedaction(text: string): boolean {
  return redactionsIn(text).length > 0;
}
