import * as vscode from 'vscode';
import { type GuardLevel, guardLevels } from '#base/nativeCommand.ts';
import { type Configurations, seeAssistants } from '../../seenAssistants.ts';

/**
 * Asks what the user reviews of the edits and commands that an assistant makes with its own tools, and writes the answer into the user's
 * settings. Asks for the assistant first when several are guarded.
 */
export async function chooseGuardLevel(configurations: Configurations): Promise<void> {
  const { t } = vscode.l10n;
  const guarded = (await seeAssistants(configurations)).filter(({ parts }) => (parts?.guard ?? 'absent') !== 'absent');
  const names = guarded.map(({ assistant }) => assistant.name);
  if (names.length === 0) {
    const connect = t('Connect an Assistant...');
    const text = t('No assistant asks Drawbridge before its own edits yet. Connect sets that up.');
    if ((await vscode.window.showInformationMessage(text, connect)) === connect) {
      await vscode.commands.executeCommand('drawbridge.connectAssistant');
    }
    return;
  }
  const name =
    names.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { title: t('Which assistant?') });
  if (name === undefined) return;
  const settings = vscode.workspace.getConfiguration('drawbridge');
  const levels = settings.inspect<Record<string, GuardLevel>>('guard.levels')?.globalValue ?? {};
  const current = levels[name] ?? 'edits';
  const picked = await vscode.window.showQuickPick(
    guardLevels.map((level) => ({ level, ...wordsOf(level), ...(level === current && { description: t('now') }) })),
    { title: t('What do you want to review of the edits and commands of {0}?', name) },
  );
  if (picked === undefined || picked.level === current) return;
  await settings.update('guard.levels', { ...levels, [name]: picked.level }, vscode.ConfigurationTarget.Global);
}

function wordsOf(level: GuardLevel): { readonly label: string; readonly detail: string } {
  const { t } = vscode.l10n;
  const words: Record<GuardLevel, { readonly label: string; readonly detail: string }> = {
    edits: {
      label: t('Edits, and commands that change files'),
      detail: t('They wait for you. What other commands change is listed afterwards.'),
    },
    everything: {
      label: t('Edits, and all commands but those that only read'),
      detail: t('Each of them waits for you.'),
    },
    after: {
      label: t('Everything afterwards'),
      detail: t('Nothing waits. What was changed is listed in "Changed Outside", where you can take it back.'),
    },
  };
  return words[level];
}
