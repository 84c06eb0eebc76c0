import { extname } from 'node:path';
import * as vscode from 'vscode';

/** By file ending. */
const known = new Map<string, string>();

/** The editor's id of the language that a file is in, by the user's settings too. May open the file for a moment, in no tab. */
export async function languageIdOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined && !open.isClosed) return open.languageId;
  const ending = extname(uri.path).toLowerCase();
  const before = known.get(ending);
  if (before !== undefined) return before;
  let found: string | undefined;
  const subscription = vscode.workspace.onDidOpenTextDocument((document) => {
    if (document.uri.toString() === uri.toString()) found = document.languageId;
  });
  try {
    // Any question opens the file for as long as it takes.
    await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
  } finally {
    subscription.dispose();
  }
  if (found === undefined) return 'plaintext';
  // The first line may decide for a file without one.
  if (ending !== '') known.set(ending, found);
  return found;
}
