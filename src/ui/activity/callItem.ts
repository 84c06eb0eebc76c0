import * as vscode from 'vscode';
import { describeTargets, formatDuration } from '#audit/logLines.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import { plain } from '#base/visibleText.ts';

interface Look {
  readonly icon: string;
  readonly colour?: string;
  readonly text: string;
}

/** The targets that a call can link to. Each is a word in the row's context value, which menus test. */
export type CallLink = 'card' | 'diff' | 'rule' | 'history' | 'closed' | 'asked' | 'decided';

/**
 * Renders a call as a row of the Activity view. Everything that a client said is plain text with its hidden characters shown.
 */
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
    vscode.l10n.t('Assistant (name not verified): {0}', client),
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

/** Returns the paths of the call. For an action without paths it returns the action, unless the name of the tool says it. */
function targetOf({ tool, resources, definition }: CallSummary): string | undefined {
  return describeTargets(resources) ?? (definition === tool ? undefined : definition);
}

/** Returns the name that an assistant reports. @param client empty when the assistant gives no name */
export function clientText(client: string): string {
  return client === '' ? vscode.l10n.t('unnamed assistant') : plain(client);
}

/** Returns how a call ended, or what it waits for, as the view shows it. */
export function outcomeText(call: Ending): string {
  return lookOf(call).text;
}

type Ending = Pick<CallSummary, 'outcome' | 'approvalId' | 'definition'>;

/** Error codes without a text of their own are shown unchanged. */
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

/** An action that is not a change is done, not applied. */
function appliedText(definition: string | undefined): string {
  return definition === undefined ? vscode.l10n.t('applied') : vscode.l10n.t('done');
}

/** Formats a call as text for the clipboard, one fact per line. */
export function callDetails(call: CallSummary): string {
  const { decision, definition, approvalId, durationMilliseconds, bytesOut } = call;
  const rule = [decision?.ruleId, decision?.scope].filter((part) => part !== undefined).join(', ');
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['call', call.id],
    ['time', new Date(call.time).toISOString()],
    ['assistant', clientText(call.client ?? '')],
    ['tool', plain(call.tool)],
    ['action', definition === undefined ? undefined : plain(definition)],
    ...call.resources.map(({ path, outside }) => ['path', plain(path ?? outside ?? '')] as const),
    ['decision', decision && plain(`${decision.effect}: ${decision.reason}`)],
    ['rule', rule === '' ? undefined : plain(rule)],
    ...(decision?.explain ?? []).map((step) => ['step', plain(step)] as const),
    ['outcome', outcomeText(call)],
    ['approval', approvalId],
    ['duration', durationMilliseconds === undefined ? undefined : formatDuration(durationMilliseconds)],
    ['bytes', bytesOut === undefined ? undefined : String(bytesOut)],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`])).join('');
}
