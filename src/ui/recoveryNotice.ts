import * as vscode from 'vscode';
import type { RecoveryNotice } from '#changes/restoring.ts';

/** Tells the user about changes and actions that a crash interrupted. @param review shows the card of one of them */
export async function showRecovered(notices: readonly RecoveryNotice[], review: (id: string) => void): Promise<void> {
  const [first] = notices;
  if (first === undefined) return;
  const { t } = vscode.l10n;
  const paths = notices.flatMap(({ files }) => files.map(({ path }) => path));
  const message = [
    ...(paths.length === 0 ? [] : [filesText(paths)]),
    // An action has no files.
    ...(notices.some(({ files }) => files.length === 0)
      ? [
          t(
            'The window closed while an action that you approved was running. Drawbridge does not know whether it finished.',
          ),
        ]
      : []),
  ].join(' ');
  const button = t('Review');
  if ((await vscode.window.showWarningMessage(message, button)) === button) review(first.id);
}

function filesText(paths: readonly string[]): string {
  const { t } = vscode.l10n;
  const [path = ''] = paths;
  return paths.length === 1
    ? t('The window closed while {0} was being changed. Check what the file contains now.', path)
    : t(
        'The window closed while {0} files were being changed, {1} among them. Some are changed and others are not.',
        paths.length,
        path,
      );
}
