import { type HiddenPiece, redactText } from '#audit/redactText.ts';

/** A text with LF only, as models see it, that maps each offset to the original text. */
export interface LineText {
  /** Every line end is `\n`; in a text that models see, markers stand for what is redacted. */
  readonly lf: string;
  /** Offsets in `lf` where lines start; as in the editor, an empty last line counts. */
  readonly lineStarts: readonly number[];
  /** What the markers in `lf` stand for, in the order of the text; empty for a text that is edited as it is. */
  readonly hidden: readonly HiddenPiece[];
  /** The original text with LF. */
  readonly original: string;
  /** Converts an offset in `lf` to an offset in the original text. The offset is not inside a marker. */
  originalOffset(lfOffset: number): number;
  /** Returns the line end for a line inserted at this offset of `lf`: that of its own line, or of the line before. */
  lineEndAt(lfOffset: number): string;
}

/** Maps a text to LF; splits lines at `\r\n`, `\n` and `\r`, as the editor does. */
export function lineText(original: string): LineText {
  const lf = toLf(original);
  return textOf(original, { original: lf, lf, hidden: [] });
}

/**
 * Maps a text to what a model sees of it. The edits of a model are compared with nothing else, so that no answer tells what is
 * redacted (threat row A30).
 */
export function shownText(original: string): LineText {
  const lf = toLf(original);
  const { text, hidden } = redactText(lf);
  return textOf(original, { original: lf, lf: text, hidden });
}

/** Returns a text with LF line ends. */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
}

function textOf(original: string, texts: Pick<LineText, 'original' | 'lf' | 'hidden'>): LineText {
  const { lf, hidden } = texts;
  const ends = [...original.matchAll(/\r\n|\n|\r/g)].map(([end]) => end);
  const lineStarts = lineStartsOf(lf);
  // The number of two-character line ends before each line is what an offset in the text with LF lacks.
  const missing = [0];
  for (const end of ends) missing.push((missing.at(-1) ?? 0) + end.length - 1);

  const lineIndexAt = (lfOffset: number): number => lastIndexUpTo(lineStarts, lfOffset, (start) => start);
  const withSecrets = (offset: number): number => {
    const piece = hidden[lastIndexUpTo(hidden, offset, ({ shownStart }) => shownStart)];
    if (piece === undefined || offset < piece.shownStart) return offset;
    return offset === piece.shownStart ? piece.start : offset - piece.shownEnd + piece.end;
  };
  return {
    ...texts,
    lineStarts,
    originalOffset: (lfOffset) => withSecrets(lfOffset) + (missing[lineIndexAt(lfOffset)] ?? 0),
    lineEndAt: (lfOffset) => {
      const line = lineIndexAt(lfOffset);
      return ends[line] ?? ends[line - 1] ?? '\n';
    },
  };
}

function lineStartsOf(lf: string): readonly number[] {
  const starts = [0];
  for (let at = lf.indexOf('\n'); at >= 0; at = lf.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last item whose offset is not after `offset`; 0 when there is none. @param items in order */
function lastIndexUpTo<Item>(items: readonly Item[], offset: number, offsetOf: (item: Item) => number): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const item = items[middle];
    if (item !== undefined && offsetOf(item) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
