/** UTF-16 units of a line that a result shows. Minified files have lines of megabytes. */
const shown = 400;
/** UTF-16 units that a cut line shows before the match. */
const shownBefore = 100;
/** Lines of one multi-line match that a result shows. */
const shownLines = 20;

/** Cuts a line at its end when it is long. */
export function cutEnd(line: string): string {
  return line.length <= shown ? line : `${slice(line, 0, shown)}…`;
}

/** Cuts the lines of a match. The first line is cut around `column` (1-based), so that the match stays visible. */
export function cutAround(lines: readonly string[], column: number): string {
  const [first = '', ...rest] = lines;
  const start = first.length <= shown ? 0 : Math.max(0, Math.min(column - 1 - shownBefore, first.length - shown));
  const end = start + shown;
  const head = `${start > 0 ? '…' : ''}${slice(first, start, end)}${end < first.length ? '…' : ''}`;
  const more = rest.length >= shownLines ? [...rest.slice(0, shownLines - 1), '…'] : rest;
  return [head, ...more.map(cutEnd)].join('\n');
}

/** Slices a text without splitting a surrogate pair. */
function slice(text: string, start: number, end: number): string {
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start, isLowSurrogate(text, end) ? end - 1 : end);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
