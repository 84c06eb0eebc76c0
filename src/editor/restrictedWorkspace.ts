import * as vscode from 'vscode';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';

/** A workspace that stays untrusted for assistants until its user says so, once they met it untrusted. */
export interface RestrictedWorkspace extends Workspace, Subscription {
  /** Assistants may meet the workspace from now on. */
  restrict(): void;
  /** The human lets assistants edit in a workspace that is trusted by now. */
  enableEdits(): void;
}

/**
 * Sessions that began in Restricted Mode are not upgraded silently when the workspace is trusted: they go on reading only,
 * until the user enables edits (threat row A21).
 */
export function restrictUntilEnabled(workspace: Workspace): RestrictedWorkspace {
  const changed = new Emitter<void>();
  let isRestricted = false;
  const ask = async (): Promise<void> => {
    if (!isRestricted) return;
    const enable = vscode.l10n.t('Enable Edits');
    const text = vscode.l10n.t('This workspace is trusted now. Assistants can only read it until you enable edits.');
    if ((await vscode.window.showInformationMessage(text, enable)) === enable) enableEdits();
  };
  const enableEdits = (): void => {
    isRestricted = false;
    changed.fire();
  };
  const subscriptions = [
    workspace.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void ask()),
  ];
  return {
    ...workspace,
    isTrusted: () => workspace.isTrusted() && !isRestricted,
    isHeld: () => workspace.isTrusted() && isRestricted,
    onDidChange: changed.event,
    restrict: () => void (isRestricted = !workspace.isTrusted()),
    enableEdits,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
