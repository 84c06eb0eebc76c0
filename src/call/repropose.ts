import type { Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { decideProposal, judgementOf } from '#policy/decide.ts';
import type { Judgement } from '#policy/decision.ts';
import { defaultTimeLimitSeconds, pageLimits, type Call, type CoreDependencies } from './callTool.ts';
import { createContext } from './context.ts';
import { withTimeLimit } from './timeLimit.ts';

export interface Reproposed {
  readonly proposal: Proposal;
  readonly judgement: Judgement;
}

/**
 * What the same call would propose for the files as they are now; no request of the assistant's stands behind it.
 * Undefined when there is no such change any more, or the policy refuses it.
 */
export async function repropose(
  call: Pick<Call, 'tool' | 'arguments' | 'principal' | 'client' | 'roots'>,
  dependencies: Pick<CoreDependencies, 'catalog' | 'clock' | 'ports' | 'pathRules' | 'policy' | 'profileFor' | 'caps'>,
): Promise<Reproposed | undefined> {
  const { catalog, clock, ports, pathRules, policy } = dependencies;
  const tool = catalog.tools.find(({ name }) => name === call.tool);
  if (tool === undefined || !('propose' in tool)) return undefined;
  try {
    const input = tool.input.parse(call.arguments);
    const context = await createContext(tool, input, {
      ports,
      tickets: { outcome: async () => undefined },
      principal: call.principal,
      policy,
      pathRules,
      limits: pageLimits(dependencies.profileFor(call.client, undefined), dependencies.caps()),
      report: () => undefined,
      log: () => undefined,
      clientInput: { responses: {} },
      attach: () => undefined,
      roots: call.roots,
      trail: { resources: [] },
    });
    const timeLimit = tool.timeLimitSeconds ?? defaultTimeLimitSeconds;
    const proposal = await withTimeLimit(clock, timeLimit, new AbortController().signal, (signal) =>
      tool.propose(input, context, signal),
    );
    const caller = { tool: tool.name, principal: call.principal };
    const decision = decideProposal({ tool, proposal, workspace: ports.workspace, pathRules, policy, caller });
    return decision.effect === 'deny' ? undefined : { proposal, judgement: judgementOf(decision) };
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
