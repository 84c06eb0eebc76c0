import { plain } from '#base/visibleText.ts';
import type { LineEnd } from '#changes/diffRows.ts';
import type { HunkHeader, PageFile, PageRow } from '../messages.ts';
import type { Translate } from './translate.ts';
import type { CardFile, Chip } from './view.ts';

type RowOf<Kind extends PageRow['kind']> = Extract<PageRow, { kind: Kind }>;

/** Hunks that a header names by their numbers. */
const mostNamed = 3;

/** Returns how a line end is drawn where it would not be seen. */
export function lineEndEscape(end: LineEnd): string {
  return end === '\n' ? '<LF>' : '<CRLF>';
}

/** Returns what a screen reader reads before a line, such as "line 12 added:"; empty for the rest of a long line. */
export function rowLabel(
  { kind, before, after, isRest }: RowOf<'added' | 'removed' | 'context'>,
  t: Translate,
): string {
  if (isRest) return '';
  if (kind === 'added') return t('line {0} added:', after ?? '');
  if (kind === 'removed') return t('line {0} removed:', before ?? '');
  return t('line {0} unchanged:', after ?? '');
}

/** The words of the header of a hunk. */
export interface HunkHeaderText {
  readonly text: string;
  /** Such as "lines 5–7". */
  readonly where: string;
  /** Accessible name of the check box; absent when the hunk cannot be left out. */
  readonly selectLabel?: string;
  readonly chips: readonly Chip[];
}

/** Returns the words of the header of a hunk. */
export function hunkHeader(
  header: HunkHeader,
  { path }: Pick<CardFile, 'path'>,
  { hunks, canSelect }: Pick<PageFile, 'hunks' | 'canSelect'>,
  t: Translate,
): HunkHeaderText {
  const { hunk: index, onlyRemoved } = header;
  const where = linesText(header, t);
  const number = canSelect ? `${index + 1} · ` : '';
  const text = `${number}${onlyRemoved ? t('{0} removed', where) : where}`;
  const { origin, linked = [] } = hunks[index] ?? {};
  const chips: Chip[] = [];
  if (origin === 'edited') chips.push({ text: t('yours'), tone: 'warning', title: t('You wrote this.') });
  if (!canSelect) return { text, where, chips };
  const together = linked.length === 0 ? undefined : linkText(linked, t);
  if (together !== undefined) {
    const title = t(
      'One of these changes opens a bracket that another closes, so you can only include or leave them out together.',
    );
    chips.push({ text: together, tone: 'plain', title });
  }
  const include = t('Include {0} of {1}', where, plain(path));
  return { text, where, selectLabel: together === undefined ? include : t('{0}, {1}', include, together), chips };
}

/** Returns the words of a row that is no line. */
export function noteText({ note }: RowOf<'note'>, t: Translate): string {
  return note === 'no_line_end'
    ? t('No line end at the end of the file')
    : t('Too many changes to compare closely: some lines shown as removed and added did not change');
}

/** Returns the words that stand for unchanged characters of a long line. */
export function foldedText({ characters }: RowOf<'folded'>, t: Translate): string {
  return t('… {0} characters unchanged …', characters);
}

/** @param linked 0-based indexes of hunks */
function linkText(linked: readonly number[], t: Translate): string {
  if (linked.length > mostNamed) return t('goes with {0} other changes', linked.length);
  const numbers = linked.map((index) => index + 1).join(', ');
  return linked.length === 1 ? t('goes with change {0}', numbers) : t('goes with changes {0}', numbers);
}

function linesText({ firstLine, lastLine }: HunkHeader, t: Translate): string {
  return firstLine === lastLine ? t('line {0}', firstLine) : t('lines {0}–{1}', firstLine, lastLine);
}
