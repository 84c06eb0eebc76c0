import * as vscode from 'vscode';
import { formatDuration } from '#audit/logLines.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import { plain } from '#base/visibleText.ts';
import type { Approval } from '#changes/approval.ts';
import { clientName } from '../page/words/clientText.ts';
import { nameOfResource, wordsOf } from './callText.ts';

interface Look {
  readonly icon: string;
  readonly colour?: string;
  readonly text: string;
}

/** The targets that a call can link to. Each is a word in the row's context value, which menus test. */
export type CallLink = 'card' | 'diff' | 'rule' | 'history' | 'closed' | 'asked' | 'decided';

/**
 * Renders a call as a row of the Activity view, which says what the call did. Everything that a client said is plain text with its
 * hidden characters shown.
 * @param approval of the call, which knows what its files become
 */
export function callItem(call: CallSummary, links: readonly CallLink[] = [], approval?: Approval): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { icon, colour } = lookOf(call);
  const client = clientText(call.client ?? '');
  const time = new Date(call.time).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
  const label = sentenceOf(call, approval);
  const item = new vscode.TreeItem(label);
  item.id = call.id;
  item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  item.description = [client, time, ...tookText(call)].join(' · ');
  item.tooltip = [
    label,
    t('{0} called {1} on {2}.', client, plain(call.tool), new Date(call.time).toLocaleString(vscode.env.language)),
    ...durationSentences(call),
    ...call.resources.map(({ path, outside }) => plain(path ?? outside ?? '')).slice(0, 20),
  ].join('\n');
  item.accessibilityInformation = { label: [label, client, time, ...tookText(call)].join(', ') };
  item.contextValue = ['call', ...links].join(' ');
  item.command = {
    command: 'drawbridge.openActivity',
    title: t('Open'),
    arguments: [call.id],
  };
  return item;
}

/** Returns what a call did and how it ended, with what tells most at the front. */
function sentenceOf(call: CallSummary, approval: Approval | undefined): string {
  const { t } = vscode.l10n;
  const { done, todo, found } = wordsOf(call, approval);
  const withParts = (phrase: string, ...parts: (string | undefined)[]): string => {
    const known = parts.filter((part) => part !== undefined);
    return known.length === 0 ? phrase : t('{0}: {1}', phrase, known.join(', '));
  };
  const { outcome, decision } = call;
  if (outcome === 'ok') return withParts(done, found, decision?.effect === 'ask' ? t('you allowed it') : undefined);
  if (outcome === 'denied') return refusalOf(call, todo);
  if (outcome === 'outside_workspace') {
    const [first] = call.resources;
    return first === undefined
      ? withParts(todo, t('outside the workspace'))
      : t('Refused: {0} is outside the workspace', nameOfResource(first));
  }
  if (outcome !== undefined && ended.has(outcome)) return withParts(done, found, approvedText(call));
  return withParts(todo, afterWait(lookOf(call).text, call), found);
}

/** Outcomes of approvals that were carried out. */
const ended: ReadonlySet<string> = new Set(['applied', 'partially_applied', 'applied_modified', 'answered', 'undone']);

/** Says who let a change or an action through. */
function approvedText(call: CallSummary): string {
  const { t } = vscode.l10n;
  if (call.decision?.effect === 'allow' && call.outcome !== 'undone') {
    return call.decision?.ruleId === undefined ? t('allowed by the mode') : t('allowed by a rule');
  }
  const texts: Readonly<Record<string, string>> = {
    applied: t('approved'),
    partially_applied: t('approved in part'),
    applied_modified: t('approved as you edited it'),
  };
  const text = texts[call.outcome ?? ''];
  return afterWait(text === undefined || call.decision === undefined ? lookOf(call).text : text, call);
}

/** Adds how long the user took to a decision of the user. */
function afterWait(text: string, { outcome, waitedMilliseconds }: CallSummary): string {
  if (waitedMilliseconds === undefined || outcome === 'undone') return text;
  return vscode.l10n.t('{0} after {1}', text, formatDuration(waitedMilliseconds));
}

/** Says why a call was refused. */
function refusalOf({ resources, decision }: CallSummary, todo: string): string {
  const { t } = vscode.l10n;
  const { effect, step } = decision ?? {};
  if (effect === 'ask') return t('{0}: you did not allow it', todo);
  const secret = resources.find((resource) => resource.secret === true);
  if (secret !== undefined && (step === undefined || step === 'secret')) {
    return t('Refused: {0} is a secret file', nameOfResource(secret));
  }
  const texts: Readonly<Record<string, string>> = {
    deny_rule: t('Refused by a rule: {0}', todo),
    managed_deny: t('Refused by a rule: {0}', todo),
    trust: t('Refused in a workspace that you do not trust: {0}', todo),
    mode: t('Refused in Read-only mode: {0}', todo),
    unattended: t('Refused in Unattended mode: {0}', todo),
  };
  return texts[step ?? ''] ?? t('Refused: {0}', todo);
}

/** Returns the time of the work alone: a call that asked the user ran for as long as the user took. */
function tookText(call: CallSummary): string[] {
  const { durationMilliseconds } = call;
  return durationMilliseconds === undefined || wasAsked(call) ? [] : [formatDuration(durationMilliseconds)];
}

function durationSentences(call: CallSummary): string[] {
  const { t } = vscode.l10n;
  const { waitedMilliseconds, durationMilliseconds } = call;
  if (waitedMilliseconds !== undefined) return [t('You took {0} to decide.', formatDuration(waitedMilliseconds))];
  if (durationMilliseconds === undefined) return [];
  const duration = formatDuration(durationMilliseconds);
  return [wasAsked(call) ? t('It took {0}, with the time for your decision.', duration) : t('It took {0}.', duration)];
}

/** Returns whether the user was asked. A record without a decision still waits for the user, or is of an earlier version. */
export function wasAsked({ decision, approvalId }: Pick<CallSummary, 'decision' | 'approvalId'>): boolean {
  return decision === undefined ? approvalId !== undefined : decision.effect === 'ask';
}

/** Returns the name of an assistant, by the one that it reports. @param client empty when the assistant gives no name */
export function clientText(client: string): string {
  return client === '' ? vscode.l10n.t('unnamed assistant') : clientName({ name: client, version: '' }, vscode.l10n.t);
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
    case 'partly_applied':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('half done') };
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
    case 'not_found':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('not found') };
    case 'no_match':
      return {
        icon: 'warning',
        colour: 'list.warningForeground',
        text: vscode.l10n.t('the text to replace is not there'),
      };
    case 'ambiguous_match':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('several texts match') };
    case 'stale_version':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('the file had changed') };
    case 'timeout':
      return { icon: 'warning', colour: 'list.warningForeground', text: vscode.l10n.t('took too long') };
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
