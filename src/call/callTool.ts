import type { AuditDecision, AuditLog, CallRecord, CallStart } from '#audit/auditLog.ts';
import { redactText } from '#audit/redactText.ts';
import type { Clock } from '#base/clock.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { type ErrorCode, InvalidArgumentsError, type Log, ToolError } from '#base/toolError.ts';
import type { ApprovalRequest, Approver, ChangeOutcome, OutcomeStatus, Waiting } from '#changes/approver.ts';
import { type Amount, decideProposal, type Decision, judgementOf } from '#policy/decide.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';
import { type CallLimits, CallSlot } from './callLimits.ts';
import { type Catalog, refuseTurnedOff } from './catalog.ts';
import { admit, createContext, type PermitRead, type Trail } from './context.ts';
import { fittingOutcome } from './fittingOutcome.ts';
import type { InputRequired } from './outcomes.ts';
import { startProgress } from './progress.ts';
import { redactError, redactResult } from './redactResult.ts';
import type { ChangeSources } from './resource.ts';
import { makeErrorResult, makeResult, textBytes, type ToolResult } from './result.ts';
import { formOf, type ResultProfile } from './resultProfile.ts';
import { printable } from './sanitise.ts';
import { withTimeLimit } from './timeLimit.ts';
import {
  type ClientInput,
  InputRequiredError,
  type Media,
  type OutputSchema,
  type PageLimits,
  type Rendering,
  type Tool,
  type ToolPorts,
} from './tool.ts';
import { kindAsked } from './toolKinds.ts';
import type { UnaskedBudget } from './unaskedBudget.ts';

/** One call: who, what, how to tell of progress and how to stop. */
export interface Call {
  readonly tool: string;
  readonly arguments: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly era: '2025' | '2026';
  readonly protocolVersion: string | undefined;
  /** For the record: what the client calls its request, its session (hashed) and where it came from. */
  readonly requestId?: string;
  readonly sessionId?: string;
  readonly remotePort?: number;
  /** Absent when the caller asked for no progress. */
  readonly progress?: (message: string) => void;
  /** Absent when the caller asked for no log messages; whoever asked gets those of its level. */
  readonly log?: Log;
  /** `file:` URIs of what the client works on; absent when it has no roots to tell of. */
  readonly roots?: readonly string[];
  /** Answers of the client to what this very call asked it before. */
  readonly clientInput?: ClientInput;
  readonly signal: AbortSignal;
}

/** A request that is carried out as a call, though it names no tool. */
export type Asking = Omit<Call, 'tool' | 'arguments'>;

/** The end of a call. The protocol layer answers the last two as the negotiated revision wants it. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | InputRequired
  | { readonly kind: 'unknown_tool'; readonly message: string }
  | { readonly kind: 'invalid_arguments'; readonly message: string };

export interface CoreDependencies {
  readonly catalog: Catalog;
  readonly ports: Omit<ToolPorts, 'tickets'>;
  /** What tells that a watched resource may hold something else. */
  readonly sources: ChangeSources;
  readonly approver: Approver;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  /** Folders that hold the editor's and our own state; no tool reads or writes them. */
  readonly pathRules: PathRules;
  /** Mode and rules of this window. */
  readonly policy: Policy;
  readonly limits: CallLimits;
  /** What may still be changed without asking. */
  readonly unasked: UnaskedBudget;
  /** How this client wants its results in this revision; read at each call, so that a changed setting counts at once. */
  readonly profileFor: (client: ClientInfo | undefined, revision: string | undefined) => ResultProfile;
  /** The user's caps on one result; read at each call. */
  readonly caps: () => { readonly readBytes: number; readonly maxResults: number };
}

export const defaultTimeLimitSeconds = 10;

/** Carries one `tools/call` from its arguments to the result its client can use. Never throws. */
export async function callTool(call: Call, dependencies: CoreDependencies): Promise<CallOutcome> {
  const found = dependencies.catalog.tools.find(({ name }) => name === call.tool);
  if (found === undefined) return unknownTool(call, dependencies);
  const tool = kindAsked(found, call.arguments);
  try {
    const { data, rendering } = await runTool(tool, { ...call, tool: tool.name }, dependencies);
    return {
      kind: 'result',
      result: makeResult(data, rendering, dependencies.profileFor(call.client, call.protocolVersion)),
    };
  } catch (error) {
    if (error instanceof InputRequiredError) {
      return { kind: 'input_required', requests: error.requests, state: error.state };
    }
    if (error instanceof InvalidArgumentsError) {
      return { kind: 'invalid_arguments', message: `Invalid arguments for ${call.tool}: ${error.message}` };
    }
    return { kind: 'result', result: makeErrorResult(asToolError(error)) };
  }
}

export interface FinishedTool {
  readonly data: unknown;
  readonly rendering: Rendering;
  /** How many secrets the model does not see. */
  readonly redactedSecrets: number;
}

interface CallTrail extends Trail {
  /** Of an action: what the rules know it by. */
  definition?: string;
  outcome?: ChangeOutcome;
}

/**
 * The life of a call, read top to bottom, with its record around it. A call whose start cannot be recorded does not run.
 * @throws InvalidArgumentsError, ToolError
 */
export async function runTool(tool: Tool, call: Call, dependencies: CoreDependencies): Promise<FinishedTool> {
  const started = dependencies.clock.monotonic();
  const record = beginRecord({ ...call, risk: tool.risk }, dependencies.auditLog);
  const trail: CallTrail = { resources: [] };
  const end = (outcome: string, bytesOut: number, error?: unknown): void => {
    const durationMilliseconds = dependencies.clock.monotonic() - started;
    record.end({
      outcome,
      resources: trail.resources,
      ...(trail.decision && { decision: auditDecision(trail.decision) }),
      ...(trail.definition !== undefined && { definition: trail.definition }),
      ...(trail.outcome && { approvalId: trail.outcome.approvalId }),
      durationMilliseconds,
      bytesOut,
      ...(error !== undefined && { error }),
    });
    const level = outcome === 'internal' ? 'error' : 'debug';
    call.log?.(level, `${tool.name} ended with ${outcome} after ${Math.round(durationMilliseconds)} ms.`);
  };
  const recordRedaction = (count: number): void => {
    if (count === 0) return;
    dependencies.auditLog.event({ event: 'redaction', tool: tool.name, count });
    call.log?.('notice', `${tool.name} left out what looks like secrets: ${count}.`);
  };
  try {
    const finished = await carryOut(tool, call, dependencies, trail, record);
    const { data, rendering, redactedSecrets } = finished;
    recordRedaction(redactedSecrets);
    end(
      trail.outcome?.status ?? 'ok',
      textBytes(data, rendering, dependencies.profileFor(call.client, call.protocolVersion)),
    );
    return finished;
  } catch (error) {
    const code = codeOf(error);
    const redacted = redactError(error);
    recordRedaction(redacted.count);
    end(code, 0, code === 'internal' ? error : undefined);
    throw redacted.error;
  }
}

async function carryOut(
  tool: Tool,
  call: Call,
  dependencies: CoreDependencies,
  trail: CallTrail,
  record: CallRecord,
): Promise<FinishedTool> {
  const { approver, auditLog, clock, limits, ports, pathRules, policy, unasked } = dependencies;
  limits.admit(tool.risk, call.principal);
  refuseTurnedOff(tool, dependencies.catalog);
  const input = tool.input.parse(call.arguments);
  const profile = dependencies.profileFor(call.client, call.protocolVersion);
  const progress = startProgress(clock, call.progress, tool.title);
  const limitsOfResult = pageLimits(profile, dependencies.caps());
  const media: Media[] = [];
  const waiting: Waiting = {
    principal: call.principal,
    waitMilliseconds: profile.approvalSeconds * 1000,
    signal: call.signal,
    progress: call.progress ?? (() => undefined),
    attach: (each) => void media.push(each),
  };
  const slot = new CallSlot(() => limits.slot(call.principal, call.signal));
  const permitRead: PermitRead = (request) =>
    slot.whileWaiting(() => approver.permitRead({ ...waiting, ...request, tool: tool.name, client: call.client }));
  try {
    // Who only waits for the human takes no slot.
    if (tool.needs.every((need) => need !== 'tickets')) await slot.take();
    const context = await createContext(tool, input, {
      ports,
      principal: call.principal,
      policy,
      permitRead,
      tickets: {
        async outcome(approvalId) {
          const outcome = await approver.outcome(approvalId, waiting);
          return outcome && fittingOutcome(outcome, limitsOfResult.readBytes);
        },
      },
      pathRules,
      limits: limitsOfResult,
      report: (message) => progress.report(shown(message)),
      log: (level, message) => call.log?.(level, shown(message)),
      clientInput: call.clientInput ?? { responses: {} },
      attach: (each) => void media.push(each),
      roots: call.roots,
      trail,
    });
    const timeLimit = tool.timeLimitSeconds ?? defaultTimeLimitSeconds;
    if ('propose' in tool) {
      const proposal = await withTimeLimit(clock, timeLimit, call.signal, (signal) =>
        tool.propose(input, context, signal),
      );
      progress.dispose();
      slot.release();
      if (proposal.kind === 'action') trail.definition = proposal.definition;
      const decision = decideProposal({
        tool,
        proposal,
        workspace: ports.workspace,
        pathRules,
        policy,
        caller: { tool: tool.name, principal: call.principal },
        budget: unasked.of(call.principal),
      });
      admit(decision, trail, policy);
      if (decision.rule !== undefined) policy.used(decision.rule);
      const request: ApprovalRequest = {
        ...waiting,
        proposal,
        tool: tool.name,
        arguments: call.arguments,
        client: call.client,
        ...(call.roots && { roots: call.roots }),
        reason: tool.reason(input),
        replaces: tool.replaces?.(input),
        judgement: judgementOf(decision),
        onWaiting(approvalId) {
          record.waits(approvalId, trail.resources);
          call.log?.('info', `The user is asked to decide about ${approvalId}.`);
          const said = { tool: tool.name, decision: auditDecision(decision) };
          auditLog.event({ event: 'policy.decision', approvalId, ...said });
        },
      };
      trail.outcome = await (decision.effect === 'allow'
        ? applyUnasked(request, decision.amount, dependencies)
        : approver.request(request));
      return finish(tool, fittingOutcome(trail.outcome, limitsOfResult.readBytes), media);
    }
    const data = await withTimeLimit(clock, timeLimit, call.signal, (signal) => tool.run(input, context, signal));
    return finish(tool, data, media);
  } finally {
    progress.dispose();
    slot.release();
  }
}

/** Outcomes after which nothing was changed, for certain. */
const unchanged: ReadonlySet<OutcomeStatus> = new Set(['declined', 'expired', 'withdrawn', 'superseded', 'stale']);

/** What is applied without asking counts before it is: calls at the same time must not all find room for it. */
async function applyUnasked(
  request: ApprovalRequest,
  amount: Amount,
  { approver, unasked }: CoreDependencies,
): Promise<ChangeOutcome> {
  const takeBack = unasked.spend(request.principal, amount);
  try {
    const outcome = await approver.request(request);
    if (unchanged.has(outcome.status)) takeBack();
    return outcome;
  } catch (error) {
    takeBack();
    throw error;
  }
}

function auditDecision({ effect, step, reason, rule, mode, trusted, explain }: Decision): AuditDecision {
  return {
    effect,
    step,
    reason,
    ...(rule && { ruleId: rule.id, scope: rule.scope }),
    mode,
    trusted,
    // A colon behind `secret` would make a secret of what follows, for whoever writes the record.
    explain: explain.map((each) => `${each.step} - ${each.detail}`),
  };
}

export function pageLimits(profile: ResultProfile, caps: ReturnType<CoreDependencies['caps']>): PageLimits {
  return {
    listBytes: profile.pageBytes,
    readBytes: Math.min(caps.readBytes, profile.readBytes),
    maxResults: caps.maxResults,
    form: formOf(profile),
  };
}

function finish<Output>(
  tool: { render(data: Output): Rendering; output: OutputSchema<Output> },
  found: Output,
  media: readonly Media[],
): FinishedTool {
  const { data, count } = redactResult(found, tool.output.jsonSchema);
  tool.output.check(data);
  const rendering = tool.render(data);
  const attached = media.length === 0 ? rendering : { ...rendering, media: [...(rendering.media ?? []), ...media] };
  return { data, rendering: attached, redactedSecrets: count };
}

function beginRecord(call: CallStart, auditLog: AuditLog): CallRecord {
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
  const names = catalog.offered.map(({ name }) => name).join(', ');
  return {
    kind: 'unknown_tool',
    message: printable(`There is no tool ${JSON.stringify(call.tool.slice(0, 100))}. The tools are: ${names}.`),
  };
}

/** What a tool says on its way, as a model may see it. */
function shown(message: string): string {
  return printable(redactText(message).text);
}

function codeOf(error: unknown): ErrorCode | 'invalid_arguments' | 'input_required' {
  if (error instanceof InputRequiredError) return 'input_required';
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
