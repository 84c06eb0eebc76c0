import * as vscode from 'vscode';
import { type Redact } from '#audit/redactor.ts';

/** An error that the human should know of, with a way to its details. */
export async function offerLog(channel: vscode.LogOutputChannel, redact: Redact, message: string): Promise<void> {
  const show = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(redact(message), show)) === show) channel.show();
}
