import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { nativeEditTool, type NativeFileEdit, type PatchEdit } from '#base/nativeEdit.ts';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { nativeFileEdit } from '#call/nativeFileEdit.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { requireVacant } from './createFile.ts';
import { editTo, groupByFile, readEditable, refuseRedacted, type EditsOfFile } from './editableText.ts';
import { lineText } from './lineText.ts';
import { notebookAfter } from './notebook.ts';
import { addressesOf, parsePatch } from './patch/parsePatch.ts';
import type { FilePatch } from './patch/patchSyntax.ts';
import { type PatchWay, proposePatch } from './patch/proposePatch.ts';
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
  needs: ['files', 'sourceControl'],
  description: 'An edit that an assistant makes with a tool of its own, which its hook hands over.',
  input: inputFromZod(z.strictObject({ tool: z.string(), edits: z.array(nativeFileEdit).min(1) })),
  output: changeOutcomeSchema,
  targets: ({ edits }) => {
    const [first] = edits;
    if (first?.kind === 'patch') return addressesOf(filesOfPatch(first));
    return [...new Set(edits.flatMap((edit) => (edit.kind === 'patch' ? [] : [edit.path])))];
  },
  reason: () => undefined,
  async propose({ edits }, context) {
    const [first, ...more] = edits;
    // A patch is a whole call, because the text that a later edit addresses would be unclear.
    if (first?.kind === 'patch' && more.length === 0) {
      return { kind: 'changes', files: await proposePatch(filesOfPatch(first), context, asItIs) };
    }
    const files = await groupByFile(edits.filter(isEditOfFile), context);
    return { kind: 'changes', files: await Promise.all(files.map((file) => proposeFile(file, context))) };
  },
  render: renderOutcome,
});

/** The assistant read the files by itself, so its patch has their text as it is. */
const asItIs: PatchWay = { textOf: lineText, create: proposeWhole };

type EditOfFile = Exclude<NativeFileEdit, PatchEdit>;

function isEditOfFile(edit: NativeFileEdit): edit is EditOfFile {
  return edit.kind !== 'patch';
}

/** Returns what a patch does to each listed file, by absolute paths. */
function filesOfPatch({ folder, text, paths }: PatchEdit): readonly FilePatch[] {
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(folder, path));
  const all = parsePatch(text).map((file) => ({
    ...file,
    path: absolute(file.path),
    ...(file.kind === 'edit' && { to: file.to === undefined ? undefined : absolute(file.to) }),
  }));
  const known = new Set(paths);
  // A move counts when either end is listed, because a file that leaves or enters the workspace changes it.
  return all.filter((file) => addressesOf([file]).some((address) => known.has(address)));
}

/** Returns the change to a whole text, as assistants write it: what a patch adds replaces a file that exists. */
function proposeWhole(path: ResolvedPath, text: string, context: Pick<ToolContext, 'files'>): Promise<FileChange> {
  return proposeFile({ path, edits: [{ kind: 'write', path: path.path, text }] }, context);
}

/** Returns the change of one file after all its edits, each of which is made for the text that the one before leaves. */
async function proposeFile(
  { path, edits }: EditsOfFile<EditOfFile>,
  { files }: Pick<ToolContext, 'files'>,
): Promise<FileChange> {
  const isNew = path.kind !== 'file' && edits[0] !== undefined && givesWholeText(edits[0]);
  const base = isNew ? undefined : await readEditable(path, files);
  const before = base?.text ?? '';
  let text = before;
  for (const edit of edits) {
    refuseRedacted(`The ${isNew ? 'text for' : 'edit of'} ${path.path}`, [newTextOf(edit)], before);
    text = textAfter(path, text, edit);
  }
  if (base === undefined) {
    await requireVacant(path, files);
    // Assistants write a new file as UTF-8 with the line ends that they give, whatever the settings of the editor are.
    return { kind: 'create', path, result: { text, encoding: 'utf8' } };
  }
  if (text === base.text) {
    throw new ToolError(
      'no_match',
      `This edit would leave ${path.path} exactly as it is.`,
      'Go on; there is nothing to change.',
    );
  }
  const change = await editTo(path, base, text, files);
  return edits.some(({ kind }) => kind === 'write') ? { ...change, overwrites: true } : change;
}

/** Returns whether an edit gives a file its whole text, so that the file need not exist. */
function givesWholeText(edit: EditOfFile): boolean {
  return edit.kind === 'write' || (edit.kind === 'replace' && edit.oldText === '');
}

function newTextOf(edit: EditOfFile): string {
  if (edit.kind === 'write') return edit.text;
  return edit.kind === 'notebook' ? edit.source : edit.newText;
}

function textAfter(path: ResolvedPath, text: string, edit: EditOfFile): string {
  if (edit.kind === 'write') {
    return edit.keepsCrlf === true && text.includes('\r\n') ? edit.text.replaceAll(/\r?\n/g, '\r\n') : edit.text;
  }
  if (edit.kind === 'notebook') return notebookAfter(path, text, edit);
  const { newText, all } = edit;
  const oldText = withLineEnd(edit, text.replaceAll('\r\n', '\n'));
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

/** Returns the old text, with the line end after it when the edit replaces that too. @param text has LF */
function withLineEnd({ oldText, takesLineEnd }: Extract<EditOfFile, { kind: 'replace' }>, text: string): string {
  const line = `${oldText}\n`;
  if (takesLineEnd === true) return text.includes(line) ? line : oldText;
  const isOnce = text.indexOf(oldText) === text.lastIndexOf(oldText);
  return takesLineEnd === 'wholeLines' && isOnce && `\n${text}`.includes(`\n${line}`) ? line : oldText;
}
