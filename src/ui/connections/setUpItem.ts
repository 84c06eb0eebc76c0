import * as vscode from 'vscode';
import { assistantIcon } from '#connect/assistant.ts';
import { assistantOf } from '#connect/lastSeen.ts';
import type { SetUpAssistant } from '#connect/seenAssistants.ts';
import { relativeTime } from '../relativeTime.ts';
import { rowId } from '../rowId.ts';
import type { ConnectedAssistant } from './assistantItem.ts';
import { rowItem } from './connectionRow.ts';

const prefix = 'setUp:';

/** Returns the assistants that are set up and have no connection to this window now. */
export function notConnected(
  setUp: readonly SetUpAssistant[],
  connected: readonly Pick<ConnectedAssistant, 'client'>[],
): readonly SetUpAssistant[] {
  const all = setUp.map(({ assistant }) => assistant);
  const here = new Set(connected.map(({ client }) => assistantOf(client?.name ?? '', all)?.id));
  return setUp.filter(({ assistant }) => !here.has(assistant.id));
}

/** Returns the row of an assistant that is set up, and says what to do when it has never called. */
export function setUpItem({ assistant, lastSeen }: SetUpAssistant, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { id, name, kind } = assistant;
  const toStart = kind === 'terminal' ? t('start {0} in this folder', name) : t('start {0}', name);
  return rowItem({
    id: `${prefix}${id}`,
    label: name,
    icon: assistantIcon(assistant),
    description:
      lastSeen === undefined
        ? t('set up, never called: {0}', toStart)
        : t('set up, last seen {0}', relativeTime(lastSeen, now)),
    details: [
      lastSeen === undefined
        ? t('It has not called any of your windows yet.')
        : t('It last called one of your windows at {0}.', new Date(lastSeen).toLocaleString(vscode.env.language)),
    ],
    contextValue: 'setUp',
  });
}

/** Returns the id of the assistant of a row that is set up; undefined for any other row or value. */
export function setUpIdOf(row: unknown): string | undefined {
  const id = rowId(row);
  return id?.startsWith(prefix) === true ? id.slice(prefix.length) : undefined;
}
