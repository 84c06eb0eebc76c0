import * as vscode from 'vscode';
import type { Assistant, SettingsPart } from '../../assistant.ts';
import type { Configurations } from '../../seenAssistants.ts';

/** A part that Connect sets up for an assistant: the tools of Drawbridge, or a part of the settings of the assistant. */
export type ConnectPart = 'server' | SettingsPart;

interface Item extends vscode.QuickPickItem {
  readonly part: ConnectPart;
}

/**
 * Asks what to set up for an assistant. Everything is picked at first, so that one more key is enough.
 * @returns undefined when the user dismisses the question; only the server for an assistant without settings, which asks nothing
 */
export async function chooseParts(assistant: Assistant): Promise<ReadonlySet<ConnectPart> | undefined> {
  if (assistant.settings === undefined) return new Set(['server']);
  const { t } = vscode.l10n;
  const { name } = assistant;
  const items: readonly Item[] = [
    {
      part: 'server',
      label: t('Tools of Drawbridge'),
      detail: t('{0} can search, read, edit and use language intelligence through Drawbridge.', name),
      picked: true,
    },
    {
      part: 'guard',
      label: t('Approve its own edits before they are made'),
      detail: t(
        'Edits that {0} makes with its own tools wait for you in the Approvals view of the window. Its commands are not reviewed.',
        name,
      ),
      picked: true,
    },
    {
      part: 'permission',
      label: t('Do not ask twice'),
      detail: t('{0} does not ask about the tools of Drawbridge, which ask you by themselves.', name),
      picked: true,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: t('Connect {0}', name),
    placeHolder: t('Choose what to set up. Disconnect takes all of it back.'),
    ignoreFocusOut: true,
  });
  return picked && new Set(picked.map(({ part }) => part));
}

/** Returns the parts of an assistant's settings that are set up now; none without settings. Throws as `readSettings` does. */
export async function partsSetUp(
  assistant: Assistant,
  configurations: Configurations,
): Promise<ReadonlySet<SettingsPart>> {
  if (assistant.settings === undefined) return new Set();
  const { guard, permission } = await configurations.readSettings(assistant);
  return new Set<SettingsPart>([
    ...(guard === 'absent' ? [] : (['guard'] as const)),
    ...(permission === 'absent' ? [] : (['permission'] as const)),
  ]);
}

/** Returns the parts of the settings among the chosen ones. */
export function settingsAmong(parts: ReadonlySet<ConnectPart>): ReadonlySet<SettingsPart> {
  return new Set([...parts].filter((part) => part !== 'server'));
}
