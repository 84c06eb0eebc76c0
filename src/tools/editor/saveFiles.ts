import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { EditorActions } from '#call/ports/editorActions.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { changedPath, reasonInput } from '../edit/proposalInput.ts';
import { counted } from '../page.ts';
import { perFile, realPathOf } from './perFile.ts';

/** The `save_files` tool: saves unsaved files; save participants such as formatters run, as for the user. */
export const saveFiles = defineProposingTool({
  name: 'save_files',
  title: 'Save files',
  summary: 'Save files that have unsaved changes, as you do with Save.',
  toolset: 'editor',
  risk: 'edit',
  isOptional: true,
  timeLimitSeconds: 30,
  needs: ['editorActions', 'editorState'],
  description: 'Save files that have unsaved changes, as the user does with Save. Edits of yours are saved without it.',
  example: { paths: ['src/a.ts'] },
  input: inputFromZod(
    z.strictObject({
      paths: z.array(changedPath).min(1).max(100).exactOptional().describe('Names the files; default: all unsaved'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ paths = [] }) => paths,
  reason: ({ reason }) => reason,
  async propose({ paths }, { editorState, resolve, targets }) {
    const unsaved = new Map(
      editorState.tabs().flatMap((tab) => (tab.isDirty ? [[realPathOf(tab), tab.fsPath] as const] : [])),
    );
    const places =
      paths === undefined
        ? await Promise.all([...unsaved.values()].map((fsPath) => resolve(fsPath)))
        : targets.filter(({ realPath }) => unsaved.has(realPath));
    const [first] = places;
    if (first === undefined) {
      throw new ToolError(
        'unavailable',
        'None of these files has unsaved changes.',
        'Go on; there is nothing to save.',
      );
    }
    return {
      kind: 'action',
      files: [],
      title: places.length === 1 ? `Save ${visible(first.path)}` : `Save ${counted(places.length, 'file')}`,
      definition: 'save_files',
      arguments: { paths: places.map(({ path }) => path) },
      places,
      remarks: [],
    };
  },
  act: ({ places }, { editorActions }) => perFile(places, (file) => saved(file, editorActions)),
  render: renderOutcome,
});

async function saved(file: ResolvedPath, editorActions: EditorActions) {
  const { state, changedOnSave } = await editorActions.save(file);
  if (state === 'failed') return { text: 'not saved', isError: true as const };
  if (state === 'not_dirty') return { text: 'had no unsaved changes' };
  return { text: changedOnSave ? 'saved; the editor changed the text on save, so read it again' : 'saved' };
}
