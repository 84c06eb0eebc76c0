import type * as vscode from 'vscode';
import { dialogs } from './dialogs.ts';
import { documentAt, FakeDocument } from './documents.ts';
import { editor, events, register } from './editor.ts';
import { StatusBarAlignment } from './enums.ts';
import { tabGroups } from './tabs.ts';
import { FakeTextEditor } from './textEditors.ts';
import { ThemeColor } from './values.ts';

type Shown = vscode.TextDocument | vscode.Uri;
type Options = vscode.TextDocumentShowOptions;

function showTextDocument(document: vscode.TextDocument, column?: number): Promise<FakeTextEditor>;
function showTextDocument(shown: Shown, options?: Options): Promise<FakeTextEditor>;
async function showTextDocument(shown: Shown, options?: Options | number): Promise<FakeTextEditor> {
  if (typeof options === 'number') throw new TypeError('The fake editor is given a column as an option');
  const uri = 'uri' in shown ? shown.uri : shown;
  const record: (typeof editor.shownDocuments)[number] = { path: uri.fsPath, options };
  editor.shownDocuments.push(record);
  await editor.beforeShow();
  record.editor = new FakeTextEditor(documentAt(uri) ?? new FakeDocument(uri, ''));
  return record.editor;
}

/** An item of the status bar; `editor` keeps all of them. */
function createStatusBarItem(
  id?: string | vscode.StatusBarAlignment,
  alignment: vscode.StatusBarAlignment = StatusBarAlignment.Left,
  priority?: number,
): vscode.StatusBarItem {
  if (typeof id !== 'string') throw new TypeError('The fake editor wants an id for each row of the status bar');
  const item: vscode.StatusBarItem = {
    id,
    alignment,
    priority,
    name: undefined,
    text: '',
    tooltip: undefined,
    color: undefined,
    backgroundColor: undefined,
    command: undefined,
    accessibilityInformation: undefined,
    show: () => undefined,
    hide: () => undefined,
    dispose: () => undefined,
  };
  editor.statusBarItems.push(item);
  return item;
}

/** Creates a type of decorations, whose key is the theme colour of its border. */
function createTextEditorDecorationType({
  borderColor,
}: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType {
  return { key: borderColor instanceof ThemeColor ? borderColor.id : '', dispose: () => undefined };
}

export const window = {
  ...dialogs,
  tabGroups,
  get activeTextEditor() {
    return editor.activeEditor;
  },
  get visibleTextEditors() {
    return editor.visibleEditors;
  },
  get terminals() {
    return editor.terminals;
  },
  get activeTerminal() {
    return editor.activeTerminal;
  },
  get state() {
    return { focused: editor.isFocused, active: editor.isFocused };
  },
  onDidChangeActiveTextEditor: events.activeEditorChanged.event,
  onDidChangeVisibleTextEditors: events.visibleEditorsChanged.event,
  onDidChangeTextEditorVisibleRanges: events.visibleRangesChanged.event,
  onDidChangeTextEditorSelection: events.selectionChanged.event,
  onDidChangeWindowState: events.focusChanged.event,
  showTextDocument,
  createStatusBarItem,
  createTextEditorDecorationType,
  registerFileDecorationProvider: register,
} satisfies Partial<typeof vscode.window>;
