import type * as vscode from 'vscode';
import { type FakeDocument } from './documents.ts';
import { editor, events } from './editor.ts';
import { Range, Selection } from './places.ts';

const notFaked = (): never => {
  throw new Error('The fake editor does not do this');
};

/** An editor of a document, with the cursor at its beginning. */
export class FakeTextEditor implements vscode.TextEditor {
  readonly document: FakeDocument;
  selections: readonly vscode.Selection[] = [new Selection(0, 0, 0, 0)];
  visibleRanges: readonly vscode.Range[];
  readonly viewColumn: vscode.ViewColumn | undefined;
  readonly options = {};
  readonly #decorations = new Map<vscode.TextEditorDecorationType, readonly vscode.DecorationOptions[]>();
  /** Ranges that were scrolled to. */
  readonly revealed: vscode.Range[] = [];
  readonly edit = notFaked;
  readonly insertSnippet = notFaked;
  readonly show = notFaked;
  readonly hide = notFaked;

  constructor(document: FakeDocument, visible: vscode.Range = new Range(0, 0, 30, 0), viewColumn?: vscode.ViewColumn) {
    this.document = document;
    this.visibleRanges = [visible];
    this.viewColumn = viewColumn;
  }

  get selection(): vscode.Selection {
    return this.selections[0] ?? new Selection(0, 0, 0, 0);
  }

  set selection(selection: vscode.Selection) {
    this.selections = [selection];
  }

  /** The decorations of all types. */
  get decorations(): readonly vscode.DecorationOptions[] {
    return [...this.#decorations.values()].flat();
  }

  /** Returns the decorations of the types with this key. */
  decorationsOf(key: string): readonly vscode.DecorationOptions[] {
    return [...this.#decorations].flatMap(([type, decorations]) => (type.key === key ? decorations : []));
  }

  setDecorations(
    type: vscode.TextEditorDecorationType,
    decorations: readonly (vscode.Range | vscode.DecorationOptions)[],
  ): void {
    this.#decorations.set(
      type,
      decorations.map((each) => ('range' in each ? each : { range: each })),
    );
  }

  revealRange(range: vscode.Range): void {
    this.revealed.push(range);
  }
}

/** Shows a document in an editor, which becomes the active one. */
export function show(document: FakeDocument, firstLine = 0, lastLine = 30): FakeTextEditor {
  const shown = new FakeTextEditor(document, new Range(firstLine, 0, lastLine, 0));
  editor.visibleEditors.push(shown);
  events.visibleEditorsChanged.fire(editor.visibleEditors);
  activate(shown);
  return shown;
}

/** Focuses an editor, or something that is not a text editor. */
export function activate(active: FakeTextEditor | undefined): void {
  editor.activeEditor = active;
  events.activeEditorChanged.fire(active);
}

/** Selects a range as the user. */
export function select(textEditor: FakeTextEditor, selection: vscode.Selection): void {
  textEditor.selection = selection;
  events.selectionChanged.fire({ textEditor, selections: textEditor.selections, kind: undefined });
}

/** Scrolls an editor, perhaps by less than a line. */
export function scroll(textEditor: FakeTextEditor, firstLine: number, lastLine: number): void {
  const visibleRanges = [new Range(firstLine, 0, lastLine, 0)];
  textEditor.visibleRanges = visibleRanges;
  events.visibleRangesChanged.fire({ textEditor, visibleRanges });
}
