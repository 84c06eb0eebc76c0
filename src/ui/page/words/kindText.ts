import type { Approval, ApprovalFile, WaitingRead } from '#changes/approval.ts';
import { deletes, kindOf } from './changeText.ts';
import type { Translate } from './translate.ts';

/** What a change does, in one word; `change` when it does several things. */
type Kind = ReturnType<typeof kindOf> | 'change';

/** Kind and number of files, and nothing else: for places that others in the room can see. A folder counts as its files. */
function summaryOf({ files, indivisible }: Approval): { readonly kind: Kind; readonly count: number } {
  const kinds = new Set(files.map(kindOf));
  // The imports that follow a move are a part of it.
  const isMove = indivisible && kinds.has('move') && !kinds.has('create') && !kinds.has('delete');
  const counted = isMove ? files.filter(({ change }) => change === 'move') : files;
  const [first = 'edit'] = kinds;
  const count = counted.reduce((sum, { folderFiles }) => sum + Math.max(1, folderFiles ?? 1), 0);
  return { kind: isMove ? 'move' : kinds.size > 1 ? 'change' : first, count };
}

/** Such as "edit of 2 files". */
export function subjectText(approval: Approval, t: Translate): string {
  if (approval.action) {
    return approval.risk === 'execute' ? t('run of a command or tool') : t('action in the editor');
  }
  const { kind, count } = summaryOf(approval);
  const texts: Record<Kind, string> = {
    edit: count === 1 ? t('edit of 1 file') : t('edit of {0} files', count),
    replace: count === 1 ? t('replacement of 1 file') : t('replacement of {0} files', count),
    create: count === 1 ? t('creation of 1 file') : t('creation of {0} files', count),
    delete: count === 1 ? t('deletion of 1 file') : t('deletion of {0} files', count),
    move: count === 1 ? t('move of 1 file') : t('move of {0} files', count),
    change: deletes(approval) ? t('change of {0} files, with deletions', count) : t('change of {0} files', count),
  };
  return texts[kind];
}

/** Such as "An assistant wants to edit 2 files." */
export function requestText(approval: Approval, t: Translate): string {
  if (approval.question) return t('An assistant asks you a question.');
  if (approval.action) {
    return approval.risk === 'execute'
      ? t('An assistant wants to run a command or tool.')
      : t('An assistant wants to do something in the editor.');
  }
  const { kind, count } = summaryOf(approval);
  const texts: Record<Kind, string> = {
    edit: count === 1 ? t('An assistant wants to edit 1 file.') : t('An assistant wants to edit {0} files.', count),
    replace:
      count === 1 ? t('An assistant wants to replace 1 file.') : t('An assistant wants to replace {0} files.', count),
    create:
      count === 1 ? t('An assistant wants to create 1 file.') : t('An assistant wants to create {0} files.', count),
    delete:
      count === 1 ? t('An assistant wants to delete 1 file.') : t('An assistant wants to delete {0} files.', count),
    move: count === 1 ? t('An assistant wants to move 1 file.') : t('An assistant wants to move {0} files.', count),
    change: deletes(approval)
      ? t('An assistant wants to change {0} files, with deletions.', count)
      : t('An assistant wants to change {0} files.', count),
  };
  if (!approval.files.some(isProtected)) return texts[kind];
  return `${texts[kind]} ${count === 1 ? t('It is protected.') : t('They include protected files.')}`;
}

/** Such as "read of 1 file that is closed". */
export function readSubject({ paths }: Pick<WaitingRead, 'paths'>, t: Translate): string {
  return paths.length === 1 ? t('read of 1 closed file') : t('read of {0} closed files', paths.length);
}

/** Such as "An assistant wants to read a file that needs your permission." */
export function readRequestText({ paths }: Pick<WaitingRead, 'paths'>, t: Translate): string {
  return paths.length === 1
    ? t('An assistant wants to read 1 file that needs your permission.')
    : t('An assistant wants to read {0} files that need your permission.', paths.length);
}

/** For several at once. */
export function requestsText(approvals: readonly Approval[], reads: readonly WaitingRead[], t: Translate): string {
  const count = approvals.length + reads.length;
  const areChanges = reads.length === 0 && approvals.every(({ action, question }) => !action && !question);
  const text = areChanges
    ? t('{0} changes by assistants wait for your approval.', count)
    : approvals.some(({ question }) => question)
      ? t('{0} requests of assistants wait for you.', count)
      : t('{0} requests of assistants wait for your approval.', count);
  if (approvals.some(deletes)) return `${text} ${t('They include deletions.')}`;
  if (approvals.some(({ risk }) => risk === 'execute')) return `${text} ${t('They include commands to run.')}`;
  if (approvals.some(({ files }) => files.some(isProtected))) return `${text} ${t('They include protected files.')}`;
  return text;
}

export function isProtected({ protectedBy }: ApprovalFile): boolean {
  return protectedBy !== undefined;
}
