import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';

/**
 * Returns the open document of a file, found by either of its paths. When a link and its target are both open, the document with
 * unsaved text wins, since the user sees that text as the file.
 */
export function openDocument(path: Pick<ResolvedPath, 'fsPath' | 'realPath'>): vscode.TextDocument | undefined {
  const documents = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) =>
      !isClosed && uri.scheme === 'file' && (uri.fsPath === path.fsPath || uri.fsPath === path.realPath),
  );
  return documents.find(({ isDirty }) => isDirty) ?? documents[0];
}
