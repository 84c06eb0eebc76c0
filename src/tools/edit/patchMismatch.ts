import { ToolError } from '#base/toolError.ts';
import { nearestMatch, numberedLines, shownLinesOf } from './nearestMatch.ts';
import type { Hunk } from './patchSyntax.ts';

/** The lines of a file, without their ends. */
export interface FileLines {
  readonly path: string;
  readonly lines: readonly string[];
  /** The last line has no line end. */
  readonly isUnterminated: boolean;
}

function named({ patchLine }: Hunk): string {
  return `The hunk at line ${patchLine} of the patch`;
}

/** No context, no removed line: every place would do. */
export function nothingToFind({ path }: FileLines, hunk: Hunk): ToolError {
  return new ToolError(
    'ambiguous_match',
    `${named(hunk)} only adds lines, and nothing shows where in ${path}; nothing was changed.`,
    'Include unchanged lines before or after the added ones (each begins with a space).',
  );
}

/** It stands in several places, and nothing picks one. */
export function ambiguousHunk({ path, lines }: FileLines, hunk: Hunk, found: readonly number[]): ToolError {
  const shownLines = shownLinesOf(lines.join('\n'));
  const shown = found.slice(0, 10).map((first) => numberedLines(shownLines, first + 1, first + 1));
  return new ToolError(
    'ambiguous_match',
    `${named(hunk)} fits ${found.length} places in ${path}; nothing was changed. They begin at these lines:\n${shown.join('\n')}${found.length > shown.length ? '\n...' : ''}\n`,
    'Include more unchanged lines around the change, or give the right line number in the "@@ -line,count +line,count @@" header.',
  );
}

/** The line behind `@@` is not where it is looked for. */
export function anchorNotFound({ path, lines }: FileLines, hunk: Hunk, anchor: string): ToolError {
  return new ToolError(
    'no_match',
    `${named(hunk)} stands below "@@ ${anchor.slice(0, 200)}", and there is no such line in its place in ${path}; nothing was changed.${nearest(lines, anchor)}`,
    'Copy the line behind "@@" exactly from the file, or leave it out.',
  );
}

/** What was looked for. */
interface Missing {
  readonly old: readonly string[];
  /** Index of the first line where it might have begun. */
  readonly from: number;
  /** Where it begins in fact, though it may not. */
  readonly elsewhere: number | undefined;
}

/** The old lines of the hunk are not where they may be. */
export function hunkNotFound(
  { path, lines, isUnterminated }: FileLines,
  hunk: Hunk,
  { old, from, elsewhere }: Missing,
): ToolError {
  const mustEnd = hunk.atEnd || hunk.oldUnterminated || hunk.newUnterminated;
  const why =
    elsewhere === undefined
      ? nearest(lines, old.join('\n'))
      : mustEnd && lines.length > elsewhere + old.length
        ? ` Its lines are at line ${elsewhere + 1}, which is not the end of the file.\n`
        : hunk.oldUnterminated && !isUnterminated
          ? ' The file ends with a line end, and the patch says that it does not.\n'
          : from > 0
            ? ` Its lines are at line ${elsewhere + 1}, before or in the hunk above it; hunks come in the order of the file.\n`
            : ` Its lines are at line ${elsewhere + 1}, above the line that "@@" names.\n`;
  return new ToolError(
    'no_match',
    `${named(hunk)} was not found in ${path}; nothing was changed.${why}`,
    'Read the file again and copy unchanged and removed lines exactly as they are now, white space included.',
  );
}

function nearest(lines: readonly string[], wanted: string): string {
  const found = nearestMatch(lines.join('\n'), wanted);
  return found === undefined ? '' : `\nThe nearest text is:\n${found}\n`;
}
