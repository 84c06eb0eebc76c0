import pLimit from 'p-limit';
import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { messageOf } from '#base/messageOf.ts';
import { ToolError } from '#base/toolError.ts';
import type { EditorActions, SavedFile, ShowOptions, ShownFile } from '#call/ports/editorActions.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { tabsOf } from '#files/editor/tabs.ts';
import type { Typing } from './typing.ts';

/**
 * Milliseconds after the last key for which a user counts as typing. If a typing user's group showed another file, they would
 * type into that file.
 */
const typingTime = 30_000;

/** Shows, saves and closes files for assistants. Shows files as previews, so that pinned and edited tabs stay. */
export function createEditorActions(typing: Pick<Typing, 'idleMilliseconds'>): EditorActions {
  const show = (file: ResolvedPath, options: ShowOptions): Promise<ShownFile> => {
    const place = placeFor(file);
    const isTyping = typing.idleMilliseconds() < typingTime;
    const isAside = place.wouldCover && isTyping && !options.focus;
    const shown = isAside ? showAside(file, options, place) : showAt(file, options, place.group.viewColumn);
    return shown.catch(refusal(file));
  };
  // The editor cancels showing a file when it gets the next request meanwhile.
  const inTurn = pLimit(1);
  return {
    show: (file, options) => inTurn(() => show(file, options)),
    save,
    async close(file) {
      const tabs = tabsOf(file);
      if (tabs.length === 0) return 'not_open';
      if (tabs.some(({ isDirty }) => isDirty)) return 'unsaved';
      return (await vscode.window.tabGroups.close(tabs, true)) ? 'closed' : 'failed';
    },
  };
}

/** Turns a failure to show a file into a ToolError: the editor cancels when the user opens something else meanwhile. */
function refusal({ path }: ResolvedPath): (error: unknown) => never {
  return (error) => {
    throw new ToolError(
      'unavailable',
      `The editor did not show ${path}: ${messageOf(error)}`,
      'Call open_file again if the user should still see it.',
    );
  };
}

interface ShownPlace {
  readonly group: vscode.TabGroup;
  /** The existing tab of the file. */
  readonly tab: vscode.Tab | undefined;
  /** True when showing the file would hide the present tab of the active group. */
  readonly wouldCover: boolean;
}

/**
 * Returns the group that shows the file, otherwise one with a tab of it, otherwise the active group. Prefers the active group.
 */
function placeFor(file: ResolvedPath): ShownPlace {
  const { activeTabGroup } = vscode.window.tabGroups;
  const tabs = tabsOf(file);
  const shown = tabs.filter((tab) => tab.isActive);
  const candidates = shown.length > 0 ? shown : tabs;
  const tab = candidates.find(({ group }) => group === activeTabGroup) ?? candidates[0];
  const group = tab?.group ?? activeTabGroup;
  const { activeTab } = activeTabGroup;
  return { group, tab, wouldCover: group === activeTabGroup && activeTab !== undefined && activeTab !== tab };
}

/** Shows the file in another group if there is one, otherwise in a background tab. */
async function showAside(file: ResolvedPath, options: ShowOptions, { group, tab }: ShownPlace): Promise<ShownFile> {
  const other = vscode.window.tabGroups.all.find((each) => each !== group);
  if (other !== undefined && tab === undefined) return showAt(file, options, other.viewColumn);
  if (tab === undefined) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file.realPath), {
      viewColumn: group.viewColumn,
      preserveFocus: true,
      background: true,
      // A second preview would replace the one that the user looks at.
      preview: group.activeTab?.isPreview !== true,
    });
  }
  return { group: group.viewColumn, isVisible: false };
}

async function showAt(
  file: ResolvedPath,
  { lines, focus, isText }: ShowOptions,
  viewColumn: vscode.ViewColumn,
): Promise<ShownFile> {
  const uri = openDocument(file)?.uri ?? vscode.Uri.file(file.realPath);
  const settings = { viewColumn, preserveFocus: !focus, preview: true };
  if (!isText || lines === undefined) {
    await vscode.commands.executeCommand('vscode.open', uri, settings);
    return { group: viewColumn, isVisible: true };
  }
  const isShown = tabsOf(file).some((tab) => tab.isActive && tab.group.viewColumn === viewColumn);
  const isIn = (each: vscode.TextEditor): boolean =>
    each.viewColumn === viewColumn && each.document.uri.toString() === uri.toString();
  const shown = isShown && !focus ? vscode.window.visibleTextEditors.find(isIn) : undefined;
  const editor = shown ?? (await vscode.window.showTextDocument(uri, settings));
  const last = editor.document.lineAt(Math.min(lines.lastLine, editor.document.lineCount) - 1);
  const range = new vscode.Range(lines.firstLine - 1, 0, last.range.end.line, last.range.end.character);
  if (focus) editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return { group: viewColumn, isVisible: true };
}

async function save(file: ResolvedPath): Promise<SavedFile> {
  const document = openDocument(file);
  if (document?.isDirty === true) {
    const before = document.getText();
    const isSaved = await document.save();
    return { state: isSaved ? 'saved' : 'failed', changedOnSave: isSaved && document.getText() !== before };
  }
  const tab = tabsOf(file).find(({ isDirty }) => isDirty);
  if (tab === undefined) return { state: 'not_dirty', changedOnSave: false };
  // Changes of a notebook or a custom editor are in no text document.
  const isSaved = (await vscode.workspace.save(uriOf(tab, file))) !== undefined;
  return { state: isSaved ? 'saved' : 'failed', changedOnSave: false };
}

/** Returns the URI as the tab spells it. */
function uriOf({ input }: vscode.Tab, { realPath }: ResolvedPath): vscode.Uri {
  return input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom
    ? input.uri
    : vscode.Uri.file(realPath);
}
