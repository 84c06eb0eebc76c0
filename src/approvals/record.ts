import * as z from 'zod';
import type { Approval } from './approval.ts';

const count = z.number();
const maybeText = z.string().exactOptional();

const problem = z.object({
  path: z.string(),
  line: count,
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  code: maybeText,
});

const fileOutcome = z.object({
  path: z.string(),
  uri: z.string(),
  change: z.enum(['edit', 'create', 'delete', 'move']),
  movedFrom: maybeText,
  state: z.enum(['applied', 'not_applied', 'rolled_back', 'unknown']),
  version: maybeText,
  saved: z.boolean().exactOptional(),
  dirty: z.boolean().exactOptional(),
  changedOnSave: maybeText,
  differenceFromProposal: maybeText,
  hunksApplied: count.exactOptional(),
  hunksProposed: count.exactOptional(),
  lastModified: maybeText,
  size: count.exactOptional(),
  addedLines: count,
  removedLines: count,
  reason: maybeText,
});

const approvalFile = z.object({
  change: z.enum(['edit', 'create', 'delete', 'move']),
  path: z.string(),
  uri: z.string(),
  realPath: z.string(),
  to: z.object({ path: z.string(), uri: z.string(), realPath: z.string() }).exactOptional(),
  folderFiles: count.exactOptional(),
  size: count.exactOptional(),
  toTrash: z.boolean().exactOptional(),
  recovery: z.enum(['committed', 'not_committed', 'unknown']).exactOptional(),
  overwrites: z.literal(true).exactOptional(),
  hasText: z.boolean(),
  viaLink: z.boolean(),
  unsaved: z.boolean(),
  hardLinks: count,
  unifiedLineEnds: count,
  protectedBy: maybeText,
  addedLines: count,
  removedLines: count,
  included: z.boolean(),
  proposedHunks: count,
  includedHunks: count,
  edited: z.boolean(),
});

const approval = z.object({
  id: z.string(),
  state: z.enum([
    'waiting',
    'applying',
    'applied',
    'undone',
    'declined',
    'expired',
    'withdrawn',
    'superseded',
    'stale',
    'failed',
  ]),
  tool: z.string(),
  arguments: z.unknown().optional(),
  principal: z.object({ credential: z.string(), connectionId: maybeText }),
  client: z.object({ name: z.string(), version: z.string() }).optional(),
  reason: z.string().optional(),
  risk: z.enum(['edit', 'delete']),
  files: z.array(approvalFile),
  indivisible: z.boolean(),
  groupId: z.string(),
  proposalHash: z.string(),
  revision: count,
  requestedAt: count,
  expiresAt: count,
  displayedAt: count.exactOptional(),
  decidedAt: count.exactOptional(),
  callReturned: z.boolean(),
  mustReachEnd: z.boolean(),
  moved: z.boolean(),
  reasonCode: z.enum(['wrong_file', 'too_broad', 'do_it_differently', 'stop']).exactOptional(),
  userMessage: maybeText,
  outcomes: z.array(fileOutcome).exactOptional(),
  problems: z
    .object({
      new: z.array(problem),
      newCount: count,
      fixedCount: count,
      freshness: z.enum(['fresh', 'settling']),
    })
    .exactOptional(),
  note: maybeText,
  replacedBy: maybeText,
  canUndo: z.boolean(),
  canRebase: z.boolean(),
});

/** A text, kept in the history as UTF-8 under its SHA-256, and the encoding it has in its file. */
const keptText = z.object({ sha256: z.string(), encoding: z.string() });
export type KeptText = z.infer<typeof keptText>;

/** Its bytes are kept in the history under their SHA-256, when it is deleted. */
const treeFile = z.object({
  relative: z.string(),
  sha256: z.string(),
  size: count,
  mode: count,
  isLink: z.boolean(),
});

/** What the human chose: the file as it would be applied, when that is not as proposed. */
const choice = { included: z.boolean(), chosen: keptText.exactOptional() };
/** After an apply: what stands in the file after our own save. Only then can it be undone. */
const after = { after: keptText.exactOptional(), createdFolders: z.array(z.string()).exactOptional() };

const keptChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('edit'),
    uri: z.string(),
    base: keptText.extend({ source: z.enum(['buffer', 'disk']), unsaved: z.boolean(), unifiedLineEnds: count }),
    result: keptText,
    overwrites: z.literal(true).exactOptional(),
    ...choice,
    ...after,
  }),
  z.object({ kind: z.literal('create'), uri: z.string(), result: keptText, ...choice, ...after }),
  z.object({
    kind: z.literal('delete'),
    uri: z.string(),
    isFolder: z.boolean(),
    files: z.array(treeFile),
    base: keptText.exactOptional(),
    toTrash: z.boolean(),
    recovery: z.enum(['committed', 'not_committed', 'unknown']),
    ...choice,
    ...after,
  }),
  z.object({
    kind: z.literal('move'),
    uri: z.string(),
    to: z.string(),
    isFolder: z.boolean(),
    files: z.array(treeFile),
    ...choice,
    ...after,
  }),
]);
export type KeptChange = z.infer<typeof keptChange>;

const record = z.object({
  version: z.literal(2),
  approval,
  /** In the order of `approval.files`. */
  changes: z.array(keptChange),
  /** Calling the tool again with the same arguments gives the same change; not so after a rebase. */
  repeatable: z.boolean(),
});

/** What is kept of an approval on disk, beside the contents it names. */
export interface ApprovalRecord {
  readonly version: 2;
  readonly approval: Approval;
  readonly changes: readonly KeptChange[];
  readonly repeatable: boolean;
}

/** Undefined for anything that is not a record of ours (another version, a damaged file). */
export function parseRecord(value: unknown): ApprovalRecord | undefined {
  const { data } = record.safeParse(value);
  if (data === undefined) return undefined;
  const { client, reason, ...rest } = data.approval;
  return { ...data, approval: { ...rest, client, reason } };
}
