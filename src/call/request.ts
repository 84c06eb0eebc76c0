import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import type { Approver } from '#changes/approver.ts';
import { asToolError, runTool, type CallOrigin, type CoreDependencies } from './callTool.ts';
import type { InputRequired, InvalidRequest, RequestFailure } from './outcomes.ts';
import { InputRequiredError, type OutputSchema, type ReadingTool, type ToolContext, type ToolPorts } from './tool.ts';

/** A request of the protocol that names no tool. It is carried out as the call of a read-only tool. */
export interface ReadingRequest<Answer> {
  /** The name in the record. */
  readonly name: string;
  readonly title: string;
  /** The arguments for the record. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The name of the tool whose rules apply. */
  readonly judgedAs: string;
  readonly needs: readonly (keyof ToolPorts)[];
  readonly worksWithoutFolder?: boolean;
  readonly worksUntrusted?: boolean;
  /** Denies what the user would have to be asked about: a completion would show a card for every typed letter. */
  readonly asksNobody?: boolean;
  /** @throws InvalidArgumentsError when the arguments name something that does not exist */
  check?(): void;
  /**
   * Returns the addresses of files in the request, for the policy.
   * @throws ToolError
   */
  targets(): readonly string[];
  run(context: ToolContext, signal: AbortSignal): Promise<Answer>;
  /** Returns the text of the answer that a model may read, which counts as its size. */
  textOf?(answer: Answer): string;
}

/**
 * Returns the answer to a request, with the limits, policy, redaction and record of a tool call.
 * @throws InvalidArgumentsError, InputRequiredError, ToolError
 */
export async function carryOutRequest<Answer>(
  request: ReadingRequest<Answer>,
  origin: CallOrigin,
  dependencies: CoreDependencies,
): Promise<Answer> {
  const { name, title, judgedAs, needs, worksWithoutFolder = false, worksUntrusted = false } = request;
  // `render` gets the answer after the redaction.
  let answer: { readonly redacted: Answer } | undefined;
  const tool: ReadingTool<unknown, Answer, keyof ToolPorts> = {
    name,
    title,
    judgedAs,
    needs,
    worksWithoutFolder,
    worksUntrusted,
    description: title,
    toolset: 'workspace',
    risk: 'read',
    timeLimitSeconds: 20,
    input: { jsonSchema: {}, parse: () => request.check?.() },
    output: uncheckedOutput,
    targets: () => request.targets(),
    run: (_input, context, signal) => request.run(context, signal),
    render(redacted) {
      answer = { redacted };
      return { text: request.textOf?.(redacted) ?? '' };
    },
  };
  const call = { ...origin, tool: name, arguments: request.arguments };
  await runTool(tool, call, request.asksNobody === true ? withoutAsking(dependencies) : dependencies);
  if (answer === undefined) throw new Error('The request was carried out without an answer');
  return answer.redacted;
}

/** Answers have no schema that clients know, so they are not checked. */
const uncheckedOutput: OutputSchema<unknown> = { jsonSchema: {}, check: () => undefined };

function withoutAsking(dependencies: CoreDependencies): CoreDependencies {
  const { approver } = dependencies;
  const ask = async (): Promise<never> => {
    const message = 'Reading this needs the permission of the user.';
    throw new ToolError('denied', message, 'Read it on its own first, so that the user can be asked.');
  };
  const outcome: Approver['outcome'] = (approvalId, waiting) => approver.outcome(approvalId, waiting);
  return { ...dependencies, approver: { request: ask, permitRead: ask, outcome } };
}

/** Returns the failure of a request for the protocol layer. */
export function failureOf(error: unknown): RequestFailure {
  const { code, message, hint } = asToolError(error);
  return { kind: 'error', code, message, hint };
}

/** Returns the failure of a request whose arguments may be invalid. */
export function invalidOrFailed(error: unknown): InvalidRequest | RequestFailure {
  if (error instanceof InvalidArgumentsError) return { kind: 'invalid_params', message: error.message };
  return failureOf(error);
}

/** Returns the failure of a request that may need answers of the client first. */
export function unansweredOf(error: unknown): InputRequired | InvalidRequest | RequestFailure {
  if (!(error instanceof InputRequiredError)) return invalidOrFailed(error);
  return { kind: 'input_required', requests: error.requests, state: error.state };
}
