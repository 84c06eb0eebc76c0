/** The record of an approval on disk, and its schema. */
import * as z from 'zod';
import { changeKinds, commandClasses, type ProposedCommand, recoveries } from '#base/proposal.ts';
import { modes, ruleScopes } from '#policy/rules.ts';
import { approvalStates, type Approval } from './approval.ts';
import { declineReasons, fileStates } from './approver.ts';

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
  change: z.enum(changeKinds),
  movedFrom: maybeText,
  state: z.enum(fileStates),
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
  change: z.enum(changeKinds),
  path: z.string(),
  uri: z.string(),
  realPath: z.string(),
  to: z.object({ path: z.string(), uri: z.string(), realPath: z.string() }).exactOptional(),
  folderFiles: count.exactOptional(),
  size: count.exactOptional(),
  toTrash: z.boolean().exactOptional(),
  recovery: z.enum(recoveries).exactOptional(),
  overwrites: z.literal(true).exactOptional(),
  hasText: z.boolean(),
  viaLink: z.boolean(),
  unsaved: z.boolean(),
  hardLinks: count,
  unifiedLineEnds: count,
  protectedBy: maybeText,
  addedLines: count,
  removedLines: count,
  hasEndlessLine: z.literal(true).exactOptional(),
  toldLines: z.object({ addedLines: count, removedLines: count }).exactOptional(),
  included: z.boolean(),
  proposedHunks: count,
  includedHunks: count,
  edited: z.boolean(),
});

const ruleReference = z.object({ id: z.string(), scope: z.enum(ruleScopes) });

const judgement = z.object({
  effect: z.enum(['ask', 'allow']),
  reason: z.string(),
  onceOnly: z.boolean(),
  confirmCount: count.exactOptional(),
  mode: z.enum(modes),
  rule: ruleReference.exactOptional(),
  unusedRule: ruleReference.exactOptional(),
  explain: z.array(z.object({ step: z.string(), detail: z.string(), rule: ruleReference.exactOptional() })),
});

/** The judgement of a record that was written before the policy gave its reasons. */
const earlierJudgement: z.infer<typeof judgement> = {
  effect: 'ask',
  reason: 'made by an earlier version of Drawbridge',
  onceOnly: true,
  mode: 'manual',
  explain: [],
};

const commandClass = z.enum(commandClasses);
const command = z.object({
  text: z.string(),
  class: commandClass,
  parts: z.array(
    z.object({
      text: z.string(),
      class: commandClass,
      reason: z.string(),
      words: z.array(z.string()).exactOptional(),
    }),
  ),
  scripts: z.array(z.object({ name: z.string(), text: z.string() })),
  asks: z.string().exactOptional(),
  onceOnly: z.string().exactOptional(),
}) satisfies z.ZodType<ProposedCommand>;

const approval = z.object({
  id: z.string(),
  state: z.enum(approvalStates),
  tool: z.string(),
  arguments: z.unknown().optional(),
  principal: z.object({ credential: z.string(), connectionId: maybeText }),
  client: z.object({ name: z.string(), version: z.string() }).optional(),
  roots: z.array(z.string()).exactOptional(),
  reason: z.string().optional(),
  risk: z.enum(['edit', 'delete', 'execute', 'ui']),
  judgement: judgement.default(() => earlierJudgement),
  files: z.array(approvalFile),
  action: z
    .object({
      title: z.string(),
      definition: z.string(),
      arguments: z.unknown().optional(),
      paths: z.array(z.string()),
      remarks: z.array(z.string()),
      command: command.exactOptional(),
    })
    .exactOptional(),
  question: z.object({ text: z.string(), choices: z.array(z.string()), allowsText: z.boolean() }).exactOptional(),
  output: maybeText,
  outputIsError: z.literal(true).exactOptional(),
  answer: maybeText,
  indivisible: z.boolean(),
  leftOut: z.string().exactOptional(),
  purpose: z
    .object({ kind: z.literal('rename_symbol'), from: z.string(), to: z.string(), places: count })
    .exactOptional(),
  groupId: z.string(),
  proposalHash: z.string(),
  revision: count,
  requestedAt: count,
  expiresAt: count,
  displayedAt: count.exactOptional(),
  decidedAt: count.exactOptional(),
  appliedAt: count.exactOptional(),
  callReturned: z.boolean(),
  unheard: z.literal(true).exactOptional(),
  mustReachEnd: z.boolean(),
  moved: z.boolean(),
  reasonCode: z.enum(declineReasons).exactOptional(),
  userMessage: maybeText,
  comments: z
    .array(
      z.object({
        path: z.string(),
        side: z.enum(['before', 'after']),
        firstLine: count,
        lastLine: count,
        code: z.string(),
        comment: z.string(),
      }),
    )
    .exactOptional(),
  seenPlaces: z.array(z.string()).exactOptional(),
  withoutReading: z.literal(true).exactOptional(),
  outcomes: z.array(fileOutcome).exactOptional(),
  problems: z
    .object({
      new: z.array(problem),
      newCount: count,
      fixedCount: count,
      unchangedCount: count.exactOptional(),
      freshness: z.enum(['fresh', 'settling']),
    })
    .exactOptional(),
  note: maybeText,
  replacedBy: maybeText,
  turn: z.object({ id: z.string(), edit: count }).exactOptional(),
  reverts: maybeText,
  canUndo: z.boolean(),
  canRedo: z.boolean().default(false),
  canRebase: z.boolean(),
});

/** A text, kept in the history as UTF-8 under its SHA-256, and the encoding it has in its file. */
const keptText = z.object({ sha256: z.string(), encoding: z.string() });
export type KeptText = z.infer<typeof keptText>;

/** A file whose bytes are kept in the history under their SHA-256 when it is deleted. */
const treeFile = z.object({
  relative: z.string(),
  sha256: z.string(),
  size: count,
  mode: count,
  isLink: z.boolean(),
});

/** The user's choice: the text that would be applied, when it is not the proposed one. */
const choice = { included: z.boolean(), chosen: keptText.exactOptional() };
const after = {
  /** After an apply: the text of the file after our own save. Without it, the change cannot be undone. */
  after: keptText.exactOptional(),
  createdFolders: z.array(z.string()).exactOptional(),
  /** After an undo: the text of the file, which is not always the text before the change. */
  undone: keptText.exactOptional(),
  /** This part of the change was undone by itself. */
  takenBack: z.literal(true).exactOptional(),
};

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
  z.object({
    kind: z.literal('create'),
    uri: z.string(),
    result: keptText,
    ...choice,
    ...after,
    /** SHA-256 of the bytes of the file after an apply. */
    bytes: maybeText,
  }),
  z.object({
    kind: z.literal('delete'),
    uri: z.string(),
    isFolder: z.boolean(),
    files: z.array(treeFile),
    base: keptText.exactOptional(),
    toTrash: z.boolean(),
    recovery: z.enum(recoveries),
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

const pendingTurn = z.object({ direction: z.enum(['undo', 'redo']), files: z.array(count) });
export type PendingTurn = z.infer<typeof pendingTurn>;

const record = z.object({
  version: z.union([z.literal(2), z.literal(3)]),
  approval,
  /** In the order of `approval.files`. */
  changes: z.array(keptChange),
  /** Calling the tool again with the same arguments gives the same change; not so after a rebase. */
  repeatable: z.boolean(),
  /** URIs of the paths that an action affects. */
  places: z.array(z.string()).exactOptional(),
  /** An undo or a redo had begun, of the files with these indexes, in the order in which they were handed over. */
  pending: pendingTurn.exactOptional(),
});

/** The stored form of an approval, beside the contents it names. */
export interface ApprovalRecord {
  readonly version: 3;
  readonly approval: Approval;
  readonly changes: readonly KeptChange[];
  readonly repeatable: boolean;
  readonly places?: readonly string[];
  readonly pending?: PendingTurn;
}

/** Returns undefined for anything that is not a record of ours (another version, a damaged file). */
export function parseRecord(value: unknown): ApprovalRecord | undefined {
  const { data } = record.safeParse(value);
  if (data === undefined) return undefined;
  const { client, reason, action, ...rest } = data.approval;
  const requested = action && { action: { ...action, arguments: action.arguments } };
  return { ...data, version: 3, approval: { ...rest, client, reason, ...requested } };
}
