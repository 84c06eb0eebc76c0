import type { Principal } from '#base/principal.ts';
import type { Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import { decideProposal, judgementOf } from '#policy/decide.ts';
import type { Judgement } from '#policy/decision.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';
import type { ToolCatalog } from './tool.ts';

export interface JudgeDependencies {
  readonly catalog: ToolCatalog;
  readonly workspace: Workspace;
  readonly pathRules: PathRules;
  readonly policy: Policy;
}

/**
 * What the policy says of a change that no call of its tool has just made, such as one that was rebased. The human is there, and
 * asks for it: what Unattended mode refuses only because nobody is asked, asks.
 * @throws ToolError when it refuses it
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
