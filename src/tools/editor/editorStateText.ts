import { visible } from '#policy/unsafeNames.ts';
import { counted } from '../page.ts';
import type { EditorStateData } from './getEditorState.ts';

/** One line a thing, and nothing for what is not there. */
export function editorStateText(state: EditorStateData): string {
  const { active, terminals, debugSessions, breakpoints, recentFiles, marked, more } = state;
  return [
    active === undefined ? 'No file of the workspace is active.' : `Active: ${visible(active)}`,
    ...state.editors.flatMap(editorLines),
    ...section('Tabs', state.tabs.map(tabText), '\n  '),
    ...section('Marked for you by the user', marked.map(placeText), ', '),
    ...section('Recent files', recentFiles.map(visible), ', '),
    ...section('Terminals', terminals.map(activeText), ', '),
    ...section('Debugging', debugSessions.map(activeText), ', '),
    `Problems: ${counted(state.errors, 'error')}, ${counted(state.warnings, 'warning')}`,
    ...(breakpoints === 0 ? [] : [counted(breakpoints, 'breakpoint')]),
    ...(more === undefined ? [] : [`Not told: ${more.join(', ')}`]),
  ].join('\n');
}

function section(name: string, items: readonly string[], separator: string): string[] {
  return items.length === 0 ? [] : [`${name}:${separator.startsWith('\n') ? separator : ' '}${items.join(separator)}`];
}

function editorLines({
  path,
  group,
  isActive,
  visibleLines,
  selections,
}: EditorStateData['editors'][number]): string[] {
  const shown = visibleLines.map(({ firstLine, lastLine }) => `${firstLine}-${lastLine}`).join(', ');
  return [
    `${isActive ? 'Active editor' : 'Editor'} (group ${group}): ${visible(path)}, lines ${shown} on screen`,
    ...selections.flatMap(selectionLines),
  ];
}

function selectionLines(selection: EditorStateData['editors'][number]['selections'][number]): string[] {
  const { firstLine, firstColumn, lastLine, lastColumn, text, cut } = selection;
  if (firstLine === lastLine && firstColumn === lastColumn) return [`  cursor ${firstLine}:${firstColumn}`];
  const where = `  selected ${firstLine}:${firstColumn} to ${lastLine}:${lastColumn}${text === undefined ? '' : ':'}`;
  return [
    where,
    ...(text === undefined ? [] : [text]),
    ...(cut === true ? ['  (cut; read_file reads all of it)'] : []),
  ];
}

function tabText({ path, group, isShown, isDirty, isPreview, isPinned }: EditorStateData['tabs'][number]): string {
  const facts = [
    ...(group === 1 ? [] : [`group ${group}`]),
    ...(isShown ? ['shown'] : []),
    ...(isDirty ? ['unsaved'] : []),
    ...(isPreview ? ['preview'] : []),
    ...(isPinned ? ['pinned'] : []),
  ];
  return facts.length === 0 ? visible(path) : `${visible(path)} (${facts.join(', ')})`;
}

function placeText({ path, firstLine, lastLine }: EditorStateData['marked'][number]): string {
  return firstLine === undefined ? visible(path) : `${visible(path)}:${firstLine}-${lastLine ?? firstLine}`;
}

function activeText({ name, isActive }: { readonly name: string; readonly isActive: boolean }): string {
  return isActive ? `${name} (active)` : name;
}
