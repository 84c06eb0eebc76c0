import * as vscode from 'vscode';
import type { WindowMode } from '#policy/editor/modes.ts';
import type { Mode } from '#policy/rules.ts';
import { modeDetail, modeIcon, modeName } from './modeText.ts';

const modes: readonly Mode[] = ['manual', 'acceptEdits', 'readOnly', 'unattended'];

/** Runs "Set Mode...": the user chooses what happens without asking. */
export async function setMode(mode: Pick<WindowMode, 'current' | 'isAllowed' | 'set'>): Promise<void> {
  const now = mode.current;
  const items = modes.map((each) => {
    const allowed = mode.isAllowed(each);
    return {
      label: `$(${modeIcon(each)}) ${modeName(each)}`,
      description:
        each === now ? vscode.l10n.t('current') : allowed ? '' : vscode.l10n.t('not allowed by your organization'),
      detail: modeDetail(each),
      mode: each,
      allowed,
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Drawbridge: Set Mode'),
    placeHolder: vscode.l10n.t('What may assistants do in this window without asking you?'),
  });
  if (picked === undefined || picked.mode === now) return;
  if (!picked.allowed) {
    const text = vscode.l10n.t('The policy of this machine does not allow the mode {0}.', modeName(picked.mode));
    void vscode.window.showInformationMessage(text);
    return;
  }
  if (picked.mode === 'unattended' && !(await confirmsUnattended())) return;
  mode.set(picked.mode);
}

async function confirmsUnattended(): Promise<boolean> {
  const turnOn = vscode.l10n.t('Turn On Unattended');
  const detail = vscode.l10n.t(
    'Assistants change files in this workspace, and delete files that are committed, without asking you. Everything else that needs your approval (protected files, files that are in no commit, more than 60 files in 10 minutes) is refused. Every change is kept in the history and can be undone. The mode ends after 4 hours, when the window is reloaded, and when trust changes.',
  );
  const message = vscode.l10n.t('Let assistants work unattended in this window?');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, turnOn)) === turnOn;
}
