import * as vscode from 'vscode';
import type { RecoveryNotice } from '../approvals/restoring.ts';

/** Tells the human of changes that a crash left half done. @param review brings up the card of one */
export async function showRecovered(notices: readonly RecoveryNotice[], review: (id: string) => void): Promise<void> {
  const [first] = notices;
  if (first === undefined) return;
  const paths = notices.flatMap(({ files }) => files.map(({ path }) => path));
  const button = vscode.l10n.t('Review');
  const message =
    paths.length === 1
      ? vscode.l10n.t('The window closed while {0} was being changed. Look at what it holds now.', paths[0] ?? '')
      : vscode.l10n.t(
          'The window closed in the middle of a change of {0} files, {1} among them: some are changed and others are not.',
          paths.length,
          paths[0] ?? '',
        );
  if ((await vscode.window.showWarningMessage(message, button)) === button) review(first.id);
}
