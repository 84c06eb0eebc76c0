import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { messageOf } from '#base/messageOf.ts';
import { ToolError } from '#base/toolError.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { waitForReload } from './documentReload.ts';
import { activateLanguageExtensions } from './languageExtensions.ts';
import { loadProject } from './typescript.ts';

/**
 * Opens the document of a file in no tab, activates the extensions of its language and waits for its project. The editor closes
 * the document by itself after some minutes.
 * @throws ToolError `unavailable` when the editor cannot open it
 */
export async function documentForServices(path: ResolvedPath): Promise<vscode.TextDocument> {
  await waitForReload(path);
  const document = openDocument(path) ?? (await open(path));
  await activateLanguageExtensions(document.languageId);
  await loadProject(document.uri.fsPath);
  return document;
}

function open({ path, realPath }: ResolvedPath): PromiseLike<vscode.TextDocument> {
  return vscode.workspace.openTextDocument(vscode.Uri.file(realPath)).then(undefined, (error: unknown) => {
    throw new ToolError(
      'unavailable',
      `The editor cannot open ${path} for its language services: ${messageOf(error)}`,
      'Change it with apply_edit.',
    );
  });
}
