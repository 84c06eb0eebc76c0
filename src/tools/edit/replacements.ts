import { ToolError } from '#base/toolError.ts';
import { cutsMarker, hiddenIn, markerFromElsewhere, partsOf, refuseShown, TextAfter } from './hiddenText.ts';
import { lineText, toLf, type LineText } from './lineText.ts';
import { nearestMatch, numberedLines, shownLinesOf } from './nearestMatch.ts';

/** One edit of `apply_edit`: a text that must occur in the file, or a range of lines. */
export type EditRequest =
  | { readonly path: string; readonly oldText: string; readonly newText: string; readonly replaceAll: boolean }
  | { readonly path: string; readonly firstLine: number; readonly lastLine: number; readonly newText: string };

/** A range of a text and its new text, with LF. */
export interface Replacement {
  /** Offsets in the LF text. */
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The text of a file after edits. */
export interface EditedText {
  readonly text: string;
  /** Every edit leaves what it replaces as it is. An edit that gives a secret anew is none, whether it gives the same one or not. */
  readonly isSame: boolean;
}

/**
 * Returns the text after all edits of one file. All edits address the same base; bytes outside them stay unchanged.
 * @param text is what the edits are compared with, see {@link shownText} and {@link lineText}
 * @throws ToolError `no_match`, `ambiguous_match`, `redacted_text`
 */
export function editText(path: string, base: string, text: LineText, requests: readonly EditRequest[]): EditedText {
  const replacements = requests
    .flatMap((request) => locate(path, text, request))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, replacement] of replacements.entries()) {
    const previous = replacements[index - 1];
    if (previous !== undefined && replacement.start < previous.end) throw overlapping(path, text, replacement);
  }
  return replaceLocated(path, base, text, replacements);
}

/** Returns the text after all edits, which are compared with the text as it is. See {@link editText}. */
export function applyRequests(path: string, base: string, requests: readonly EditRequest[]): string {
  return editText(path, base, lineText(base), requests).text;
}

/**
 * Returns the text with all replacements, which must be sorted and apart. Bytes outside them stay unchanged; new lines
 * take the line end of their neighbours. No two line ends merge into one. A marker of the replaced text that a new text has too
 * stands for the bytes of its secret.
 * @throws ToolError `redacted_text` when a marker stands in none of the replaced texts, or a secret would be shown
 */
export function replaceLocated(
  path: string,
  base: string,
  text: LineText,
  replacements: readonly Replacement[],
): EditedText {
  const after = new TextAfter(text);
  const replaced = hiddenIn(text, replacements);
  let done = 0;
  let isSame = true;
  for (const replacement of replacements) {
    const { start, end, newText } = narrow(text, replacement);
    if (start < end || newText !== '') isSame = false;
    const lineEnd = text.lineEndAt(start);
    after.keep(base.slice(done, text.originalOffset(start)), { from: done, to: start });
    for (const part of partsOf(newText, text)) {
      if (typeof part === 'string') after.append(part.replaceAll('\n', () => lineEnd));
      else if (replaced.has(part)) after.keepPiece(part);
      else throw markerFromElsewhere(path, part);
    }
    done = text.originalOffset(end);
  }
  after.keep(base.slice(done), { from: done, to: text.lf.length });
  const result = after.text();
  refuseShown(path, text, result, after.kept);
  return { text: result, isSame };
}

function locate(path: string, text: LineText, request: EditRequest): readonly Replacement[] {
  return 'oldText' in request ? locateText(path, text, request) : [locateLines(path, text, request)];
}

function locateText(
  path: string,
  text: LineText,
  { oldText, newText, replaceAll }: Extract<EditRequest, { oldText: string }>,
): readonly Replacement[] {
  const wanted = toLf(oldText);
  const starts: number[] = [];
  for (let at = text.lf.indexOf(wanted); at >= 0;) {
    const isWhole = !cutsMarker(text, at) && !cutsMarker(text, at + wanted.length);
    if (isWhole) starts.push(at);
    at = text.lf.indexOf(wanted, at + (isWhole ? wanted.length : 1));
  }
  if (starts.length === 0) {
    const nearest = nearestMatch(text.lf, wanted);
    throw new ToolError(
      'no_match',
      `oldText was not found in ${path}; nothing was changed.${nearest === undefined ? '' : `\nThe nearest text is:\n${nearest}\n`}`,
      'Copy oldText exactly from the file as read_file returns it now, without line numbers.',
    );
  }
  if (starts.length > 1 && !replaceAll) {
    const lines = shownLinesOf(text.lf);
    const places = starts.slice(0, 10).map((start) => lineNumberAt(text, start));
    const shown = places.map((line) => numberedLines(lines, line, line)).join('\n');
    const more = starts.length > places.length ? '\n...' : '';
    throw new ToolError(
      'ambiguous_match',
      `oldText occurs ${starts.length} times in ${path}; nothing was changed. It begins at these lines:\n${shown}${more}\n`,
      'Include more of the surrounding lines so that it matches once, or set replaceAll.',
    );
  }
  return starts.map((start) => ({ start, end: start + wanted.length, newText: toLf(newText) }));
}

function locateLines(
  path: string,
  text: LineText,
  { firstLine, lastLine, newText }: Extract<EditRequest, { firstLine: number }>,
): Replacement {
  const total = text.lineStarts.length;
  if (lastLine > total || firstLine > total + 1) {
    throw new ToolError(
      'no_match',
      `${path} has ${total} lines, so lines ${firstLine} to ${lastLine} are not there; nothing was changed.`,
      'Read the file again and use the line numbers it has now.',
    );
  }
  const startOf = (line: number): number => text.lineStarts[line - 1] ?? text.lf.length;
  const lines = toLf(newText);
  const body = lines.endsWith('\n') ? lines.slice(0, -1) : lines;
  if (lastLine < firstLine) {
    if (lines === '') return { start: startOf(firstLine), end: startOf(firstLine), newText: '' };
    // The last line has no line end yet, so the new text begins with one.
    return firstLine > total
      ? { start: text.lf.length, end: text.lf.length, newText: `\n${body}` }
      : { start: startOf(firstLine), end: startOf(firstLine), newText: `${body}\n` };
  }
  if (lines !== '') return { start: startOf(firstLine), end: endOfLine(text, lastLine), newText: body };
  // Deleting whole lines also deletes their line end; at the end of the file, the line end before them.
  return lastLine < total
    ? { start: startOf(firstLine), end: startOf(lastLine + 1), newText: '' }
    : { start: Math.max(0, startOf(firstLine) - 1), end: text.lf.length, newText: '' };
}

function endOfLine(text: LineText, line: number): number {
  const next = text.lineStarts[line];
  return next === undefined ? text.lf.length : next - 1;
}

/** Shrinks the edit by what both texts share at their ends, so that line ends there stay unchanged. A marker is never cut. */
function narrow(text: LineText, { start, end, newText }: Replacement): Replacement {
  const [before, after] = [tokensOf(text.lf.slice(start, end), text), tokensOf(newText, text)];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  let tail = 0;
  let [headLength, tailLength] = [0, 0];
  for (; head < shortest && before[head] === after[head]; head += 1) headLength += before[head]?.length ?? 0;
  for (; tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail); tail += 1) {
    tailLength += before.at(-1 - tail)?.length ?? 0;
  }
  return {
    start: start + headLength,
    end: end - tailLength,
    newText: newText.slice(headLength, newText.length - tailLength),
  };
}

/** Returns the units that are compared one by one: the UTF-16 units of a text, and each marker as a whole. */
function tokensOf(part: string, text: LineText): ArrayLike<string> & { at(index: number): string | undefined } {
  if (text.hidden.length === 0 || !part.includes('[redacted:')) return part;
  return partsOf(part, text).flatMap((one) => (typeof one === 'string' ? one.split('') : [one.marker]));
}

function overlapping(path: string, text: LineText, { start }: Replacement): ToolError {
  return new ToolError(
    'ambiguous_match',
    `Two edits of this call overlap at line ${lineNumberAt(text, start)} of ${path}; nothing was changed.`,
    'All edits of a call address the text before the call: join overlapping edits into one.',
  );
}

function lineNumberAt(text: LineText, lfOffset: number): number {
  return text.lf.slice(0, lfOffset).split('\n').length;
}
