import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { openDocument } from '../disk/openDocument.ts';
import { decodeText } from '../disk/textEncoding.ts';

/** Milliseconds that the editor takes at most to notice that a file of an open document was changed by somebody else. */
const patience = 2000;

/**
 * Waits until the editor holds what the disk holds, for a document without unsaved text. False when it does not in time, so
 * that language services see an older text.
 */
export async function untilReloaded(
  file: { readonly fsPath: string; readonly realPath: string },
  expired: AbortSignal,
): Promise<boolean> {
  const document = openDocument(file);
  if (document === undefined || document.isDirty) return true;
  const disk = await decodeText(await readFile(file.realPath), document.uri);
  if (disk === undefined) return true;
  const isSame = (): boolean =>
    document.isClosed || document.isDirty || unified(document.getText()) === unified(disk.text);
  if (isSame()) return true;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (isSame()) resolve();
  };
  const subscriptions = [vscode.workspace.onDidChangeTextDocument(look), vscode.workspace.onDidCloseTextDocument(look)];
  const timer = setTimeout(resolve, patience);
  const end = (): void => resolve();
  expired.addEventListener('abort', end, { once: true });
  if (expired.aborted) end();
  await promise;
  expired.removeEventListener('abort', end);
  clearTimeout(timer);
  for (const subscription of subscriptions) subscription.dispose();
  return isSame();
}

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
