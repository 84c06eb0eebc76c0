import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Emitter } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import type { MarkedContext, MarkedPlace } from '#call/ports/markedContext.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import { followed, lineEditOf, type LineSpan } from './marks/lineSpans.ts';

/** The storage key under which the list survives a reload. */
const key = 'drawbridge.context';
/** The most places that a user can mark; a longer list selects nothing. */
const maximumPlaces = 100;

const marked = z.object({
  uri: z.string(),
  /** The marked lines, 0-based; absent when the whole file is marked. */
  span: z.object({ first: z.int().min(0), last: z.int().min(0) }).exactOptional(),
});

/** A file, or lines of a file, that the user marked. */
export type Marked = z.infer<typeof marked>;

/**
 * The files and lines that the user marked for assistants in this window. Lines follow the edits of their file while it is
 * open.
 */
export class AssistantContext implements MarkedContext {
  readonly #memento: vscode.Memento;
  readonly #workspace: Workspace;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  #all: readonly Marked[];

  constructor(memento: vscode.Memento, workspace: Workspace) {
    this.#memento = memento;
    this.#workspace = workspace;
    this.#all = z.array(marked).catch([]).parse(memento.get(key));
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((change) => this.#edited(change)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        const renamed = new Map(files.map(({ oldUri, newUri }) => [oldUri.toString(), newUri.toString()]));
        this.#change((each) => ({ ...each, uri: renamed.get(each.uri) ?? each.uri }));
      }),
    );
  }

  get all(): readonly Marked[] {
    return this.#all;
  }

  list(): readonly MarkedPlace[] {
    return this.#all.flatMap(({ uri, span }) => {
      const address = vscode.Uri.parse(uri);
      const file = existsSync(address.fsPath) ? foundFile(address, this.#workspace.folders()) : undefined;
      if (file === undefined) return [];
      return span === undefined ? file : { ...file, firstLine: span.first + 1, lastLine: span.last + 1 };
    });
  }

  /** Adds a file or lines. Returns false for a file outside the workspace and when the list is full. */
  add(uri: vscode.Uri, span?: LineSpan): boolean {
    if (foundFile(uri, this.#workspace.folders()) === undefined) return false;
    const added: Marked = { uri: uri.toString(), ...(span && { span }) };
    if (this.#all.some((each) => isSame(each, added))) return true;
    if (this.#all.length >= maximumPlaces) return false;
    this.#set([...this.#all, added]);
    return true;
  }

  remove(removed: Marked): void {
    this.#change((each) => (isSame(each, removed) ? undefined : each));
  }

  clear(): void {
    this.#change(() => undefined);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const address = document.uri.toString();
    if (!this.#all.some(({ uri, span }) => uri === address && span !== undefined)) return;
    // The editor lists the edits from the last to the first.
    const edits = contentChanges.map(lineEditOf);
    this.#change((each) => {
      if (each.uri !== address || each.span === undefined) return each;
      const span = edits.reduce<LineSpan | undefined>((left, edit) => left && followed(left, edit), each.span);
      return span && { ...each, span };
    });
  }

  #change(change: (each: Marked) => Marked | undefined): void {
    const after = this.#all.flatMap((each) => change(each) ?? []);
    if (after.length !== this.#all.length || !after.every((each, at) => isSame(each, this.#all[at]))) this.#set(after);
  }

  #set(all: readonly Marked[]): void {
    this.#all = all;
    void this.#memento.update(key, all);
    this.#changed.fire();
  }
}

function isSame(one: Marked, other: Marked | undefined): boolean {
  return one.uri === other?.uri && one.span?.first === other.span?.first && one.span?.last === other.span?.last;
}
