import * as vscode from 'vscode';
import type { Event, Subscription } from '#base/event.ts';

export interface WalkthroughProgress {
  readonly hasCalled: () => boolean;
  readonly onDidChangeCalls: Event<void>;
  readonly hasChanged: () => boolean;
  readonly onDidChangeApprovals: Event<unknown>;
}

/** Sets the context keys that mark the steps of the walkthrough as done. */
export function keepWalkthroughProgress(progress: WalkthroughProgress): vscode.Disposable {
  const { hasCalled, onDidChangeCalls, hasChanged, onDidChangeApprovals } = progress;
  return vscode.Disposable.from(
    once(
      hasCalled,
      onDidChangeCalls,
      () => void vscode.commands.executeCommand('setContext', 'drawbridge.called', true),
    ),
    once(
      hasChanged,
      onDidChangeApprovals,
      () => void vscode.commands.executeCommand('setContext', 'drawbridge.changed', true),
    ),
  );
}

/** Calls `then` once, as soon as the condition is true. */
function once(isSo: () => boolean, onDidChange: Event<unknown>, then: () => void): Subscription {
  let subscription: Subscription | undefined;
  const look = (): void => {
    if (!isSo()) return;
    subscription?.dispose();
    then();
  };
  if (isSo()) then();
  else subscription = onDidChange(look);
  return { dispose: () => subscription?.dispose() };
}
