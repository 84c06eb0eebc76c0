import type { Files, Purpose, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import {
  folderContaining,
  joinPath,
  fsPathOf,
  parseAddress,
  pathOf,
  uriOf,
  type AddressCandidate,
} from '#policy/paths.ts';
import { classifyPath, type PathRules } from '#policy/protectedPaths.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { Scope } from './roots.ts';

export interface ResolveDependencies {
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly files: Pick<Files, 'locate'>;
  readonly pathRules: PathRules;
  readonly purpose: Purpose;
  /** The part of the workspace that the roots of the client select; absent for the whole workspace. */
  readonly scope?: Scope | undefined;
}

/**
 * Resolves an address of the caller once; every port takes the resolved path (threat row P9). The file may be missing. The path is
 * inside the workspace, and `policy/decide.ts` judges it further.
 * @throws ToolError as {@link parseAddress}; `outside_workspace` when links lead out (P3), `not_found` for a dangling
 *   link (P4), `outside_workspace` outside the scope, `ambiguous_match` when several folders have the path, `unavailable` for pipes, sockets, devices (P11).
 */
export async function resolveAddress(address: string, dependencies: ResolveDependencies): Promise<ResolvedPath> {
  const folders = dependencies.workspace.folders();
  const candidates = parseAddress(address, folders);
  const found = await Promise.all(candidates.map((candidate) => locate(candidate, folders, dependencies)));
  const resolved = choose(address, inScope(address, candidates, found, dependencies), dependencies.pathRules);
  refuseLocation(resolved, folders);
  return resolved;
}

/** Returns the path with its links resolved: an edit through a link is an edit of its target (threat row P4). */
export function throughLinks(path: ResolvedPath, folders: readonly WorkspaceFolder[]): ResolvedPath {
  const place = folderContaining(path.realPath, folders);
  if (place === undefined) throw leadsOut(path);
  const fsPath = fsPathOf(place);
  if (fsPath === path.fsPath) return path;
  return { ...path, folder: place.folder, fsPath, linked: false, path: pathOf(place, folders), uri: uriOf(place) };
}

async function locate(
  candidate: AddressCandidate,
  folders: readonly WorkspaceFolder[],
  { files, purpose }: Pick<ResolveDependencies, 'files' | 'purpose'>,
): Promise<ResolvedPath> {
  const { folder, fsPath, relative } = candidate;
  const path = pathOf(candidate, folders);
  const location = await files.locate(fsPath, purpose).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    // The caller does not know the absolute path of its workspace.
    throw new ToolError(
      error.code,
      error.message.replaceAll(fsPath, () => quoted(path)),
      error.hint,
    );
  });
  const linked = location.realPath !== joinPath(folder.realPath, relative);
  return { ...location, folder, fsPath, linked, path, uri: uriOf(candidate) };
}

/** One way to read an address. */
interface Reading {
  readonly explicit: boolean;
  readonly path: ResolvedPath;
}

/** Returns the readings of an address that are inside the scope. */
function inScope(
  address: string,
  candidates: readonly AddressCandidate[],
  found: readonly ResolvedPath[],
  { scope, purpose }: Pick<ResolveDependencies, 'scope' | 'purpose'>,
): readonly Reading[] {
  const readings = found.map((path, at) => ({ path, explicit: candidates[at]?.explicit === true }));
  if (scope === undefined) return readings;
  const seen = readings.filter(({ path }) => scope.admits(path, purpose));
  if (seen.length === 0) throw scope.refusal(address);
  return seen;
}

/** Chooses the reading whose folder the address names, or else the only one that exists. */
function choose(address: string, readings: readonly Reading[], pathRules: PathRules): ResolvedPath {
  const found = readings.map(({ path }) => path);
  const [first] = found;
  if (first === undefined) throw new Error('parseAddress returned no candidate');
  if (found.length === 1) return first;
  // A refused name gets the same answer whether the file exists or not.
  const refused = found.find((path) => ['secret', 'hard_deny'].includes(classifyPath(path, pathRules).class));
  if (refused !== undefined) return refused;
  const existing = found.filter((path) => path.kind !== 'missing' || path.dangling);
  const [only, another] = existing;
  if (only === undefined) return first;
  if (another === undefined || (only === first && readings[0]?.explicit === true)) return only;
  throw new ToolError(
    'ambiguous_match',
    `${quoted(address)} exists in several folders: ${existing.map((path) => quoted(path.path)).join(', ')}.`,
    "Begin the path with the folder's name.",
  );
}

function refuseLocation(path: ResolvedPath, folders: readonly WorkspaceFolder[]): void {
  if (folderContaining(path.realPath, folders) === undefined) throw leadsOut(path);
  if (path.dangling) {
    const message = `${quoted(path.path)} is a link to ${quoted(path.realPath)}, which does not exist.`;
    throw new ToolError('not_found', message, 'Address the file that you want directly.');
  }
  if (path.kind === 'other') {
    const message = `${quoted(path.path)} is a pipe, socket or device, not a file.`;
    throw new ToolError('unavailable', message, 'Only regular files and directories can be used.');
  }
}

function leadsOut(path: ResolvedPath): ToolError {
  return new ToolError(
    'outside_workspace',
    `${quoted(path.path)} leads to ${quoted(path.realPath)}, which is outside the workspace.`,
    'Work with files inside the workspace folders; get_workspace names them.',
  );
}
