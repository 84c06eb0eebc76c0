import * as vscode from 'vscode';
import { plain } from '../approvals/visibleText.ts';
import { describeTargets, formatDuration } from './record/callLine.ts';
import type { CallSummary } from './record/recentCalls.ts';

interface Look {
  readonly icon: string;
  readonly colour?: string;
  readonly text: string;
}

/** A call as a row of the Activity view. Everything a client said is plain text with its hidden characters shown. */
export function callItem(call: CallSummary): vscode.TreeItem {
  const { icon, colour, text } = lookOf(
    call.outcome ?? (call.approvalId === undefined ? undefined : 'pending_approval'),
  );
  const target = plain(describeTargets(call.resources) ?? '');
  const client = plain(call.client ?? vscode.l10n.t('unnamed client'));
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
  item.contextValue = call.approvalId === undefined ? 'call' : 'approval';
  item.command = {
    command: 'drawbridge.openActivity',
    title: vscode.l10n.t('Open'),
    arguments: [call.id],
  };
  return item;
}

/** How an outcome looks; error codes that have no words of their own are shown as they are. */
function lookOf(outcome: string | undefined): Look {
  switch (outcome) {
    case undefined:
      return { icon: 'loading~spin', text: vscode.l10n.t('running') };
    case 'ok':
      return { icon: 'pass', colour: 'testing.iconPassed', text: vscode.l10n.t('done') };
    case 'applied':
      return { icon: 'pass-filled', colour: 'testing.iconPassed', text: vscode.l10n.t('applied') };
    case 'partially_applied':
      return { icon: 'pass-filled', colour: 'testing.iconPassed', text: vscode.l10n.t('applied in part') };
    case 'applied_modified':
      return { icon: 'pass-filled', colour: 'testing.iconPassed', text: vscode.l10n.t('applied as you edited it') };
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
      return { icon: 'debug-disconnect', text: vscode.l10n.t('ended with its window') };
    case 'stale':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('out of date') };
    case 'failed':
      return { icon: 'error', colour: 'testing.iconFailed', text: vscode.l10n.t('failed') };
    case 'internal':
      return { icon: 'bug', colour: 'testing.iconFailed', text: vscode.l10n.t('bug in Drawbridge, see the log') };
    default:
      return { icon: 'warning', colour: 'list.warningForeground', text: plain(outcome).replaceAll('_', ' ') };
  }
}
