import * as vscode from 'vscode';
import { formatDuration } from '#audit/logLines.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import { clientText } from './callItem.ts';

/** The calls of one assistant, by the name that it reports. */
export interface AssistantSummary {
  readonly client: string | undefined;
  readonly calls: number;
  /** Calls refused by the policy or the user, or ended with an error. */
  readonly unsuccessful: number;
  /** Calls that the user was asked about. */
  readonly asked: number;
  /** Milliseconds, of calls that have ended and did not wait for the user; absent when there are none. */
  readonly median?: number;
  /** The 95th percentile, of the same calls as `median`. */
  readonly percentile95?: number;
  /** Bytes of text that the calls returned. */
  readonly bytesOut: number;
  /** When its last call arrived, milliseconds since the epoch. */
  readonly lastSeen: number;
}

/** Outcomes that are neither success nor failure: the call is still open, or its caller ended it. */
const undecided: ReadonlySet<string> = new Set([
  'pending_approval',
  'withdrawn',
  'superseded',
  'cancelled',
  'session_closed',
]);
const successes: ReadonlySet<string> = new Set([
  'ok',
  'applied',
  'partially_applied',
  'applied_modified',
  'answered',
  'undone',
]);

/** Sums up calls by assistant, most recent caller first. @param calls newest first */
export function summarizeAssistants(calls: readonly CallSummary[]): AssistantSummary[] {
  return [...Map.groupBy(calls, ({ client }) => client)].map(([client, own]) => {
    const times = own
      .flatMap((call) => (wasAsked(call) ? [] : (call.durationMilliseconds ?? [])))
      .toSorted((a, b) => a - b);
    const [median, percentile95] = [percentile(times, 50), percentile(times, 95)];
    return {
      client,
      calls: own.length,
      unsuccessful: own.filter(isUnsuccessful).length,
      asked: own.filter(wasAsked).length,
      ...(median !== undefined && { median }),
      ...(percentile95 !== undefined && { percentile95 }),
      bytesOut: own.reduce((sum, { bytesOut = 0 }) => sum + bytesOut, 0),
      lastSeen: Math.max(...own.map(({ time }) => time)),
    };
  });
}

/** Renders an assistant as a row; a click filters the list to its calls. */
export function assistantItem(summary: AssistantSummary): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { client, calls, unsuccessful, asked, median, percentile95, bytesOut, lastSeen } = summary;
  const name = clientText(client ?? '');
  const callCount = calls === 1 ? t('1 call') : t('{0} calls', calls);
  const failures = unsuccessful === 0 ? [] : [t('{0} failed or refused', unsuccessful)];
  const times =
    median === undefined || percentile95 === undefined
      ? []
      : [t('median {0}, 95 % within {1}', formatDuration(median), formatDuration(percentile95))];
  const details = [
    callCount,
    ...failures,
    ...(asked === 0 ? [] : [asked === 1 ? t('you were asked once') : t('you were asked {0} times', asked)]),
    ...times,
    t('{0} handed back', bytesText(bytesOut)),
    t('last call {0}', new Date(lastSeen).toLocaleTimeString(vscode.env.language)),
  ];
  const item = new vscode.TreeItem(name);
  item.id = `assistant:${client ?? ''}`;
  item.iconPath = new vscode.ThemeIcon('account');
  item.description = [callCount, ...failures, ...times].join(' · ');
  item.tooltip = [name, ...details].join('\n');
  item.accessibilityInformation = { label: [name, ...details].join(', ') };
  item.contextValue = 'assistant';
  item.command = {
    command: 'drawbridge.filterActivity',
    title: t('Show Only Its Calls'),
    arguments: [{ clients: [client ?? ''] }],
  };
  return item;
}

/** Renders the parent row of the assistants. */
export function assistantsItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Assistants'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = 'assistants';
  item.iconPath = new vscode.ThemeIcon('organization');
  item.contextValue = 'assistants';
  return item;
}

/** A record without a decision still waits for the user, or was written by an earlier version. */
function wasAsked({ decision, approvalId }: CallSummary): boolean {
  return decision === undefined ? approvalId !== undefined : decision.effect === 'ask';
}

function isUnsuccessful({ outcome }: CallSummary): boolean {
  return outcome !== undefined && !successes.has(outcome) && !undecided.has(outcome);
}

/** Returns the given percentile of the values. @param sorted ascending */
function percentile(sorted: readonly number[], percent: number): number | undefined {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}

function bytesText(bytes: number): string {
  const { t } = vscode.l10n;
  if (bytes < 1000) return t('{0} bytes', bytes);
  return bytes < 1_000_000 ? t('{0} KB', Math.round(bytes / 1000)) : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}
