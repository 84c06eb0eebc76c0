import * as vscode from 'vscode';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';

/** A workspace that assistants may only read until the user enables edits, if they first met it untrusted. */
export interface RestrictedWorkspace extends Workspace, Subscription {
  /** Restricts assistants if the workspace is untrusted now. Call it when assistants can begin to connect. */
  restrict(): void;
  /** Lets assistants edit in a workspace that the user has trusted meanwhile. */
  enableEdits(): void;
}

/**
 * Keeps assistants from editing after the user trusts a workspace that was in Restricted Mode when they could first connect.
 * They can only read until the user enables edits (threat row A21).
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
