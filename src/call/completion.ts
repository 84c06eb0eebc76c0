import { routineRequests } from '#audit/auditLog.ts';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { CallOrigin, CoreDependencies } from './callTool.ts';
import type { Catalog } from './catalog.ts';
import type { CompletionOutcome, CompletionRequest } from './outcomes.ts';
import { carryOutRequest, invalidOrFailed } from './request.ts';
import { printable } from './sanitise.ts';
import type { ToolContext, ToolPorts } from './tool.ts';

/** Values that begin with or contain the typed text, best first. */
export interface Completed {
  readonly values: readonly string[];
  /** Number of all matching values, when it is known. */
  readonly total?: number;
}

/** Completes one argument of a prompt or one variable of a resource template. */
export interface Completion<Needs extends keyof ToolPorts = keyof ToolPorts> {
  /** The name of the tool whose rules apply. */
  readonly judgedAs: string;
  readonly needs: readonly Needs[];
  /** @param others the arguments that are already filled in, by name */
  complete(
    typed: string,
    others: Readonly<Record<string, string>>,
    context: ToolContext<Needs>,
    signal: AbortSignal,
  ): Promise<Completed>;
}

/** Returns the completion unchanged; it infers the type of `needs`. */
export function defineCompletion<const Needs extends keyof ToolPorts>(
  completion: Completion<Needs>,
): Completion<Needs> {
  return completion;
}

/** Maximum number of values in one answer (MCP, "Completion"). */
const maximumValues = 100;
/** UTF-8 bytes of the typed text, and of each argument that is already filled in. */
const maximumTyped = 8 * 1024;

/** Answers `completion/complete` as a call that never asks the user. Never throws. */
export async function complete(
  request: CompletionRequest,
  call: CallOrigin,
  dependencies: CoreDependencies,
): Promise<CompletionOutcome> {
  try {
    const { values, total } = await carryOutRequest(requestOf(request, dependencies.catalog), call, dependencies);
    const hasMore = (total ?? values.length) > maximumValues;
    return {
      kind: 'completion',
      values: values.slice(0, maximumValues).map(printable),
      ...(total === undefined ? {} : { total }),
      hasMore,
    };
  } catch (error) {
    return invalidOrFailed(error);
  }
}

function requestOf(request: CompletionRequest, catalog: Catalog) {
  const { of, argument, typed, others } = request;
  const target = targetOf(request, catalog);
  const completion = 'invalid' in target ? undefined : target.completion;
  return {
    name: routineRequests.complete,
    title: 'Complete argument',
    arguments: { ...of, argument, typed },
    judgedAs: completion?.judgedAs ?? routineRequests.complete,
    needs: completion?.needs ?? [],
    worksWithoutFolder: completion === undefined,
    worksUntrusted: completion === undefined,
    asksNobody: true,
    check() {
      if ('invalid' in target) throw new InvalidArgumentsError(target.invalid);
      if ([typed, ...Object.values(others)].some((text) => Buffer.byteLength(text) > maximumTyped)) {
        throw new InvalidArgumentsError(`A value is longer than ${maximumTyped} bytes.`);
      }
    },
    targets: () => [],
    async run(context: ToolContext, signal: AbortSignal): Promise<Completed> {
      return completion?.complete(typed, others, context, signal) ?? { values: [], total: 0 };
    },
  };
}

type Target = { readonly completion: Completion | undefined } | { readonly invalid: string };

function targetOf({ of, argument }: CompletionRequest, { prompts, resources }: Catalog): Target {
  if ('prompt' in of) {
    const prompt = prompts.find(({ name }) => name === of.prompt);
    if (prompt === undefined) return { invalid: `There is no prompt ${quoted(of.prompt)}.` };
    const found = prompt.arguments.find(({ name }) => name === argument);
    if (found === undefined) return { invalid: `${prompt.name} has no argument ${quoted(argument)}.` };
    return { completion: found.completion };
  }
  const resource = resources.find(({ address }) => 'uriTemplate' in address && address.uriTemplate === of.uriTemplate);
  if (resource === undefined) return { invalid: `There is no resource template ${quoted(of.uriTemplate)}.` };
  if (!variablesOf(of.uriTemplate).includes(argument)) {
    return { invalid: `${of.uriTemplate} has no variable ${quoted(argument)}.` };
  }
  const { completions = {} } = resource;
  return { completion: Object.hasOwn(completions, argument) ? completions[argument] : undefined };
}

/** Returns the names of the variables; an expression is an operator and names with modifiers (RFC 6570). */
function variablesOf(uriTemplate: string): readonly string[] {
  const expressions = [...uriTemplate.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  return expressions.flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/(\*|:\d+)$/, '')));
}
