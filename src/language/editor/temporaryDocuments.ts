import * as vscode from 'vscode';
import { openDocument } from '#files/editor/openDocument.ts';

/** Milliseconds; somebody else may have opened a document meanwhile, and that one stays. */
const patience = 1000;

/**
 * Runs work that has language services look at files, and waits until the editor has let go of those that nobody had open:
 * an edit of an open document is another one than that of a file.
 */
export async function withTemporaryDocuments<T>(fsPaths: readonly string[], work: () => Promise<T>): Promise<T> {
  const closed = fsPaths.filter((fsPath) => !isOpenDocument(fsPath));
  try {
    return await work();
  } finally {
    await untilClosed(closed);
  }
}

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
