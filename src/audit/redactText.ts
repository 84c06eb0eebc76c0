/** Redacts the texts that assistants read: a numbered marker replaces each secret. */
import { findSecrets, type FoundSecret } from './secretShapes.ts';

/** A piece of a secret on one line, and the marker that replaces it. Offsets are UTF-16 units; ends are exclusive. */
export interface HiddenPiece {
  /** Range in the original text. */
  readonly start: number;
  readonly end: number;
  /** Range of the marker in the redacted text. */
  readonly shownStart: number;
  readonly shownEnd: number;
  readonly marker: string;
  /** The secret that the piece belongs to. */
  readonly secret: FoundSecret;
}

/** A text that an assistant may see: markers replace what has the shape of a secret (threat row A8). */
export interface RedactedText {
  /** The whole redacted text, with the same number of lines. */
  readonly text: string;
  /** What is hidden, in the order of the text; empty for a text without secrets. */
  readonly hidden: readonly HiddenPiece[];
  /** Returns the part between two offsets of the original text. The part may begin or end within a secret. */
  part(start: number, end: number): string;
}

/**
 * Redacts a whole text. Call this before cutting the text, because a part of a secret no longer has its shape. Existing markers
 * stay as they are.
 *
 * Each secret gets `[redacted:<type>#<number>]`, counted from the start of the text, and each line of a longer one
 * `[redacted:<type>#<number>.<line>]`. A marker depends on nothing but the place of the secret, so it tells neither what the
 * secret is nor whether two of them are equal (threat row A27). Numbers that the text itself uses in markers are skipped, so a
 * marker names one piece of the text.
 * @param first is the lowest number to use
 */
export function redactText(text: string, first = 1): RedactedText {
  const hidden = hiddenPieces(text, findSecrets(text), first);
  return {
    text: hidden.length === 0 ? text : partOf(text, hidden, 0, text.length),
    hidden,
    part: (start, end) => partOf(text, hidden, start, end),
  };
}

function partOf(text: string, hidden: readonly HiddenPiece[], start: number, end: number): string {
  const pieces: string[] = [];
  let at = start;
  for (const piece of hidden) {
    if (piece.start >= end || piece.end <= start) continue;
    pieces.push(text.slice(at, Math.max(at, piece.start)), piece.marker);
    at = Math.min(end, piece.end);
  }
  return pieces.join('') + text.slice(at, end);
}

/** Matches a line end. */
const lineEnd = /\r\n|\n|\r/g;
/** The start of a line of a key that stays: indentation and the mark of a diff, a comment or a quotation. */
const lineStart = /^[\t ]*(?<mark>[+>#|*]|-(?!-)|\/\/)?[\t ]*/;

function hiddenPieces(text: string, secrets: readonly FoundSecret[], first: number): readonly HiddenPiece[] {
  if (secrets.length === 0) return [];
  const pieces: HiddenPiece[] = [];
  let number = Math.max(first, highestNumber(text, secrets) + 1);
  let longer = 0;
  for (const secret of secrets) {
    const lines = linesOf(text, secret);
    for (const [at, { start, end }] of lines.entries()) {
      const marker = `[redacted:${secret.type}#${number}${lines.length === 1 ? '' : `.${at + 1}`}]`;
      const shownStart = start + longer;
      longer += marker.length - (end - start);
      pieces.push({ start, end, shownStart, shownEnd: end + longer, marker, secret });
    }
    number += 1;
  }
  return pieces;
}

/** Returns the highest number of the markers that stand in the text itself; 0 when there are none. */
function highestNumber(text: string, secrets: readonly FoundSecret[]): number {
  if (!text.includes('[redacted:')) return 0;
  return [...text.matchAll(numberedMarker)].reduce(
    (highest, { index, groups }) =>
      secrets.some(({ start, end }) => index < end && start <= index)
        ? highest
        : Math.max(highest, Number(groups?.['number'] ?? 0)),
    0,
  );
}

/**
 * Returns what is hidden on each line of a secret. Blank lines, indentation and the mark that the BEGIN line of a key has too
 * stay. Another character that could be such a mark may belong to the key, so it is hidden.
 */
function linesOf(text: string, { start, end, contextStart }: FoundSecret): readonly { start: number; end: number }[] {
  const secret = text.slice(start, end);
  const mark = markOfLine(text, contextStart);
  const lines: { start: number; end: number }[] = [];
  let at = 0;
  const add = (lineAt: number, lineStop: number): void => {
    const line = secret.slice(lineAt, lineStop);
    const isWholeLine = lineAt > 0 || /[\r\n]/.test(text[start - 1] ?? '\n');
    const [before = ''] = (isWholeLine ? lineStart.exec(line) : /^[\t ]*/.exec(line)) ?? [];
    const kept = before.trim() === '' || before.trim() === mark ? before.length : line.length - line.trimStart().length;
    if (kept < line.length) lines.push({ start: start + lineAt + kept, end: start + lineStop });
  };
  for (const match of secret.matchAll(lineEnd)) {
    add(at, match.index);
    at = match.index + match[0].length;
  }
  add(at, secret.length);
  return lines;
}

function markOfLine(text: string, offset: number): string | undefined {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return lineStart.exec(text.slice(start, offset))?.groups?.['mark'];
}

const numberedMarker = /\[redacted:(?<type>[a-z][a-z0-9_]{0,40})#(?<number>\d{1,9})(?:\.\d{1,9})?\]/g;
/** Matches the markers of texts that assistants read, and those of the record and the log. */
export const anyMarker = /\[redacted:[a-z][a-z0-9_]{0,40}(?:#\d{1,9}(?:\.\d{1,9})?|:[0-9a-f]{8})\]/g;

/** Returns the markers of {@link redactText} in a text, once for each secret that has several lines. */
export function secretsMarkedIn(text: string): readonly string[] {
  if (!text.includes('[redacted:')) return [];
  return [...text.matchAll(numberedMarker)].map(({ groups }) => `${groups?.['type']}#${groups?.['number']}`);
}

/** Returns the markers in a text that {@link redactText} would write. */
export function markersIn(text: string): readonly string[] {
  return text.match(numberedMarker) ?? [];
}

/** Returns whether a text has a marker of any kind that the base text does not contain literally. */
export function hidesSecret(text: string, base: string): boolean {
  return (text.match(anyMarker) ?? []).some((marker) => !base.includes(marker));
}
