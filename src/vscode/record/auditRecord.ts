import * as z from 'zod';

/** What a line of the record always has. */
const base = {
  v: z.literal(1),
  /** Rises strictly within a file. */
  seq: z.int(),
  /** UTC with milliseconds. */
  ts: z.iso.datetime({ precision: 3 }),
  /** Milliseconds of a clock that never goes back; for durations. */
  mono: z.number(),
  windowId: z.string(),
  /** One run of the window's extension host. */
  instanceId: z.string(),
};

export const auditResource = z.object({
  path: z.string().exactOptional(),
  outside: z.string().exactOptional(),
  protected: z.boolean().exactOptional(),
});

export const callReceived = z.object({
  ...base,
  event: z.literal('call.received'),
  tool: z.string(),
  client: z.object({ name: z.string(), version: z.string(), claimed: z.literal(true) }).exactOptional(),
  protocolVersion: z.string().exactOptional(),
  /** `window`, or the name of a token. */
  credential: z.string(),
  /** First 16 hex digits of the SHA-256 of the principal's key. */
  principal: z.string(),
  argsDigest: z.string(),
  argsPreview: z.string(),
});

export const callResult = z.object({
  ...base,
  event: z.literal('call.result'),
  /** `seq` of the start of the call. */
  parentSeq: z.int(),
  tool: z.string(),
  resources: z.array(auditResource),
  decision: z.object({ effect: z.enum(['allow', 'ask', 'deny']), reason: z.string() }).exactOptional(),
  approvalId: z.string().exactOptional(),
  outcome: z.string(),
  durationMs: z.number(),
  bytesOut: z.number(),
});

/** An approval came into another state. More fields than these are recorded. */
export const approvalState = z.object({
  ...base,
  event: z.literal('approval.state'),
  approvalId: z.string(),
  state: z.string(),
});

/** The lines from which the list of recent calls is made; others are for other readers. */
export const callHistoryRecord = z.discriminatedUnion('event', [callReceived, callResult, approvalState]);

export type CallReceived = z.infer<typeof callReceived>;
export type CallResult = z.infer<typeof callResult>;
export type ApprovalStateRecord = z.infer<typeof approvalState>;
export type CallHistoryRecord = z.infer<typeof callHistoryRecord>;
