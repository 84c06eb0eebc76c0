import * as vscode from 'vscode';
import { openDocument } from '#files/editor/openDocument.ts';

/** Milliseconds to wait at most: a document that the user or another extension opened meanwhile stays open. */
const patience = 1000;

/**
 * Runs work that makes the editor open documents, and waits until the editor has closed those that were not open before. A
 * change of a file is applied differently while its document is open.
 */
export async function withTemporaryDocuments<T>(fsPaths: readonly string[], work: () => Promise<T>): Promise<T> {
  const closed = fsPaths.filter((fsPath) => !isOpenDocument(fsPath));
  try {
    return await work();
  } finally {
    await untilClosed(closed);
  }
}

/** Tells whether the editor has a document of the file open, in a tab or not. */
export function isOpenDocument(fsPath: string): boolean {
  return openDocument({ fsPath, realPath: fsPath }) !== undefined;
}

async function untilClosed(fsPaths: readonly string[]): Promise<void> {
  if (!fsPaths.some(isOpenDocument)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = vscode.workspace.onDidCloseTextDocument(() => {
    if (!fsPaths.some(isOpenDocument)) resolve();
  });
  const timer = setTimeout(resolve, patience);
  await promise;
  clearTimeout(timer);
  subscription.dispose();
}
