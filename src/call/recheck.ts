import type { FileIdentity, ResolvedPath } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import { purposeOf, type FileChange, type Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import { decideProposal } from '#policy/decide.ts';
import type { Policy } from '#policy/rules.ts';
import { resolveAddress, type ResolveDependencies } from './resolve.ts';
import type { ToolCatalog } from './tool.ts';

export interface RecheckDependencies extends Omit<ResolveDependencies, 'purpose'> {
  readonly workspace: Workspace;
  readonly policy: Policy;
  readonly catalog: ToolCatalog;
}

/**
 * Judges a proposal again right before it is applied: resolves every path anew from the disk, and decides by the policy and trust
 * as they are now (threat rows P5, P18). Nothing is carried over from the decision before: a new one takes 20 to 30 microseconds,
 * less than the look at the disk, and no input can be forgotten in a comparison.
 * @param isApproved the user approved it; otherwise it must still be allowed without asking
 * @returns why it may no longer be applied, as a sentence; undefined when it may
 */
export async function recheckProposal(
  toolName: string,
  proposal: Proposal,
  principal: Principal,
  dependencies: RecheckDependencies,
  isApproved: boolean,
): Promise<string | undefined> {
  const tool = dependencies.catalog.tools.find(({ name }) => name === toolName);
  if (tool === undefined) return 'The tool is no longer offered.';
  try {
    const { workspace, pathRules, policy } = dependencies;
    for (const change of proposal.files) {
      const reason = await recheckChange(change, dependencies);
      if (reason !== undefined) return reason;
    }
    for (const place of proposal.kind === 'action' ? proposal.places : []) {
      const now = await resolveAddress(place.uri, { ...dependencies, purpose: 'read' });
      if (now.realPath !== place.realPath) return `${place.path} leads to another file than the one that was approved.`;
    }
    const decision = decideProposal({
      tool,
      proposal,
      workspace,
      pathRules,
      policy,
      caller: { tool: toolName, principal },
    });
    if (decision.effect === 'allow') return undefined;
    // The user approved the proposal, so it may be applied even where Unattended mode would now deny it.
    const needsAnswer = decision.effect === 'ask' || decision.step === 'unattended';
    if (!needsAnswer) return decision.effect === 'deny' ? decision.message : undefined;
    return isApproved ? undefined : `It now needs the user's approval (${decision.step}).`;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

async function recheckChange(change: FileChange, dependencies: RecheckDependencies): Promise<string | undefined> {
  const { path } = change;
  const now = await resolveAddress(path.uri, { ...dependencies, purpose: purposeOf(change) });
  if (change.kind === 'create') return recheckFree(path, now);
  if (!isSamePlace(now, path)) return `${path.path} leads to another file than the one that was approved.`;
  if (!isSameFile(now.identity, path.identity)) {
    return `${path.path} was replaced since by another program that saved it, or by another edit.`;
  }
  if (change.kind !== 'move') return undefined;
  return recheckFree(change.to, await resolveAddress(change.to.uri, { ...dependencies, purpose: 'entry' }));
}

/** Returns a reason when something exists at the path, or when it leads elsewhere. Its folder may have been created since. */
function recheckFree(then: ResolvedPath, now: ResolvedPath): string | undefined {
  if (now.realPath !== then.realPath || (then.parent !== undefined && !isSameFile(now.parent, then.parent))) {
    return `${then.path} leads to another place than the one that was approved.`;
  }
  // On a disk that ignores case, another spelling of the name leads to the moved file itself.
  if (now.kind === 'missing' || (then.identity !== undefined && isSameFile(now.identity, then.identity)))
    return undefined;
  return `${then.path} exists now.`;
}

function isSamePlace(now: ResolvedPath, then: ResolvedPath): boolean {
  return now.realPath === then.realPath && isSameFile(now.parent, then.parent);
}

function isSameFile(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return a?.device === b?.device && a?.inode === b?.inode;
}
