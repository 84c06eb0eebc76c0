import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { nativeEditTool, type NativeFileEdit } from '#base/nativeEdit.ts';
import type { FileChange, FileCreate, FileEdit } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { nativeFileEdit } from '#call/nativeFileEdit.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { requireVacant } from './createFile.ts';
import { editTo, readEditable, realTarget, refuseRedacted } from './editableText.ts';
import { notebookAfter } from './notebook.ts';
import { applyRequests } from './replacements.ts';

/**
 * An edit that an assistant makes with a tool of its own. No assistant is offered this tool: the hook of the assistant hands the
 * edit over (`src/mcp/hook.ts`), so that it is judged, shown and recorded as every other change.
 */
export const nativeEdit = defineProposingTool({
  name: nativeEditTool,
  title: 'Edit with its own tool',
  toolset: 'edit',
  risk: 'edit',
  needs: ['files'],
  description: 'An edit that an assistant makes with a tool of its own, which its hook hands over.',
  input: inputFromZod(z.strictObject({ tool: z.string(), edits: z.array(nativeFileEdit).min(1) })),
  output: changeOutcomeSchema,
  targets: ({ edits }) => [...new Set(edits.map(({ path }) => path))],
  reason: () => undefined,
  async propose({ edits }, context) {
    const addresses = [...new Set(edits.map(({ path }) => path))];
    const files = addresses.map(async (address, index) => {
      const path = await realTarget(context.targets[index], context);
      return proposeFile(
        path,
        edits.filter((edit) => edit.path === address),
        context,
      );
    });
    return { kind: 'changes', files: await Promise.all(files) };
  },
  render: renderOutcome,
});

/** Returns the change of one file after all its edits, each of which is made for the text that the one before leaves. */
async function proposeFile(
  path: ResolvedPath,
  edits: readonly NativeFileEdit[],
  context: Pick<ToolContext, 'files'>,
): Promise<FileChange> {
  const [first, ...more] = edits;
  if (first === undefined) throw new Error('A file of a call has no edit');
  let change = await proposeFirst(path, first, context);
  for (const edit of more) {
    const text = textAfter(path, change.result.text, edit);
    change = { ...change, result: { ...change.result, text } };
  }
  return change;
}

async function proposeFirst(
  path: ResolvedPath,
  edit: NativeFileEdit,
  context: Pick<ToolContext, 'files'>,
): Promise<FileEdit | FileCreate> {
  const { files } = context;
  const texts = edit.kind === 'write' ? [edit.text] : edit.kind === 'notebook' ? [edit.source] : [edit.newText];
  const whole = wholeText(edit);
  if (path.kind !== 'file' && whole !== undefined) {
    refuseRedacted(`The text for ${path.path}`, texts, '');
    await requireVacant(path, files);
    // Assistants write a new file as UTF-8 with the line ends that they give, whatever the settings of the editor are.
    return { kind: 'create', path, result: { text: whole, encoding: 'utf8' } };
  }
  const base = await readEditable(path, files);
  refuseRedacted(`The edit of ${path.path}`, texts, base.text);
  const text = textAfter(path, base.text, edit);
  if (text === base.text) {
    throw new ToolError(
      'no_match',
      `This edit would leave ${path.path} exactly as it is.`,
      'Go on; there is nothing to change.',
    );
  }
  const change = await editTo(path, base, text, files);
  return edit.kind === 'write' ? { ...change, overwrites: true } : change;
}

/** Returns the whole text that an edit gives to a file; undefined when it changes a part of a file that exists. */
function wholeText(edit: NativeFileEdit): string | undefined {
  if (edit.kind === 'write') return edit.text;
  return edit.kind === 'replace' && edit.oldText === '' ? edit.newText : undefined;
}

function textAfter(path: ResolvedPath, text: string, edit: NativeFileEdit): string {
  if (edit.kind === 'write') return edit.text;
  if (edit.kind === 'notebook') return notebookAfter(path, text, edit);
  const { newText, all, takesLineEnd } = edit;
  const line = `${edit.oldText}\n`;
  const oldText = takesLineEnd === true && text.replaceAll('\r\n', '\n').includes(line) ? line : edit.oldText;
  if (oldText === '') {
    if (text === '') return newText;
    throw new ToolError(
      'no_match',
      `${path.path} is not empty, and the edit names no text to replace.`,
      'Read the file again, and name the text to replace.',
    );
  }
  return applyRequests(path.path, text, [{ path: path.path, oldText, newText, replaceAll: all }]);
}
