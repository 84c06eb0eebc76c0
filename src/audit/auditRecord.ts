/** Schemas of the lines of the audit record. */
import * as z from 'zod';
import { runEnd } from './runEnds.ts';

/** Fields that every line of the record has (docs/security.md, "Audit"). */
const base = {
  /** Version 1 has no chain and fewer fields; Drawbridge still reads it, but writes only version 2. */
  v: z.literal([1, 2]),
  /** Rises strictly within one run of a window, across all its files. */
  seq: z.int(),
  /** UTC time with milliseconds. */
  ts: z.iso.datetime({ precision: 3 }),
  /** Milliseconds of a monotonic clock, for durations. */
  mono: z.number(),
  windowId: z.string(),
  /** Id of one run of the window's extension host. */
  instanceId: z.string(),
  /** Only in the first line of a run: lines that the runs before it had reached. */
  before: z.array(runEnd).exactOptional(),
  /** Hashes of the previous line and of this line; see `hashChain.ts`. Absent in version 1. */
  prev: z.string().exactOptional(),
  hash: z.string().exactOptional(),
};

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const auditResource = z.object({
  /** Workspace-relative. */
  path: z.string().exactOptional(),
  /** First 16 hex digits of the SHA-256 of a path outside the workspace, and its base name. */
  outside: z.string().exactOptional(),
  folder: z.string().exactOptional(),
  realDiffers: z.boolean().exactOptional(),
  inside: z.boolean().exactOptional(),
  protected: z.boolean().exactOptional(),
  secret: z.boolean().exactOptional(),
});

/** A decision. Version 1 has only `effect` and `reason`. */
const decision = z.object({
  effect: z.enum(['allow', 'ask', 'deny']),
  step: z.string().exactOptional(),
  reason: z.string(),
  ruleId: z.string().exactOptional(),
  scope: z.string().exactOptional(),
  mode: z.string().exactOptional(),
  trusted: z.boolean().exactOptional(),
  explain: z.array(z.string()).exactOptional(),
});

/** A tool call arrived. */
export const callReceived = z.object({
  ...base,
  event: z.literal('call.received'),
  tool: z.string(),
  /** The tool's risk. */
  class: z.string().exactOptional(),
  client: z.object({ name: z.string(), version: z.string(), claimed: z.literal(true) }).exactOptional(),
  protocolVersion: z.string().exactOptional(),
  requestId: z.string().exactOptional(),
  /** Hash of the session id. */
  sessionId: z.string().exactOptional(),
  remotePort: z.int().exactOptional(),
  /** `window`, or the name of an access token. */
  credential: z.string(),
  /** First 16 hex digits of the SHA-256 of the principal's key. */
  principal: z.string(),
  argsDigest: z.string(),
  argsPreview: z.string(),
});

/** A tool call ended. */
export const callResult = z.object({
  ...base,
  event: z.literal('call.result'),
  /** `seq` of the `call.received` line of the same call. */
  parentSeq: z.int(),
  tool: z.string(),
  resources: z.array(auditResource),
  decision: decision.exactOptional(),
  /** For an action: the name by which rules refer to it. */
  definition: z.string().exactOptional(),
  approvalId: z.string().exactOptional(),
  journalId: z.string().exactOptional(),
  outcome: z.string(),
  durationMs: z.number(),
  bytesOut: z.number(),
});

/** An approval changed its state. The record may hold more fields than these. */
export const approvalState = z.object({
  ...base,
  event: z.literal('approval.state'),
  approvalId: z.string(),
  state: z.string(),
  tool: z.string().exactOptional(),
  proposalHash: z.string().exactOptional(),
  /** Milliseconds since the epoch. */
  displayedAt: z.number().exactOptional(),
  decidedAt: z.number().exactOptional(),
  /** Milliseconds from the first time the card was on screen to the decision. */
  latencyMs: z.number().exactOptional(),
  /** The choice of the user, for example `approve`, `approve_always`, `decline`, `answer`, `dismiss`. */
  choice: z.string().exactOptional(),
  /** For an action: the name by which rules refer to it. */
  definition: z.string().exactOptional(),
  /** For a change that a crash left half done: the digest of the arguments of its call. */
  argsDigest: z.string().exactOptional(),
  hunks: z.object({ total: count, accepted: count }).exactOptional(),
  /** True when the user edited the proposal. */
  edited: z.boolean().exactOptional(),
  /** Length of the user's feedback to the assistant, in characters; the feedback itself is not recorded. */
  feedbackLen: count.exactOptional(),
});

/** A file of an apply or a revert; its texts before and after are recorded as hashes only. */
const appliedFile = z.object({
  path: z.string(),
  movedFrom: z.string().exactOptional(),
  change: z.string().exactOptional(),
  state: z.string().exactOptional(),
  before: z.object({ sha256: hash }).exactOptional(),
  after: z.object({ sha256: hash }).exactOptional(),
  linesAdded: count.exactOptional(),
  linesRemoved: count.exactOptional(),
  /** True when saving changed more than the proposal, for example by a formatter. */
  formatter: z.boolean().exactOptional(),
  saved: z.boolean().exactOptional(),
  dirtyBefore: z.boolean().exactOptional(),
});

/** The lines from which the list of recent calls is made. */
export const callHistoryRecord = z.discriminatedUnion('event', [callReceived, callResult, approvalState]);

/** Every line of the record. An event may hold more fields than these. */
export const auditRecord = z.discriminatedUnion('event', [
  callReceived,
  callResult,
  approvalState.extend({ approvalId: z.string().exactOptional() }),
  event('policy.decision', { decision, approvalId: z.string().exactOptional() }),
  event('apply', { approvalId: z.string(), journalId: z.string().exactOptional(), files: z.array(appliedFile) }),
  event('revert', { approvalId: z.string(), outcome: z.string(), files: z.array(appliedFile).exactOptional() }),
  event('restriction', { state: z.string() }),
  event('rule.change', { change: z.string(), ruleId: z.string(), scope: z.string() }),
  event('mode.change', { mode: z.string(), previous: z.string().exactOptional() }),
  event('guard.change', { state: z.enum(['off', 'on']), until: z.number().exactOptional() }),
  event('token.change', { state: z.string(), name: z.string() }),
  event('tool.pin', { state: z.enum(['pinned', 'unpinned', 'changed']), name: z.string(), pin: hash.exactOptional() }),
  event('tool.unknown', { assistant: z.string(), tool: z.string() }),
  event('auth.failure', { more: count.exactOptional() }),
  event('session.open', {}),
  event('session.close', {}),
  event('server.start', { endpoint: z.string().exactOptional(), version: z.string().exactOptional() }),
  event('server.stop', {}),
  event('redaction', { tool: z.string(), count }),
  event('export', { range: z.string(), lines: count, redactions: z.record(z.string(), count), chainEnd: hash }),
  event('records.removal', {
    why: z.enum(['age', 'user']),
    removed: z.array(z.object({ auditFile: z.string() })),
  }),
  event('records.deleted', { files: count, bytes: count, history: z.boolean() }),
]);

export type CallReceived = z.infer<typeof callReceived>;
export type CallResult = z.infer<typeof callResult>;
export type ApprovalStateRecord = z.infer<typeof approvalState>;
export type CallHistoryRecord = z.infer<typeof callHistoryRecord>;

function event<Name extends string, Fields extends z.ZodRawShape>(name: Name, fields: Fields) {
  return z.looseObject({ ...base, event: z.literal(name), ...fields });
}
