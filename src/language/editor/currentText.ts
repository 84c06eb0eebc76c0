import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { openDocument } from '#files/editor/openDocument.ts';
import { decodeText } from '#files/editor/textEncoding.ts';

/** Larger files are not for language services. */
const maximumBytes = 5_000_000;

export interface CurrentText {
  readonly text: string;
  /** An editor that opens the file for a moment holds this very text: line ends are all alike, and it is Unicode. */
  readonly isPlain: boolean;
}

/** A file as the editor holds it, by its absolute path; undefined when it is no text, too large or missing. */
export async function currentText(fsPath: string): Promise<CurrentText | undefined> {
  const document = openDocument({ fsPath, realPath: fsPath });
  if (document !== undefined) return { text: document.getText(), isPlain: true };
  try {
    const found = await stat(fsPath);
    if (!found.isFile() || found.size > maximumBytes) return undefined;
    const state = await decodeText(await readFile(fsPath), vscode.Uri.file(fsPath));
    if (state === undefined) return undefined;
    const lineEnds = new Set(state.text.match(/\r\n|\n|\r/g));
    return { text: state.text, isPlain: lineEnds.size < 2 && state.encoding.startsWith('utf') };
  } catch {
    return undefined;
  }
}
