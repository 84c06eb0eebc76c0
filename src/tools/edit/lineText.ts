/** A text with LF only, as models see it, that maps each offset to the original text. */
export interface LineText {
  /** Every line end is `\n`. */
  readonly lf: string;
  /** Offsets in `lf` where lines start; as in the editor, an empty last line counts. */
  readonly lineStarts: readonly number[];
  /** Converts an offset in `lf` to an offset in the original text. */
  originalOffset(lfOffset: number): number;
  /** Returns the line end for a line inserted at this offset of `lf`: that of its own line, or of the line before. */
  lineEndAt(lfOffset: number): string;
}

/** Maps a text to LF; splits lines at `\r\n`, `\n` and `\r`, as the editor does. */
export function lineText(original: string): LineText {
  const ends = [...original.matchAll(/\r\n|\n|\r/g)].map(([end]) => end);
  const lf = original.replaceAll(/\r\n|\r/g, '\n');
  const lineStarts = [0];
  for (let at = lf.indexOf('\n'); at >= 0; at = lf.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  // The number of two-character line ends before each line is what an offset in `lf` lacks.
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
