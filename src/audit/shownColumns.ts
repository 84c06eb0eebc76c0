/** Columns of a text as assistants see it. */
import type { Position, TextRange } from '#base/language.ts';
import { type HiddenPiece, redactText } from './redactText.ts';

/** Converts columns between a text and its redacted form, in which lines are the same. Lines and columns are 1-based. */
export interface Columns {
  /** Returns the column in the redacted form; that of the marker for a column inside a redacted piece. */
  shown(at: Position): number;
  /** Returns the column in the text itself; that of the redacted piece for a column inside a marker. */
  real(at: Position): number;
  /** Returns whether a range of the text itself lies within one redacted piece. */
  hides(range: TextRange): boolean;
}

/** A redacted piece of a line and its marker, by columns. */
interface PieceOfLine {
  readonly real: number;
  readonly realEnd: number;
  readonly shown: number;
  readonly shownEnd: number;
}

/** Returns the columns of a text; undefined when nothing in it is redacted, so that both are the same. */
export function columnsIn(text: string): Columns | undefined {
  const redacted = redactText(text);
  if (redacted.hidden.length === 0) return undefined;
  const lines = Map.groupBy(piecesOf(text, redacted), ({ line }) => line);
  const convert =
    (from: 'real' | 'shown', to: 'real' | 'shown') =>
    ({ line, column }: Position): number => {
      const piece = lines.get(line)?.findLast((each) => each[from] <= column);
      if (piece === undefined) return column;
      const end = piece[`${from}End`];
      return column < end ? piece[to] : column - end + piece[`${to}End`];
    };
  const hides = ({ firstLine, firstColumn, lastLine, lastColumn }: TextRange): boolean =>
    firstLine === lastLine &&
    lines.get(firstLine)?.some(({ real, realEnd }) => real <= firstColumn && lastColumn <= realEnd) === true;
  return { shown: convert('real', 'shown'), real: convert('shown', 'real'), hides };
}

function piecesOf(
  text: string,
  { text: shownText, hidden }: { readonly text: string; readonly hidden: readonly HiddenPiece[] },
): readonly (PieceOfLine & { readonly line: number })[] {
  const starts = lineStarts(text);
  const shownStarts = lineStarts(shownText);
  let line = 0;
  return hidden.map(({ start, end, shownStart, shownEnd }) => {
    while ((starts[line + 1] ?? Infinity) <= start) line += 1;
    const [first, shownFirst] = [starts[line] ?? 0, shownStarts[line] ?? 0];
    return {
      line: line + 1,
      real: start - first + 1,
      realEnd: end - first + 1,
      shown: shownStart - shownFirst + 1,
      shownEnd: shownEnd - shownFirst + 1,
    };
  });
}

function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ 0: end, index }) => index + end.length)];
}

/** Returns a range with the columns that the assistant sees. */
export function shownRange(columns: Columns, range: TextRange): TextRange {
  const { firstLine, firstColumn, lastLine, lastColumn } = range;
  return {
    firstLine,
    firstColumn: columns.shown({ line: firstLine, column: firstColumn }),
    lastLine,
    lastColumn: columns.shown({ line: lastLine, column: lastColumn }),
  };
}
