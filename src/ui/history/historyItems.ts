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
  dateAndTime,
  dayText,
  headline,
  lineCounts,
  nameOf,
  spokenLineCounts,
} from './changeText.ts';
import type { AssistantHistory, Day, Session } from './grouping.ts';
import { changeNodeId, fileNodeId } from './historyTree.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export function assistantItem({ id, client, sessions }: AssistantHistory): vscode.TreeItem {
  const { t } = vscode.l10n;
  const name = client === undefined ? t('You') : clientText(client);
  const count = changeCount(sessions.reduce((sum, { changes }) => sum + changes.length, 0));
  const item = new vscode.TreeItem(name, Expanded);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(client === undefined ? 'person' : 'account');
  item.description = count;
  item.tooltip =
    client === undefined
      ? t('Undos that you approved, in files that were edited since the change')
      : t('The name that the assistant reports, not verified');
  item.accessibilityInformation = { label: [name, count].join(', ') };
  item.contextValue = 'assistant';
  return item;
}

/** @param isNewest of the sessions of its assistant; the newest session starts expanded */
export function sessionItem(
  { id, principal, startedAt, changes }: Session,
  isNewest: boolean,
  now: number,
): vscode.TreeItem {
  const { t } = vscode.l10n;
  const reverted = changes.filter(({ state }) => state === 'reverted').length;
  const start = dateAndTime(startedAt, now);
  const details = [changeCount(changes.length), ...(reverted > 0 ? [t('{0} undone', reverted)] : [])];
  const item = new vscode.TreeItem(start, isNewest ? Expanded : Collapsed);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('plug');
  item.description = [...details, ...credentialText(principal)].join(' · ');
  item.tooltip = t('Session of {0}, from {1}', callerText(principal), start);
  item.accessibilityInformation = { label: [t('Session from {0}', start), ...details].join(', ') };
  item.contextValue = changes.some(({ canRevert }) => canRevert) ? 'session applied' : 'session';
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

/** @param withClient the row names the assistant, because its parent rows do not */
export function changeItem(change: AppliedChange, withClient: boolean, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const isApplied = change.state === 'applied';
  const what = headline(change);
  const author = authorText(change);
  const ago = relativeTime(change.appliedAt, now);
  const undone = isApplied ? [] : [t('undone')];
  const item = new vscode.TreeItem(what, Collapsed);
  item.id = changeNodeId(change.id);
  item.iconPath = isApplied
    ? new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('discard');
  item.description = [lineCounts(change.files), ...undone, ...(withClient ? [author] : []), ago]
    .filter(Boolean)
    .join(' · ');
  item.tooltip = [
    what,
    t('By: {0}', author),
    t('Tool: {0}', plain(change.tool)),
    t('Time: {0}', new Date(change.appliedAt).toLocaleString(vscode.env.language)),
    ...change.files.slice(0, 20).map(({ path }) => plain(path)),
  ].join('\n');
  item.accessibilityInformation = {
    label: [what, ...(isApplied ? [t('applied')] : undone), spokenLineCounts(change.files), author, ago].join(', '),
  };
  item.contextValue = isApplied ? (change.canRevert ? 'change applied' : 'change') : 'change undone';
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
  const folder = plain(place.path.slice(0, Math.max(0, place.path.lastIndexOf('/'))));
  const item = new vscode.TreeItem(nameOf(place.path));
  item.id = fileNodeId(change.id, file.index);
  item.iconPath = vscode.ThemeIcon.File;
  item.resourceUri = vscode.Uri.parse(place.uri);
  item.description = [folder, ...(file.change === 'edit' ? [] : [kind]), lineCounts([file])]
    .filter(Boolean)
    .join(' · ');
  item.tooltip = `${plain(place.path)}, ${kind}`;
  item.accessibilityInformation = { label: [plain(place.path), kind, spokenLineCounts([file])].join(', ') };
  item.contextValue = file.change === 'delete' ? 'file deleted' : 'file';
  item.command = { command: 'drawbridge.showChangeDiff', title: t('Show Diff'), arguments: [item.id] };
  return item;
}

/** Returns the name of the token, or a text for the secret of the window. */
function credentialText({ credential }: Principal): string[] {
  return credential === 'window' ? [] : [vscode.l10n.t('token “{0}”', plain(credential))];
}

function callerText(principal: Principal): string {
  const [credential = vscode.l10n.t('this window’s secret')] = credentialText(principal);
  const { connectionId } = principal;
  return connectionId === undefined ? credential : `${credential}, ${plain(connectionId.slice(0, 8))}`;
}
