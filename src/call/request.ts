import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { asToolError, runTool, type Asking, type CoreDependencies } from './callTool.ts';
import type { InputRequired, InvalidRequest, RequestFailure } from './outcomes.ts';
import { InputRequiredError, type OutputSchema, type ReadingTool, type ToolContext, type ToolPorts } from './tool.ts';

/** A request of the protocol that names no tool: it is carried out as the call of a tool that only looks. */
export interface ReadingRequest<Answer> {
  /** As the record calls it. */
  readonly name: string;
  readonly title: string;
  /** What was asked for, for the record. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The tool whose rules are this one's. */
  readonly judgedAs: string;
  readonly needs: readonly (keyof ToolPorts)[];
  readonly worksWithoutFolder?: boolean;
  readonly worksUntrusted?: boolean;
  /** What the human would have to be asked about is refused: nobody reads a card for every letter that is typed. */
  readonly asksNobody?: boolean;
  /** Throws InvalidArgumentsError when it asks for what there is not. */
  check?(): void;
  /** The addresses of files in it, so that the policy can judge them. Throws ToolError. */
  targets(): readonly string[];
  run(context: ToolContext, signal: AbortSignal): Promise<Answer>;
  /** What of the answer a model may come to read. */
  textOf?(answer: Answer): string;
}

/**
 * The answer, after the same gate, secret rules, redaction, limits and record as those of a call.
 * @throws InvalidArgumentsError, InputRequiredError, ToolError
 */
export async function carryOutRequest<Answer>(
  request: ReadingRequest<Answer>,
  asking: Asking,
  dependencies: CoreDependencies,
): Promise<Answer> {
  const { name, title, judgedAs, needs, worksWithoutFolder = false, worksUntrusted = false } = request;
  // What is handed to `render` has passed the redaction.
  let answer: { readonly shown: Answer } | undefined;
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
    output: madeHere,
    targets: () => request.targets(),
    run: (_input, context, signal) => request.run(context, signal),
    render(shown) {
      answer = { shown };
      return { text: request.textOf?.(shown) ?? '' };
    },
  };
  const call = { ...asking, tool: name, arguments: request.arguments };
  await runTool(tool, call, request.asksNobody === true ? withoutAsking(dependencies) : dependencies);
  if (answer === undefined) throw new Error('The request was carried out without an answer');
  return answer.shown;
}

/** Answers are typed and made by us, unlike data that has to match a schema which a client was told. */
const madeHere: OutputSchema<unknown> = { jsonSchema: {}, check: () => undefined };

function withoutAsking(dependencies: CoreDependencies): CoreDependencies {
  const { approver } = dependencies;
  return {
    ...dependencies,
    approver: {
      request: (request) => approver.request(request),
      outcome: (approvalId, waiting) => approver.outcome(approvalId, waiting),
      async permitRead() {
        const message = 'The user is asked before this is read.';
        throw new ToolError('denied', message, 'Read it by itself first; the user is asked then.');
      },
    },
  };
}

/** What the protocol layer answers when a request was not carried out. */
export function failureOf(error: unknown): RequestFailure {
  const { code, message, hint } = asToolError(error);
  return { kind: 'error', code, message, hint };
}

/** The same for requests whose arguments may be wrong. */
export function invalidOrFailed(error: unknown): InvalidRequest | RequestFailure {
  if (error instanceof InvalidArgumentsError) return { kind: 'invalid_params', message: error.message };
  return failureOf(error);
}

/** The same for requests that may ask the client for something first. */
export function unansweredOf(error: unknown): InputRequired | InvalidRequest | RequestFailure {
  if (!(error instanceof InputRequiredError)) return invalidOrFailed(error);
  return { kind: 'input_required', requests: error.requests, state: error.state };
}
