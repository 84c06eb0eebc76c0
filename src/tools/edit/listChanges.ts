import * as z from 'zod';
import { principalKey } from '#base/principal.ts';
import { changeKinds } from '#base/proposal.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, countedPart, cursorInput, fittingCount, pageOutput } from '../page.ts';

/** Files named per change; nobody reads a list of a thousand. */
const namedFiles = 20;

const lineCount = z.int().min(0).max(10_000_000);

const change = z.object({
  approvalId: z.string(),
  appliedAt: z.string().describe('ISO 8601'),
  mine: z.boolean().describe('You made it over this connection'),
  assistant: z.string().describe('Name its client gives'),
  tool: z.string(),
  state: z.enum(['applied', 'partly_applied', 'reverted']),
  canRevert: z.boolean(),
  fileCount: lineCount,
  proposedFileCount: lineCount.exactOptional().describe('If partly_applied: files of the whole change'),
  files: z
    .array(
      z.object({
        change: z.enum(changeKinds),
        path: z.string().describe('Path before a move'),
        movedTo: z.string().exactOptional(),
        addedLines: lineCount,
        removedLines: lineCount,
      }),
    )
    .describe(`The first ${namedFiles}`),
});

/** The cursor position: the last change of a page. The newest change comes first. */
const position = z.object({ appliedAt: z.number(), id: z.string() });

/** The `list_changes` tool: lists what assistants changed in this window. */
export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  toolset: 'edit',
  risk: 'read',
  needs: ['changes'],
  description: 'List what assistants changed in this window, newest first, with ids for revert_change.',
  example: { path: 'src/cart.ts', onlyMine: true },
  input: inputFromZod(
    z.strictObject({
      path: z.string().max(4096).exactOptional().describe('Keeps this file or folder'),
      onlyMine: z.boolean().default(false).describe('Keeps your own'),
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(z.object({ changes: z.array(change).max(1000), ...pageOutput })),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run({ cursor, ...query }, context) {
    const { changes, limits, principal, targets } = context;
    const own = principalKey(principal);
    const isMine = (each: AppliedChange): boolean => principalKey(each.principal) === own;
    const found = changes
      .list()
      .filter((each) => (!query.onlyMine || isMine(each)) && each.files.some((file) => isBelow(file, targets)));
    const last = cursor === undefined ? undefined : decodeCursor(cursor, query, position);
    const rest = last === undefined ? found : found.filter((each) => comesAfter(each, last));
    const described = rest.map((each) => describeChange(each, isMine(each)));
    const show = (each: z.infer<typeof change>) => ({ text: textOf(each), data: [each] });
    const count = fittingCount(described, show, limits);
    const end = rest[count - 1];
    const truncated = count < rest.length;
    return {
      changes: described.slice(0, count),
      totalCount: found.length,
      truncated,
      ...(truncated && end && { nextCursor: encodeCursor(query, { appliedAt: end.appliedAt, id: end.id }) }),
    };
  },
  render: (data) => ({
    text: [
      countedPart(data.changes.length, data.totalCount, 'change'),
      ...data.changes.map(textOf),
      ...(data.nextCursor === undefined ? [] : [`(more: cursor ${data.nextCursor})`]),
    ].join('\n'),
  }),
});

function isBelow({ uri, movedTo }: ChangedFile, targets: ToolContext['targets']): boolean {
  const [target] = targets;
  if (target === undefined) return true;
  const places = movedTo === undefined ? [uri] : [uri, movedTo.uri];
  return places.some((place) => place === target.uri || place.startsWith(`${target.uri}/`));
}

/** Returns true when a change comes after the cursor in the order of `Changes.list`. */
function comesAfter({ appliedAt, id }: AppliedChange, last: z.infer<typeof position>): boolean {
  return appliedAt < last.appliedAt || (appliedAt === last.appliedAt && id < last.id);
}

function describeChange(each: AppliedChange, mine: boolean): z.infer<typeof change> {
  return {
    approvalId: each.id,
    appliedAt: new Date(each.appliedAt).toISOString(),
    mine,
    assistant: visible(each.client?.name ?? 'unknown'),
    tool: each.tool,
    state: each.proposedFiles === undefined ? each.state : 'partly_applied',
    canRevert: each.canRevert,
    fileCount: each.files.length,
    ...(each.proposedFiles !== undefined && { proposedFileCount: each.proposedFiles }),
    files: each.files
      .slice(0, namedFiles)
      .map(({ change: kind, path, movedTo, addedLines, removedLines, toldLines }) => ({
        change: kind,
        path: visible(path),
        ...(movedTo && { movedTo: visible(movedTo.path) }),
        addedLines,
        removedLines,
        ...toldLines,
      })),
  };
}

function textOf({
  approvalId,
  appliedAt,
  mine,
  assistant,
  tool,
  state,
  canRevert,
  fileCount,
  proposedFileCount,
  files,
}: z.infer<typeof change>): string {
  const more = fileCount - files.length;
  const isStuck = state !== 'reverted' && !canRevert;
  const part = proposedFileCount === undefined ? '' : ` (${fileCount} of ${proposedFileCount} files)`;
  return [
    `${approvalId} ${appliedAt} ${mine ? 'you' : assistant} ${tool}: ${state}${part}${isStuck ? ', cannot be reverted' : ''}`,
    ...files.map(({ change: kind, path, movedTo, addedLines, removedLines }) => {
      const lines = kind === 'move' ? '' : ` +${addedLines} -${removedLines}`;
      return `  ${kind} ${path}${movedTo === undefined ? '' : ` -> ${movedTo}`}${lines}`;
    }),
    ...(more > 0 ? [`  ... and ${counted(more, 'more file')}`] : []),
  ].join('\n');
}
