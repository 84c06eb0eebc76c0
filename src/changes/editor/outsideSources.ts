/** What the window knows of files beside the snapshot: the texts of open documents, what assistants read, and the last commit. */
import * as vscode from 'vscode';
import type { Files, LiveText, ResolvedPath } from '#base/files.ts';
import type { OtherSources } from '../outside/baselines.ts';
import { committedBytes } from './sourceControl.ts';

/** The most characters of texts that are remembered. */
const mostCharacters = 32 * 1024 * 1024;

/** Remembers the newest texts of files, up to a size. The one that was noted longest ago goes first. */
class KnownTexts {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  note(fsPath: string, text: string): void {
    this.#characters += text.length - (this.#texts.get(fsPath)?.length ?? 0);
    this.#texts.delete(fsPath);
    this.#texts.set(fsPath, text);
    for (const [oldest, known] of this.#texts) {
      if (this.#characters <= mostCharacters) break;
      this.#texts.delete(oldest);
      this.#characters -= known.length;
    }
  }

  get(fsPath: string): Uint8Array | undefined {
    const text = this.#texts.get(fsPath);
    return text === undefined ? undefined : Buffer.from(text);
  }
}

/** The sources, and the files port by which assistants read, which notes what they read. */
export function createOutsideSources(
  realPathOf: (fsPath: string) => string,
): OtherSources & vscode.Disposable & { noteReads(files: Files): Files } {
  const documents = new KnownTexts();
  const reads = new KnownTexts();
  // A file with a byte order mark or another encoding has other bytes than its text, so only UTF-8 is remembered.
  const noteDocument = (document: vscode.TextDocument): void => {
    const isPlain = document.uri.scheme === 'file' && document.encoding === 'utf8' && !document.isDirty;
    if (isPlain) documents.note(realPathOf(document.uri.fsPath), document.getText());
  };
  for (const document of vscode.workspace.textDocuments) noteDocument(document);
  const subscriptions = [
    vscode.workspace.onDidOpenTextDocument(noteDocument),
    vscode.workspace.onDidSaveTextDocument(noteDocument),
  ];
  return {
    document: async (fsPath) => documents.get(fsPath),
    read: async (fsPath) => reads.get(fsPath),
    commit: committedBytes,
    noteReads: (files) => ({
      ...files,
      async readText(path: ResolvedPath, maxBytes: number, known?: string): Promise<LiveText> {
        const text = await files.readText(path, maxBytes, known);
        if (text.encoding === 'utf8' && !text.unsaved) reads.note(path.realPath, text.text);
        return text;
      },
    }),
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
