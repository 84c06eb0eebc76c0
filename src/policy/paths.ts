import { posix, win32 } from 'node:path';
import { ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { flavourOf, labelOf, openFolders } from './folderLabels.ts';
import { quoted, unsafeReason } from './unsafeNames.ts';

/** A place in a workspace folder. It may not exist. */
export interface FolderPath {
  readonly folder: WorkspaceFolder;
  /** Relative to the folder, `/` separators, normalised; '' is the folder itself. */
  readonly relative: string;
}

/** One possible meaning of an address. */
export interface AddressCandidate extends FolderPath {
  readonly fsPath: string;
  /** True when the address names the folder, by its label or as an absolute path. */
  readonly explicit: boolean;
}

const hint = 'Use a path relative to the workspace with /, such as src/main.ts; get_workspace names the folders.';

/**
 * Returns the places that an address in a tool call may mean: relative with `/`, absolute, or a `file:` URI. In a window with
 * several folders the folder's label comes first and may be left out, so there can be several candidates. A work tree that the
 * window only guards is addressed by absolute paths.
 * @throws ToolError `unsafe_path` (threat rows P2, P7, A5), `scheme_not_allowed` (P12), `outside_workspace` (P1),
 *   `workspace_unavailable` (no folder).
 */
export function parseAddress(address: string, folders: readonly WorkspaceFolder[]): readonly AddressCandidate[] {
  const open = openFolders(folders);
  if (open.length === 0) {
    throw new ToolError('workspace_unavailable', 'No folder is open in this window.', 'Ask the user to open a folder.');
  }
  const labelled = open.length > 1 ? labelledCandidate(address, open) : undefined;
  if (labelled !== undefined) return [labelled, ...otherReadings(labelled, address, open)];
  const path = pathOfUri(address);
  if (isAbsolute(path)) return [absoluteCandidate(address, path, folders)];
  const candidates = open.flatMap((folder) => relativeCandidate(path, folder, false) ?? []);
  if (candidates.length === 0) throw outside(address);
  for (const candidate of candidates) refuseUnsafe(address, candidate);
  return candidates;
}

/** Returns the innermost folder that contains a real path, comparing whole segments of canonical paths (threat row P1). */
export function folderContaining(realPath: string, folders: readonly WorkspaceFolder[]): FolderPath | undefined {
  return innermost(realPath, folders, (folder) => folder.realPath);
}

/** Returns the path of a place in results: relative with `/`, after the folder label in a work tree or when there are several folders. */
export function pathOf({ folder, relative }: FolderPath, folders: readonly WorkspaceFolder[]): string {
  const isAlone = folder.worktree === undefined && openFolders(folders).length < 2;
  if (isAlone) return relative === '' ? '.' : relative;
  const label = labelOf(folder, folders);
  return relative === '' ? label : `${label}/${relative}`;
}

/** Returns the URI of a place, spelled as the editor spells it. */
export function uriOf({ folder, relative }: FolderPath): string {
  if (relative === '') return folder.uri;
  const encoded = /^[\w\-.~/]*$/.test(relative) ? relative : relative.split('/').map(encodeSegment).join('/');
  return `${folder.uri.replace(/\/$/, '')}/${encoded}`;
}

/** Returns the absolute path of a place, as the editor spells it. */
export function fsPathOf({ folder, relative }: FolderPath): string {
  return joinPath(folder.fsPath, relative);
}

/** Joins the absolute path of a directory and a relative path with `/`, in the syntax of the absolute path. */
export function joinPath(root: string, relative: string): string {
  return relative === '' ? root : flavourOf(root).join(root, relative);
}

/** Returns `path` relative to `root` with `/`: '' for the root, undefined outside of it. Windows paths fold case. */
export function relativeTo(root: string, path: string): string | undefined {
  if (path === root) return '';
  if (flavourOf(root) === posix) {
    const prefix = root.endsWith('/') ? root : `${root}/`;
    return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  }
  if (flavourOf(path) === posix) return undefined;
  const relative = win32.relative(root, path);
  const leadsOut = relative === '..' || relative.startsWith('..\\') || win32.isAbsolute(relative);
  return leadsOut ? undefined : relative.replaceAll('\\', '/');
}

function labelledCandidate(address: string, folders: readonly WorkspaceFolder[]): AddressCandidate | undefined {
  const trimmed = address.replace(/^(\.\/+)+/, '');
  const slash = trimmed.indexOf('/');
  const label = slash < 0 ? trimmed : trimmed.slice(0, slash);
  const folder = folders.find((one) => labelOf(one, folders) === label);
  if (folder === undefined) return undefined;
  const candidate = relativeCandidate(slash < 0 ? '.' : `./${trimmed.slice(slash + 1)}`, folder, true);
  if (candidate === undefined) throw outside(address);
  refuseUnsafe(address, candidate);
  return candidate;
}

/** Returns the other meanings of a path that begins with a folder label: a directory of that name in each folder. */
function otherReadings(
  labelled: AddressCandidate,
  address: string,
  folders: readonly WorkspaceFolder[],
): readonly AddressCandidate[] {
  return folders
    .flatMap((folder) => relativeCandidate(address, folder, false) ?? [])
    .filter((one) => one.fsPath !== labelled.fsPath && unsafeReason(one.relative, isWindows(one)) === undefined);
}

function relativeCandidate(path: string, folder: WorkspaceFolder, explicit: boolean): AddressCandidate | undefined {
  const slashes = flavourOf(folder.fsPath) === win32 ? path.replaceAll('\\', '/') : path;
  const normalised = posix.normalize(slashes).replace(/\/+$/, '');
  if (normalised === '..' || normalised.startsWith('../')) return undefined;
  const relative = normalised === '.' ? '' : normalised;
  return { folder, relative, fsPath: fsPathOf({ folder, relative }), explicit };
}

function absoluteCandidate(address: string, path: string, folders: readonly WorkspaceFolder[]): AddressCandidate {
  if (/^[/\\]{2}[?.]([/\\]|$)/.test(path)) throw unsafe(address, 'is a device path');
  const network = /^[/\\]{2}/.test(path);
  const flavour = network ? win32 : flavourOf(path);
  const canonical = flavour.normalize(path).replace(/(?<=[^:/\\])[/\\]+$/, '');
  const place = innermost(canonical, folders, (folder) => folder.fsPath) ?? folderContaining(canonical, folders);
  if (place === undefined) throw network ? unsafe(address, 'is a network path') : outside(address);
  const candidate = { ...place, fsPath: fsPathOf(place), explicit: true };
  refuseUnsafe(address, candidate);
  return candidate;
}

function innermost(
  path: string,
  folders: readonly WorkspaceFolder[],
  rootOf: (folder: WorkspaceFolder) => string,
): FolderPath | undefined {
  let best: FolderPath | undefined;
  for (const folder of folders) {
    const relative = relativeTo(rootOf(folder), path);
    if (relative === undefined) continue;
    if (best === undefined || relative.length < best.relative.length) best = { folder, relative };
  }
  return best;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('\\\\') || /^[a-z]:[\\/]/i.test(path);
}

/** Returns the path of a `file:` URI, decoded once; returns any other address unchanged. */
function pathOfUri(address: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'file') return pathOfFileUri(address);
  if (scheme !== undefined && !isStreamName(scheme, address)) {
    const message = `${quoted(address)} has the scheme "${scheme}"; only files of the workspace can be addressed.`;
    throw new ToolError('scheme_not_allowed', message, hint);
  }
  if (/^[a-z]:(?![\\/])/i.test(address)) throw unsafe(address, 'is relative to a drive');
  return address;
}

/**
 * Returns the absolute path of a `file:` URI, decoded once, not normalised.
 * @throws ToolError `unsafe_path` when it is not complete or hides path syntax
 */
export function pathOfFileUri(address: string): string {
  const [, host = '', encoded = ''] = /^file:\/\/([^/?#]*)(\/[^?#]*)$/i.exec(address) ?? [];
  if (encoded === '') throw unsafe(address, 'is no complete file URI (write ? as %3F and # as %23 in names)');
  if (/%(2e|2f|5c|00)/i.test(encoded)) throw unsafe(address, 'hides path syntax behind percent signs');
  const path = decoded(address, encoded);
  if (host !== '' && host.toLowerCase() !== 'localhost') return `\\\\${host}${path.replaceAll('/', '\\')}`;
  return /^\/[a-z]:(\/|$)/i.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
}

/** `name.ext:stream` and `name::$DATA` look like a URI but are Windows stream names. */
function isStreamName(scheme: string, address: string): boolean {
  const rest = address.slice(scheme.length + 1);
  return rest.startsWith(':') || (scheme.includes('.') && !rest.startsWith('/'));
}

function decoded(address: string, path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw unsafe(address, 'has broken percent signs');
  }
}

/** Encodes everything except unreserved characters, as the editor does in its own URIs. */
function encodeSegment(segment: string): string {
  const encoded = encodeURIComponent(segment.toWellFormed());
  return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function isWindows(place: FolderPath): boolean {
  return flavourOf(place.folder.fsPath) === win32;
}

function refuseUnsafe(address: string, place: FolderPath): void {
  const why = unsafeReason(place.relative, isWindows(place));
  if (why !== undefined) throw unsafe(address, why);
}

function unsafe(address: string, why: string): ToolError {
  return new ToolError('unsafe_path', `${quoted(address)} ${why}.`, hint);
}

function outside(address: string): ToolError {
  return new ToolError('outside_workspace', `${quoted(address)} is outside the workspace.`, hint);
}
