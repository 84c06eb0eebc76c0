import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain, visibleText } from '#base/visibleText.ts';
import type { Approval, ApprovalFile } from '#changes/approval.ts';
import type { Warning } from '#changes/warnings.ts';
import { dangerOf } from '#policy/protectedRows.ts';
import type { CardFile, Chip, FileSelection } from '#ui/page/messages.ts';
import { chunkOf, type ShownRows } from './cardRows.ts';
import { countsOf, extentOf, kindOf } from './changeText.ts';
import type { Translate } from './translate.ts';

/** The parts of a file on a card that the approval does not have. */
export interface FileChanges extends ShownRows {
  /** The text that the rows are of. */
  readonly base: string;
  readonly warnings: readonly Warning[];
}

/** Rows of a card that are sent with it; the page asks for the rest. */
const firstRows = 300;

/** The files of a waiting card. */
export function cardFiles({ files, ...approval }: Approval, changes: readonly FileChanges[], t: Translate): CardFile[] {
  let left = firstRows;
  const canLeaveOut = files.length > 1 && !approval.indivisible && approval.state === 'waiting';
  return files.map((file, index) => {
    const own = changes[index];
    const chunk = own ? chunkOf(own, 0, t, left) : { rows: [] };
    left -= chunk.rows.length;
    const slash = file.path.lastIndexOf('/');
    const path = plain(file.path);
    return {
      ...selectionOfFile(file, own, canLeaveOut, t),
      name: visibleText(file.path.slice(slash + 1)),
      folder: visibleText(file.path.slice(0, Math.max(0, slash))),
      ...(file.to && { to: visibleText(file.to.path) }),
      title: plain(file.realPath),
      chips: chipsOf(file, approval, t),
      includeLabel: t('Include {0}', path),
      facts: factsOf(file, t),
      ...(file.hasText && {
        openLabel: t('{0}, open diff. Full path: {1}', path, plain(file.realPath)),
        ...(own && own.segments.length > 0 && { changesLabel: t('Changes of {0}', path) }),
      }),
      ...(file.edited &&
        approval.state === 'waiting' && {
          reset: { text: t('Reset to the proposal'), label: t('Reset to the proposal: {0}', path) },
        }),
      ...chunk,
    };
  });
}

function selectionOfFile(
  file: ApprovalFile,
  changes: FileChanges | undefined,
  canLeaveOut: boolean,
  t: Translate,
): FileSelection {
  const hunks = changes?.hunks ?? [];
  const excluded = hunks.flatMap((hunk, index) => (hunk.included ? [] : [index]));
  const isNone = !file.included || (hunks.length > 0 && excluded.length === hunks.length);
  const included = isNone ? 'none' : excluded.length > 0 ? 'some' : 'all';
  return { counts: countsOf([file], t), excluded, ...(canLeaveOut && { included }) };
}

function chipsOf(file: ApprovalFile, { tool }: Pick<Approval, 'tool'>, t: Translate): Chip[] {
  const chips: Chip[] = [];
  const kind = kindOf(file);
  if (kind === 'create') chips.push({ text: t('new file'), tone: 'plain' });
  if (kind === 'delete') chips.push({ text: t('deleted'), tone: 'danger', icon: 'trash' });
  if (kind === 'replace') chips.push({ text: t('replaces the whole file'), tone: 'danger' });
  if (file.edited) {
    const title = t('Your text will be applied, not the proposed one.');
    chips.push({ text: t('edited by you'), tone: 'warning', icon: 'edit', title });
  }
  if (file.unsaved) {
    // The assistant reads the disk, so its own edit must be there.
    const title =
      tool === nativeEditTool
        ? t('When you approve, the unsaved text in the editor is saved first. The change is made to that text.')
        : t('The change is applied to the unsaved text in the editor, and stays unsaved.');
    chips.push({ text: t('unsaved changes'), tone: 'warning', title });
  }
  if (file.viaLink) {
    chips.push({
      text: t('via link'),
      tone: 'warning',
      title: t('This path is a link; the file that changes is {0}', plain(file.realPath)),
    });
  }
  if (file.hardLinks > 1) {
    const title = t('This file has other names (hard links); they keep the old text.');
    chips.push({ text: t('{0} names', file.hardLinks), tone: 'warning', title });
  }
  if (file.protectedBy !== undefined) {
    chips.push({ text: t('protected'), tone: 'danger', title: t('Matches {0}', plain(file.protectedBy)) });
  }
  return chips;
}

function factsOf(file: ApprovalFile, t: Translate): string[] {
  const danger = file.protectedBy === undefined ? undefined : dangerOf(file.protectedBy);
  return [...(danger === undefined ? [] : [t(danger)]), ...factsOfChange(file, t)];
}

function factsOfChange(file: ApprovalFile, t: Translate): string[] {
  const { change, hasText, folderFiles, addedLines, removedLines, toTrash, recovery } = file;
  const extent = extentOf(file, t);
  if (change === 'create') return addedLines === 0 ? [t('Empty file.')] : [];
  if (change === 'move') return extent === undefined ? [] : [t('{0}; nothing is replaced there.', extent)];
  if (change !== 'delete') return [];
  const lines = removedLines === 1 ? t('1 line') : t('{0} lines', removedLines);
  const facts: string[] = [];
  if (extent !== undefined) facts.push(hasText ? t('{0}, {1}.', extent, lines) : t('{0}.', extent));
  if (!hasText && folderFiles === undefined) facts.push(t('Its content is not text and is not shown.'));
  facts.push(
    toTrash
      ? t('It is moved to the system’s trash.')
      : t('It is not moved to the trash. Drawbridge keeps a copy, and Undo restores it.'),
  );
  if (recovery === 'committed') facts.push(t('Its content is committed, so git can restore it.'));
  if (recovery === 'unknown') facts.push(t('It is not known whether version control can restore it.'));
  return facts;
}
