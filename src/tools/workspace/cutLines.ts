import { printable } from '#call/sanitise.ts';
import type { PageLimits } from '#call/tool.ts';

/** The lines of a text that fit, from the first requested line on. */
interface Page {
  readonly text: string;
  readonly lastLine: number;
  readonly note?: string;
}

/** Lines joined by LF. */
interface JoinedLines {
  readonly text: string;
  /** Where each line ends in the text. */
  readonly ends: readonly number[];
}

/** The longest line that a page shows, in characters (UTF-16 units); the rest is read by columns. */
const longestLine = 2000;

/**
 * Returns as many lines as fit into `maxBytes` in the form that the client receives; when the first line alone does not
 * fit, the beginning of it.
 * @param lines the requested lines, which begin at the number `firstLine` of the file
 */
export function cutToBytes(
  { text, ends }: JoinedLines,
  firstLine: number,
  maxBytes: number,
  form: PageLimits['form'],
): Page {
  const lastWanted = firstLine + ends.length - 1;
  if (isFitting(text, firstLine, lastWanted, maxBytes, form)) return { text, lastLine: lastWanted };
  const count = countFitting({ text, ends }, firstLine, maxBytes, form);
  if (count > 0) return { text: text.slice(0, ends[count - 1]), lastLine: firstLine + count - 1 };
  const beginning = cutLine(text.slice(0, ends[0]), firstLine, maxBytes, form);
  return { text: beginning, lastLine: firstLine, note: cutNote(firstLine, beginning.length) };
}

/** Returns whether the lines of a text fit together. */
function isFitting(
  text: string,
  firstLine: number,
  lastLine: number,
  maxBytes: number,
  form: PageLimits['form'],
): boolean {
  // Most texts are far shorter than the limit, so that their bytes need not be counted.
  if (text.length * mostBytesOfUnit + frameBytes(firstLine, lastLine) <= maxBytes) return true;
  if (text.length > maxBytes) return false;
  // Without control characters, an escape takes two bytes in place of one.
  const isPlain = printable(text) === text;
  if (isPlain && Buffer.byteLength(text) * 2 + frameBytes(firstLine, lastLine) <= maxBytes) return true;
  return seenTextBytes(text, firstLine, lastLine, form) <= maxBytes;
}

/** Returns how many of the lines fit together. Each line is measured once. */
function countFitting(
  { text, ends }: JoinedLines,
  firstLine: number,
  maxBytes: number,
  form: PageLimits['form'],
): number {
  // Two forms of a text have sums of their own, since either may be the longer one.
  const forms = form === undefined ? (['text', 'data'] as const) : [form];
  const sums = forms.map(() => 0);
  let start = 0;
  for (const [index, end] of ends.entries()) {
    const line = text.slice(start, end);
    for (const [at, each] of forms.entries()) {
      // In JSON, the LF between two lines takes as many bytes as the quotes around a line.
      const lineFeed = index > 0 && each === 'text' ? 1 : 0;
      sums[at] = (sums[at] ?? 0) + lineFeed + seenTextBytes(line, firstLine + index, firstLine + index, each);
    }
    if (Math.max(...sums) > maxBytes) return index;
    start = end + 1;
  }
  return ends.length;
}

/**
 * Returns lines of a text as a page shows them, each cut when it is too long to be of use as a whole.
 * @param text has LF line ends
 * @param start where the first line begins
 * @param firstLine the number of that line in the file
 * @param count the most lines
 * @param room the characters after which no further line begins
 */
export function shownLines(
  text: string,
  { start, firstLine, count, room }: Readonly<Record<'start' | 'firstLine' | 'count' | 'room', number>>,
): JoinedLines {
  const ends: number[] = [];
  // Whole lines are copied together: a slice for each line would cost more than everything else.
  let copied = '';
  let from = start;
  let at = start;
  for (let length = 0; ends.length < count && length <= room && at <= text.length;) {
    const lineEnd = endOfLine(text, at);
    if (lineEnd - at > longestLine) {
      copied += text.slice(from, at) + cutLongLine(text.slice(at, lineEnd), firstLine + ends.length);
      from = lineEnd;
    }
    length = copied.length + lineEnd - from;
    ends.push(length);
    at = lineEnd + 1;
  }
  return { text: copied + text.slice(from, at - 1), ends };
}

/** Returns lines joined by LF. */
export function joinLines(lines: readonly string[]): JoinedLines {
  const ends: number[] = [];
  for (const line of lines) ends.push((ends.at(-1) ?? -1) + 1 + line.length);
  return { text: lines.join('\n'), ends };
}

/** Returns where a line ends that begins at an offset. */
export function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Returns the note about a line that a result shows only the beginning of. */
export function cutNote(line: number, shown: number): string {
  return `line ${line} was cut; read on with firstLine ${line}, firstColumn ${shown + 1}`;
}

/** Cuts a line that is too long, with a mark that says how to read the rest. */
function cutLongLine(text: string, line: number): string {
  const shown = beginningOf(text, longestLine);
  return `${shown}… [cut: line ${line} has ${text.length} characters; read on with firstLine ${line}, firstColumn ${shown.length + 1}]`;
}

/** Returns the beginning of a text that ends neither within a character nor within the marker of a secret. */
export function beginningOf(text: string, length: number): string {
  const marker = text.lastIndexOf('[redacted:', length - 1);
  const isWithinMarker = marker > 0 && text.indexOf(']', marker) >= length;
  const end = isWithinMarker ? marker : length;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? text.slice(0, end - 1) : text.slice(0, end);
}

/** Returns the beginning of a line that fits into `maxBytes` in the form that the client receives. */
export function cutLine(text: string, line: number, maxBytes: number, form: PageLimits['form']): string {
  let cut = cutText(text, maxBytes);
  for (let seen = seenTextBytes(cut, line, line, form); seen > maxBytes && cut !== '';) {
    // Escapes and line numbers lengthen it; scaled by this ratio, the shorter beginning fits or nearly fits.
    cut = cutText(cut, Math.min(Buffer.byteLength(cut) - 1, Math.floor((Buffer.byteLength(cut) * maxBytes) / seen)));
    seen = seenTextBytes(cut, line, line, form);
  }
  return cut;
}

/** Returns the beginning of a text that fits into `maxBytes`, without half a character. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes);
  return new TextDecoder().decode(bytes, { stream: true });
}

/** The most bytes that a UTF-16 unit takes in any form: as an escape such as `\u001b`. */
const mostBytesOfUnit = 6;

/** Returns the UTF-8 bytes of lines with their numbers, or as a JSON string. */
function seenTextBytes(text: string, firstLine: number, lastLine: number, form: PageLimits['form']): number {
  const numbered =
    form === 'data' ? 0 : Buffer.byteLength(printable(text)) + digitsOf(firstLine, lastLine) + lastLine - firstLine + 1;
  return form === 'text' ? numbered : Math.max(numbered, Buffer.byteLength(JSON.stringify(text)));
}

/** Returns the most bytes that numbers, tabs and quotes add to lines. */
function frameBytes(firstLine: number, lastLine: number): number {
  return digitsOf(firstLine, lastLine) + lastLine - firstLine + 1 + 2;
}

/** Counts the digits of all numbers from `first` to `last`. */
function digitsOf(first: number, last: number): number {
  let digits = 0;
  for (let from = first; from <= last;) {
    const width = String(from).length;
    const to = Math.min(last, 10 ** width - 1);
    digits += width * (to - from + 1);
    from = to + 1;
  }
  return digits;
}
