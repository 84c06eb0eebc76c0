import * as z from 'zod';
import { columnsIn, shownRange } from '#audit/shownColumns.ts';
import { ToolError } from '#base/toolError.ts';
import type { TextRange, VisibleEditor } from '#call/ports/editorState.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import type { DiagnosticSeverity } from '#language/diagnostics.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted } from '../page.ts';
import { cutText } from '../workspace/cutLines.ts';
import { maximumLine, maximumReadBytes } from '../workspace/readRange.ts';
import { textBetween } from './selectedText.ts';

/** The most items of each kind in a result; `more` counts those beyond. */
const most = { editors: 10, selections: 10, tabs: 100, recent: 20, terminals: 20, sessions: 10, marked: 100 };
/** The most bytes of the text of one selection; read_file reads the rest. */
const maximumSelection = 4000;
/** The most characters of the name of a terminal or debug session. */
const maximumName = 100;

const line = z.int().min(1).max(maximumLine);
const lines = { firstLine: line, lastLine: line };
const groupOutput = z.int().min(1).max(1000).describe('Editor column');
const count = z.int().min(0).max(10_000_000);
const pathOutput = z.string();
const isActiveOutput = z.boolean();

const editor = z.object({
  path: pathOutput,
  group: groupOutput,
  isActive: isActiveOutput,
  visibleLines: z.array(z.object(lines)),
  selections: z
    .array(
      z.object({
        ...lines,
        firstColumn: line,
        lastColumn: line.describe('After the last character'),
        text: z.string().exactOptional(),
        cut: z.boolean().exactOptional().describe('The text is longer; read_file reads all of it'),
      }),
    )
    .describe('An empty one is a cursor'),
});

const editorState = z.object({
  active: pathOutput.exactOptional().describe('File of the active tab'),
  editors: z.array(editor).describe('Text editors on screen'),
  tabs: z.array(
    z.object({
      path: pathOutput,
      group: groupOutput,
      isShown: z.boolean().describe('Its group shows it'),
      isDirty: z.boolean(),
      isPreview: z.boolean(),
      isPinned: z.boolean(),
    }),
  ),
  recentFiles: z.array(pathOutput).describe('The last one first'),
  terminals: z.array(z.object({ name: z.string(), isActive: isActiveOutput })),
  debugSessions: z.array(z.object({ name: z.string(), isActive: isActiveOutput })),
  breakpoints: count,
  errors: count,
  warnings: count,
  marked: z
    .array(z.object({ path: pathOutput, firstLine: line.exactOptional(), lastLine: line.exactOptional() }))
    .describe('Marked for you by the user'),
  more: z.array(z.string()).exactOptional().describe('What did not fit'),
});

type EditorStateData = z.infer<typeof editorState>;

type Context = ToolContext<'diagnostics' | 'editorState' | 'files' | 'markedContext'>;

/** The `get_editor_state` tool: returns what the user looks at, so that models can resolve "this" and "here". */
export const getEditorState = defineTool({
  name: 'get_editor_state',
  title: 'Get editor state',
  summary: 'Tell what you look at and have marked for the assistant.',
  toolset: 'editor',
  risk: 'read',
  worksUntrusted: true,
  needs: ['diagnostics', 'editorState', 'files', 'markedContext'],
  description:
    'Tell what the user looks at: selections, tabs, files marked for you, recent files, terminals, debugging.',
  example: {},
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(editorState),
  targets: () => [],
  async run(_input, context) {
    const { editorState: state } = context;
    const [all, tabs, recent] = [state.visibleEditors(), state.tabs(), state.recentFiles()];
    const [terminals, { sessions, breakpoints }] = [state.terminals(), state.debug()];
    const places = context.markedContext.list();
    const active = tabs.find((tab) => tab.isActive)?.path;
    const more = [
      ...cutNote(all, most.editors, 'editor'),
      ...cutNote(tabs, most.tabs, 'tab'),
      ...cutNote(terminals, most.terminals, 'terminal'),
      ...cutNote(sessions, most.sessions, 'debug session'),
      ...all.flatMap(({ selections }) => cutNote(selections, most.selections, 'selection')),
    ];
    return {
      ...(active !== undefined && { active }),
      editors: await Promise.all(all.slice(0, most.editors).map((each) => editorData(each, context))),
      tabs: tabs.slice(0, most.tabs).map(({ path: name, group: column, isShown, isDirty, isPreview, isPinned }) => ({
        path: name,
        group: column,
        isShown,
        isDirty,
        isPreview,
        isPinned,
      })),
      recentFiles: recent.slice(0, most.recent).map((file) => file.path),
      terminals: terminals.slice(0, most.terminals).map(named),
      debugSessions: sessions.slice(0, most.sessions).map(named),
      breakpoints,
      errors: problems(context, 'error'),
      warnings: problems(context, 'warning'),
      marked: places.slice(0, most.marked).map(({ path: name, firstLine, lastLine }) => ({
        path: name,
        ...(firstLine !== undefined && { firstLine }),
        ...(lastLine !== undefined && { lastLine }),
      })),
      ...(more.length > 0 && { more }),
    };
  },
  render: (data) => ({ text: editorStateText(data) }),
});

async function editorData(shown: VisibleEditor, context: Context): Promise<EditorStateData['editors'][number]> {
  const { path: name, group: column, isActive: active, visibleLines, selections } = shown;
  const listed = selections.slice(0, most.selections);
  const text = listed.length === 0 ? undefined : await textOf(shown, context);
  const columns = text === undefined ? undefined : columnsIn(text);
  return {
    path: name,
    group: column,
    isActive: active,
    visibleLines: [...visibleLines],
    selections: listed.map((range) => ({
      ...range,
      ...(columns && shownRange(columns, range)),
      ...(active && text !== undefined && !isCursor(range) && cutTo(text, range)),
    })),
  };
}

/** Returns the text with LF, or undefined when the file is not readable as text; then selections have no text. */
async function textOf({ fsPath }: VisibleEditor, { files, resolve }: Context): Promise<string | undefined> {
  try {
    const { text } = await files.readText(await resolve(fsPath), maximumReadBytes);
    return text.replaceAll(/\r\n|\r/g, '\n');
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function cutTo(text: string, range: TextRange): { readonly text: string; readonly cut?: true } {
  const whole = textBetween(text, range);
  const cut = cutText(whole, maximumSelection);
  return { text: cut, ...(cut !== whole && { cut: true as const }) };
}

function isCursor({ firstLine, firstColumn, lastLine, lastColumn }: TextRange): boolean {
  return firstLine === lastLine && firstColumn === lastColumn;
}

function named({ name, isActive: active }: { readonly name: string; readonly isActive: boolean }) {
  return { name: visible(name.slice(0, maximumName)), isActive: active };
}

function problems({ diagnostics }: Pick<Context, 'diagnostics'>, severity: DiagnosticSeverity): number {
  return diagnostics
    .list()
    .reduce((sum, file) => sum + file.diagnostics.filter((each) => each.severity === severity).length, 0);
}

function cutNote(all: readonly unknown[], maximum: number, noun: string): string[] {
  return all.length > maximum ? [counted(all.length - maximum, noun)] : [];
}

/** Renders the state as text, a line for each item and none for an empty list. */
function editorStateText(state: EditorStateData): string {
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
    ...(more === undefined ? [] : [`Not listed: ${more.join(', ')}`]),
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
