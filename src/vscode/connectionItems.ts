import * as vscode from 'vscode';
import { plain } from '../approvals/visibleText.ts';
import { principalKey, type ClientInfo, type Principal } from '../ports/principal.ts';
import { clientName } from './approvalsView/clientText.ts';
import { relativeTime } from './relativeTime.ts';
import type { Status } from './statusBar.ts';
import type { AccessToken } from './tokens.ts';

/** An assistant that talked to this window in the last five minutes or still listens. */
export interface ConnectedAssistant {
  readonly principal: Principal;
  /** What it says it is. */
  readonly client: ClientInfo | undefined;
  readonly era: '2025' | '2026';
  /** Milliseconds since the epoch of its last request. */
  readonly lastSeen: number;
  readonly openStreams: number;
}

interface Row {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly description: string;
  /** Lines; the first is the label. */
  readonly details?: readonly string[];
  readonly contextValue: string;
}

function makeItem({ id, label, icon, description, details = [], contextValue }: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = description;
  item.tooltip = [label, ...details].join('\n');
  item.accessibilityInformation = { label: [label, description].filter(Boolean).join(', ') };
  item.contextValue = contextValue;
  return item;
}

/** This window's own server. */
export function windowItem(state: Status['server'], endpoint: string | undefined): vscode.TreeItem {
  const { t } = vscode.l10n;
  const looks: Record<Status['server'], { icon: string; text: string }> = {
    running: { icon: 'plug', text: t('running') },
    starting: { icon: 'loading~spin', text: t('starting') },
    failed: { icon: 'error', text: t('could not start') },
    stopped: { icon: 'debug-disconnect', text: t('stopped') },
  };
  const { icon, text } = looks[state];
  return makeItem({
    id: 'window',
    label: t('This window'),
    icon,
    description: [text, ...(endpoint === undefined ? [] : [new URL(endpoint).host])].join(' · '),
    details: endpoint === undefined ? [] : [t('Endpoint: {0}', endpoint)],
    contextValue: 'window',
  });
}

/** A heading that stays open; its rows are below it. */
export function sectionItem(id: 'assistants' | 'tokens', count: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const label = id === 'assistants' ? t('Assistants') : t('Access Tokens');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.description = String(count);
  item.accessibilityInformation = { label: `${label}, ${count}` };
  item.contextValue = id;
  return item;
}

/** The name is the client's own claim, so it is written as plain text with its hidden characters shown. */
export function assistantItem({ principal, client, era, ...seen }: ConnectedAssistant, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const isListening = seen.openStreams > 0;
  const isNamed = principal.credential !== 'window';
  return makeItem({
    id: `assistant:${principalKey(principal)}`,
    label: clientName(client, t),
    icon: 'hubot',
    description: [
      isListening ? t('connected') : relativeTime(seen.lastSeen, now),
      ...(isNamed ? [t('token {0}', principal.credential)] : []),
    ].join(' · '),
    details: [
      ...(client === undefined ? [] : [t('Version (as it says): {0}', plain(client.version))]),
      era === '2025' ? t('Protocol: MCP of 2025, in a session') : t('Protocol: MCP of 2026, without sessions'),
      isNamed ? t('Let in by the access token "{0}"', principal.credential) : t('Let in by the secret of this window'),
      t('Last request: {0}', new Date(seen.lastSeen).toLocaleString()),
    ],
    contextValue: 'assistant',
  });
}

const tokenPrefix = 'token:';

export function tokenItem({ name, created, lastUsed }: AccessToken, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  return makeItem({
    id: `${tokenPrefix}${name}`,
    label: name,
    icon: 'key',
    description: lastUsed === undefined ? t('never used') : t('used {0}', relativeTime(lastUsed, now)),
    details: [
      t('Created: {0}', new Date(created).toLocaleString()),
      lastUsed === undefined ? t('Never used') : t('Last used: {0}', new Date(lastUsed).toLocaleString()),
      t('Every window of yours on this machine accepts it.'),
    ],
    contextValue: 'token',
  });
}

/** The name of the token that a row stands for; undefined for any other row and anything else. */
export function tokenNameOf(item: unknown): string | undefined {
  const id = item instanceof vscode.TreeItem ? item.id : undefined;
  return id?.startsWith(tokenPrefix) === true ? id.slice(tokenPrefix.length) : undefined;
}

/** The file of the access tokens cannot be read; a click opens it. */
export function problemItem(problem: string, path: string): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = makeItem({
    id: 'problem',
    label: t('Access tokens cannot be read'),
    icon: 'warning',
    description: t('none is accepted'),
    details: [problem],
    contextValue: 'problem',
  });
  item.command = { command: 'vscode.open', title: t('Open'), arguments: [vscode.Uri.file(path)] };
  return item;
}
