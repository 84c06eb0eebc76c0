import * as vscode from 'vscode';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import { plain } from '#base/visibleText.ts';
import type { ResultProfile } from '#call/resultProfile.ts';
import { clientName } from '../page/words/clientText.ts';
import { relativeTime } from '../relativeTime.ts';
import { profileDetails } from './profileText.ts';
import { rowItem } from './connectionRow.ts';

/**
 * How an assistant connected: through the bridge, the MCP client of the editor, or HTTP with a token or this window's secret.
 */
export type Way = 'bridge' | 'editor' | 'token' | 'window';

/** An assistant that made a request to this window in the last five minutes or has an open stream. */
export interface ConnectedAssistant {
  readonly principal: Principal;
  /** The name and version that the assistant reports. */
  readonly client: ClientInfo | undefined;
  readonly era: '2025' | '2026';
  readonly way: Way;
  /** Milliseconds since the epoch: the start of its uninterrupted connection, and its last request. */
  readonly since: number;
  readonly lastSeen: number;
  readonly openStreams: number;
  /** Tool calls since it connected. */
  readonly calls: number;
  /** Requests of the assistant that the user has not decided. */
  readonly waiting: number;
  /** A paused assistant can read but cannot change anything. */
  readonly isPaused: boolean;
  /** The result format of the assistant. */
  readonly profile: ResultProfile;
  /** Whether the user changed the result format. */
  readonly isProfileChanged: boolean;
}

/** After this many milliseconds without a request, the row shows the time of the last one. */
const quietMilliseconds = 60_000;

/** Returns the id of the row of an assistant. */
export function assistantId({ principal }: Pick<ConnectedAssistant, 'principal'>): string {
  return `assistant:${principalKey(principal)}`;
}

/**
 * Returns the row of an assistant. Its name is the client's own claim, so it is plain text with its hidden characters shown.
 */
export function assistantItem(assistant: ConnectedAssistant, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { principal, client, era, since, calls, waiting, isPaused, profile, isProfileChanged } = assistant;
  return rowItem({
    id: assistantId(assistant),
    label: clientName(client, t),
    icon: isPaused ? 'debug-pause' : 'hubot',
    description: [
      ...(isPaused ? [t('paused')] : []),
      ...(waiting > 0 ? [t('{0} waiting', waiting)] : []),
      callsText(calls),
      presence(assistant, now),
      ...(principal.credential === 'window' ? [] : [t('token {0}', principal.credential)]),
    ].join(' · '),
    spoken: [
      ...(isPaused ? [t('It is paused: it can read, but cannot change anything until you resume it.')] : []),
      ...(waiting > 0
        ? [waiting === 1 ? t('1 request waits for you.') : t('{0} requests wait for you.', waiting)]
        : []),
      ...(isProfileChanged ? [t('You changed its result format.')] : []),
    ],
    details: [
      ...(client === undefined ? [] : [t('It reports version {0}.', plain(client.version))]),
      era === '2025' ? t('It speaks MCP of 2025, in a session.') : t('It speaks MCP of 2026, without sessions.'),
      wayText(assistant),
      t('It has been connected since {0}.', new Date(since).toLocaleString(vscode.env.language)),
      t('Its last request came at {0}.', new Date(assistant.lastSeen).toLocaleString(vscode.env.language)),
      ...profileDetails(profile),
    ],
    contextValue: isPaused ? 'assistant paused' : 'assistant active',
  });
}

/** Returns the row that is shown when no assistant is connected or set up. */
export function connectItem(): vscode.TreeItem {
  const { t } = vscode.l10n;
  const label = t('Connect an Assistant...');
  return rowItem({
    id: 'connect',
    label,
    icon: 'add',
    description: '',
    details: [t('No assistant is set up.')],
    contextValue: 'connect',
    command: { command: 'drawbridge.connectAssistant', title: label },
  });
}

/** An assistant with an open stream is connected, however long it is silent. */
function presence({ openStreams, lastSeen }: ConnectedAssistant, now: number): string {
  const isHere = openStreams > 0 || now - lastSeen < quietMilliseconds;
  return isHere ? vscode.l10n.t('connected') : vscode.l10n.t('last seen {0}', relativeTime(lastSeen, now));
}

function callsText(calls: number): string {
  const { t } = vscode.l10n;
  if (calls === 0) return t('no calls');
  return calls === 1 ? t('1 call') : t('{0} calls', calls);
}

function wayText({ way, principal }: ConnectedAssistant): string {
  const { t } = vscode.l10n;
  return {
    bridge: t('It connects through the bridge.'),
    editor: t('It connects through the MCP client of {0}.', vscode.env.appName),
    token: t('It connects over HTTP, with the access token "{0}".', principal.credential),
    window: t('It connects over HTTP, with the secret of this window.'),
  }[way];
}
