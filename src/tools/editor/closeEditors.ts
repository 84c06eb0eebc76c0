import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import type { EditorActions } from '#call/ports/editorActions.ts';
import type { EditorTab } from '#call/ports/editorState.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { quoted, visible } from '#policy/unsafeNames.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { changedPath, reasonInput } from '../edit/proposalInput.ts';
import { counted } from '../page.ts';
import { perFile, realPathOf, type FileResult } from './perFile.ts';

/** The most files that one card can list. */
const maximumFiles = 100;

/** The `close_editors` tool: closes tabs, never one with unsaved changes. */
export const closeEditors = defineProposingTool({
  name: 'close_editors',
  title: 'Close editors',
  toolset: 'editor',
  risk: 'edit',
  isOptional: true,
  needs: ['editorActions', 'editorState'],
  description:
    'Close tabs of files, never those with unsaved changes. Without paths: all saved ones that are not pinned.',
  example: { paths: ['src/a.ts'] },
  input: inputFromZod(
    z.strictObject({
      paths: z.array(changedPath).min(1).max(maximumFiles).exactOptional().describe('Names the files'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ paths = [] }) => paths,
  reason: ({ reason }) => reason,
  async propose({ paths }, { editorState, resolve, targets }) {
    const byFile = Map.groupBy(editorState.tabs(), realPathOf);
    const places =
      paths === undefined
        ? await Promise.all(
            closable(byFile)
              .slice(0, maximumFiles)
              .map((fsPath) => resolve(fsPath)),
          )
        : targets.filter(({ realPath }) => byFile.has(realPath));
    const dirty = places.filter(({ realPath }) => byFile.get(realPath)?.some(({ isDirty }) => isDirty) === true);
    if (dirty.length > 0) {
      throw new ToolError(
        'unavailable',
        `Unsaved changes would be lost: ${dirty.map(({ path }) => quoted(path)).join(', ')}. Nothing was closed.`,
        'Leave these out, or save them first with save_files.',
      );
    }
    const [first] = places;
    if (first === undefined) {
      throw new ToolError('unavailable', 'None of these files is open in a tab.', 'Go on; there is nothing to close.');
    }
    return {
      kind: 'action',
      files: [],
      title:
        places.length === 1 ? `Close ${visible(first.path)}` : `Close the tabs of ${counted(places.length, 'file')}`,
      definition: 'close_editors',
      arguments: { paths: places.map(({ path }) => path) },
      places,
      remarks: [],
    };
  },
  act: ({ places }, { editorActions }) =>
    perFile(places, async (file): Promise<FileResult> => results[await editorActions.close(file)]),
  render: renderOutcome,
});

const results: Readonly<Record<Awaited<ReturnType<EditorActions['close']>>, FileResult>> = {
  closed: { text: 'closed' },
  not_open: { text: 'was not open' },
  unsaved: { text: 'not closed: it has unsaved changes now', isError: true },
  failed: { text: 'not closed', isError: true },
};

/** Returns the files that have no pinned tab and no unsaved tab. */
function closable(byFile: ReadonlyMap<string, readonly EditorTab[]>): string[] {
  return [...byFile.values()].flatMap((tabs) =>
    tabs.some((tab) => tab.isDirty || tab.isPinned) ? [] : tabs.slice(0, 1).map(({ fsPath }) => fsPath),
  );
}
