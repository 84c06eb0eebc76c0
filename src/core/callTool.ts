import { decideProposal } from '../policy/decide.ts';
import type { PathRules } from '../policy/protectedPaths.ts';
import type { Approver, ChangeOutcome, Waiting } from '../ports/approver.ts';
import type { AuditLog, CallRecord } from '../ports/auditLog.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClientInfo, Principal } from '../ports/principal.ts';
import { admit, createContext, type Trail } from './context.ts';
import { startProgress } from './progress.ts';
import { makeErrorResult, makeResult, textBytes, type ToolResult } from './result.ts';
import type { ResultProfile } from './resultProfile.ts';
import { withTimeLimit } from './timeLimit.ts';
import {
  InvalidArgumentsError,
  ToolError,
  type ErrorCode,
  type PageLimits,
  type Rendering,
  type Tool,
  type ToolCatalog,
  type ToolPorts,
} from './tool.ts';

/** One call: who, what, how to tell of progress and how to stop. */
export interface Call {
  readonly tool: string;
  readonly arguments: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly era: '2025' | '2026';
  readonly protocolVersion: string | undefined;
  /** Absent when the caller asked for no progress. */
  readonly progress?: (message: string) => void;
  readonly signal: AbortSignal;
}

/** The end of a call. The protocol layer answers the last two as the negotiated revision wants it. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'unknown_tool'; readonly message: string }
  | { readonly kind: 'invalid_arguments'; readonly message: string };

export interface CoreDependencies {
  readonly catalog: ToolCatalog;
  readonly ports: Omit<ToolPorts, 'tickets'>;
  readonly approver: Approver;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  /** Folders that hold the editor's and our own state; no tool reads or writes them. */
  readonly pathRules: PathRules;
  /** How this client wants its results; read at each call, so that a changed setting counts at once. */
  readonly profileFor: (client: ClientInfo | undefined) => ResultProfile;
  /** The user's caps on one result; read at each call. */
  readonly caps: () => { readonly readBytes: number; readonly maxResults: number };
}

export const defaultTimeLimitSeconds = 10;

/** Carries one `tools/call` from its arguments to the result its client can use. Never throws. */
export async function callTool(call: Call, dependencies: CoreDependencies): Promise<CallOutcome> {
  const tool = dependencies.catalog.tools.find(({ name }) => name === call.tool);
  if (tool === undefined) return unknownTool(call, dependencies);
  try {
    const { data, rendering } = await runTool(tool, call, dependencies);
    return { kind: 'result', result: makeResult(data, rendering, dependencies.profileFor(call.client)) };
  } catch (error) {
    if (error instanceof InvalidArgumentsError) {
      return { kind: 'invalid_arguments', message: `Invalid arguments for ${tool.name}: ${error.message}` };
    }
    return { kind: 'result', result: makeErrorResult(asToolError(error)) };
  }
}

export interface FinishedTool {
  readonly data: unknown;
  readonly rendering: Rendering;
}

interface CallTrail extends Trail {
  outcome?: ChangeOutcome;
}

/**
 * The life of a call, read top to bottom, with its record around it. A call whose start cannot be recorded does not run.
 * @throws InvalidArgumentsError, ToolError
 */
export async function runTool(tool: Tool, call: Call, dependencies: CoreDependencies): Promise<FinishedTool> {
  const started = dependencies.clock.monotonic();
  const record = beginRecord(call, dependencies.auditLog);
  const trail: CallTrail = { resources: [] };
  const end = (outcome: string, bytesOut: number, error?: unknown): void =>
    record.end({
      outcome,
      resources: trail.resources,
      ...(trail.decision && { decision: { effect: trail.decision.effect, reason: trail.decision.reason } }),
      ...(trail.outcome && { approvalId: trail.outcome.approvalId }),
      durationMilliseconds: dependencies.clock.monotonic() - started,
      bytesOut,
      ...(error !== undefined && { error }),
    });
  try {
    const finished = await carryOut(tool, call, dependencies, trail, record);
    const { data, rendering } = finished;
    end(trail.outcome?.status ?? 'ok', textBytes(data, rendering, dependencies.profileFor(call.client)));
    return finished;
  } catch (error) {
    const code = codeOf(error);
    end(code, 0, code === 'internal' ? error : undefined);
    throw error;
  }
}

async function carryOut(
  tool: Tool,
  call: Call,
  dependencies: CoreDependencies,
  trail: CallTrail,
  record: CallRecord,
): Promise<FinishedTool> {
  const { approver, clock, ports, pathRules } = dependencies;
  const input = tool.input.parse(call.arguments);
  const profile = dependencies.profileFor(call.client);
  const progress = startProgress(clock, call.progress, tool.title);
  const waiting: Waiting = {
    principal: call.principal,
    waitMilliseconds: profile.approvalSeconds * 1000,
    signal: call.signal,
    progress: call.progress ?? (() => undefined),
  };
  try {
    const context = await createContext(tool, input, {
      ports,
      tickets: { outcome: (approvalId) => approver.outcome(approvalId, waiting) },
      pathRules,
      limits: pageLimits(profile, dependencies.caps()),
      report: (message) => progress.report(message),
      trail,
    });
    const timeLimit = tool.timeLimitSeconds ?? defaultTimeLimitSeconds;
    if ('propose' in tool) {
      const proposal = await withTimeLimit(clock, timeLimit, call.signal, (signal) =>
        tool.propose(input, context, signal),
      );
      progress.dispose();
      const decision = decideProposal({ tool, proposal, workspace: ports.workspace, pathRules });
      admit(decision, trail);
      trail.outcome = await approver.request({
        ...waiting,
        proposal,
        tool: tool.name,
        arguments: call.arguments,
        client: call.client,
        reason: tool.reason(input),
        replaces: tool.replaces(input),
        protectedBy: decision.protectedBy,
        risk: decision.risk,
        onWaiting: (approvalId) => record.waits(approvalId, trail.resources),
      });
      return finish(tool, trail.outcome);
    }
    const data = await withTimeLimit(clock, timeLimit, call.signal, (signal) => tool.run(input, context, signal));
    return finish(tool, data);
  } finally {
    progress.dispose();
  }
}

export function pageLimits(profile: ResultProfile, caps: ReturnType<CoreDependencies['caps']>): PageLimits {
  return { listBytes: profile.pageBytes, readBytes: caps.readBytes, maxResults: caps.maxResults };
}

function finish<Output>(
  tool: { render(data: Output): Rendering; output: { check(data: Output): void } },
  data: Output,
): FinishedTool {
  tool.output.check(data);
  return { data, rendering: tool.render(data) };
}

function beginRecord(call: Call, auditLog: AuditLog): CallRecord {
  try {
    return auditLog.begin(call);
  } catch {
    throw new ToolError(
      'unavailable',
      'Drawbridge could not record this call, so it was not run.',
      'Ask the user to look at the Drawbridge output channel; then call again.',
    );
  }
}

function unknownTool(call: Call, { auditLog, clock, catalog }: CoreDependencies): CallOutcome {
  const started = clock.monotonic();
  try {
    beginRecord(call, auditLog).end({
      outcome: 'unknown_tool',
      resources: [],
      durationMilliseconds: clock.monotonic() - started,
      bytesOut: 0,
    });
  } catch (error) {
    return { kind: 'result', result: makeErrorResult(asToolError(error)) };
  }
  const names = catalog.tools.map(({ name }) => name).join(', ');
  return {
    kind: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(call.tool.slice(0, 100))}. The tools are: ${names}.`,
  };
}

function codeOf(error: unknown): ErrorCode | 'invalid_arguments' {
  if (error instanceof InvalidArgumentsError) return 'invalid_arguments';
  return error instanceof ToolError ? error.code : 'internal';
}

/** A bug of ours says so, and keeps its details to the log. */
export function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError(
    'internal',
    'Drawbridge failed on this call; this is a bug in Drawbridge, not in the call.',
    'Tell the user; details are in the Drawbridge output channel.',
  );
}
