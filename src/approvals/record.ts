import * as z from 'zod';
import type { Approval, ApprovalFile } from './approval.ts';

const fileOutcome = z.object({
  path: z.string(),
  uri: z.string(),
  change: z.literal('edit'),
  state: z.enum(['applied', 'not_applied', 'rolled_back', 'unknown']),
  version: z.string().exactOptional(),
  saved: z.boolean().exactOptional(),
  dirty: z.boolean().exactOptional(),
  changedOnSave: z.string().exactOptional(),
  lastModified: z.string().exactOptional(),
  size: z.number().exactOptional(),
  addedLines: z.number(),
  removedLines: z.number(),
  reason: z.string().exactOptional(),
});

const content = z.object({ sha256: z.string(), encoding: z.string() });

/** Contents of a file before and after, by their key in the history. */
const fileContents = z.object({
  base: content,
  result: content,
  /** What the file held after our own save; only then can it be undone. */
  after: content.exactOptional(),
});

const record = z.object({
  version: z.literal(1),
  approval: z.object({
    id: z.string(),
    state: z.enum(['waiting', 'applying', 'applied', 'undone', 'declined', 'expired', 'withdrawn', 'stale', 'failed']),
    tool: z.string(),
    principal: z.object({ credential: z.string(), connectionId: z.string().exactOptional() }),
    client: z.object({ name: z.string(), version: z.string() }).optional(),
    reason: z.string().optional(),
    files: z.array(
      z.object({
        path: z.string(),
        uri: z.string(),
        realPath: z.string(),
        viaLink: z.boolean(),
        unsaved: z.boolean(),
        hardLinks: z.number(),
        unifiedLineEnds: z.number(),
        protectedBy: z.string().exactOptional(),
        addedLines: z.number(),
        removedLines: z.number(),
      }),
    ),
    proposalHash: z.string(),
    requestedAt: z.number(),
    expiresAt: z.number(),
    displayedAt: z.number().exactOptional(),
    decidedAt: z.number().exactOptional(),
    callReturned: z.boolean(),
    mustReachEnd: z.boolean(),
    userMessage: z.string().exactOptional(),
    outcomes: z.array(fileOutcome).exactOptional(),
    note: z.string().exactOptional(),
    canUndo: z.boolean(),
  }),
  contents: z.array(fileContents),
});

export type FileContents = z.infer<typeof fileContents>;

/** What is kept of an approval on disk, beside the contents it names. */
export interface ApprovalRecord {
  readonly version: 1;
  readonly approval: Omit<Approval, 'client' | 'reason'> & {
    readonly client?: Approval['client'] | undefined;
    readonly reason?: string | undefined;
    readonly files: readonly ApprovalFile[];
  };
  readonly contents: readonly FileContents[];
}

/** Undefined for anything that is not a record of ours (another version, a damaged file). */
export function parseRecord(value: unknown): ApprovalRecord | undefined {
  return record.safeParse(value).data;
}
