import { plain } from '#base/visibleText.ts';
import type { Approval, ApprovalFile } from '#changes/approval.ts';
import type { ShownApproval } from '../messages.ts';
import type { Counts } from './view.ts';
import type { Translate } from './translate.ts';

/** The kind of a file's change as the card names it. A whole replacement has a kind of its own and is not an edit. */
type Kind = ApprovalFile['change'] | 'replace';

const kinds: readonly Kind[] = ['edit', 'create', 'replace', 'move', 'delete'];

/** What would be applied of a change. */
export interface Chosen {
  /** Hunks, and files that have none. */
  readonly all: number;
  /** Of these, how many would be applied as proposed. */
  readonly included: number;
  /** True when text that the user typed would be applied. */
  readonly edited: boolean;
}

/**
 * Returns the headline of a waiting card, which says what happens, such as "Edit cart.ts", "Rename formatPrice to formatMoney: 91 places
 * in 31 files" or "Delete folder src/old (12 files, 34 KB)".
 */
export function waitingHeadline(approval: ShownApproval, t: Translate): string {
  const { files, indivisible } = approval;
  const headline = purposeHeadline(approval, t) ?? headlineOf(files, indivisible, t);
  const guarded = files.filter((file) => file.protectedBy !== undefined).length;
  if (guarded === 0) return headline;
  return guarded === files.length ? t('{0} (protected)', headline) : t('{0} ({1} protected)', headline, guarded);
}

/** Returns the headline of a change whose purpose is known; undefined when only its files are. */
function purposeHeadline({ purpose, files }: ShownApproval, t: Translate): string | undefined {
  if (purpose?.kind === 'rename_symbol') {
    const [from, to] = [plain(purpose.from), plain(purpose.to)];
    const places = purpose.places === 1 ? t('1 place') : t('{0} places', purpose.places);
    return files.length === 1 && files[0]
      ? t('Rename {0} to {1}: {2} in {3}', from, to, places, nameOf(files[0]))
      : t('Rename {0} to {1}: {2} in {3} files', from, to, places, files.length);
  }
  return undefined;
}

/** The same as a noun, such as "edit of src/a.ts", with every path in full. */
export function actionOf(files: readonly ApprovalFile[], t: Translate): string {
  return actionOn(files, targetOf(files, t), t);
}

/** As {@link actionOf}, with only the name of a single file, or with the names of a symbol that is renamed. */
export function shortActionOf({ files, purpose }: Pick<Approval, 'files' | 'purpose'>, t: Translate): string {
  if (purpose?.kind === 'rename_symbol') return t('rename of {0} to {1}', plain(purpose.from), plain(purpose.to));
  return actionOn(files, shortTargetOf(files, t), t);
}

/** What a change touches, in words: one path, or how many files and the first of them. */
export function targetOf(files: readonly ApprovalFile[], t: Translate): string {
  const [first, ...others] = files.map((file) => placeOf(file, t));
  if (first === undefined || others.length === 0) return first ?? '';
  const named = [first, ...others.slice(0, 2)].join(', ');
  const rest = others.length - 2;
  return rest > 0
    ? t('{0} files: {1} and {2} more', files.length, named, rest)
    : t('{0} files: {1}', files.length, named);
}

/** What a change touches, in a word or two: of a move with the imports that follow it, the files that move. */
export function shortTargetOf(files: readonly ApprovalFile[], t: Translate): string {
  const named = isMoveWithEdits(files) ? files.filter(({ change }) => change === 'move') : files;
  const [first, ...others] = named;
  return first && others.length === 0 ? nameOf(first) : t('{0} files', named.length);
}

/** Nothing but a move, with the imports that follow it: of the class of deletes for the policy, but nothing is lost. */
export function isMove({ files, indivisible }: Pick<Approval, 'files' | 'indivisible'>): boolean {
  const isPart = ({ change }: ApprovalFile): boolean => change === 'move' || (change === 'edit' && indivisible);
  return files.some(({ change }) => change === 'move') && files.every(isPart);
}

/** Something would be lost, but for Undo. */
export function deletes(approval: Pick<Approval, 'files' | 'indivisible' | 'risk'>): boolean {
  return approval.risk === 'delete' && !isMove(approval);
}

export function kindOf({ change, overwrites }: ApprovalFile): Kind {
  return overwrites ? 'replace' : change;
}

export function chosenOf(files: readonly ApprovalFile[]): Chosen {
  let [all, included, edited] = [0, 0, false];
  for (const file of files) {
    all += Math.max(1, file.proposedHunks);
    if (!file.included) continue;
    included += file.proposedHunks === 0 ? 1 : file.includedHunks;
    edited ||= file.edited;
  }
  return { all, included, edited };
}

/** Of what changes no lines. */
export const noCounts: Counts = { added: '', removed: '', label: '' };

/** Of what would be applied now. */
export function countsOf(files: readonly ApprovalFile[], t: Translate): Counts {
  if (files.length === 0) return noCounts;
  const added = files.reduce((sum, file) => sum + file.addedLines, 0);
  const removed = files.reduce((sum, file) => sum + file.removedLines, 0);
  return {
    added: added > 0 ? `+${added}` : '',
    removed: removed > 0 ? `−${removed}` : '',
    label: t('{0}, {1} removed', added === 1 ? t('1 line added') : t('{0} lines added', added), removed),
  };
}

/** Such as "12 files, 34 KB" or "34 KB"; undefined when nothing is known. */
export function extentOf({ folderFiles, size }: ApprovalFile, t: Translate): string | undefined {
  const bytes = size === undefined ? undefined : sizeText(size, t);
  if (folderFiles === undefined) return bytes;
  const count = folderFiles === 1 ? t('1 file') : t('{0} files', folderFiles);
  return bytes === undefined ? count : t('{0}, {1}', count, bytes);
}

function headlineOf(files: readonly ApprovalFile[], indivisible: boolean, t: Translate): string {
  const [first] = files;
  const kind = onlyKindOf(files);
  const count = files.length;
  if (first && count === 1) return headlineOfOne(first, t);
  if (kind !== undefined) {
    const headlines: Record<Kind, string> = {
      edit: t('Edit {0} files', count),
      create: t('Create {0} files', count),
      replace: t('Replace {0} files', count),
      move: t('Move {0} files', count),
      delete: t('Delete {0} files', count),
    };
    return headlines[kind];
  }
  const moves = files.filter(({ change }) => change === 'move');
  const [move] = moves;
  const others = files.filter(({ change }) => change !== 'move');
  if (count === 2 && move && others[0]?.change === 'edit' && others[0].realPath === move.realPath) {
    return t('Edit {0} and move it to {1}', nameOf(move), plain(move.to?.path ?? ''));
  }
  if (indivisible && move && moves.length === 1 && others.every(({ change }) => change === 'edit')) {
    return others.length === 1
      ? t('{0}, imports in 1 file follow', headlineOfOne(move, t))
      : t('{0}, imports in {1} files follow', headlineOfOne(move, t), others.length);
  }
  const parts = kinds.flatMap((each) => {
    const ofKind = files.filter((file) => kindOf(file) === each).length;
    return ofKind === 0 ? [] : [countOfKind(each, ofKind, t)];
  });
  return t('Change {0} files: {1}', new Set(files.map(({ realPath }) => realPath)).size, parts.join(', '));
}

function headlineOfOne(file: ApprovalFile, t: Translate): string {
  const path = plain(file.path);
  const headlines: Record<Kind, () => string> = {
    edit: () => t('Edit {0}', nameOf(file)),
    create: () => t('Create {0}', path),
    replace: () => t('Replace {0}', nameOf(file)),
    move: () => moveHeadline(file, t),
    delete: () =>
      file.folderFiles === undefined
        ? t('Delete {0}', path)
        : t('Delete folder {0} ({1})', path, extentOf(file, t) ?? ''),
  };
  return headlines[kindOf(file)]();
}

function moveHeadline({ path, to, folderFiles }: ApprovalFile, t: Translate): string {
  const [from, target] = [plain(path), plain(to?.path ?? '')];
  if (folderFiles === undefined) return t('Move {0} to {1}', from, target);
  return folderFiles === 1
    ? t('Move folder {0} to {1} (1 file)', from, target)
    : t('Move folder {0} to {1} ({2} files)', from, target, folderFiles);
}

function countOfKind(kind: Kind, count: number, t: Translate): string {
  const texts: Record<Kind, string> = {
    edit: t('{0} edited', count),
    create: t('{0} created', count),
    replace: t('{0} replaced', count),
    move: t('{0} moved', count),
    delete: t('{0} deleted', count),
  };
  return texts[kind];
}

function actionOn(files: readonly ApprovalFile[], target: string, t: Translate): string {
  const what = files.some((file) => file.protectedBy !== undefined) ? t('protected {0}', target) : target;
  const kind = isMoveWithEdits(files) ? 'move' : onlyKindOf(files);
  if (kind === undefined) return t('change of {0}', what);
  const actions: Record<Kind, string> = {
    edit: t('edit of {0}', what),
    create: t('creation of {0}', what),
    replace: t('replacement of {0}', what),
    move: t('move of {0}', what),
    delete: t('delete of {0}', what),
  };
  return actions[kind];
}

/** Returns true for files that move, with edits such as those of the imports that follow. */
function isMoveWithEdits(files: readonly ApprovalFile[]): boolean {
  return (
    files.some(({ change }) => change === 'move') && files.every(({ change }) => change === 'move' || change === 'edit')
  );
}

function onlyKindOf(files: readonly ApprovalFile[]): Kind | undefined {
  const [kind, ...others] = new Set(files.map(kindOf));
  return others.length === 0 ? kind : undefined;
}

function placeOf({ path, to }: ApprovalFile, t: Translate): string {
  return to === undefined ? plain(path) : t('{0} to {1}', plain(path), plain(to.path));
}

function nameOf({ path }: ApprovalFile): string {
  return plain(path.slice(path.lastIndexOf('/') + 1));
}

function sizeText(bytes: number, t: Translate): string {
  if (bytes < 1024) return bytes === 1 ? t('1 byte') : t('{0} bytes', bytes);
  const rounded = (value: number): number => Number(value.toFixed(value < 10 ? 1 : 0));
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? t('{0} KB', rounded(kilobytes)) : t('{0} MB', rounded(kilobytes / 1024));
}
