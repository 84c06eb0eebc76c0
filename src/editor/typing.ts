import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';

export interface Typing extends vscode.Disposable {
  /** Returns the milliseconds since the user last typed or moved a cursor; infinite before the first time. */
  idleMilliseconds(): number;
}

/** Records when the user last typed or moved a cursor in an editor. */
export function watchTyping(clock: Clock): Typing {
  let last = -Infinity;
  const subscription = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    // An event without a kind means that a change of the text elsewhere moved the cursor.
    if (kind !== undefined) last = clock.monotonic();
  });
  return { idleMilliseconds: () => clock.monotonic() - last, dispose: () => subscription.dispose() };
}
