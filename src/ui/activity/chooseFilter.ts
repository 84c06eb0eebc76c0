import * as vscode from 'vscode';
import type { CallSummary } from '#audit/recentCalls.ts';
import { choiceText } from '#base/untrustedText.ts';
import { type CallFilter, type ChosenPart, isEmpty, matches, valueOf } from './callFilter.ts';
import { clientText } from './callItem.ts';

/**
 * Asks the user which property to filter by, then which values.
 * @returns the new filter; undefined when the user cancelled
 */
export async function chooseFilter(calls: readonly CallSummary[], filter: CallFilter): Promise<CallFilter | undefined> {
  const part = await choosePart(filter);
  if (part === undefined) return undefined;
  if (part === 'nothing') return {};
  return part === 'path' ? choosePath(filter) : chooseValues(calls, filter, part);
}

async function choosePart(filter: CallFilter): Promise<ChosenPart | 'path' | 'nothing' | undefined> {
  const { t } = vscode.l10n;
  const current = (values: readonly string[] | undefined): string =>
    values === undefined ? t('all') : values.map(choiceText).join(', ');
  const items: (vscode.QuickPickItem & { part: ChosenPart | 'path' | 'nothing' })[] = [
    { label: t('Assistant'), description: current(filter.clients?.map(clientText)), part: 'clients' },
    { label: t('Tool'), description: current(filter.tools), part: 'tools' },
    { label: t('Outcome'), description: current(filter.outcomes), part: 'outcomes' },
    { label: t('Path'), description: current(filter.path === undefined ? undefined : [filter.path]), part: 'path' },
  ];
  if (!isEmpty(filter)) items.push({ label: `$(clear-all) ${t('Clear Filter')}`, part: 'nothing' });
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Filter Activity (1/2)'),
    placeHolder: t('What to filter by'),
  });
  return picked?.part;
}

async function choosePath(filter: CallFilter): Promise<CallFilter | undefined> {
  const { t } = vscode.l10n;
  const text = await vscode.window.showInputBox({
    title: t('Filter Activity by Path (2/2)'),
    prompt: t('A part of the path, such as src/ or .json. Leave it empty to show all calls.'),
    value: filter.path ?? '',
  });
  if (text === undefined) return undefined;
  const { path: _path, ...others } = filter;
  return text.trim() === '' ? others : { ...others, path: text.trim() };
}

/** Counts only the calls that match the other parts of the filter. */
async function chooseValues(
  calls: readonly CallSummary[],
  filter: CallFilter,
  part: ChosenPart,
): Promise<CallFilter | undefined> {
  const { t } = vscode.l10n;
  const { [part]: chosen, ...others } = filter;
  const values = calls.filter((call) => matches(call, others)).map((call) => valueOf(call, part));
  const counts = new Map((chosen ?? []).map((value) => [value, 0]));
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const items = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([value, count]) => ({
      label: choiceText(part === 'clients' ? clientText(value) : value),
      description: count === 1 ? t('1 call') : t('{0} calls', count),
      picked: chosen?.includes(value) ?? false,
      value,
    }));
  const titles: Record<ChosenPart, string> = {
    clients: t('Filter Activity by Assistant (2/2)'),
    tools: t('Filter Activity by Tool (2/2)'),
    outcomes: t('Filter Activity by Outcome (2/2)'),
  };
  const picked = await vscode.window.showQuickPick(items, {
    title: titles[part],
    placeHolder: t('Select one or more; select none to show all calls'),
    canPickMany: true,
  });
  if (picked === undefined) return undefined;
  return picked.length === 0 ? others : { ...others, [part]: picked.map(({ value }) => value) };
}
