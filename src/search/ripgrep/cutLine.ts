/** UTF-16 units of a line that a result shows; minified files have lines of megabytes. */
const shown = 400;
const shownBefore = 100;
/** Lines of one multi-line match that a result shows. */
const shownLines = 20;

/** A line, cut at its end. */
export function cutEnd(line: string): string {
  return line.length <= shown ? line : `${slice(line, 0, shown)}…`;
}

/** The lines of a match; the first is cut so that `column` (1-based) stays in sight. */
export function cutAround(lines: readonly string[], column: number): string {
  const [first = '', ...rest] = lines;
  const start = first.length <= shown ? 0 : Math.max(0, Math.min(column - 1 - shownBefore, first.length - shown));
  const end = start + shown;
  const head = `${start > 0 ? '…' : ''}${slice(first, start, end)}${end < first.length ? '…' : ''}`;
  const more = rest.length >= shownLines ? [...rest.slice(0, shownLines - 1), '…'] : rest;
  return [head, ...more.map(cutEnd)].join('\n');
}

/** Never half a surrogate pair. */
function slice(text: string, start: number, end: number): string {
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start, isLowSurrogate(text, end) ? end - 1 : end);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
