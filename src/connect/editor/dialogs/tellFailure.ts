import * as vscode from 'vscode';
import { messageOf } from '#base/messageOf.ts';
import { isConfigurationError } from '../../configurationError.ts';

/**
 * Shows why a configuration was not changed and what the user can do.
 * @param file the configuration file, which the user may want to open
 * @returns whether to try again
 */
export async function tellFailure(error: unknown, message: string, file: string | undefined): Promise<boolean> {
  const { t } = vscode.l10n;
  const why = isConfigurationError(error) ? [error.message, error.hint] : [messageOf(error)];
  const [open, again] = [t('Open File'), t('Try Again')];
  const text = [message, ...why].filter(Boolean).join(' ');
  const buttons = file === undefined ? [again] : [open, again];
  const picked = await vscode.window.showErrorMessage(text, ...buttons);
  if (picked === open && file !== undefined) await openFile(file);
  return picked === again;
}

/** Opens the file; when it cannot be opened, the editor says why. */
async function openFile(file: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}
