import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';

export interface Typing extends vscode.Disposable {
  /** Since the human last typed or moved a cursor; infinite when they have not yet. */
  idleMilliseconds(): number;
}

/** Follows the human's keyboard in the editors. */
export function watchTyping(clock: Clock): Typing {
  let last = -Infinity;
  const subscription = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    // Without a kind, a cursor was moved by a change of the text somewhere else.
    if (kind !== undefined) last = clock.monotonic();
  });
  return { idleMilliseconds: () => clock.monotonic() - last, dispose: () => subscription.dispose() };
}
