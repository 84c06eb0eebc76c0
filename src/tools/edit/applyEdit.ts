import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { FileEdit } from '#base/proposal.ts';
import { versionOfShown } from '#audit/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { editTo, groupByFile, readEditable, refuseRedacted, type EditsOfFile } from './editableText.ts';
import { shownText } from './lineText.ts';
import { numberedLines } from './nearestMatch.ts';
import { addressesOf, parsePatch } from './patch/parsePatch.ts';
import { proposePatch } from './patch/proposePatch.ts';
import { reasonInput, replacesInput } from './proposalInput.ts';
import { editText, type EditRequest } from './replacements.ts';

const maximumText = 4_000_000;
const maximumLine = 10_000_000;

const edit = z
  .strictObject({
    path: z.string().min(1).max(4096).describe('Names the file'),
    oldText: z
      .string()
      .min(1)
      .max(maximumText)
      .exactOptional()
      .describe('Replaces this exact text, which must occur once unless replaceAll'),
    newText: z.string().max(maximumText).describe('Gives the new text; "" deletes'),
    replaceAll: z.boolean().exactOptional().describe('Replaces every occurrence'),
    firstLine: z
      .int()
      .min(1)
      .max(maximumLine)
      .exactOptional()
      .describe('Replaces from this line, 1-based, not oldText'),
    lastLine: z
      .int()
      .min(0)
      .max(maximumLine)
      .exactOptional()
      .describe('Ends with this line; firstLine - 1 inserts before firstLine'),
    version: z.string().min(1).max(64).exactOptional().describe('Checks the read; required with firstLine'),
  })
  .superRefine((value, context) => {
    const byLines = value.firstLine !== undefined || value.lastLine !== undefined;
    const problem =
      value.oldText !== undefined
        ? byLines && 'give either oldText or firstLine and lastLine, not both'
        : value.firstLine === undefined || value.lastLine === undefined || value.version === undefined
          ? 'give oldText, or firstLine, lastLine and version'
          : value.lastLine < value.firstLine - 1
            ? 'lastLine is before firstLine'
            : value.replaceAll !== undefined && 'replaceAll goes with oldText';
    if (problem !== false) context.addIssue({ code: 'custom', message: problem });
  });

type Edit = z.infer<typeof edit>;

const input = z
  .strictObject({
    edits: z.array(edit).min(1).max(500).exactOptional().describe('Lists the changes'),
    patch: z
      .string()
      .min(1)
      .max(maximumText)
      .exactOptional()
      .describe('Gives a unified diff or a *** Begin Patch, in place of edits'),
    reason: reasonInput,
    replaces: replacesInput,
  })
  .superRefine(({ edits, patch }, context) => {
    if ((edits === undefined) !== (patch === undefined)) return;
    context.addIssue({
      code: 'custom',
      message: edits ? 'give either edits or patch, not both' : 'give edits or a patch',
    });
  });

/** The `apply_edit` tool: changes text files by exact text, line ranges or a patch, all or nothing. */
export const applyEdit = defineProposingTool({
  name: 'apply_edit',
  title: 'Edit files',
  summary: 'Change exact text or line ranges, or apply a patch, several files at once, all or nothing.',
  toolset: 'edit',
  risk: 'edit',
  needs: ['files', 'sourceControl'],
  description:
    'Change text files, all or nothing; the user approves the exact change. ' +
    'An edit replaces oldText, or lines of the version you read; ' +
    'all address the text before the call. A [redacted:...] marker stands for its secret. A patch may also create, delete and rename files. ' +
    'Example: {"edits":[{"path":"src/cart.ts","oldText":"qty > 0","newText":"qty >= 1"}]}.',
  input: inputFromZod(input),
  output: changeOutcomeSchema,
  targets: ({ edits = [], patch }) =>
    patch === undefined ? [...new Set(edits.map(({ path }) => path))] : addressesOf(parsePatch(patch)),
  reason: ({ reason }) => reason,
  replaces: ({ replaces }) => replaces,
  async propose({ edits = [], patch }, context) {
    const files = patch === undefined ? proposeEdits(edits, context) : proposePatch(parsePatch(patch), context);
    return { kind: 'changes', files: await files };
  },
  render: renderOutcome,
});

async function proposeEdits(
  edits: readonly Edit[],
  context: Pick<ToolContext, 'files' | 'resolve' | 'targets'>,
): Promise<readonly FileEdit[]> {
  const numberOf = (one: Edit): number => edits.indexOf(one) + 1;
  const files = await groupByFile(edits, context);
  return Promise.all(files.map((file) => proposeFile(file, numberOf, context)));
}

async function proposeFile(
  { path, edits }: EditsOfFile<Edit>,
  numberOf: (one: Edit) => number,
  { files }: Pick<ToolContext, 'files'>,
): Promise<FileEdit> {
  const base = await readEditable(path, files);
  const shown = shownText(base.text);
  for (const wanted of edits) {
    const what = `Edit ${numberOf(wanted)} of this call, in ${path.path},`;
    refuseRedacted(what, [wanted.oldText ?? '', wanted.newText], shown.lf);
  }
  const version = versionOfShown(shown.lf);
  for (const wanted of edits) {
    if (wanted.version !== undefined && wanted.version !== version) throw staleVersion(path, shown.lf, version, wanted);
  }
  const { text, isSame } = editText(path.path, base.text, shown, edits.map(requestOf));
  if (isSame) {
    throw new ToolError(
      'no_match',
      `These edits would leave ${path.path} exactly as it is; nothing was changed.`,
      'Leave them out, or check newText.',
    );
  }
  return editTo(path, base, text, files);
}

function staleVersion(path: ResolvedPath, shown: string, version: string, wanted: Edit): ToolError {
  const { firstLine, lastLine } = wanted;
  const lines = shown.split('\n');
  const found =
    firstLine === undefined || lastLine === undefined
      ? ''
      : numberedLines(lines, firstLine - 1, Math.max(firstLine, lastLine) + 1);
  const now = found === '' ? '' : `\nThese lines are there now:\n${found}\n`;
  return new ToolError(
    'stale_version',
    `${path.path} is at version ${version}, not ${wanted.version ?? ''}; nothing was changed.${now}`,
    'Read the lines again, then send the edit with the version of that read.',
  );
}

function requestOf(value: Edit): EditRequest {
  const { path, newText, oldText, firstLine, lastLine } = value;
  if (oldText !== undefined) return { path, oldText, newText, replaceAll: value.replaceAll ?? false };
  if (firstLine === undefined || lastLine === undefined)
    throw new Error('The schema accepted an edit without oldText and without lines');
  return { path, firstLine, lastLine, newText };
}
