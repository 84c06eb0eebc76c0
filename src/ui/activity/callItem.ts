import * as vscode from 'vscode';
import { describeTargets, formatDuration } from '#audit/logLines.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import { plain } from '#base/visibleText.ts';

interface Look {
  readonly icon: string;
  readonly colour?: string;
  readonly text: string;
}

/** Where one can go from a call; each is a word of the row's context value, which menus ask for. */
export type CallLink = 'card' | 'diff' | 'rule' | 'history' | 'asked' | 'decided';

/** A call as a row of the Activity view. Everything a client said is plain text with its hidden characters shown. */
export function callItem(call: CallSummary, links: readonly CallLink[] = []): vscode.TreeItem {
  const { icon, colour, text } = lookOf(call);
  const target = plain(targetOf(call) ?? '');
  const client = clientText(call.client ?? '');
  const duration = call.durationMilliseconds === undefined ? [] : [formatDuration(call.durationMilliseconds)];
  const tool = plain(call.tool);
  const label = [tool, target].filter(Boolean).join(' ');
  const item = new vscode.TreeItem(label);
  item.id = call.id;
  item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  item.description = [client, text, ...duration].join(' · ');
  item.tooltip = [
    label,
    vscode.l10n.t('Client (as it calls itself): {0}', client),
    vscode.l10n.t('Time: {0}', new Date(call.time).toLocaleString()),
    vscode.l10n.t('Outcome: {0}', [text, ...duration].join(', ')),
    ...call.resources.map(({ path, outside }) => plain(path ?? outside ?? '')).slice(0, 20),
  ].join('\n');
  item.accessibilityInformation = { label: [tool, target, client, text, ...duration].filter(Boolean).join(', ') };
  item.contextValue = ['call', ...links].join(' ');
  item.command = {
    command: 'drawbridge.openActivity',
    title: vscode.l10n.t('Open'),
    arguments: [call.id],
  };
  return item;
}

/** What it is done to; of an action without a place, what is done, unless the tool says it. */
function targetOf({ tool, resources, definition }: CallSummary): string | undefined {
  return describeTargets(resources) ?? (definition === tool ? undefined : definition);
}

/** What an assistant calls itself; empty when it gives no name. */
export function clientText(client: string): string {
  return client === '' ? vscode.l10n.t('unnamed client') : plain(client);
}

/** How a call ended, or what it waits for, in the words of the list. */
export function outcomeText(call: Ending): string {
  return lookOf(call).text;
}

type Ending = Pick<CallSummary, 'outcome' | 'approvalId' | 'definition'>;

/** Error codes that have no words of their own are shown as they are. */
function lookOf({ outcome, approvalId, definition }: Ending): Look {
  const state = outcome ?? (approvalId === undefined ? undefined : 'pending_approval');
  switch (state) {
    case undefined:
      return { icon: 'loading~spin', text: vscode.l10n.t('running') };
    case 'ok':
      return { icon: 'pass', colour: 'testing.iconPassed', text: vscode.l10n.t('done') };
    case 'applied':
      return { icon: 'pass-filled', colour: 'testing.iconPassed', text: appliedText(definition) };
    case 'partially_applied':
      return { icon: 'pass-filled', colour: 'testing.iconPassed', text: vscode.l10n.t('applied in part') };
    case 'applied_modified':
      return { icon: 'pass-filled', colour: 'testing.iconPassed', text: vscode.l10n.t('applied as you edited it') };
    case 'answered':
      return { icon: 'comment', colour: 'testing.iconPassed', text: vscode.l10n.t('answered') };
    case 'dismissed':
      return { icon: 'circle-slash', text: vscode.l10n.t('dismissed') };
    case 'undone':
      return { icon: 'discard', text: vscode.l10n.t('undone') };
    case 'pending_approval':
      return { icon: 'watch', text: vscode.l10n.t('waiting for you') };
    case 'declined':
      return { icon: 'circle-slash', text: vscode.l10n.t('declined') };
    case 'denied':
      return { icon: 'shield', colour: 'testing.iconFailed', text: vscode.l10n.t('denied by policy') };
    case 'expired':
      return { icon: 'watch', text: vscode.l10n.t('expired') };
    case 'withdrawn':
      return { icon: 'circle-slash', text: vscode.l10n.t('withdrawn') };
    case 'superseded':
      return { icon: 'circle-slash', text: vscode.l10n.t('replaced by a newer one') };
    case 'cancelled':
      return { icon: 'circle-slash', text: vscode.l10n.t('cancelled') };
    case 'session_closed':
      return { icon: 'debug-disconnect', text: vscode.l10n.t('ended when the window closed') };
    case 'stale':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('out of date') };
    case 'failed':
      return { icon: 'error', colour: 'testing.iconFailed', text: vscode.l10n.t('failed') };
    case 'internal':
      return { icon: 'bug', colour: 'testing.iconFailed', text: vscode.l10n.t('bug in Drawbridge, see the log') };
    default:
      return { icon: 'warning', colour: 'list.warningForeground', text: plain(state).replaceAll('_', ' ') };
  }
}

/** What is no change is done, not applied. */
function appliedText(definition: string | undefined): string {
  return definition === undefined ? vscode.l10n.t('applied') : vscode.l10n.t('done');
}
