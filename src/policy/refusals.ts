import type { Workspace } from '#base/workspace.ts';
import { folderContaining, relativeTo } from './paths.ts';
import type { ChangedPath, ClassifiedPath, AddressedPath } from './changedPaths.ts';
import { quoted } from './unsafeNames.ts';

/** The fields of a `ToolError`, and a short reason for the audit log. */
export interface Refusal {
  readonly code: 'denied' | 'not_trusted' | 'outside_workspace';
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
}

interface Surroundings {
  readonly workspace: Pick<Workspace, 'folders'>;
}

const goOnWithout = 'Go on without it, or ask the user for the part that matters.';
/** The hint after a refusal of a folder that holds a file which is closed to assistants. */
export const nameTheOthers = 'Leave that file where it is, and name the other files one by one.';

/** Refuses what neither a rule nor the user can open: places outside the workspace, and hard-denied places. */
export function refuseAlways(place: ClassifiedPath, { workspace }: Surroundings): Refusal | undefined {
  if (folderContaining(place.realPath, workspace.folders()) === undefined) {
    return {
      code: 'outside_workspace',
      reason: 'outside the workspace',
      message: `${named(place)} is outside the workspace.`,
      hint: 'Work with files inside the workspace folders; get_workspace names them.',
    };
  }
  const { class: kind, pattern } = place.classification;
  return kind === 'hard_deny' ? closed(place, pattern, 'private') : undefined;
}

/** Refuses a secret that no rule of the user opens. */
export function refuseSecret(place: ClassifiedPath): Refusal | undefined {
  const { class: kind, pattern } = place.classification;
  return kind === 'secret' ? closed(place, pattern, 'secret') : undefined;
}

/** Refuses to delete or move a folder of the window, or a folder that contains one. */
export function refuseFolder(place: AddressedPath, { workspace }: Surroundings): Refusal | undefined {
  if (workspace.folders().every((folder) => relativeTo(place.realPath, folder.realPath) === undefined))
    return undefined;
  return {
    code: 'denied',
    reason: 'a workspace folder itself',
    message: `${named(place)} is, or contains, a workspace folder, which is never deleted or moved for an assistant.`,
    hint: 'Name the files in it, or ask the user to do it.',
  };
}

export const refuseUntrusted: Refusal = {
  code: 'not_trusted',
  reason: 'workspace not trusted',
  message: 'The user has not trusted this workspace, so only reading single files and listing directories work.',
  hint: 'Ask the user to trust the workspace if more is needed.',
};

/** The refusal while the user trusts the workspace, but has not enabled edits since. */
export const refuseHeld: Refusal = {
  code: 'not_trusted',
  reason: 'edits not enabled',
  message: 'The user trusts this workspace now, but has not enabled edits yet, so only reading works.',
  hint: 'Ask the user to choose "Enable Edits" in the Drawbridge view; trust itself is not missing.',
};

/** Names a file in a folder by the folder only, so that a refusal lists nothing that may not be seen. */
function closed(place: ChangedPath, pattern = 'a built-in rule', kind: 'private' | 'secret'): Refusal {
  const reason = `${kind} path ${pattern}`;
  if (place.below !== undefined) {
    const message = `${named(place.below)} holds, or would hold, something that matches ${pattern}, which is never read or changed for an assistant.`;
    return { code: 'denied', reason, message, hint: nameTheOthers };
  }
  const message = `${named(place)} matches ${pattern} and is never read or changed for an assistant.`;
  return { code: 'denied', reason, message, hint: goOnWithout };
}

/** Returns a path as addressed, with its real path when that differs (threat row P3). */
function named(path: AddressedPath): string {
  const expected = path.folder.realPath + path.fsPath.slice(path.folder.fsPath.length);
  const leadsElsewhere = path.realPath !== path.fsPath && path.realPath !== expected;
  return leadsElsewhere ? `${quoted(path.path)}, which leads to ${quoted(path.realPath)},` : quoted(path.path);
}
