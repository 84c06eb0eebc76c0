import { printable } from '#call/sanitise.ts';
import type { PageLimits } from '#call/tool.ts';

/** The lines of a text that fit, from the first requested line on. */
interface Page {
  readonly text: string;
  readonly lastLine: number;
  readonly note?: string;
}

/**
 * Returns as many lines as fit into `maxBytes` in the form that the client receives; when the first line alone does not
 * fit, the beginning of it.
 * @param lastWanted 1-based, inclusive
 */
export function cutToBytes(
  lf: string,
  starts: readonly number[],
  firstLine: number,
  lastWanted: number,
  maxBytes: number,
  form: PageLimits['form'],
): Page {
  const start = starts[firstLine - 1] ?? 0;
  const textUpTo = (line: number): string => lf.slice(start, (starts[line] ?? lf.length + 1) - 1);
  const isFitting = (line: number): boolean =>
    (starts[line] ?? lf.length + 1) - 1 - start <= maxBytes &&
    seenTextBytes(textUpTo(line), firstLine, line, form) <= maxBytes;
  if (isFitting(lastWanted)) return { text: textUpTo(lastWanted), lastLine: lastWanted };
  let fits = firstLine - 1;
  let beyond = lastWanted;
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (isFitting(middle)) fits = middle;
    else beyond = middle;
  }
  if (fits >= firstLine) return { text: textUpTo(fits), lastLine: fits };
  const line = textUpTo(firstLine);
  return { text: cutLine(line, firstLine, maxBytes, form), lastLine: firstLine, note: cutNote(firstLine, line.length) };
}

/** Returns the note about a line that a result shows only the beginning of. */
export function cutNote(line: number, length: number): string {
  return `line ${line} has ${length} characters and was cut; search_code shows places inside it`;
}

/** Returns the beginning of a line that fits into `maxBytes` in the form that the client receives. */
function cutLine(text: string, line: number, maxBytes: number, form: PageLimits['form']): string {
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

/** Returns the UTF-8 bytes of lines with their numbers, or as a JSON string. */
function seenTextBytes(text: string, firstLine: number, lastLine: number, form: PageLimits['form']): number {
  const numbered = Buffer.byteLength(printable(text)) + digitsOf(firstLine, lastLine) + lastLine - firstLine + 1;
  if (form === 'text') return numbered;
  const escaped = Buffer.byteLength(JSON.stringify(text));
  return form === 'data' ? escaped : Math.max(numbered, escaped);
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
