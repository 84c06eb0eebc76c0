import * as vscode from 'vscode';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Editors, EditorSelection, OpenEditor } from '#call/ports/editors.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import { allTabs, uriOfTab } from '#files/editor/tabs.ts';

/** Reports the open editors and the selection of this window. Dispose it when the extension ends. */
export function createEditors(workspace: Workspace): Editors & Subscription {
  const changed = new Emitter<void>();
  const selectionChanged = new Emitter<void>();
  const isFile = (editor: vscode.TextEditor | undefined): editor is vscode.TextEditor =>
    editor !== undefined && foundFile(editor.document.uri, workspace.folders()) !== undefined;
  const { activeTextEditor: active } = vscode.window;
  let last = isFile(active) ? active : undefined;
  const subscriptions = [
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      changed.fire();
      const address = last?.document.uri.toString();
      if (address === undefined || !shows(closed, address) || shows(allTabs(), address)) return;
      last = undefined;
      selectionChanged.fire();
    }),
    vscode.window.tabGroups.onDidChangeTabGroups(() => changed.fire()),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // Keep the selection when an output panel or a page without text becomes active, since the editor reports these too.
      if (!isFile(editor)) return;
      last = editor;
      selectionChanged.fire();
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === last) selectionChanged.fire();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document === last?.document && contentChanges.length > 0) selectionChanged.fire();
    }),
  ];
  return {
    open: () => openEditors(workspace),
    selection: () => last && selectionOf(last, workspace),
    onDidChange: changed.event,
    onDidChangeSelection: selectionChanged.event,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function openEditors(workspace: Workspace): readonly OpenEditor[] {
  const folders = workspace.folders();
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const languages = new Map(vscode.workspace.textDocuments.map((each) => [each.uri.toString(), each.languageId]));
  const editors = new Map<string, OpenEditor>();
  for (const tab of allTabs()) {
    const uri = uriOfTab(tab);
    const file = uri && foundFile(uri, folders);
    if (uri === undefined || file === undefined) continue;
    const languageId = languages.get(uri.toString());
    const twin = editors.get(file.uri);
    editors.set(file.uri, {
      ...file,
      isActive: tab === active || twin?.isActive === true,
      isDirty: tab.isDirty || twin?.isDirty === true,
      ...(languageId === undefined ? {} : { languageId }),
    });
  }
  return [...editors.values()].toSorted((one, other) => Number(other.isActive) - Number(one.isActive));
}

function shows(tabs: readonly vscode.Tab[], address: string): boolean {
  return tabs.some((tab) => uriOfTab(tab)?.toString() === address);
}

function selectionOf({ document, selection }: vscode.TextEditor, workspace: Workspace): EditorSelection | undefined {
  const file = document.isClosed ? undefined : foundFile(document.uri, workspace.folders());
  if (file === undefined) return undefined;
  return {
    ...file,
    firstLine: selection.start.line + 1,
    firstColumn: selection.start.character + 1,
    lastLine: selection.end.line + 1,
    lastColumn: selection.end.character + 1,
    text: document.getText(selection).replaceAll('\r\n', '\n'),
  };
}
