import { ToolError } from '#base/toolError.ts';
import { lineText, type LineText } from './lineText.ts';
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

/**
 * Returns the text after all edits of one file. All edits address the same base; bytes outside them stay unchanged.
 * @throws ToolError `no_match`, `ambiguous_match`
 */
export function applyRequests(path: string, base: string, requests: readonly EditRequest[]): string {
  const text = lineText(base);
  const replacements = requests
    .flatMap((request) => locate(path, text, request))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, replacement] of replacements.entries()) {
    const previous = replacements[index - 1];
    if (previous !== undefined && replacement.start < previous.end) throw overlapping(path, text, replacement);
  }
  return replaceLocated(base, text, replacements);
}

/**
 * Returns the text with all replacements, which must be sorted and apart. Bytes outside them stay unchanged; new lines
 * take the line end of their neighbours. No two line ends merge into one.
 */
export function replaceLocated(base: string, text: LineText, replacements: readonly Replacement[]): string {
  const pieces: string[] = [];
  const append = (piece: string): void => {
    if (piece === '') return;
    // CR at the end of one line and LF of an empty next line would become one line end.
    if (piece.startsWith('\n') && pieces.at(-1)?.endsWith('\r') === true) pieces.push('\r');
    pieces.push(piece);
  };
  let done = 0;
  for (const replacement of replacements) {
    const { start, end, newText } = narrow(text.lf, replacement);
    const lineEnd = text.lineEndAt(start);
    append(base.slice(done, text.originalOffset(start)));
    append(newText.replaceAll('\n', () => lineEnd));
    done = text.originalOffset(end);
  }
  append(base.slice(done));
  return pieces.join('');
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
  for (let at = text.lf.indexOf(wanted); at >= 0; at = text.lf.indexOf(wanted, at + wanted.length)) starts.push(at);
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

/** Shrinks the edit by what both texts share at their ends, so that line ends there stay unchanged. */
function narrow(lf: string, { start, end, newText }: Replacement): Replacement {
  const shortest = Math.min(end - start, newText.length);
  let head = 0;
  while (head < shortest && lf[start + head] === newText[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && lf[end - 1 - tail] === newText[newText.length - 1 - tail]) tail += 1;
  return { start: start + head, end: end - tail, newText: newText.slice(head, newText.length - tail) };
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

function toLf(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n');
}
