import type { ActionProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import { defineProposingTool, type ProposingTool, type ToolContext, type ToolPorts } from '#call/tool.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';

/** The port behind a foreign tool: commands of the editor, or tools of other extensions. */
type ForeignPort = 'commands' | 'otherTools';

/** A tool call as rules and the approval know it. */
export type ForeignCall = Pick<ActionProposal, 'definition' | 'arguments'>;

/** A command that no assistant may run, and why, as the end of "It ...". */
export interface DeniedCommand {
  readonly command: string;
  readonly why: string;
}

/** The part of an approval that only the source of a foreign tool knows. */
export type ForeignDetails = Pick<ActionProposal, 'title' | 'arguments' | 'places' | 'remarks'>;

/**
 * A tool whose work is done by others: a command that the user allowed (`run_command`), a command that the user made a tool,
 * a tool that the editor knows, or a tool that an extension gave through the API. A source fills in only what differs.
 */
export interface ForeignTool<Input, Port extends ForeignPort> extends Pick<
  ProposingTool<Input, Port>,
  'name' | 'title' | 'summary' | 'description' | 'risk' | 'isOptional' | 'timeLimitSeconds' | 'input'
> {
  readonly port: Port;
  /** Returns the assistant's reason; a tool whose input has no such field leaves this out. */
  reason?(input: Input): string | undefined;
  /** Returns the definition that rules know the tool call by, and the arguments as the assistant wrote them. */
  callOf(input: Input): ForeignCall;
  /** Returns the first command in the tool call that no assistant may run (threat row A2). */
  deniedIn(call: ForeignCall): DeniedCommand | undefined;
  /**
   * Returns what the approval shows; the arguments are those that are run later. Has no effects.
   * @throws ToolError when the tool call cannot be proposed
   */
  describe(call: ForeignCall, context: ToolContext<Port>): Promise<ForeignDetails>;
  /**
   * Checks, before an approved tool call is run, that the definition still is what this tool stands for and that the user
   * still allows it (threat row A9).
   * @throws ToolError otherwise
   */
  confirm(definition: string, ports: Pick<ToolPorts, Port>): void;
  /**
   * Runs an approved tool call. The proposal may come from before a reload, when its arguments are JSON.
   * @throws ToolError when it could not be run
   */
  perform(proposal: ActionProposal, ports: Pick<ToolPorts, Port>, signal: AbortSignal): Promise<ActionResult>;
}

/** Returns the tool that assistants are offered for a foreign tool: it proposes an action, and runs it once approved. */
export function foreignTool<Input, const Port extends ForeignPort>(
  source: ForeignTool<Input, Port>,
): ProposingTool<Input, Port> {
  const { name, title, summary, description, risk, isOptional, timeLimitSeconds, input, port } = source;
  return defineProposingTool({
    name,
    title,
    ...(summary !== undefined && { summary }),
    description,
    toolset: 'commands',
    risk,
    ...(isOptional && { isOptional }),
    ...(timeLimitSeconds !== undefined && { timeLimitSeconds }),
    needs: [port],
    input,
    output: changeOutcomeSchema,
    targets: () => [],
    reason: (given) => source.reason?.(given),
    async propose(given, context) {
      const call = source.callOf(given);
      refuseDenied(source, call);
      return { kind: 'action', files: [], definition: call.definition, ...(await source.describe(call, context)) };
    },
    async act(proposal, ports, signal) {
      source.confirm(proposal.definition, ports);
      refuseDenied(source, proposal);
      return source.perform(proposal, ports, signal);
    },
    render: renderOutcome,
  });
}

/** @throws ToolError `denied` (threat row A2) */
function refuseDenied(source: Pick<ForeignTool<never, ForeignPort>, 'deniedIn'>, call: ForeignCall): void {
  const denied = source.deniedIn(call);
  if (denied === undefined) return;
  // A command in the arguments of another extension's tool could be tried through the next tool.
  const tools = denied.command === call.definition ? '' : ', by no tool';
  throw new ToolError(
    'denied',
    `No assistant may run ${quoted(denied.command)}${tools}: it ${denied.why}.`,
    'Do not look for another way to run it; ask the user to run it by hand if it is needed.',
  );
}
