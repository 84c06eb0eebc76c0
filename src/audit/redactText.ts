/** Redacts the texts that assistants read: a marker replaces each secret. */
import { createHmac, randomBytes } from 'node:crypto';
import { findSecrets, type SecretSpan } from './secretShapes.ts';

/** Equal secrets have equal markers while the window runs; without the key, nobody can test guesses against a marker. */
const key = randomBytes(32);

/** Fingerprints that were issued; they tell a real marker from text that looks like a marker. */
const issued = new Set<string>();
const maximumIssued = 20_000;

function issueFingerprint(secret: string): string {
  const digits = createHmac('sha256', key).update(secret).digest('hex').slice(0, 8);
  if (issued.size >= maximumIssued) issued.clear();
  issued.add(digits);
  return digits;
}

/** A text that an assistant may see: markers replace what has the shape of a secret (threat row A8). */
export interface RedactedText {
  /** The whole redacted text, with the same number of lines. */
  readonly text: string;
  /** Returns the part between two offsets of the original text. The part may begin or end within a secret. */
  part(start: number, end: number): string;
}

/**
 * Redacts a whole text. Call this before cutting the text, because a part of a secret no longer has its shape. Existing markers
 * stay as they are.
 */
export function redactText(text: string): RedactedText {
  const secrets = findSecrets(text);
  const part = (start: number, end: number): string => redactPart(text, secrets, issueFingerprint, { start, end });
  return { text: secrets.length === 0 ? text : part(0, text.length), part };
}

/** Returns the marker for a piece of text that may belong to a secret. */
export function markerOfPiece(piece: string): string {
  return markerOf('unknown', issueFingerprint(piece));
}

/** Returns the markers in a text that {@link redactText} issued. */
export function ownRedactionsIn(text: string): readonly string[] {
  return redactionsIn(text).filter((marker) => issued.has(marker.slice(-9, -1)));
}

/** Returns whether a text has a marker that the base text does not contain literally, so that it stands for a hidden secret. */
export function hidesSecret(text: string, base: string): boolean {
  return redactionsIn(text).some((marker) => !base.includes(marker));
}

/**
 * Returns a part of a text with `[redacted:<type>:<8 hex>]` in place of each secret, also when the part begins or ends within
 * a secret. A secret of several lines gets a marker on each line, so that the line count and the line ends stay.
 * @param secrets the secrets of the whole text, as {@link findSecrets} returns them
 * @param fingerprint returns 8 hex digits, the same for equal secrets, so that a reader can tell that two places hold the same
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
    // Lines stand at even indexes, their line ends at odd indexes.
    const lines = text.slice(from, to).split(/(\r\n|\n|\r)/);
    const hidden = lines.map((line, index) => (index % 2 === 0 ? hide(line, marker) : line));
    pieces.push(text.slice(at, from), hidden.join(''));
    at = to;
  }
  return pieces.join('') + text.slice(at, part.end);
}

function markerOf(type: string, digits: string): string {
  return `[redacted:${type}:${digits}]`;
}

/** The start of a line that stays: indentation and the marks of diffs, comments and quotations. */
const lineStart = /^[\t ]*(?:[+>#|*]|-(?!-)|\/\/)?[\t ]*/;

function hide(line: string, marker: string): string {
  const [before = ''] = lineStart.exec(line) ?? [];
  return before.length === line.length ? line : before + marker;
}

const redaction = /\[redacted:[a-z][a-z0-9_]{0,40}:[0-9a-f]{8}\]/g;

/** Returns the redaction markers in a text. */
export function redactionsIn(text: string): readonly string[] {
  return text.match(redaction) ?? [];
}
