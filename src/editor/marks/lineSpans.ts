import type * as vscode from 'vscode';
import { hunksBetween } from '#changes/hunks.ts';

/** A range of lines; 0-based, both included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** An edit that replaces the lines from `first` up to but not including `end` (0-based) by `count` lines. */
export interface LineEdit {
  readonly first: number;
  readonly end: number;
  readonly count: number;
}

/** Returns the line edits that turn one text into another, from the last to the first. Ignores line ends. */
export function lineEdits(before: string, after: string): LineEdit[] {
  const [old, fresh] = [before, after].map((text) => text.replaceAll(/\r\n|\r/g, '\n'));
  return hunksBetween(old ?? '', fresh ?? '')
    .hunks.map(({ baseStart, baseLines, resultLines }) => ({
      first: baseStart,
      end: baseStart + baseLines.length,
      count: resultLines.length,
    }))
    .toReversed();
}

/** Returns the lines that each edit wrote. For a pure deletion, returns the line that follows. */
export function editedSpans(edits: readonly LineEdit[]): LineSpan[] {
  let moved = 0;
  return edits.toReversed().map(({ first, end, count }) => {
    const start = first + moved;
    moved += count - (end - first);
    return { first: start, last: start + Math.max(count, 1) - 1 };
  });
}

/** Returns the lines of the spans that an edit does not touch, at their positions after it. */
export function afterEdit(spans: readonly LineSpan[], { first, end, count }: LineEdit): LineSpan[] {
  const moved = count - (end - first);
  return spans.flatMap((span) => [
    ...some(span.first, Math.min(span.last, first - 1)),
    ...some(Math.max(span.first, end) + moved, span.last + moved),
  ]);
}

/**
 * Returns a span after an edit; an edit inside makes it longer or shorter. Returns undefined when all its lines were deleted.
 */
export function followed(span: LineSpan, { first, end, count }: LineEdit): LineSpan | undefined {
  if (first > span.last) return span;
  const moved = count - (end - first);
  if (end <= span.first) return { first: span.first + moved, last: span.last + moved };
  const keepsEnd = end <= span.last;
  const begin = keepsEnd ? first + count : first;
  return some(first < span.first ? begin : span.first, keepsEnd ? span.last + moved : first + count - 1)[0];
}

/** Returns the lines of the spans that are not in the others. */
export function withoutLines(spans: readonly LineSpan[], others: readonly LineSpan[]): LineSpan[] {
  return others
    .reduce<readonly LineSpan[]>(
      (left, { first, last }) =>
        left.flatMap((span) => [
          ...some(span.first, Math.min(span.last, first - 1)),
          ...some(Math.max(span.first, last + 1), span.last),
        ]),
      spans,
    )
    .slice();
}

function some(first: number, last: number): LineSpan[] {
  return first <= last ? [{ first, last }] : [];
}

/** Converts a change of a document to a line edit. Whole lines inserted before a line do not touch that line. */
export function lineEditOf({
  range: { start, end },
  text,
}: Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>): LineEdit {
  const added = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  const isWhole = start.character === 0 && end.character === 0 && (text === '' || /[\r\n]$/.test(text));
  return isWhole
    ? { first: start.line, end: end.line, count: added }
    : { first: start.line, end: end.line + 1, count: added + 1 };
}
