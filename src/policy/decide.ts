import type { Risk, Tool } from '../core/tool.ts';
import type { ProposalRisk } from '../ports/approver.ts';
import type { ResolvedPath } from '../ports/files.ts';
import type { Proposal } from '../ports/proposal.ts';
import type { Workspace } from '../ports/workspace.ts';
import { packageProtection } from './packageJson.ts';
import { folderContaining, relativeTo } from './paths.ts';
import { placesOf, type ChangedPlace } from './places.ts';
import { riskOf } from './proposalRisk.ts';
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
  readonly paths: readonly JudgedPlace[];
}

/** Of a resolved path, what it is judged by and called. */
type JudgedPlace = Pick<ResolvedPath, 'path' | 'folder' | 'fsPath' | 'realPath'>;

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
    const refusal = refusePath(path, call) ?? (risk === 'delete' ? refuseFolder(path, call) : undefined);
    if (refusal !== undefined) return refusal;
  }
  if (!call.workspace.isTrusted() && !call.worksUntrusted) return untrusted;
  const protectedBy = paths.map((path) => protection(path, call));
  if (risk === 'read' || risk === 'ui') {
    return { effect: 'allow', reason: `default for ${risk} inside the workspace`, protectedBy };
  }
  return { effect: 'ask', reason: `default for ${risk} in Manual mode`, protectedBy };
}

/** A decision about a proposal says what it does at worst; `protectedBy` is per change. */
export type ProposalDecision = Decision & { readonly risk: ProposalRisk };

/**
 * May this change happen? Judges every place that would really be changed: the real path of every file, both ends of a move,
 * and everything in a folder that goes along (threat rows P3 to P5, P15, P16).
 */
export function decideProposal(judged: JudgedProposal): ProposalDecision {
  const { files } = judged.proposal;
  const { risk: floor, worksUntrusted = false } = judged.tool;
  const risk: ProposalRisk =
    floor === 'delete' || files.some((change) => riskOf(change) === 'delete') ? 'delete' : 'edit';
  const places = files.map(placesOf);
  for (const place of places.flat()) {
    const refusal = refusePlace(place, judged);
    if (refusal !== undefined) return { ...refusal, risk };
  }
  const callRisk = floor === 'edit' ? risk : floor;
  const decision = decide({ ...judged, risk: callRisk, worksUntrusted, paths: files.map(({ path }) => path) });
  if (decision.effect === 'deny') return { ...decision, risk };
  const protectedBy = files.map(
    (change, at) =>
      places[at]?.map((place) => protection(place, judged)).find((pattern) => pattern !== undefined) ??
      packageProtection(change),
  );
  const isProtected = protectedBy.some((pattern) => pattern !== undefined);
  return { effect: 'ask', reason: isProtected ? 'protected path' : decision.reason, protectedBy, risk };
}

const untrusted: Decision = {
  effect: 'deny',
  code: 'not_trusted',
  reason: 'workspace not trusted',
  message: 'The user has not trusted this workspace, so only reading single files and listing directories work.',
  hint: 'Ask the user to trust the workspace if more is needed.',
  protectedBy: [],
};

/** Deleting or moving it would close a folder of the window, or take one along. */
function refuseFolder(path: JudgedPlace, { workspace }: Situation): Decision | undefined {
  if (workspace.folders().every((folder) => relativeTo(path.realPath, folder.realPath) === undefined)) return undefined;
  return {
    effect: 'deny',
    code: 'denied',
    reason: 'a workspace folder itself',
    message: `${named(path)} is or holds a folder of the workspace, which is never deleted or moved for an assistant.`,
    hint: 'Name what is in it, or ask the user to do it.',
    protectedBy: [],
  };
}

/** What a folder takes along is called by the folder's name alone: the answer lists nothing that may not be seen. */
function refusePlace(place: ChangedPlace, situation: Situation): Decision | undefined {
  const refusal = refusePath(place, situation);
  if (refusal?.effect !== 'deny' || refusal.code !== 'denied' || place.below === undefined) return refusal;
  const { pattern = 'a built-in rule' } = classifyPath(place, situation.pathRules);
  const message = `${named(place.below)} holds, or would hold, something that matches ${pattern}, which is never read or changed for an assistant.`;
  return { ...refusal, message, hint: 'Leave that where it is and name the other files one by one.' };
}

function refusePath(path: JudgedPlace, { workspace, pathRules }: Situation): Decision | undefined {
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

function protection(path: JudgedPlace, { pathRules }: Situation): string | undefined {
  const judged = classifyPath(path, pathRules);
  return judged.class === 'protected' ? judged.pattern : undefined;
}

/** A path as addressed, and where it really leads when that differs (threat row P3). */
function named(path: JudgedPlace): string {
  const expected = path.folder.realPath + path.fsPath.slice(path.folder.fsPath.length);
  const leadsElsewhere = path.realPath !== path.fsPath && path.realPath !== expected;
  return leadsElsewhere ? `${quoted(path.path)}, which leads to ${quoted(path.realPath)},` : quoted(path.path);
}
