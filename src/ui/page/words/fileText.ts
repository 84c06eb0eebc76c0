import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain, visibleText } from '#base/visibleText.ts';
import type { Approval, ApprovalFile } from '#changes/approval.ts';
import type { PageApproval, PageDrawing, PageFile } from '../messages.ts';
import { countsOf, extentOf, kindOf } from './changeText.ts';
import type { Translate } from './translate.ts';
import { usesText } from './warningText.ts';
import type { CardFile, Chip } from './view.ts';

/** Returns the files of a waiting card. */
export function cardFiles({ approval, isElsewhere }: PageApproval, drawing: PageDrawing, t: Translate): CardFile[] {
  const { files, indivisible, state } = approval;
  const isOpen = state === 'waiting' && !isElsewhere;
  const canLeaveOut = files.length > 1 && !indivisible && isOpen;
  return files.map((file, index) => {
    const own = drawing.files[index];
    const slash = file.path.lastIndexOf('/');
    const path = plain(file.path);
    return {
      counts: countsOf([file], t),
      ...(canLeaveOut && { included: includedOf(file, own) }),
      path,
      name: visibleText(file.path.slice(slash + 1)),
      folder: visibleText(file.path.slice(0, Math.max(0, slash))),
      ...(file.to && { to: visibleText(file.to.path) }),
      title: plain(file.realPath),
      chips: chipsOf(file, approval, t),
      includeLabel: t('Include {0}', path),
      viewedLabel: t('Viewed: {0}', path),
      facts: [
        ...(own?.danger === undefined ? [] : [t(own.danger)]),
        ...factsOfChange(file, t),
        ...useFact(own, t),
        ...syntaxFact(own, t),
      ],
      ...(file.hasText && {
        openLabel: t('{0}, open diff. Full path: {1}', path, plain(file.realPath)),
        ...(own && own.rows > 0 && { changesLabel: t('Changes of {0}', path) }),
      }),
      ...(file.edited &&
        isOpen && {
          reset: { text: t('Reset to the proposal'), label: t('Reset to the proposal: {0}', path) },
        }),
      rows: own?.rows ?? 0,
      ...(own?.part !== undefined && { part: own.part }),
      ...(own?.sameAs !== undefined && { sameAs: own.sameAs }),
    };
  });
}

function includedOf(file: ApprovalFile, own: PageFile | undefined): NonNullable<CardFile['included']> {
  const hunks = own?.hunks ?? [];
  const left = hunks.filter(({ included }) => !included).length;
  if (!file.included || (hunks.length > 0 && left === hunks.length)) return 'none';
  return left > 0 ? 'some' : 'all';
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

/** Says what is known of the files that use this one. Those that import it are a warning. */
function useFact(own: PageFile | undefined, t: Translate): string[] {
  const uses = own?.uses;
  if (uses === undefined) return [];
  if (uses.kind === 'looking') return [t('Looking for files that use it…')];
  if (uses.kind === 'not_looked_for') return [t('Files that use it were not looked for.')];
  const isImport = uses.kind === 'imports';
  if (uses.total > 0) return isImport ? [] : [t('Its name stands in {0}.', usesText(uses, t))];
  if (uses.isPartial) return [t('No file was found that uses it, but not all were looked at.')];
  return [isImport ? t('No file imports it.') : t('No file mentions it.')];
}

function syntaxFact(own: PageFile | undefined, t: Translate): string[] {
  return own?.syntax?.kind === 'not_checked' ? [t('Syntax not checked.')] : [];
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
