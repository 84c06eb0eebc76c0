import * as vscode from 'vscode';

/**
 * Shows a progress notification with a Cancel button while a task runs.
 * @returns the result of the task; undefined when the user cancelled it
 * @throws the error of the task
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
