import * as z from 'zod';
import { textVersion } from '../../core/textVersion.ts';
import { defineProposingTool, inputFromZod, ToolError, type ToolContext } from '../../core/tool.ts';
import type { LiveText, ResolvedPath } from '../../ports/files.ts';
import type { FileEdit } from '../../ports/proposal.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { numberedLines } from './nearestMatch.ts';
import { applyRequests, type EditRequest } from './replacements.ts';

/** Larger files are not edited: no human reviews a change there. */
const maximumBytes = 5 * 1024 * 1024;
const maximumText = 4_000_000;
const maximumLine = 10_000_000;

const edit = z
  .strictObject({
    path: z.string().min(1).max(4096).describe('Workspace-relative path'),
    oldText: z
      .string()
      .min(1)
      .max(maximumText)
      .exactOptional()
      .describe('Exact text to replace; must occur once unless replaceAll'),
    newText: z.string().max(maximumText).describe('What stands there afterwards; "" deletes'),
    replaceAll: z.boolean().exactOptional().describe('Replace every occurrence of oldText'),
    firstLine: z
      .int()
      .min(1)
      .max(maximumLine)
      .exactOptional()
      .describe('Instead of oldText: first line to replace, 1-based'),
    lastLine: z
      .int()
      .min(0)
      .max(maximumLine)
      .exactOptional()
      .describe('Last line to replace, inclusive; firstLine - 1 inserts before firstLine'),
    version: z.string().min(1).max(64).exactOptional().describe('From the read; required with firstLine'),
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

/** Exact replacements in existing text files, several files in one call, all or nothing. */
export const applyEdit = defineProposingTool({
  name: 'apply_edit',
  title: 'Edit files',
  toolset: 'edit',
  risk: 'edit',
  needs: ['files'],
  description:
    'Change existing text files, one or several in one call, all or nothing. The user reviews the exact change and approves or declines it. ' +
    'Each edit replaces oldText (must match exactly once) or a range of lines of the version you read. All edits address the text before the call. ' +
    'Unsaved editor text is the base. Example: {"edits":[{"path":"src/cart.ts","oldText":"qty > 0","newText":"qty >= 1"}],"reason":"Refuse zero"}.',
  input: inputFromZod(
    z.strictObject({
      edits: z.array(edit).min(1).max(500).describe('What to change'),
      reason: z.string().max(1000).exactOptional().describe('Why, in one sentence; the user sees it'),
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ edits }) => [...new Set(edits.map(({ path }) => path))],
  reason: ({ reason }) => reason,
  async propose({ edits }, context) {
    const addresses = [...new Set(edits.map(({ path }) => path))];
    const byFile = new Map<string, { path: ResolvedPath; edits: Edit[] }>();
    for (const [index, address] of addresses.entries()) {
      const path = await realTarget(context.targets[index], context);
      const file = byFile.get(path.realPath) ?? { path, edits: [] };
      byFile.set(path.realPath, file);
      file.edits.push(...edits.filter((candidate) => candidate.path === address));
    }
    const files = await Promise.all([...byFile.values()].map((file) => proposeFile(file.path, file.edits, context)));
    return { kind: 'changes', files };
  },
  render: renderOutcome,
});

/** An edit through a link is an edit of the file it leads to; the link stays (threat row P4). */
async function realTarget(
  path: ResolvedPath | undefined,
  { resolve }: Pick<ToolContext, 'resolve'>,
): Promise<ResolvedPath> {
  if (path === undefined) throw new Error('An address of the input was not resolved');
  return path.linked ? resolve(path.realPath) : path;
}

async function proposeFile(
  path: ResolvedPath,
  edits: readonly Edit[],
  { files }: Pick<ToolContext, 'files'>,
): Promise<FileEdit> {
  const base = await files.readText(path, maximumBytes);
  requireEditable(path, base);
  const version = textVersion(base.text);
  for (const wanted of edits) {
    if (wanted.version !== undefined && wanted.version !== version)
      throw staleVersion(path, base.text, version, wanted);
  }
  const text = applyRequests(path.path, base.text, edits.map(requestOf));
  if (text === base.text) {
    throw new ToolError(
      'no_match',
      `These edits would leave ${path.path} exactly as it is.`,
      'Leave them out, or check newText.',
    );
  }
  if (!(await files.canEncode(text, base.encoding))) {
    throw new ToolError(
      'undecodable',
      `newText has characters that ${path.path} cannot hold in its encoding (${base.encoding}); nothing was changed.`,
      'Use only characters of that encoding, or ask the user to change the encoding of the file.',
    );
  }
  const { source, unsaved, unifiedLineEnds, encoding } = base;
  return {
    kind: 'edit',
    path,
    base: { text: base.text, encoding, source, unsaved, unifiedLineEnds },
    result: { text, encoding },
  };
}

function requireEditable(path: ResolvedPath, base: LiveText): void {
  if (base.readonly) {
    throw new ToolError(
      'unavailable',
      `${path.path} is read-only; nothing was changed.`,
      'Ask the user to make it writable.',
    );
  }
  if (base.unsavedElsewhere) {
    throw new ToolError(
      'unavailable',
      `A notebook or custom editor holds unsaved changes of ${path.path}; nothing was changed.`,
      'Ask the user to save or revert that editor first.',
    );
  }
}

function staleVersion(path: ResolvedPath, text: string, version: string, wanted: Edit): ToolError {
  const { firstLine, lastLine } = wanted;
  const lines = text.split(/\r\n|\n|\r/);
  const now =
    firstLine === undefined || lastLine === undefined
      ? ''
      : `\nThere it has now:\n${numberedLines(lines, firstLine - 1, Math.max(firstLine, lastLine) + 1)}\n`;
  return new ToolError(
    'stale_version',
    `${path.path} is at version ${version}, not ${wanted.version ?? ''}; nothing was changed.${now}`,
    'Read the lines again, then send the edit with the version you got.',
  );
}

function requestOf(value: Edit): EditRequest {
  const { path, newText, oldText, firstLine, lastLine } = value;
  if (oldText !== undefined) return { path, oldText, newText, replaceAll: value.replaceAll ?? false };
  if (firstLine === undefined || lastLine === undefined)
    throw new Error('The schema let an edit through that says nothing');
  return { path, firstLine, lastLine, newText };
}
