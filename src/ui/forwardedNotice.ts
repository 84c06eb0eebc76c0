import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';

const notifyEvery = 10 * 60_000;

/**
 * Tells the user of a request through a forwarded port or a proxy, at most every ten minutes (threat row H15).
 * @returns a function to call at each such request
 */
export function forwardedNotice(clock: Clock): () => void {
  let notified = -Infinity;
  return () => {
    if (clock.monotonic() - notified < notifyEvery) return;
    notified = clock.monotonic();
    const text = vscode.l10n.t(
      'A program tried to reach Drawbridge in this window through a forwarded port or a proxy. It was refused: assistants must run where the folder is, for example in the terminal of this window.',
    );
    void vscode.window.showWarningMessage(text);
  };
}
