import { decideProposal } from '../policy/decide.ts';
import type { FileIdentity, ResolvedPath } from '../ports/files.ts';
import type { Proposal } from '../ports/proposal.ts';
import { resolveAddress, type ResolveDependencies } from './resolve.ts';
import { ToolError, type ToolCatalog } from './tool.ts';
import type { Workspace } from '../ports/workspace.ts';

export interface RecheckDependencies extends ResolveDependencies {
  readonly workspace: Workspace;
  readonly catalog: ToolCatalog;
}

/**
 * Asks again, right before an approved change is applied, what minutes may have changed: the policy, trust, and where every
 * path leads (threat rows P5, P18). Returns why it may no longer happen, in a sentence, or undefined.
 */
export async function recheckProposal(
  toolName: string,
  proposal: Proposal,
  dependencies: RecheckDependencies,
): Promise<string | undefined> {
  const tool = dependencies.catalog.tools.find(({ name }) => name === toolName);
  if (tool === undefined) return 'The tool is no longer offered.';
  try {
    const { workspace, pathRules } = dependencies;
    for (const { path } of proposal.files) {
      const now = await resolveAddress(path.uri, dependencies);
      if (!isSamePlace(now, path)) return `${path.path} leads to another file than the one that was approved.`;
      if (!isSameFile(now.identity, path.identity)) {
        return `${path.path} was replaced meanwhile, by another program that saved it or by another edit.`;
      }
    }
    const decision = decideProposal({ tool, proposal, workspace, pathRules });
    return decision.effect === 'deny' ? decision.message : undefined;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

function isSamePlace(now: ResolvedPath, then: ResolvedPath): boolean {
  return now.realPath === then.realPath && isSameFile(now.parent, then.parent);
}

function isSameFile(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return a?.device === b?.device && a?.inode === b?.inode;
}
