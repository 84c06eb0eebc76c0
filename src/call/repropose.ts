import type { Principal } from '#base/principal.ts';
import type { Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import { decideProposal, judgementOf } from '#policy/decide.ts';
import type { Judgement } from '#policy/decision.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';
import { type Call, type CoreDependencies, defaultTimeLimitSeconds, pageLimits } from './callTool.ts';
import { createContext } from './context.ts';
import { withTimeLimit } from './timeLimit.ts';
import type { ToolCatalog } from './tool.ts';

/** A proposal that was made again, and what the policy says about it. */
export interface Reproposed {
  readonly proposal: Proposal;
  readonly judgement: Judgement;
}

/**
 * Returns what the same call would propose for the files as they are now, without a request of the assistant. Returns undefined when
 * the call no longer leads to a change, or when the policy denies it.
 */
export async function repropose(
  call: Pick<Call, 'tool' | 'arguments' | 'principal' | 'client' | 'roots'>,
  dependencies: Pick<CoreDependencies, 'clock' | 'ports' | 'pathRules' | 'policy' | 'profileFor' | 'caps'> & {
    readonly catalog: ToolCatalog;
  },
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
      clock,
      pathRules,
      limits: pageLimits(tool, dependencies.profileFor(call.client, undefined), dependencies.caps()),
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

export interface JudgeDependencies {
  readonly catalog: ToolCatalog;
  readonly workspace: Workspace;
  readonly pathRules: PathRules;
  readonly policy: Policy;
}

/**
 * Returns what the policy says about a proposal that no call of its tool has just made, such as one that was rebased. The user is
 * present and wants it, so a denial of Unattended mode, which asks nobody, counts as `ask`.
 * @throws ToolError when the policy denies it
 */
export function judgeProposal(
  toolName: string,
  proposal: Proposal,
  principal: Principal,
  { catalog, ...situation }: JudgeDependencies,
): Judgement {
  const tool = catalog.tools.find(({ name }) => name === toolName);
  if (tool === undefined) throw new ToolError('unavailable', 'The tool is no longer offered.', 'Use another tool.');
  const decision = decideProposal({ tool, proposal, ...situation, caller: { tool: toolName, principal } });
  if (decision.effect === 'deny' && decision.step !== 'unattended') {
    throw new ToolError(decision.code, decision.message, decision.hint);
  }
  return judgementOf(decision);
}
