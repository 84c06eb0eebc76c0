/** A text addressed as models see it, with LF only, that knows where each place is in the text as it is. */
export interface LineText {
  /** Every line end is `\n`. */
  readonly lf: string;
  /** Offsets in `lf` at which lines start; the editor's lines, so an empty last line counts. */
  readonly lineStarts: readonly number[];
  /** The offset in the original text of an offset in `lf`. */
  originalOffset(lfOffset: number): number;
  /** The line end that a line inserted at this offset of `lf` takes: that of its own line, or of the line before. */
  lineEndAt(lfOffset: number): string;
}

/** Splits at `\r\n`, `\n` and `\r`, as the editor does. */
export function lineText(original: string): LineText {
  const ends = [...original.matchAll(/\r\n|\n|\r/g)].map(([end]) => end);
  const lf = original.replaceAll(/\r\n|\r/g, '\n');
  const lineStarts = [0];
  for (let at = lf.indexOf('\n'); at >= 0; at = lf.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  // How many two-character line ends stand before each line: what `lf` is short of there.
  const missing = [0];
  for (const end of ends) missing.push((missing.at(-1) ?? 0) + end.length - 1);

  const lineIndexAt = (lfOffset: number): number => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lineStarts[middle] ?? 0) <= lfOffset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    lf,
    lineStarts,
    originalOffset: (lfOffset) => lfOffset + (missing[lineIndexAt(lfOffset)] ?? 0),
    lineEndAt: (lfOffset) => {
      const line = lineIndexAt(lfOffset);
      return ends[line] ?? ends[line - 1] ?? '\n';
    },
  };
}
