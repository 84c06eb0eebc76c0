import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '#base/event.ts';
import type { AssistantContext, Marked } from '#editor/markedContext.ts';
import type { LineSpan } from '#editor/marks/lineSpans.ts';
import type { LateView } from './lateTree.ts';

/** Milliseconds for which the status bar shows what was added. */
const noticeTime = 4000;

class MarkedItem extends vscode.TreeItem {
  readonly marked: Marked;

  constructor(marked: Marked) {
    const uri = vscode.Uri.parse(marked.uri);
    super(uri);
    this.marked = marked;
    const { span } = marked;
    const path = vscode.workspace.asRelativePath(uri);
    const lines = span === undefined ? undefined : linesText(span);
    this.id = JSON.stringify([marked.uri, span?.first, span?.last]);
    // Shows the folder and then the lines, as the lists of the editor do.
    const folder = dirname(path);
    this.description = lines === undefined || folder === '.' ? (lines ?? true) : `${folder} · ${lines}`;
    this.tooltip = lines === undefined ? path : `${path}, ${lines}`;
    this.accessibilityInformation = { label: this.tooltip };
    this.contextValue = 'marked';
    const selection = span && new vscode.Range(span.first, 0, span.last, Number.MAX_SAFE_INTEGER);
    this.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open'),
      arguments: [uri, selection === undefined ? {} : { selection }],
    };
  }
}

/** The view "Assistant Context", shown while it has rows, and the commands that fill and empty it. */
export function createContextView(context: AssistantContext, { tree }: Pick<LateView, 'tree'>) {
  const changed = new Emitter<void>();
  const show = (): void => {
    void vscode.commands.executeCommand('setContext', 'drawbridge.hasContext', context.all.length > 0);
    changed.fire();
  };
  show();
  return {
    disposables: [
      context.onDidChange(show),
      tree.attach({ items: () => context.all.map((each) => new MarkedItem(each)), onDidChange: changed.event }),
    ],
    commands: {
      addToContext: (uri?: unknown, more?: unknown) => addToContext(context, uri, more),
      removeFromContext(item: unknown) {
        if (item instanceof MarkedItem) context.remove(item.marked);
      },
      clearContext: () => context.clear(),
    },
  };
}

/**
 * @param uri absent when the command runs from the palette
 * @param more the selection of the explorer, or the position of a tab
 */
function addToContext(context: AssistantContext, uri: unknown, more: unknown): void {
  const editor = vscode.window.activeTextEditor;
  const own = uri instanceof vscode.Uri ? uri : editor?.document.uri;
  const selected = Array.isArray(more) ? more.filter((each): each is vscode.Uri => each instanceof vscode.Uri) : [];
  const uris = selected.length > 0 ? selected : own === undefined ? [] : [own];
  const isOfEditor = more === undefined && own?.toString() === editor?.document.uri.toString();
  const span = isOfEditor && editor !== undefined ? selectedLines(editor.selection) : undefined;
  const added = uris.filter((each) => isFile(each) && context.add(each, span));
  const [first] = added;
  if (first === undefined) {
    const message = vscode.l10n.t('Nothing was added. You can add only files of the workspace, at most 100.');
    void vscode.window.showWarningMessage(message);
    return;
  }
  const name = vscode.workspace.asRelativePath(first);
  const what = span === undefined ? name : `${name}, ${linesText(span)}`;
  const message =
    added.length === 1
      ? vscode.l10n.t('Added to Assistant Context: {0}', what)
      : vscode.l10n.t('Added to Assistant Context: {0} files', added.length);
  vscode.window.setStatusBarMessage(message, noticeTime);
}

/** A selection that ends at the start of a line does not include that line. */
function selectedLines({ start, end, isEmpty }: vscode.Selection): LineSpan | undefined {
  if (isEmpty) return undefined;
  const endsBefore = end.character === 0 && end.line > start.line;
  return { first: start.line, last: endsBefore ? end.line - 1 : end.line };
}

function linesText({ first, last }: LineSpan): string {
  return first === last ? vscode.l10n.t('line {0}', first + 1) : vscode.l10n.t('lines {0} to {1}', first + 1, last + 1);
}

function isFile({ scheme, fsPath }: vscode.Uri): boolean {
  return scheme === 'file' && statSync(fsPath, { throwIfNoEntry: false })?.isFile() === true;
}
