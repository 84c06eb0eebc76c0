/** A replacement of a part of a text; offsets in UTF-16 units, `end` excluded. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; edits at the same offset apply in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let copied = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(copied, edit.start) + edit.text;
    copied = edit.end;
  }
  return result + text.slice(copied);
}

/** Returns the first line end of a text; LF when it has none. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** Returns the offset at which the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset after the line of an offset, its line end included. */
export function nextLine(text: string, offset: number): number {
  const next = text.indexOf('\n', offset);
  return next === -1 ? text.length : next + 1;
}

/** Returns the white space at the start of the line of an offset. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Returns the line and column of an offset, both from 1, as "line 3, column 5". */
export function placeOf(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return `line ${text.slice(0, start).split('\n').length}, column ${offset - start + 1}`;
}
