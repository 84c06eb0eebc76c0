import type { AuditDecision, AuditLog, CallEnd, CallRecord, CallStart } from '#audit/auditLog.ts';
import { redactText } from '#audit/redactText.ts';
import type { Clock } from '#base/clock.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { type ErrorCode, InvalidArgumentsError, type Log, ToolError } from '#base/toolError.ts';
import type { ApprovalRequest, Approver, ChangeOutcome, OutcomeStatus, Waiting } from '#changes/approver.ts';
import { type Amount, decideProposal, type Decision, judgementOf } from '#policy/decide.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';
import { acceptedArguments } from './argumentWords.ts';
import { type CallLimits, CallSlot } from './callLimits.ts';
import { type Catalog, refuseTurnedOff } from './catalog.ts';
import { admit, createContext, hidesLiteralsOf, type PermitRead, type Trail } from './context.ts';
import { fittingOutcome } from './fittingOutcome.ts';
import { type FolderAccess, requireFolderAccess } from './folderAccess.ts';
import type { InputRequired } from './outcomes.ts';
import { startProgress } from './progress.ts';
import { redactError, redactResult } from './redactResult.ts';
import type { ChangeSources } from './resource.ts';
import { countsOf, makeErrorResult, makeResult, textBytes, type ToolResult } from './result.ts';
import { formOf, type ResultProfile } from './resultProfile.ts';
import { printable } from './sanitise.ts';
import { tellingOf } from './serviceText.ts';
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
import { type Called, inSchemaForm, takesPaths, withExistingPaths } from './understood.ts';

/** One tool call: its caller, its arguments, and how to report progress and to cancel it. */
export interface Call {
  readonly tool: string;
  readonly arguments: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly era: '2025' | '2026';
  readonly protocolVersion: string | undefined;
  /** For the record: the id of the request in the protocol, the hash of the session id, and the port of the client. */
  readonly requestId?: string;
  readonly sessionId?: string;
  readonly remotePort?: number;
  /** Absent when the client did not ask for progress. */
  readonly progress?: (message: string) => void;
  /** Absent when the client did not ask for log messages. */
  readonly log?: Log;
  /**
   * Real path of the folder in which the assistant works; absent when something else says that it is meant for this window
   * (docs/connecting.md, "Which window").
   */
  readonly worksIn?: string;
  /** The roots of the client as `file:` URIs (MCP, "Roots"); absent when the client has no roots. */
  readonly roots?: readonly string[];
  /** The answers of the client to the requests of an earlier attempt of this call. */
  readonly clientInput?: ClientInput;
  readonly signal: AbortSignal;
}

/** The origin of a request that names no tool, and that is carried out as a call. */
export type CallOrigin = Omit<Call, 'tool' | 'arguments'>;

/** Names the approval that a call waits for, so that its client can ask the next run of the window for the outcome. */
export interface Ticket {
  readonly approvalId: string;
  /** Milliseconds that the call would have gone on waiting. */
  readonly waitMilliseconds: number;
}

/** The end of a call. The protocol layer encodes the last two as the negotiated revision requires. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly result: ToolResult; readonly ticket?: Ticket }
  | InputRequired
  | { readonly kind: 'unknown_tool'; readonly message: string }
  | { readonly kind: 'invalid_arguments'; readonly message: string };

export interface CoreDependencies {
  readonly catalog: Catalog;
  readonly ports: Omit<ToolPorts, 'tickets'>;
  /** Events that tell when a watched resource may have changed. */
  readonly sources: ChangeSources;
  readonly approver: Approver;
  /** Which assistants from other folders may use this window. */
  readonly folderAccess: FolderAccess;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  /** The folders with the state of the editor and of Drawbridge, which no tool reads or writes. */
  readonly pathRules: PathRules;
  /** The mode and rules of this window. */
  readonly policy: Policy;
  readonly limits: Pick<CallLimits, 'admit' | 'slot'>;
  /** How much may still be changed without asking the user. */
  readonly unasked: UnaskedBudget;
  /** Returns the form of results for a client and a revision. It is called for each call, so a changed setting counts at once. */
  readonly profileFor: (client: ClientInfo | undefined, revision: string | undefined) => ResultProfile;
  /** Returns the user's limits on one result. It is called for each call. */
  readonly caps: () => { readonly readBytes: number; readonly maxResults: number };
}

export const defaultTimeLimitSeconds = 10;

/** Answers `tools/call` with a result in the form that the client uses. Never throws. */
export async function callTool(call: Call, dependencies: CoreDependencies): Promise<CallOutcome> {
  const found = dependencies.catalog.tools.find(({ name }) => name === call.tool);
  if (found === undefined) return unknownTool(call, dependencies);
  // From here on, the policy, the approval and the record see one form of the arguments, and it decides about the kind.
  const shaped = inSchemaForm(found, call.arguments);
  const tool = kindAsked(found, shaped);
  try {
    const given = takesPaths(tool) ? await withPathsOf(tool, shaped, call, dependencies) : shaped;
    const finished = await runTool(tool, { ...call, tool: tool.name, arguments: given }, dependencies);
    const result = makeResult(finished.data, finished.rendering, finished.profile);
    return { kind: 'result', result, ...(finished.ticket && { ticket: finished.ticket }) };
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

/**
 * Returns arguments with the paths that they stand for. Nothing is looked up for an assistant from another folder that the user has
 * not let in.
 */
export async function withPathsOf(
  called: Called,
  given: unknown,
  { principal, roots, worksIn }: Pick<Call, 'principal' | 'roots' | 'worksIn'>,
  { folderAccess, pathRules, policy, ports }: CoreDependencies,
): Promise<unknown> {
  if (worksIn !== undefined && folderAccess.mayUse(principal, worksIn) !== true) return given;
  return withExistingPaths(called, given, { ports, pathRules, policy, principal, roots });
}

export interface FinishedTool {
  readonly data: unknown;
  readonly rendering: Rendering;
  /** How the client of the call uses the result. */
  readonly profile: ResultProfile;
  /** Number of secrets that were redacted. */
  readonly redactedSecrets: number;
  /** Present when the call ends only because the window does. */
  readonly ticket?: Ticket;
}

interface CallTrail extends Trail {
  /** The definition of an action, by which rules name it. */
  definition?: string;
  outcome?: ChangeOutcome;
}

/**
 * Runs a tool and records the call. A call whose start cannot be recorded does not run.
 * @throws InvalidArgumentsError, InputRequiredError, ToolError
 */
export async function runTool(tool: Tool, call: Call, dependencies: CoreDependencies): Promise<FinishedTool> {
  const started = dependencies.clock.monotonic();
  const record = beginRecord({ ...call, risk: tool.risk }, dependencies.auditLog);
  const trail: CallTrail = { resources: [] };
  const end = (outcome: string, bytesOut: number, { counts, error }: Pick<CallEnd, 'counts' | 'error'>): void => {
    const durationMilliseconds = dependencies.clock.monotonic() - started;
    record.end({
      outcome,
      resources: trail.resources,
      ...(trail.decision && { decision: auditDecision(trail.decision) }),
      ...(trail.definition !== undefined && { definition: trail.definition }),
      ...(trail.outcome && { approvalId: trail.outcome.approvalId }),
      durationMilliseconds,
      bytesOut,
      ...(counts && { counts }),
      ...(error !== undefined && { error }),
    });
    const level = outcome === 'internal' ? 'error' : 'debug';
    call.log?.(level, `${tool.name} ended with ${outcome} after ${Math.round(durationMilliseconds)} ms.`);
  };
  const recordRedaction = (count: number): void => {
    if (count === 0) return;
    dependencies.auditLog.event({ event: 'redaction', tool: tool.name, count });
    call.log?.('notice', `${tool.name} redacted ${count} possible secrets.`);
  };
  try {
    const finished = await carryOut(tool, call, dependencies, trail, record);
    const { data, rendering, redactedSecrets, profile } = finished;
    recordRedaction(redactedSecrets);
    end(trail.outcome?.status ?? 'ok', textBytes(data, rendering, profile), { counts: countsOf(data) });
    return finished;
  } catch (error) {
    const code = codeOf(error);
    const redacted = redactError(error);
    recordRedaction(redacted.count);
    end(code, 0, code === 'internal' ? { error } : {});
    throw redacted.error;
  }
}

/** The life of a call, read from top to bottom: limits, access to the window, input, context, proposal and decision or run, result. */
async function carryOut(
  tool: Tool,
  call: Call,
  dependencies: CoreDependencies,
  trail: CallTrail,
  record: CallRecord,
): Promise<FinishedTool> {
  const { approver, auditLog, clock, limits, ports, pathRules, policy, unasked } = dependencies;
  limits.admit(tool.risk, call.principal);
  const profile = dependencies.profileFor(call.client, call.protocolVersion);
  const media: Media[] = [];
  const entering: Waiting = {
    principal: call.principal,
    waitMilliseconds: profile.approvalSeconds * 1000,
    signal: call.signal,
    progress: call.progress ?? (() => undefined),
    attach: (each) => void media.push(each),
  };
  const entered = clock.monotonic();
  const onWaiting = (approvalId: string): void => record.waits(approvalId, []);
  await requireFolderAccess(call, { ...entering, onWaiting }, dependencies);
  const left = (): number => Math.max(0, entering.waitMilliseconds - (clock.monotonic() - entered));
  let ticket: Ticket | undefined;
  const waiting: Waiting = {
    ...entering,
    waitMilliseconds: left(),
    onSuspended: (approvalId) => (ticket = { approvalId, waitMilliseconds: Math.round(left()) }),
  };
  const ended = (data: Omit<FinishedTool, 'profile'>): FinishedTool => ({
    ...data,
    profile,
    ...(ticket && { ticket }),
  });
  refuseTurnedOff(tool, dependencies.catalog);
  const input = parseArguments(tool, call.arguments);
  const progress = startProgress(clock, call.progress, tool.title);
  const limitsOfResult = pageLimits(tool, profile, dependencies.caps());
  const slot = new CallSlot(() => limits.slot(call.principal, call.signal));
  const permitRead: PermitRead = (request) =>
    slot.whileWaiting(() => approver.permitRead({ ...waiting, ...request, tool: tool.name, client: call.client }));
  try {
    // A call that only waits for the user takes no slot.
    if (tool.needs.every((need) => need !== 'tickets')) await slot.take();
    const context = await createContext(tool, input, {
      ports,
      principal: call.principal,
      policy,
      clock,
      permitRead,
      tickets: {
        async outcome(approvalId) {
          const outcome = await approver.outcome(approvalId, waiting);
          return outcome && fittingOutcome(await toldOutcome(outcome, call, dependencies), limitsOfResult.readBytes);
        },
      },
      pathRules,
      limits: limitsOfResult,
      report: (message) => progress.report(printableRedacted(message)),
      log: (level, message) => call.log?.(level, printableRedacted(message)),
      clientInput: call.clientInput ?? { responses: {} },
      attach: (each) => void media.push(each),
      roots: call.roots,
      trail,
    });
    const timeLimit = tool.timeLimitSeconds ?? defaultTimeLimitSeconds;
    const withinTime = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      withTimeLimit(clock, timeLimit, call.signal, work).catch(async (error: unknown) => {
        throw await context.withNearestPaths(error, call.signal);
      });
    if ('propose' in tool) {
      const proposal = await withinTime((signal) => tool.propose(input, context, signal));
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
          const entry = { tool: tool.name, decision: auditDecision(decision) };
          auditLog.event({ event: 'policy.decision', approvalId, ...entry });
        },
      };
      trail.outcome = await (decision.effect === 'allow'
        ? applyUnasked(request, decision.amount, dependencies)
        : approver.request(request));
      const told = await toldOutcome(trail.outcome, { ...call, tool: tool.name }, dependencies);
      return ended(finish(tool, fittingOutcome(told, limitsOfResult.readBytes), media));
    }
    const data = await withinTime((signal) => tool.run(input, context, signal));
    return ended(finish(tool, data, media));
  } finally {
    progress.dispose();
    slot.release();
  }
}

/** @throws InvalidArgumentsError that says what is wrong, which parameters there are, and how a right call looks */
function parseArguments(tool: Tool, given: unknown): unknown {
  try {
    return tool.input.parse(given);
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    throw new InvalidArgumentsError([error.message, ...acceptedArguments(tool)].join(' '));
  }
}

/** Returns an outcome whose problems say no more than `get_diagnostics` would. */
async function toldOutcome(
  outcome: ChangeOutcome,
  { tool, principal }: Pick<Call, 'tool' | 'principal'>,
  { ports, pathRules, policy }: CoreDependencies,
): Promise<ChangeOutcome> {
  const { problems } = outcome;
  if (problems === undefined || problems.new.length === 0) return outcome;
  const hides = await hidesLiteralsOf(ports, {
    workspace: ports.workspace,
    pathRules,
    policy,
    caller: { tool, principal },
  });
  const { message } = tellingOf(hides);
  // The code begins with the name of the service, as in ts(2322).
  const sourceOf = (code = ''): string | undefined => /^[\w-]+/.exec(code)?.[0];
  const told = problems.new.map((one) => ({ ...one, message: message(one.message, sourceOf(one.code)) }));
  return { ...outcome, problems: { ...problems, new: told } };
}

/** Outcomes that are certain to have changed nothing. */
const unchanged: ReadonlySet<OutcomeStatus> = new Set(['declined', 'expired', 'withdrawn', 'superseded', 'stale']);

/** Counts a change that is applied without asking before it is applied, so that simultaneous calls cannot exceed the budget together. */
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
    // With a colon after the step `secret`, the record would redact what follows.
    explain: explain.map((each) => `${each.step} - ${each.detail}`),
  };
}

/** Returns the limits of one result, from the profile of the client and the settings of the user. */
export function pageLimits(
  { hasLongResults }: Pick<Tool, 'hasLongResults'>,
  profile: ResultProfile,
  caps: ReturnType<CoreDependencies['caps']>,
): PageLimits {
  const { unnamedBytes = profile.readBytes } = hasLongResults === true ? {} : profile;
  return {
    listBytes: profile.pageBytes,
    readBytes: Math.min(caps.readBytes, profile.readBytes, unnamedBytes),
    maxResults: caps.maxResults,
    form: formOf(profile),
  };
}

function finish<Output>(
  tool: { render(data: Output): Rendering; output: OutputSchema<Output> },
  found: Output,
  media: readonly Media[],
): Omit<FinishedTool, 'profile'> {
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

/** Returns a message of a running tool as a model may see it. */
function printableRedacted(message: string): string {
  return printable(redactText(message).text);
}

function codeOf(error: unknown): ErrorCode | 'invalid_arguments' | 'input_required' {
  if (error instanceof InputRequiredError) return 'input_required';
  if (error instanceof InvalidArgumentsError) return 'invalid_arguments';
  return error instanceof ToolError ? error.code : 'internal';
}

/** Returns the error as the model sees it. The details of an unexpected error stay in the log. */
export function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError(
    'internal',
    'Drawbridge failed on this call; this is a bug in Drawbridge, not in the call.',
    'Tell the user; details are in the Drawbridge output channel.',
  );
}
