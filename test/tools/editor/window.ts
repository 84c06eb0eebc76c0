import { join } from 'node:path/posix';
import type { FoundFile } from '#base/files.ts';
import type { EditorTab, VisibleEditor } from '#call/ports/editorState.ts';
import { folderAt } from '../../fakes/workspace.ts';

/** A file of the folder `/w`, as the editor names it. */
export function fileAt(path: string): FoundFile {
  const fsPath = join('/w', path);
  return { path, uri: `file://${fsPath}`, fsPath, folder: folderAt('/w') };
}

/** A saved tab in the background of the first group. */
export function tabOf(path: string, facts: Partial<EditorTab> = {}): EditorTab {
  const base = { group: 1, isShown: false, isActive: false, isDirty: false, isPreview: false, isPinned: false };
  return { ...fileAt(path), ...base, ...facts };
}

/** The active editor with the cursor at its beginning. */
export function editorOf(path: string, facts: Partial<VisibleEditor> = {}): VisibleEditor {
  const cursor = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 1 };
  const base = { group: 1, isActive: true, selections: [cursor], visibleLines: [{ firstLine: 1, lastLine: 40 }] };
  return { ...fileAt(path), ...base, ...facts };
}
