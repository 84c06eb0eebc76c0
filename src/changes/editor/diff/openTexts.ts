import * as vscode from 'vscode';
import { toDocument } from '../../documentText.ts';
import { editsBetween } from '../../textEdits.ts';

/** The document in which the editor holds an address, if it does. */
export function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find(({ uri: each, isClosed }) => !isClosed && each.toString() === address);
}

/** Whether a document shows a text, but for line ends that it cannot hold. */
export function shows(document: vscode.TextDocument, text: string): boolean {
  return document.getText() === asShown(document, text);
}

/** Makes a document show a text, in edits that leave the cursor where it is. */
export async function showText(document: vscode.TextDocument, wanted: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { offset, length, text } of editsBetween(document.getText(), asShown(document, wanted))) {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    edit.replace(document.uri, range, text);
  }
  await vscode.workspace.applyEdit(edit);
}

function asShown({ eol }: vscode.TextDocument, text: string): string {
  return toDocument(text, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}
