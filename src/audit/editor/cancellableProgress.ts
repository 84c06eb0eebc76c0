import * as vscode from 'vscode';

/**
 * Shows a notification with a Cancel button while something works on the records.
 * @returns undefined when the human cancelled it
 * @throws what the work throws
 */
export function cancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (percent: number) => void) => Promise<T>,
): Thenable<T | undefined> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, (increment) => progress.report({ increment }));
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      throw error;
    } finally {
      subscription.dispose();
    }
  });
}
