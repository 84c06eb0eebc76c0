import * as vscode from 'vscode';
import type { PortHolder } from '#base/httpListener.ts';
import { plain } from '#base/visibleText.ts';

/** Names the program that uses a port, for a sentence. Its name comes from others, so it is written as plain text. */
export function portHolderText(holder: PortHolder): string {
  const { t } = vscode.l10n;
  if (holder.kind === 'window') return t('the window "{0}"', plain(holder.name));
  if (holder.kind === 'program') return t('the program "{0}" (process {1})', plain(holder.name), `${holder.pid}`);
  return t('another program');
}
