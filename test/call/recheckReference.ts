import type { FileIdentity, ResolvedPath } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import { purposeOf, type FileChange, type Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { RecheckDependencies } from '#call/recheck.ts';
import { resolveAddress } from '#call/resolve.ts';
import { OpenedOnce } from '#policy/openedOnce.ts';
import { decideProposal } from '#policy/decide.ts';

/**
 * The recheck that carries nothing over from the approval: it judges copies of the proposal and of the rules, so that nothing
 * that was remembered about them counts. The recheck of the product must come to the same end, however it is made.
 */
export async function recheckFromScratch(
  toolName: string,
  approved: Proposal,
  principal: Principal,
  dependencies: RecheckDependencies,
  isApproved: boolean,
): Promise<string | undefined> {
  const tool = dependencies.catalog.tools.find(({ name }) => name === toolName);
  if (tool === undefined) return 'The tool is no longer offered.';
  const proposal = structuredClone(approved);
  const { workspace, policy: live } = dependencies;
  const pathRules = structuredClone(dependencies.pathRules);
  const rules = structuredClone(live.rules());
  const policy = {
    mode: () => live.mode(),
    rules: () => rules,
    now: () => live.now(),
    used: () => undefined,
    openedOnce: new OpenedOnce(() => 0),
  };
  try {
    for (const change of proposal.files) {
      const reason = await recheckChange(change, dependencies);
      if (reason !== undefined) return reason;
    }
    for (const place of proposal.kind === 'action' ? proposal.places : []) {
      const now = await resolveAddress(place.uri, { ...dependencies, purpose: 'read' });
      if (now.realPath !== place.realPath) return `${place.path} leads to another file than the one that was approved.`;
    }
    const caller = { tool: toolName, principal };
    const decision = decideProposal({ tool, proposal, workspace, pathRules, policy, caller });
    if (decision.effect === 'allow') return undefined;
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
  if (now.realPath !== path.realPath || !isSameFile(now.parent, path.parent)) {
    return `${path.path} leads to another file than the one that was approved.`;
  }
  if (!isSameFile(now.identity, path.identity)) {
    return `${path.path} was replaced since by another program that saved it, or by another edit.`;
  }
  if (change.kind !== 'move') return undefined;
  return recheckFree(change.to, await resolveAddress(change.to.uri, { ...dependencies, purpose: 'entry' }));
}

function recheckFree(then: ResolvedPath, now: ResolvedPath): string | undefined {
  if (now.realPath !== then.realPath || (then.parent !== undefined && !isSameFile(now.parent, then.parent))) {
    return `${then.path} leads to another place than the one that was approved.`;
  }
  const isSame = then.identity !== undefined && isSameFile(now.identity, then.identity);
  return now.kind === 'missing' || isSame ? undefined : `${then.path} exists now.`;
}

function isSameFile(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return a?.device === b?.device && a?.inode === b?.inode;
}
