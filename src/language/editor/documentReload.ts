import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { decodeText } from '#files/editor/textEncoding.ts';

/** Milliseconds that the editor takes at most to notice that a file of an open document was changed by somebody else. */
const patience = 2000;

/** The file was written so short a while ago that neither the editor nor a language service need have noticed. */
export function isRecentlyWritten({ modified }: Pick<ResolvedPath, 'modified'>): boolean {
  return Date.now() - modified < patience;
}

/**
 * Waits until the editor holds what the disk holds, for a document without unsaved text: it may hold one that no tab shows, of
 * a question before. False when it does not in time, so that language services see an older text.
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
