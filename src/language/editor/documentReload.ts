import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { decodeText } from '#files/editor/textEncoding.ts';

/** Milliseconds that the editor takes at most to notice that another program changed the file of an open document. */
const patience = 2000;

/** Tells whether a file was written so recently that the editor and language services may not have noticed. */
export function isRecentlyWritten({ modified }: Pick<ResolvedPath, 'modified'>): boolean {
  return Date.now() - modified < patience;
}

/**
 * Waits until the open document of a file holds the text of the disk, unless the document has unsaved text. The document may
 * be in no tab, open from an earlier request. Resolves with false when the editor does not reload it within 2 seconds, so that
 * language services still see an older text.
 */
export async function waitForReload(
  file: Pick<ResolvedPath, 'fsPath' | 'realPath' | 'modified'>,
  expired?: AbortSignal,
): Promise<boolean> {
  const document = isRecentlyWritten(file) ? openDocument(file) : undefined;
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
  expired?.addEventListener('abort', end, { once: true });
  if (expired?.aborted === true) end();
  await promise;
  expired?.removeEventListener('abort', end);
  clearTimeout(timer);
  for (const subscription of subscriptions) subscription.dispose();
  return isSame();
}

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
