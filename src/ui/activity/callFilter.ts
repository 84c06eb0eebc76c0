import * as vscode from 'vscode';
import type { CallSummary } from '#audit/recentCalls.ts';
import { plain } from '#base/visibleText.ts';
import { clientText, outcomeText } from './callItem.ts';

/** A filter of calls. A call is listed when it matches every part that is set. */
export interface CallFilter {
  /** The names that the assistants report; empty for an assistant without a name. */
  readonly clients?: readonly string[];
  readonly tools?: readonly string[];
  /** The texts of outcomes, as `outcomeText` returns them. */
  readonly outcomes?: readonly string[];
  /** A part of a path, compared without regard to case. */
  readonly path?: string;
}

/** The parts of a filter whose values are chosen from those that occur in calls. */
export type ChosenPart = 'clients' | 'tools' | 'outcomes';

/** Returns the value of a call for each part of a filter. */
export function valueOf(call: CallSummary, part: ChosenPart): string {
  if (part === 'clients') return call.client ?? '';
  return part === 'tools' ? call.tool : outcomeText(call);
}

export function matches(call: CallSummary, filter: CallFilter): boolean {
  const parts: readonly ChosenPart[] = ['clients', 'tools', 'outcomes'];
  if (!parts.every((part) => filter[part]?.includes(valueOf(call, part)) ?? true)) return false;
  const path = filter.path?.toLowerCase();
  if (path === undefined) return true;
  return call.resources.some((resource) => (resource.path ?? resource.outside ?? '').toLowerCase().includes(path));
}

export function isEmpty(filter: CallFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** Returns the text above a filtered list, for example "Tool: read_file · Outcome: denied by policy · 3 of 200 calls". */
export function filterText(filter: CallFilter, shown: number, all: number): string {
  const { t } = vscode.l10n;
  const parts: string[] = [];
  if (filter.clients) parts.push(t('Assistant: {0}', filter.clients.map(clientText).join(', ')));
  if (filter.tools) parts.push(t('Tool: {0}', filter.tools.map(plain).join(', ')));
  if (filter.outcomes) parts.push(t('Outcome: {0}', filter.outcomes.join(', ')));
  if (filter.path !== undefined) parts.push(t('Path: {0}', plain(filter.path)));
  parts.push(t('{0} of {1} calls', shown, all));
  return parts.join(' · ');
}
