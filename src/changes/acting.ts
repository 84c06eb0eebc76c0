import { canonicalJson } from '#base/canonicalJson.ts';
import type { ActionProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import type { Recheck } from './apply.ts';
import type { Approval } from './approval.ts';
import { proposalHash } from './proposalHash.ts';

/**
 * Does what a tool proposed, if the tool is still offered.
 * @throws ToolError when it could not be done, or only in part
 */
export type Act = (tool: string, proposal: ActionProposal, signal: AbortSignal) => Promise<ActionResult>;

export type Acted =
  | ({ readonly state: 'applied' } & ActionResult)
  /** `output`: what the tool says of its failure; absent when nothing was begun. */
  | { readonly state: 'failed'; readonly note: string; readonly output?: string };

/**
 * Does exactly what the approval is bound to, or nothing: the hash is computed again, and the policy and every place are asked
 * again. To be called once for each approval.
 */
export async function actApproved(
  { tool, proposalHash: hash, principal, judgement }: Approval,
  proposal: ActionProposal,
  signal: AbortSignal,
  { act, recheck }: { readonly act: Act; readonly recheck: Recheck },
): Promise<Acted> {
  if (proposalHash(tool, proposal) !== hash) {
    return { state: 'failed', note: 'This is not what was approved (hash_mismatch); nothing was done.' };
  }
  const refusal = await recheck(tool, proposal, principal, judgement.effect === 'ask');
  if (refusal !== undefined) return { state: 'failed', note: `${refusal} Nothing was done.` };
  try {
    // What the hash is over and the card showed: JSON, in which a number that is too large, for one, is null.
    const given: unknown = JSON.parse(canonicalJson(proposal.arguments));
    return { state: 'applied', ...(await act(tool, { ...proposal, arguments: given }, signal)) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { state: 'failed', note: error.message, output: `${error.message} ${error.hint}` };
  }
}
