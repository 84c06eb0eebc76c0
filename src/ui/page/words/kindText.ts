import { plain, shortened } from '#base/visibleText.ts';
import type { Approval, ApprovalFile, WaitingRead } from '#changes/approval.ts';
import { useWindow } from '#changes/windowUse.ts';
import { deletes, kindOf } from './changeText.ts';
import { clientName, nameLength } from './clientText.ts';
import type { Translate } from './translate.ts';

/** What a change does, in one word; `change` when it does several things. */
type Kind = ReturnType<typeof kindOf> | 'change';

/** How much a notice tells: `brief` names neither the assistant nor a file, for a screen that others can see. */
export type NoticeDetail = 'full' | 'brief';

/** Returns kind and number of files, and the files that are counted. A folder counts as its files. */
function summaryOf({ files, indivisible }: Approval): {
  readonly kind: Kind;
  readonly count: number;
  readonly counted: readonly ApprovalFile[];
} {
  const kinds = new Set(files.map(kindOf));
  // The imports that follow a move are a part of it.
  const isMove = indivisible && kinds.has('move') && !kinds.has('create') && !kinds.has('delete');
  const counted = isMove ? files.filter(({ change }) => change === 'move') : files;
  const [first = 'edit'] = kinds;
  const count = counted.reduce((sum, { folderFiles }) => sum + Math.max(1, folderFiles ?? 1), 0);
  return { kind: isMove ? 'move' : kinds.size > 1 ? 'change' : first, count, counted };
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

/** Returns the notice of a request, such as "Claude Code wants to edit cart.ts." or, when brief, "An assistant wants to edit 1 file." */
export function requestText(approval: Approval, detail: NoticeDetail, t: Translate): string {
  const who = nameIn(approval.client, detail, t);
  if (approval.tool === useWindow) return t('{0} wants to use this window.', who);
  if (approval.question) return t('{0} asks you a question.', who);
  if (approval.action) {
    return approval.risk === 'execute'
      ? t('{0} wants to run a command or tool.', who)
      : t('{0} wants to do something in the editor.', who);
  }
  const { kind, count, counted } = summaryOf(approval);
  const paths = counted.map(({ path }) => path);
  const what = detail === 'full' ? namedFiles(paths, count, t) : countedFiles(count, t);
  const texts: Record<Kind, string> = {
    edit: t('{0} wants to edit {1}.', who, what),
    replace: t('{0} wants to replace {1}.', who, what),
    create: t('{0} wants to create {1}.', who, what),
    delete: t('{0} wants to delete {1}.', who, what),
    move: t('{0} wants to move {1}.', who, what),
    change: deletes(approval)
      ? t('{0} wants to change {1}, with deletions.', who, what)
      : t('{0} wants to change {1}.', who, what),
  };
  if (!approval.files.some(isProtected)) return texts[kind];
  return `${texts[kind]} ${count === 1 ? t('It is protected.') : t('They include protected files.')}`;
}

/** Returns the name of who asks, for a notice. */
function nameIn(client: Approval['client'], detail: NoticeDetail, t: Translate): string {
  return detail === 'full' ? withoutLinks(clientName(client, t)) : t('An assistant');
}

/** Such as "cart.ts", "old (12 files)" or "cart.ts and 2 other files". */
function namedFiles(paths: readonly string[], count: number, t: Translate): string {
  const [first = ''] = paths;
  const name = withoutLinks(shortened(plain(first.slice(first.lastIndexOf('/') + 1)), nameLength));
  if (count === 1) return name;
  if (paths.length === 1) return t('{0} ({1} files)', name, count);
  return count === 2 ? t('{0} and 1 other file', name) : t('{0} and {1} other files', name, count - 1);
}

function countedFiles(count: number, t: Translate): string {
  return count === 1 ? t('1 file') : t('{0} files', count);
}

/** Takes the links out of a name: the editor makes one of `[text](command:...)` in a notice, and others choose these names. */
function withoutLinks(name: string): string {
  return name.replaceAll('](', '] (');
}

/** Such as "read of 1 file that is closed". */
export function readSubject({ paths }: Pick<WaitingRead, 'paths'>, t: Translate): string {
  return paths.length === 1 ? t('read of 1 closed file') : t('read of {0} closed files', paths.length);
}

/** Returns the notice of a read, such as "Claude Code wants to read .env, which needs your permission." */
export function readRequestText(
  { client, paths }: Pick<WaitingRead, 'client' | 'paths'>,
  detail: NoticeDetail,
  t: Translate,
): string {
  const who = nameIn(client, detail, t);
  if (detail === 'brief') {
    return paths.length === 1
      ? t('{0} wants to read 1 file that needs your permission.', who)
      : t('{0} wants to read {1} files that need your permission.', who, paths.length);
  }
  const what = namedFiles(paths, paths.length, t);
  return paths.length === 1
    ? t('{0} wants to read {1}, which needs your permission.', who, what)
    : t('{0} wants to read {1}, which need your permission.', who, what);
}

/** Returns the notice of several requests, which names the assistants and no files. */
export function requestsText(
  approvals: readonly Approval[],
  reads: readonly WaitingRead[],
  detail: NoticeDetail,
  t: Translate,
): string {
  const count = approvals.length + reads.length;
  const areChanges = reads.length === 0 && approvals.every(({ action, question }) => !action && !question);
  const names = new Set([...approvals, ...reads].map(({ client }) => nameIn(client, detail, t)));
  const who = detail === 'full' ? [...names].join(', ') : t('assistants');
  const text = areChanges
    ? t('{0} changes by {1} wait for your approval.', count, who)
    : approvals.some(({ question }) => question)
      ? t('{0} requests of {1} wait for you.', count, who)
      : t('{0} requests of {1} wait for your approval.', count, who);
  if (approvals.some(deletes)) return `${text} ${t('They include deletions.')}`;
  if (approvals.some(({ risk }) => risk === 'execute')) return `${text} ${t('They include commands to run.')}`;
  if (approvals.some(({ files }) => files.some(isProtected))) return `${text} ${t('They include protected files.')}`;
  return text;
}

export function isProtected({ protectedBy }: ApprovalFile): boolean {
  return protectedBy !== undefined;
}
