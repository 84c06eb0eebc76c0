import { sep } from 'node:path';
import type { ResolvedPath } from '#base/files.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Tool } from '#call/tool.ts';
import { decide, type Decision } from '#policy/decide.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';

export interface TriedPolicy {
  readonly workspace: Pick<Workspace, 'folders' | 'isTrusted' | 'isHeld'>;
  readonly pathRules: PathRules;
  readonly policy: Policy;
}

/** Decides about a call that an assistant of this window would make now. It does not count as a use of a rule. */
export function tryCall(
  { name, kindOf, risk, worksUntrusted = false }: Pick<Tool, 'name' | 'kindOf' | 'risk' | 'worksUntrusted'>,
  paths: readonly Pick<ResolvedPath, 'path' | 'folder' | 'fsPath' | 'realPath'>[],
  situation: TriedPolicy,
): Decision {
  const caller = { tool: name, kindOf, principal: { credential: 'window' } };
  return decide({ ...situation, risk, worksUntrusted, paths, caller });
}

/** A file that no built-in table names. */
export const ordinaryFile: readonly string[] = ['example.txt'];

/**
 * Decides the same for a file in the first folder, which need not exist.
 * @param names of the folders that lead to the file, and of the file
 */
export function tryCallOn(
  names: readonly string[],
  tool: Pick<Tool, 'name' | 'kindOf' | 'risk' | 'worksUntrusted'>,
  situation: TriedPolicy,
): Decision {
  const [folder] = situation.workspace.folders();
  if (folder === undefined) return tryCall(tool, [], situation);
  const below = (root: string): string => [root.replace(/[/\\]$/, ''), ...names].join(sep);
  const place = { path: names.join('/'), folder, fsPath: below(folder.fsPath), realPath: below(folder.realPath) };
  return tryCall(tool, [place], situation);
}
