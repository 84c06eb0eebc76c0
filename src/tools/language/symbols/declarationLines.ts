import type { TextRange } from '#base/language.ts';

/** Comments, and what is written above a declaration as a part of it. */
const comment = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!)|--|<!--|;;|%|""")/;
const annotation = /^\s*(?:@[\w.]|#!?\[|\[[\w.]+[\](])/;

interface DeclarationLines {
  /** Of what stands directly above: all of it, and what a new text replaces. */
  readonly leadingLine: { readonly above: number; readonly replaced: number };
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * The whole lines of a declaration, 1-based. Services leave out comments above it, and of `export const cart = ...` some leave
 * out the beginning. The comment is replaced by a text that brings one, and so are annotations.
 */
export function declarationLines(lines: readonly string[], range: TextRange, newText: string): DeclarationLines {
  const { firstLine } = range;
  const start = /\S.*/.exec(newText)?.[0] ?? '';
  const linesAbove = (isPart: (line: string) => boolean): number => {
    let first = firstLine;
    while (first > 1 && isPart(lines[first - 2] ?? '')) first -= 1;
    return first;
  };
  const above = linesAbove((line) => comment.test(line) || annotation.test(line));
  const annotated = linesAbove((line) => annotation.test(line));
  const replaced = comment.test(start) ? above : annotation.test(start) ? annotated : firstLine;
  // A range may end before the first character of the next line.
  const lastLine = range.lastColumn === 1 && range.lastLine > firstLine ? range.lastLine - 1 : range.lastLine;
  return { leadingLine: { above, replaced }, firstLine, lastLine };
}

/** Whether something else than a declaration's own words stands on its first or last line. */
export function sharesLines(lines: readonly string[], range: TextRange): boolean {
  const before = (lines[range.firstLine - 1] ?? '').slice(0, range.firstColumn - 1);
  const after = (lines[range.lastLine - 1] ?? '').slice(range.lastColumn - 1);
  const isOwnStart = /^[\s\w@().:<>[\]&*-]*$/.test(before);
  const isOwnEnd = range.lastColumn === 1 || /^\s*[;,)]*\s*(?:(?:\/\/|\/\*|#|--).*)?$/.test(after);
  return !isOwnStart || !isOwnEnd;
}
