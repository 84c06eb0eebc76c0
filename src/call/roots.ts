import { win32 } from 'node:path';
import type { Files, Purpose, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import { flavourOf } from '#policy/folderLabels.ts';
import { folderContaining, fsPathOf, joinPath, pathOf, pathOfFileUri, relativeTo, uriOf } from '#policy/paths.ts';
import { quoted } from '#policy/unsafeNames.ts';

/** Further roots are ignored, because each one costs a look at the disk in every call. */
const maximumRoots = 100;
const maximumNamedParts = 5;

/** The parts of the workspace that the roots of a client select (MCP, "Roots"). Never empty. */
export interface Scope {
  /** The parts with their links resolved. A deleted part is included. */
  readonly parts: readonly ResolvedPath[];
  /** Returns true for a real path in one of the parts. */
  holds(realPath: string): boolean;
  /** Returns true for a real path in one of the parts, and for a folder above one. */
  shows(realPath: string): boolean;
  /** Returns true when a call may use the path. For the purpose `read`, a folder above a part counts too. */
  admits(path: Pick<ResolvedPath, 'realPath' | 'kind'>, purpose: Purpose): boolean;
  /** Returns the workspace folders that contain a part or are in one. */
  folders(): readonly WorkspaceFolder[];
  /** Returns the error for an address outside the scope. */
  refusal(address: string): ToolError;
}

/**
 * Returns the overlap of the client's roots and the workspace; undefined when the client may see the whole workspace. Roots that are
 * not complete `file:` URIs are ignored, and without any other root the client may see the whole workspace.
 * @throws ToolError `workspace_unavailable` when all roots are outside the workspace
 */
export async function scopeOf(
  roots: readonly string[] | undefined,
  { workspace, files }: { readonly workspace: Pick<Workspace, 'folders'>; readonly files: Pick<Files, 'locate'> },
): Promise<Scope | undefined> {
  const folders = workspace.folders();
  const paths = (roots ?? []).flatMap(rootPath).slice(0, maximumRoots);
  if (paths.length === 0 || folders.length === 0) return undefined;
  const real = await Promise.all(paths.map((path) => realPathOf(path, folders, files)));
  const whole = folders.filter((folder) => real.some((root) => relativeTo(root, folder.realPath) !== undefined));
  if (whole.length === folders.length) return undefined;
  const below = real.flatMap((root) => folderContaining(root, folders) ?? []);
  const places = [
    ...whole.map((folder) => ({ folder, relative: '' })),
    ...below.filter(({ relative }) => relative !== ''),
  ];
  if (places.length === 0) throw elsewhere();
  const parts = await Promise.all(
    places.map(async (place): Promise<ResolvedPath> => {
      const realPath = joinPath(place.folder.realPath, place.relative);
      const location = await files.locate(realPath, 'read');
      const named = { path: pathOf(place, folders), uri: uriOf(place) };
      return { ...location, realPath, folder: place.folder, fsPath: fsPathOf(place), linked: false, ...named };
    }),
  );
  return makeScope(parts, folders);
}

function makeScope(parts: readonly ResolvedPath[], folders: readonly WorkspaceFolder[]): Scope {
  const holds = (realPath: string): boolean => parts.some((part) => relativeTo(part.realPath, realPath) !== undefined);
  // The folders above a missing part do not lead to anything.
  const there = parts.filter(({ kind }) => kind !== 'missing');
  const leadsTo = (realPath: string): boolean =>
    there.some((part) => relativeTo(realPath, part.realPath) !== undefined);
  const shows = (realPath: string): boolean => holds(realPath) || leadsTo(realPath);
  return {
    parts,
    holds,
    shows,
    admits: ({ realPath, kind }, purpose) =>
      holds(realPath) || (purpose === 'read' && kind === 'directory' && leadsTo(realPath)),
    folders: () => folders.filter(({ realPath }) => shows(realPath)),
    refusal(address) {
      const names = parts.slice(0, maximumNamedParts).map(({ path }) => quoted(path));
      const more = parts.length > names.length ? ` and ${parts.length - names.length} more` : '';
      return new ToolError(
        'outside_workspace',
        `${quoted(address)} is outside the roots of this client: ${names.join(', ')}${more}.`,
        'Work below the roots, or ask the user to add the folder to the roots of the client.',
      );
    },
  };
}

function rootPath(uri: string): string[] {
  if (!/^file:/i.test(uri)) return [];
  try {
    const path = pathOfFileUri(uri);
    return [
      flavourOf(path)
        .normalize(path)
        .replace(/(?<=[^:/\\])[/\\]+$/, ''),
    ];
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/** Returns the real path of a root. A network path, or a path in the syntax of another system, is not looked up and stays as it is. */
async function realPathOf(
  path: string,
  folders: readonly WorkspaceFolder[],
  files: Pick<Files, 'locate'>,
): Promise<string> {
  for (const { fsPath, realPath } of folders) {
    const relative = isNetworkPath(path) ? relativeTo(fsPath, path) : undefined;
    if (relative !== undefined) return joinPath(realPath, relative);
    if (fsPath === path) return realPath;
  }
  const isLocal = !isNetworkPath(path) && folders.some(({ fsPath }) => flavourOf(fsPath) === flavourOf(path));
  if (!isLocal) return path;
  try {
    return (await files.locate(path, 'read')).realPath;
  } catch (error) {
    // The path cannot be followed, so nothing below it can be reached.
    if (error instanceof ToolError) return path;
    throw error;
  }
}

function isNetworkPath(path: string): boolean {
  return flavourOf(path) === win32 && path.startsWith('\\\\');
}

function elsewhere(): ToolError {
  return new ToolError(
    'workspace_unavailable',
    'The roots of this client lie outside the folders of this editor window.',
    'Ask the user to open the folder in the editor window, or to start the client in a folder that is open there.',
  );
}
