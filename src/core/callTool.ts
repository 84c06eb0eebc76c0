import { decide, decideProposal, type Decision } from '../policy/decide.ts';
import { classifyPath, type PathRules } from '../policy/protectedPaths.ts';
import type { Approver, ChangeOutcome } from '../ports/approver.ts';
import type { AuditLog, AuditResource, CallRecord } from '../ports/auditLog.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResolvedPath } from '../ports/files.ts';
import type { ClientInfo, Principal } from '../ports/principal.ts';
import { outsideResource } from './outsideResource.ts';
import { bindPorts } from './gate.ts';
import { startProgress } from './progress.ts';
import { resolveAddress } from './resolve.ts';
import { makeErrorResult, makeResult, textBytes, type ToolResult } from './result.ts';
import type { ResultProfile } from './resultProfile.ts';
import { withTimeLimit } from './timeLimit.ts';
import {
  InvalidArgumentsError,
  ToolError,
  type ErrorCode,
  type Rendering,
  type Tool,
  type ToolCatalog,
  type ToolContext,
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
  readonly ports: ToolPorts;
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

const defaultTimeLimitSeconds = 10;

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

/** What the record of a call learns while it runs. */
interface Trail {
  readonly resources: AuditResource[];
  decision?: Decision;
  outcome?: ChangeOutcome;
}

/**
 * The life of a call, read top to bottom, with its record around it. A call whose start cannot be recorded does not run.
 * @throws InvalidArgumentsError, ToolError
 */
export async function runTool(tool: Tool, call: Call, dependencies: CoreDependencies): Promise<FinishedTool> {
  const started = dependencies.clock.monotonic();
  const record = beginRecord(call, dependencies.auditLog);
  const trail: Trail = { resources: [] };
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
  trail: Trail,
  record: CallRecord,
): Promise<FinishedTool> {
  const { clock, ports, pathRules } = dependencies;

  const input = tool.input.parse(call.arguments);
  if (tool.worksWithoutFolder !== true && ports.workspace.folders().length === 0) throw noFolder();

  const purpose = 'propose' in tool ? 'change' : 'read';
  const judge = (paths: readonly ResolvedPath[]): void => {
    const { workspace } = ports;
    admit(
      decide({ risk: tool.risk, worksUntrusted: tool.worksUntrusted === true, workspace, paths, pathRules }),
      trail,
    );
  };
  const resolve = async (address: string): Promise<ResolvedPath> => {
    try {
      const path = await resolveAddress(address, {
        workspace: ports.workspace,
        files: ports.files,
        pathRules,
        purpose,
      });
      const isProtected = classifyPath(path, pathRules).class === 'protected';
      trail.resources.push({ path: path.path, ...(isProtected && { protected: true }) });
      judge([path]);
      return path;
    } catch (error) {
      if (codeOf(error) === 'outside_workspace') trail.resources.push(outsideResource(address));
      throw error;
    }
  };
  judge([]);
  const targets = await Promise.all(tool.targets(input).map(resolve));

  const progress = startProgress(clock, call.progress, tool.title);
  const profile = dependencies.profileFor(call.client);
  const caps = dependencies.caps();
  const context: ToolContext = {
    ...bindPorts(ports, { pathRules }),
    targets,
    resolve,
    limits: { listBytes: profile.pageBytes, readBytes: caps.readBytes, maxResults: caps.maxResults },
    report: (message) => progress.report(message),
  };
  const timeLimit = tool.timeLimitSeconds ?? defaultTimeLimitSeconds;
  try {
    if ('propose' in tool) {
      const proposal = await withTimeLimit(clock, timeLimit, call.signal, (signal) =>
        tool.propose(input, context, signal),
      );
      progress.dispose();
      const decision = decideProposal({ tool, proposal, workspace: ports.workspace, pathRules });
      admit(decision, trail);
      trail.outcome = await dependencies.approver.request({
        proposal,
        tool: tool.name,
        arguments: call.arguments,
        principal: call.principal,
        client: call.client,
        reason: tool.reason(input),
        protectedBy: decision.protectedBy,
        waitMilliseconds: profile.approvalSeconds * 1000,
        signal: call.signal,
        onWaiting: (approvalId) => record.waits(approvalId, trail.resources),
        progress: call.progress ?? (() => undefined),
      });
      return finish(tool, trail.outcome);
    }
    const data = await withTimeLimit(clock, timeLimit, call.signal, (signal) => tool.run(input, context, signal));
    return finish(tool, data);
  } finally {
    progress.dispose();
  }
}

function finish<Output>(
  tool: { render(data: Output): Rendering; output: { check(data: Output): void } },
  data: Output,
): FinishedTool {
  tool.output.check(data);
  return { data, rendering: tool.render(data) };
}

/** Lets a decision stand on the record and throws when it is a refusal. */
function admit(decision: Decision, trail: Trail): void {
  trail.decision = decision;
  if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
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

function noFolder(): ToolError {
  return new ToolError(
    'workspace_unavailable',
    'This editor window has no folder open.',
    'Ask the user to open a folder (File > Open Folder); the tools work as soon as one is open, with no reconnect.',
  );
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
