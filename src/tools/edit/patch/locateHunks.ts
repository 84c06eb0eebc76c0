import { ToolError } from '#base/toolError.ts';
import { nearestMatch, numberedLines, shownLinesOf } from '../nearestMatch.ts';
import type { Hunk } from './patchSyntax.ts';

/** The lines of the file that a hunk matches. */
export interface HunkLocation {
  /** Index of its first line in the file. */
  readonly first: number;
  /** How many old lines the file has; one less than the hunk when its last line is the empty one after the last line end. */
  readonly oldLines: number;
}

/** The most line comparisons for one file; more than any real patch needs, and done within a second. */
const maximumSteps = 20_000_000;

interface Search extends FileLines {
  /** Indices of each line by its text. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  steps: number;
}

/**
 * Finds the place of each hunk. Context and removed lines must match exactly, in the order of the patch. When several
 * places match, the line number or the `@@` line must select one.
 * @throws ToolError `no_match`, `ambiguous_match`, `too_large`
 */
export function placeHunks(file: FileLines, hunks: readonly Hunk[]): readonly HunkLocation[] {
  const positions = new Map<string, number[]>();
  for (const [index, line] of file.lines.entries()) {
    const known = positions.get(line);
    if (known === undefined) positions.set(line, [index]);
    else known.push(index);
  }
  const search: Search = { ...file, positions, steps: 0 };
  let from = 0;
  let drift = 0;
  return hunks.map((hunk) => {
    const place = placeHunk(search, hunk, from, drift);
    if (hunk.firstLine !== undefined) drift = place.first + 1 - hunk.firstLine;
    from = place.first + linesUpToLastChange(hunk);
    return place;
  });
}

/** Counts old lines up to the last change; the next hunk may begin with the context after it. */
function linesUpToLastChange({ lines }: Hunk): number {
  const last = lines.findLastIndex(({ kind }) => kind !== 'context');
  return lines.slice(0, last + 1).filter(({ kind }) => kind !== 'added').length;
}

function placeHunk(search: Search, hunk: Hunk, from: number, drift: number): HunkLocation {
  const old = hunk.lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text);
  if (hunk.atEnd || hunk.oldUnterminated || hunk.newUnterminated) return placeAtEnd(search, hunk, old, from);
  if (old.length === 0) {
    if (search.lines.length === 0) return { first: 0, oldLines: 0 };
    throw nothingToFind(search, hunk);
  }
  const found = placesOf(search, hunk, old, from, drift);
  const [first] = found;
  if (first !== undefined && found.length === 1) return { first, oldLines: old.length };
  if (found.length > 1) throw ambiguousHunk(search, hunk, found);
  if (hunk.lines.at(-1)?.kind === 'context' && old.at(-1) === '') return placeAtEnd(search, hunk, old, from);
  throw hunkNotFound(search, hunk, { old, from, elsewhere: allPlaces(search, old, 0).at(-1) });
}

function placesOf(search: Search, hunk: Hunk, old: readonly string[], from: number, drift: number): readonly number[] {
  if (hunk.firstLine !== undefined && hunk.anchors.length === 0) {
    const hinted = [...new Set([hunk.firstLine - 1 + drift, hunk.firstLine - 1])].filter(
      (first) => first >= from && standsAt(search, old, first),
    );
    if (hinted.length > 0) return hinted;
  }
  let above: readonly number[] = [];
  for (const anchor of hunk.anchors) {
    const found = narrowed(search, linesLike(search, anchor, from), above);
    if (found.length === 0) throw anchorNotFound(search, hunk, anchor);
    above = found;
  }
  return narrowed(search, allPlaces(search, old, from), above);
}

/** Finds a hunk whose last old line must be the last line of the file. */
function placeAtEnd(search: Search, hunk: Hunk, old: readonly string[], from: number): HunkLocation {
  const { lines, isUnterminated } = search;
  const wanted = [old];
  // Editors and read_file show an empty line after the last line end.
  if (!isUnterminated && old.at(-1) === '' && hunk.lines.at(-1)?.kind === 'context') wanted.push(old.slice(0, -1));
  for (const candidate of wanted) {
    const first = lines.length - candidate.length;
    const fits = first >= from && standsAt(search, candidate, first);
    if (fits && (!hunk.oldUnterminated || isUnterminated)) return { first, oldLines: candidate.length };
  }
  throw hunkNotFound(search, hunk, { old, from, elsewhere: allPlaces(search, old, 0).at(-1) });
}

/** Returns every matching place from `from` on: looks up the rarest line, then compares the others. */
function allPlaces(search: Search, old: readonly string[], from: number): readonly number[] {
  let rarest: readonly number[] | undefined;
  let offset = 0;
  for (const [index, line] of old.entries()) {
    const found = search.positions.get(line) ?? [];
    if (rarest === undefined || found.length < rarest.length) [rarest, offset] = [found, index];
  }
  count(search, old.length + (rarest?.length ?? 0));
  return (rarest ?? []).map((at) => at - offset).filter((first) => first >= from && standsAt(search, old, first));
}

function standsAt(search: Search, old: readonly string[], first: number): boolean {
  if (first < 0 || first + old.length > search.lines.length) return false;
  const differs = old.findIndex((line, index) => search.lines[first + index] !== line);
  count(search, differs < 0 ? old.length : differs + 1);
  return differs < 0;
}

/** Returns lines that equal the anchor without white space at the ends; if none does, lines that begin with it. */
function linesLike(search: Search, anchor: string, from: number): readonly number[] {
  count(search, search.lines.length);
  const equal: number[] = [];
  const longer: number[] = [];
  for (const [index, line] of search.lines.entries()) {
    const trimmed = line.trim();
    if (index < from || !trimmed.startsWith(anchor)) continue;
    if (trimmed.length === anchor.length) equal.push(index);
    else if (!/\w/.test(trimmed[anchor.length] ?? '')) longer.push(index);
  }
  return equal.length > 0 ? equal : longer;
}

/** Keeps the indices below an anchor; when several remain, those in the indented block below it. */
function narrowed(search: Search, indices: readonly number[], anchors: readonly number[]): readonly number[] {
  const [firstAnchor] = anchors;
  if (firstAnchor === undefined) return indices;
  const below = indices.filter((index) => index > firstAnchor);
  if (below.length < 2) return below;
  const blocks = anchors.map((anchor) => ({ anchor, end: endOfBlock(search, anchor) }));
  count(search, below.length * blocks.length);
  const inside = below.filter((index) => blocks.some(({ anchor, end }) => index > anchor && index < end));
  return inside.length > 0 ? inside : below;
}

/** Returns the first line that is not indented deeper than the anchor; brackets that continue its statement do not count. */
function endOfBlock(search: Search, anchor: number): number {
  const depth = indentation(search.lines[anchor] ?? '');
  let end = anchor + 1;
  for (; end < search.lines.length; end += 1) {
    const line = search.lines[end] ?? '';
    if (line.trim() !== '' && indentation(line) <= depth && !/^\s*[{)]/.test(line)) break;
  }
  count(search, end - anchor);
  return end;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

function count(search: Search, steps: number): void {
  search.steps += steps;
  if (search.steps <= maximumSteps) return;
  throw new ToolError(
    'too_large',
    `Finding the hunks of this patch in ${search.path} takes too long, because their lines occur so often; nothing was changed.`,
    'Send fewer hunks at once, with lines that occur rarely, or use edits with line numbers.',
  );
}

/** The lines of a file, without their ends. */
interface FileLines {
  readonly path: string;
  readonly lines: readonly string[];
  /** The last line has no line end. */
  readonly isUnterminated: boolean;
}

function named({ patchLine }: Hunk): string {
  return `The hunk at line ${patchLine} of the patch`;
}

/** The hunk has neither context nor removed lines, so it matches everywhere. */
function nothingToFind({ path }: FileLines, hunk: Hunk): ToolError {
  return new ToolError(
    'ambiguous_match',
    `${named(hunk)} only adds lines, and nothing shows where in ${path}; nothing was changed.`,
    'Include unchanged lines before or after the added ones (each begins with a space).',
  );
}

/** The hunk matches several places, and nothing selects one. */
function ambiguousHunk({ path, lines }: FileLines, hunk: Hunk, found: readonly number[]): ToolError {
  const shownLines = shownLinesOf(lines.join('\n'));
  const shown = found.slice(0, 10).map((first) => numberedLines(shownLines, first + 1, first + 1));
  return new ToolError(
    'ambiguous_match',
    `${named(hunk)} fits ${found.length} places in ${path}; nothing was changed. They begin at these lines:\n${shown.join('\n')}${found.length > shown.length ? '\n...' : ''}\n`,
    'Include more unchanged lines around the change, or give the right line number in the "@@ -line,count +line,count @@" header.',
  );
}

/** The line after `@@` is not where the hunk may be. */
function anchorNotFound({ path, lines }: FileLines, hunk: Hunk, anchor: string): ToolError {
  return new ToolError(
    'no_match',
    `${named(hunk)} names "@@ ${anchor.slice(0, 200)}", and ${path} has no such line there; nothing was changed.${nearest(lines, anchor)}`,
    'Copy the line after "@@" exactly from the file, or leave it out.',
  );
}

/** The old lines of a hunk that was not found. */
interface Missing {
  readonly old: readonly string[];
  /** Index of the first line where it might have begun. */
  readonly from: number;
  /** Index of a match that is not allowed there. */
  readonly elsewhere: number | undefined;
}

/** The old lines of the hunk are not where they are allowed to be. */
function hunkNotFound(
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
