import { decideProposal, type ProposalDecision } from '../policy/decide.ts';
import type { PathRules } from '../policy/protectedPaths.ts';
import type { Proposal } from '../ports/proposal.ts';
import type { Workspace } from '../ports/workspace.ts';
import { ToolError, type ToolCatalog } from './tool.ts';

export interface JudgeDependencies {
  readonly catalog: ToolCatalog;
  readonly workspace: Workspace;
  readonly pathRules: PathRules;
}

/**
 * What the policy says of a change that no call of its tool has just made, such as one that was rebased.
 * @throws ToolError when it refuses it
 */
export function judgeProposal(
  toolName: string,
  proposal: Proposal,
  { catalog, workspace, pathRules }: JudgeDependencies,
): Pick<ProposalDecision, 'protectedBy' | 'risk'> {
  const tool = catalog.tools.find(({ name }) => name === toolName);
  if (tool === undefined) throw new ToolError('unavailable', 'The tool is no longer offered.', 'Use another tool.');
  const decision = decideProposal({ tool, proposal, workspace, pathRules });
  if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
  return decision;
}
