/** A small picture of calls over time, by how they ended, as text that follows the theme. */
import * as vscode from 'vscode';
import type { CallSummary } from '#audit/recentCalls.ts';
import { wasAsked } from './callItem.ts';

/** How a call ended, as the picture tells it. */
export type CallEnding = 'done' | 'approved' | 'open' | 'refused' | 'failed';

/** Outcomes of calls that did what they were to do. */
const successes: ReadonlySet<string> = new Set([
  'ok',
  'applied',
  'partially_applied',
  'applied_modified',
  'answered',
  'undone',
]);
const refusals: ReadonlySet<string> = new Set(['denied', 'declined', 'dismissed', 'outside_workspace', 'unsafe_path']);

/** Returns how a call ended. */
export function endingOf(call: Pick<CallSummary, 'outcome' | 'decision' | 'approvalId'>): CallEnding {
  const { outcome } = call;
  if (outcome === undefined || outcome === 'pending_approval') return 'open';
  if (successes.has(outcome)) return wasAsked(call) ? 'approved' : 'done';
  return refusals.has(outcome) ? 'refused' : 'failed';
}

/** The endings in the order of the picture. Each has a character of its own, so that nobody needs to see the colour. */
const endings: readonly { readonly ending: CallEnding; readonly colour: string; readonly block: string }[] = [
  { ending: 'done', colour: 'charts-green', block: '█' },
  { ending: 'approved', colour: 'charts-blue', block: '▓' },
  { ending: 'refused', colour: 'charts-yellow', block: '▒' },
  { ending: 'failed', colour: 'charts-red', block: '░' },
  { ending: 'open', colour: 'charts-foreground', block: '□' },
];

/** The calls of one span of time. */
interface Span {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly counts: Readonly<Record<CallEnding, number>>;
  readonly all: number;
}

const minute = 60_000;
const mostSpans = 10;
const spanMinutes = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440] as const;
const longestBar = 16;

/** Returns the calls of each span of time as characters of rising height, such as "▁▃█". Empty when there is only one span. */
export function sparkline(calls: readonly CallSummary[]): string {
  const spans = spansOf(calls);
  if (spans.length < 2) return '';
  const most = Math.max(...spans.map(({ all }) => all));
  const heights = '▂▃▄▅▆▇█';
  return spans
    .map(({ all }) => (all === 0 ? '▁' : (heights[Math.ceil((all / most) * heights.length) - 1] ?? '')))
    .join('');
}

/** Returns how many calls ended in each way, such as "50 done, 8 approved, 3 refused". */
export function endingsText(calls: readonly CallSummary[]): string {
  const counts = countEndings(calls);
  const { t } = vscode.l10n;
  return endings
    .filter(({ ending }) => counts[ending] > 0)
    .map(({ ending }) => t('{0} {1}', counts[ending], nameOf(ending).toLowerCase()))
    .join(', ');
}

/**
 * Returns the picture as a table in Markdown that needs `supportHtml`: one row for each span of time, with the numbers that screen
 * readers read and a bar in colours of the theme. It contains no text of anyone else.
 */
export function picture(calls: readonly CallSummary[]): string {
  const spans = spansOf(calls);
  const [first, last] = [spans[0]?.start ?? 0, spans.at(-1)?.start ?? 0];
  const total = countEndings(calls);
  const shown = endings.filter(({ ending }) => total[ending] > 0);
  const callsOfBlock = Math.max(1, Math.ceil(Math.max(...spans.map(({ all }) => all)) / longestBar));
  const rows = spans.map(({ start, counts }) => {
    const bar = shown.map(({ ending, colour, block }) => {
      const blocks = block.repeat(Math.ceil(counts[ending] / callsOfBlock));
      return blocks === '' ? '' : `<span style="color:var(--vscode-${colour});">${blocks}</span>`;
    });
    return [timeText(start, last - first), ...shown.map(({ ending }) => String(counts[ending])), bar.join('')];
  });
  const head = [
    vscode.l10n.t('From'),
    ...shown.map(({ ending, block }) => `${nameOf(ending)} ${block}`),
    vscode.l10n.t('Calls'),
  ];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line([':--', ...shown.map(() => '--:'), ':--']), ...rows.map(line)].join('\n');
}

function nameOf(ending: CallEnding): string {
  const { t } = vscode.l10n;
  const names: Record<CallEnding, string> = {
    done: t('Done'),
    approved: t('Approved'),
    open: t('Open'),
    refused: t('Refused'),
    failed: t('Failed'),
  };
  return names[ending];
}

function timeText(time: number, length: number): string {
  const date = new Date(time);
  return length < 24 * 60 * minute
    ? date.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' })
    : date.toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
}

/** Divides the time from the first call to the last one into at most eleven spans of equal length, the empty ones included. */
function spansOf(calls: readonly CallSummary[]): readonly Span[] {
  if (calls.length === 0) return [];
  const times = calls.map(({ time }) => time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const wanted = (last - first) / mostSpans / minute;
  const length = (spanMinutes.find((each) => each >= wanted) ?? Math.ceil(wanted / 1440) * 1440) * minute;
  const start = Math.floor(first / length) * length;
  const groups = Map.groupBy(calls, ({ time }) => Math.floor((time - start) / length));
  return Array.from({ length: Math.floor((last - start) / length) + 1 }, (_, index) => {
    const own = groups.get(index) ?? [];
    return { start: start + index * length, counts: countEndings(own), all: own.length };
  });
}

function countEndings(calls: readonly CallSummary[]): Readonly<Record<CallEnding, number>> {
  const counts: Record<CallEnding, number> = { done: 0, approved: 0, open: 0, refused: 0, failed: 0 };
  for (const call of calls) counts[endingOf(call)] += 1;
  return counts;
}
