import type { Risk, Tool } from '../core/tool.ts';
import type { ResolvedPath } from '../ports/files.ts';
import type { FileChange, Proposal } from '../ports/proposal.ts';
import type { Workspace } from '../ports/workspace.ts';
import { changesWhatPackageRuns } from './packageJson.ts';
import { folderContaining } from './paths.ts';
import { classifyPath, type PathRules } from './protectedPaths.ts';
import { quoted } from './unsafeNames.ts';

/** What the policy judges by, read anew for each decision (threat row P18). */
interface Situation {
  readonly workspace: Pick<Workspace, 'folders' | 'isTrusted'>;
  readonly pathRules: PathRules;
}

export interface JudgedCall extends Situation {
  readonly risk: Risk;
  /** The tool works in a workspace that its user has not trusted. */
  readonly worksUntrusted: boolean;
  readonly paths: readonly ResolvedPath[];
}

export interface JudgedProposal extends Situation {
  readonly tool: Pick<Tool, 'risk' | 'worksUntrusted'>;
  readonly proposal: Proposal;
}

interface Verdict {
  /** Short, for the card and the log. */
  readonly reason: string;
  /** Per path, the pattern that protects it. */
  readonly protectedBy: readonly (string | undefined)[];
}

/** A denial carries what `ToolError` needs. */
export type Decision =
  | (Verdict & { readonly effect: 'allow' | 'ask' })
  | (Verdict & {
      readonly effect: 'deny';
      readonly code: 'denied' | 'not_trusted' | 'outside_workspace';
      readonly message: string;
      readonly hint: string;
    });

/** May this call happen? The first refusal wins, then the strictest effect. */
export function decide(call: JudgedCall): Decision {
  const { paths, risk } = call;
  for (const path of paths) {
    const refusal = refusePath(path, call);
    if (refusal !== undefined) return refusal;
  }
  if (!call.workspace.isTrusted() && !call.worksUntrusted) return untrusted;
  const protectedBy = paths.map((path) => protection(path, call));
  if (risk === 'read' || risk === 'ui') {
    return { effect: 'allow', reason: `default for ${risk} inside the workspace`, protectedBy };
  }
  return { effect: 'ask', reason: `default for ${risk} in Manual mode`, protectedBy };
}

/** May this change happen? Judges what would really be changed: the real path of every file (threat rows P3 to P5). */
export function decideProposal(judged: JudgedProposal): Decision {
  const { files } = judged.proposal;
  const { risk, worksUntrusted = false } = judged.tool;
  const decision = decide({ ...judged, risk, worksUntrusted, paths: files.map((change) => change.path) });
  if (decision.effect === 'deny') return decision;
  const protectedBy = files.map((change, at) => decision.protectedBy[at] ?? packageProtection(change));
  const isProtected = protectedBy.some((pattern) => pattern !== undefined);
  return { effect: 'ask', reason: isProtected ? 'protected path' : decision.reason, protectedBy };
}

const untrusted: Decision = {
  effect: 'deny',
  code: 'not_trusted',
  reason: 'workspace not trusted',
  message: 'The user has not trusted this workspace, so only reading single files and listing directories work.',
  hint: 'Ask the user to trust the workspace if more is needed.',
  protectedBy: [],
};

function refusePath(path: ResolvedPath, { workspace, pathRules }: Situation): Decision | undefined {
  if (folderContaining(path.realPath, workspace.folders()) === undefined) {
    return {
      effect: 'deny',
      code: 'outside_workspace',
      reason: 'outside the workspace',
      message: `${named(path)} is outside the workspace.`,
      hint: 'Work with files inside the workspace folders; get_workspace names them.',
      protectedBy: [],
    };
  }
  const judged = classifyPath(path, pathRules);
  if (judged.class !== 'secret' && judged.class !== 'hard_deny') return undefined;
  return {
    effect: 'deny',
    code: 'denied',
    reason: `${judged.class === 'secret' ? 'secret' : 'private'} path ${judged.pattern ?? ''}`,
    message: `${named(path)} matches ${judged.pattern ?? 'a built-in rule'} and is never read or changed for an assistant.`,
    hint: 'Go on without it, or ask the user for the part that matters.',
    protectedBy: [],
  };
}

function protection(path: ResolvedPath, { pathRules }: Situation): string | undefined {
  const judged = classifyPath(path, pathRules);
  return judged.class === 'protected' ? judged.pattern : undefined;
}

function packageProtection({ path, base, result }: FileChange): string | undefined {
  const isPackage = /(^|[/\\])package\.json$/i.test(path.realPath);
  return isPackage && changesWhatPackageRuns(base.text, result.text) ? '**/package.json' : undefined;
}

/** A path as addressed, and where it really leads when that differs (threat row P3). */
function named(path: ResolvedPath): string {
  const expected = path.folder.realPath + path.fsPath.slice(path.folder.fsPath.length);
  const leadsElsewhere = path.realPath !== path.fsPath && path.realPath !== expected;
  return leadsElsewhere ? `${quoted(path.path)}, which leads to ${quoted(path.realPath)},` : quoted(path.path);
}
