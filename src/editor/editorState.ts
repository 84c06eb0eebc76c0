import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import type { DebugState, EditorState, EditorTab, TextRange, VisibleEditor } from '#call/ports/editorState.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import { uriOfTab } from '#files/editor/tabs.ts';

/** The most recently active files that are remembered. */
const mostRecent = 50;

/**
 * Reports the tabs, visible editors, recent files, terminals and debug sessions of this window. Dispose it when the extension
 * ends.
 */
export function createEditorState(workspace: Workspace): EditorState & Subscription {
  const recent = new Map<string, vscode.Uri>();
  const remember = (): void => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const uri = tab && uriOfTab(tab);
    if (uri?.scheme !== 'file') return;
    const address = uri.toString();
    recent.delete(address);
    recent.set(address, uri);
    const [oldest] = recent.keys();
    if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  };
  remember();
  const sessions = new Map<string, vscode.DebugSession>();
  const { activeDebugSession } = vscode.debug;
  if (activeDebugSession !== undefined) sessions.set(activeDebugSession.id, activeDebugSession);
  const subscriptions = [
    vscode.window.tabGroups.onDidChangeTabs(remember),
    vscode.window.tabGroups.onDidChangeTabGroups(remember),
    vscode.debug.onDidStartDebugSession((session) => sessions.set(session.id, session)),
    vscode.debug.onDidTerminateDebugSession(({ id }) => sessions.delete(id)),
  ];
  return {
    tabs: () => tabsOf(workspace),
    visibleEditors: () => visibleEditors(workspace),
    recentFiles: () =>
      [...recent.values()].toReversed().flatMap((uri) => {
        const file = existsSync(uri.fsPath) ? foundFile(uri, workspace.folders()) : undefined;
        return file ?? [];
      }),
    terminals: () =>
      vscode.window.terminals.map((terminal) => ({
        name: terminal.name,
        isActive: terminal === vscode.window.activeTerminal,
      })),
    debug: () => debugState([...sessions.values()]),
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function tabsOf(workspace: Workspace): readonly EditorTab[] {
  const folders = workspace.folders();
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const uri = uriOfTab(tab);
      const file = uri && foundFile(uri, folders);
      return file === undefined
        ? []
        : {
            ...file,
            group: group.viewColumn,
            isShown: tab === group.activeTab,
            isActive: tab === group.activeTab && group.isActive,
            isDirty: tab.isDirty,
            isPreview: tab.isPreview,
            isPinned: tab.isPinned,
          };
    }),
  );
}

function visibleEditors(workspace: Workspace): readonly VisibleEditor[] {
  const folders = workspace.folders();
  const { activeTab, viewColumn: activeColumn } = vscode.window.tabGroups.activeTabGroup;
  const activeAddress = activeTab && uriOfTab(activeTab)?.toString();
  return vscode.window.visibleTextEditors
    .flatMap(({ document, selections, viewColumn, visibleRanges }) => {
      const file = foundFile(document.uri, folders);
      // An editor without a column is part of a chat or a panel.
      if (file === undefined || viewColumn === undefined) return [];
      return {
        ...file,
        group: viewColumn,
        // Compare with the active tab, since a focused output panel counts as the active editor.
        isActive: viewColumn === activeColumn && document.uri.toString() === activeAddress,
        selections: selections.map(rangeOf),
        visibleLines: visibleRanges.map(({ start, end }) => ({ firstLine: start.line + 1, lastLine: end.line + 1 })),
      };
    })
    .toSorted((one, other) => Number(other.isActive) - Number(one.isActive));
}

function rangeOf({ start, end }: vscode.Range): TextRange {
  return {
    firstLine: start.line + 1,
    firstColumn: start.character + 1,
    lastLine: end.line + 1,
    lastColumn: end.character + 1,
  };
}

function debugState(sessions: readonly vscode.DebugSession[]): DebugState {
  const active = vscode.debug.activeDebugSession?.id;
  return {
    sessions: sessions.map(({ id, name }) => ({ name, isActive: id === active })),
    breakpoints: vscode.debug.breakpoints.length,
  };
}
