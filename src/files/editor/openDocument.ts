import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';

/**
 * The document in which the editor holds a file, by either of its names. When a link and its target are both open, the one
 * with unsaved text wins: that is the text its user sees as the file.
 */
export function openDocument(path: Pick<ResolvedPath, 'fsPath' | 'realPath'>): vscode.TextDocument | undefined {
  const documents = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) =>
      !isClosed && uri.scheme === 'file' && (uri.fsPath === path.fsPath || uri.fsPath === path.realPath),
  );
  return documents.find(({ isDirty }) => isDirty) ?? documents[0];
}
