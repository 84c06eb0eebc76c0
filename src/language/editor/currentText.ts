import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { openDocument } from '#files/editor/openDocument.ts';
import { decodeText } from '#files/editor/textEncoding.ts';

/** Bytes; larger files are not passed to language services. */
const maximumBytes = 5_000_000;

export interface CurrentText {
  readonly text: string;
  /** True when the editor would hold exactly this text: all line ends are alike and the encoding is Unicode. */
  readonly isPlain: boolean;
}

/** Reads a file by its absolute path as the editor holds it; undefined when it is not text, larger than 5 MB or missing. */
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
