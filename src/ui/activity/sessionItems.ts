import * as vscode from 'vscode';
import { formatDuration } from '#audit/logLines.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import { filesChanged } from '../history/changeText.ts';
import { changedFiles, type Session } from '../history/grouping.ts';
import { tokensText } from '../tools/toolText.ts';
import { clientText, wasAsked } from './callItem.ts';
import { endingOf, endingsText, picture, sparkline } from './callsOverTime.ts';
import { readingTools } from './openClosedFile.ts';

/** The calls of one session of an assistant, and what the user decided about them. */
export interface SessionSummary {
  /** The id of its session in History; absent when it changed nothing that History lists. */
  readonly historyId?: string;
  readonly principal: string;
  /** The name that the assistant reports. */
  readonly client: string | undefined;
  /** Newest first. */
  readonly calls: readonly CallSummary[];
  /** Number of files, without those of changes that were undone. */
  readonly filesChanged: number;
  readonly declined: number;
  /** Calls refused by the policy or the user, or ended with an error. */
  readonly unsuccessful: number;
  /** Calls that the user was asked about. */
  readonly asked: number;
  /** Milliseconds from the requests to the decisions of the user. */
  readonly waited: number;
  /** Milliseconds, of calls that have ended and did not wait for the user; absent when there are none. */
  readonly median?: number;
  /** The 95th percentile, of the same calls as `median`. */
  readonly percentile95?: number;
  /** Bytes of files that the calls returned. */
  readonly bytesRead: number;
  /** Bytes of text that the calls returned. */
  readonly bytesOut: number;
}

/** Outcomes of calls that their caller ended, which are no failures. */
const withdrawn: ReadonlySet<string> = new Set(['withdrawn', 'superseded', 'cancelled', 'session_closed']);

/**
 * Sums up calls by session, the most recent caller first.
 * @param calls newest first
 * @param history the sessions of the History view
 */
export function summarizeSessions(calls: readonly CallSummary[], history: readonly Session[]): SessionSummary[] {
  const sessions = new Map(history.flatMap((session) => session.changes.map(({ id }) => [id, session] as const)));
  const groups = Map.groupBy(calls, ({ client, principal }) => JSON.stringify([client ?? null, principal]));
  return [...groups.values()].flatMap((own) => {
    const [newest] = own;
    if (newest === undefined) return [];
    const session = own.map(({ approvalId = '' }) => sessions.get(approvalId)).find((each) => each !== undefined);
    // An assistant may ask twice for the same approval.
    const waits = new Map(own.map(({ approvalId, waitedMilliseconds = 0 }) => [approvalId, waitedMilliseconds]));
    const times = own
      .flatMap((call) => (wasAsked(call) ? [] : (call.durationMilliseconds ?? [])))
      .toSorted((a, b) => a - b);
    const [median, percentile95] = [percentile(times, 50), percentile(times, 95)];
    return {
      ...(session && { historyId: session.id }),
      principal: newest.principal,
      client: newest.client,
      calls: own,
      filesChanged: session === undefined ? 0 : changedFiles(session),
      declined: own.filter(({ outcome }) => outcome === 'declined').length,
      unsuccessful: own.filter(isUnsuccessful).length,
      asked: own.filter(wasAsked).length,
      waited: sum([...waits.values()]),
      ...(median !== undefined && { median }),
      ...(percentile95 !== undefined && { percentile95 }),
      bytesRead: sum(own.map(({ tool, bytesOut = 0 }) => (readingTools.has(tool) ? bytesOut : 0))),
      bytesOut: sum(own.map(({ bytesOut = 0 }) => bytesOut)),
    };
  });
}

/** Renders a session as a row that says what it did; a click filters the list to the calls of its assistant. */
export function sessionItem(summary: SessionSummary): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { historyId, principal, client, calls, declined, waited, bytesRead, bytesOut } = summary;
  const name = clientText(client ?? '');
  const callCount = callsText(calls.length);
  const facts = [
    ...(summary.filesChanged === 0 ? [] : [filesChanged(summary.filesChanged)]),
    ...(declined === 0 ? [] : [t('{0} declined', declined)]),
    ...(bytesRead === 0 ? [] : [t('{0} read', bytesText(bytesRead))]),
  ];
  const label = t('{0}: {1}', name, facts.length === 0 ? callCount : facts.join(', '));
  const rest = [
    ...(waited === 0 ? [] : [t('you took {0}', formatDuration(waited))]),
    t('{0} sent', tokensText(Math.ceil(bytesOut / 4))),
    ...(facts.length === 0 ? [] : [callCount]),
  ];
  const item = new vscode.TreeItem(label);
  // With the id of the session in History, the commands of History find it.
  item.id = historyId ?? `calls:${JSON.stringify([client ?? null, principal])}`;
  item.iconPath = new vscode.ThemeIcon('account');
  item.description = rest.join(' · ');
  item.tooltip = tooltipOf([label, ...sentencesOf(summary)], calls);
  item.accessibilityInformation = { label: [label, ...rest, endingsText(calls)].join(', ') };
  item.contextValue = historyId !== undefined && summary.filesChanged > 0 ? 'session changed' : 'session';
  item.command = {
    command: 'drawbridge.filterActivity',
    title: t('Show Only Calls of This Assistant'),
    arguments: [{ clients: [client ?? ''] }],
  };
  return item;
}

/** Renders the parent row of the sessions, with the calls of all of them over time. */
export function sessionsItem(calls: readonly CallSummary[]): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(t('Sessions'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'sessions';
  item.iconPath = new vscode.ThemeIcon('organization');
  item.description = [sparkline(calls), callsText(calls.length)].filter(Boolean).join(' ');
  item.tooltip = tooltipOf([t('Calls over time, by how they ended')], calls);
  item.accessibilityInformation = {
    label: [t('Sessions'), callsText(calls.length), endingsText(calls)].filter(Boolean).join(', '),
  };
  item.contextValue = 'sessions';
  return item;
}

/** The sessions that are shown at once. More would push the calls out of view. */
export const shownSessions = 3;

/** Renders the row that opens what is too old to be shown at once. */
export function earlierItem(id: string, label: string, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = id;
  item.description = String(count);
  return item;
}

/** Returns lines of plain text above the picture of calls over time. */
function tooltipOf(lines: readonly string[], calls: readonly CallSummary[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.supportHtml = true;
  // `appendText` leaves these two, and an assistant chooses its name.
  tooltip.appendText(lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  if (calls.length > 0) tooltip.value += `\n\n${picture(calls)}\n`;
  return tooltip;
}

function sentencesOf(summary: SessionSummary): string[] {
  const { t } = vscode.l10n;
  const { calls, unsuccessful, asked, waited, median, percentile95, bytesOut } = summary;
  const lastSeen = new Date(calls[0]?.time ?? 0).toLocaleTimeString(vscode.env.language);
  return [
    unsuccessful === 0
      ? t('{0}, the last one at {1}.', callsText(calls.length), lastSeen)
      : t('{0}, the last one at {1}; {2} failed or refused.', callsText(calls.length), lastSeen, unsuccessful),
    ...(asked === 0 ? [] : [asked === 1 ? t('You were asked once.') : t('You were asked {0} times.', asked)]),
    ...(waited === 0 ? [] : [t('You took {0} to decide.', formatDuration(waited))]),
    t('Drawbridge sent it {0}.', bytesText(bytesOut)),
    ...(median === undefined || percentile95 === undefined
      ? []
      : [
          t(
            'Half of its calls took at most {0}, 95 % at most {1}.',
            formatDuration(median),
            formatDuration(percentile95),
          ),
        ]),
    t('The assistant gives its name itself, and nobody verifies it.'),
  ];
}

function callsText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', count);
}

function isUnsuccessful(call: CallSummary): boolean {
  const ending = endingOf(call);
  return ending === 'refused' || (ending === 'failed' && !withdrawn.has(call.outcome ?? ''));
}

/** Returns the given percentile of the values. @param sorted ascending */
function percentile(sorted: readonly number[], percent: number): number | undefined {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}

function bytesText(bytes: number): string {
  const { t } = vscode.l10n;
  if (bytes < 1000) return bytes === 1 ? t('1 byte') : t('{0} bytes', bytes);
  return bytes < 1_000_000 ? t('{0} KB', Math.round(bytes / 1000)) : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
