import * as vscode from 'vscode';
import type { Principal } from '#base/principal.ts';
import type { ChangeKind } from '#base/proposal.ts';
import { plain } from '#base/visibleText.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { clientText } from '../activity/callItem.ts';
import { relativeTime } from '../relativeTime.ts';
import {
  authorText,
  changeCount,
  filesChanged,
  dateAndTime,
  dayText,
  headline,
  lineCounts,
  nameOf,
  spokenLineCounts,
} from './changeText.ts';
import { changedFiles, type Day, onlyFile, type Session } from './grouping.ts';
import { changeNodeId, fileNodeId } from './historyTree.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Renders a session as a row that says how much it changed; the newest session of an assistant starts expanded. */
export function sessionItem(session: Session, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { id, client, principal, startedAt, changes, isNewest } = session;
  const name = client === undefined ? t('You') : clientText(client);
  const undone = changes.filter(({ state }) => state === 'reverted').length;
  const files = changedFiles(session);
  const label = t('{0}: {1}', name, files === 0 ? t('everything undone') : filesChanged(files));
  const details = [
    dateAndTime(startedAt, now),
    ...(undone > 0 ? [t('{0} undone', undone)] : []),
    ...credentialText(principal),
  ];
  const item = new vscode.TreeItem(label, isNewest ? Expanded : Collapsed);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(client === undefined ? 'person' : 'account');
  item.description = details.join(' · ');
  item.tooltip = [
    label,
    t('First change: {0}.', dateAndTime(startedAt, now)),
    client === undefined
      ? t('You approved these undos of files that were edited since the change.')
      : t('The assistant gives its name itself, and nobody verifies it.'),
  ].join('\n');
  item.accessibilityInformation = { label: [label, ...details].join(', ') };
  const words = [...(files > 0 ? ['changed'] : []), ...(changes.some(({ canRevert }) => canRevert) ? ['applied'] : [])];
  item.contextValue = ['session', ...words].join(' ');
  return item;
}

export function dayItem({ id, start, changes }: Day, isNewest: boolean, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(dayText(start, now), isNewest ? Expanded : Collapsed);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('calendar');
  item.description = changeCount(changes.length);
  item.contextValue = 'day';
  return item;
}

/**
 * Renders a change. A change of one file stands for that file too.
 * @param withClient the row names the assistant, because its parent row does not
 */
export function changeItem(change: AppliedChange, withClient: boolean, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const isApplied = change.state === 'applied';
  const what = headline(change);
  const author = authorText(change);
  const ago = relativeTime(change.appliedAt, now);
  const { proposedFiles } = change;
  const part =
    proposedFiles === undefined ? [] : [t('half done: {0} of {1} files', change.files.length, proposedFiles)];
  const ended = isApplied ? part : [t('undone')];
  const file = onlyFile(change);
  const item = new vscode.TreeItem(what, file === undefined ? Collapsed : vscode.TreeItemCollapsibleState.None);
  item.id = changeNodeId(change.id);
  item.iconPath = isApplied
    ? new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('discard');
  const folder = file === undefined ? '' : folderOf(file);
  item.description = [folder, lineCounts(change.files), ...ended, ...(withClient ? [author] : []), ago]
    .filter(Boolean)
    .join(' · ');
  item.tooltip = [
    what,
    t('Changed by {0} on {1}.', author, new Date(change.appliedAt).toLocaleString(vscode.env.language)),
    ...change.files.slice(0, 20).map(({ path }) => plain(path)),
  ].join('\n');
  item.accessibilityInformation = {
    label: [what, ...(isApplied ? [t('applied')] : []), ...ended, spokenLineCounts(change.files), author, ago].join(
      ', ',
    ),
  };
  const state = isApplied ? (change.canRevert ? 'change applied' : 'change') : 'change undone';
  item.contextValue = file === undefined ? state : `${state} ${fileContext(file)}`;
  if (file !== undefined) item.command = showDiff(item.id);
  return item;
}

export function fileItem(change: AppliedChange, file: ChangedFile): vscode.TreeItem {
  const { t } = vscode.l10n;
  const place = file.movedTo ?? file;
  const kinds: Record<ChangeKind, string> = {
    edit: t('edited'),
    create: t('created'),
    delete: t('deleted'),
    move: t('moved from {0}', plain(file.path)),
  };
  const kind = kinds[file.change];
  const item = new vscode.TreeItem(nameOf(place.path));
  item.id = fileNodeId(change.id, file.index);
  item.iconPath = vscode.ThemeIcon.File;
  item.resourceUri = vscode.Uri.parse(place.uri);
  item.description = [folderOf(file), ...(file.change === 'edit' ? [] : [kind]), lineCounts([file])]
    .filter(Boolean)
    .join(' · ');
  item.tooltip = `${plain(place.path)}, ${kind}`;
  item.accessibilityInformation = { label: [plain(place.path), kind, spokenLineCounts([file])].join(', ') };
  item.contextValue = fileContext(file);
  item.command = showDiff(item.id);
  return item;
}

function showDiff(id: string): vscode.Command {
  return { command: 'drawbridge.showChangeDiff', title: vscode.l10n.t('Show Diff'), arguments: [id] };
}

/** Returns the words of a file that the menus test: a file that was deleted cannot be opened. */
function fileContext({ change }: ChangedFile): string {
  return change === 'delete' ? 'file deleted' : 'file';
}

function folderOf(file: ChangedFile): string {
  const { path } = file.movedTo ?? file;
  return plain(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
}

/** Returns the name of the token, or a text for the secret of the window. */
function credentialText({ credential }: Principal): string[] {
  return credential === 'window' ? [] : [vscode.l10n.t('token “{0}”', plain(credential))];
}
