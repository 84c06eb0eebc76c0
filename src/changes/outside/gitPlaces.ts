/** Where a repository keeps what a snapshot reads. Nothing is written there, and no object is touched. */
import { lstat, readFile } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import type { GitHash } from './diskEntry.ts';
import { type GitResult, outputOfGit, runGit } from './gitProgram.ts';

/** The files of a repository that a snapshot reads; absolute paths. */
export interface GitPlaces {
  readonly root: string;
  readonly index: string;
  readonly objects: string;
  readonly exclude: string;
  readonly attributes: string;
  readonly hash: GitHash;
}

/** The commit and the branch that a work tree has checked out; both are undefined where Git does not know. */
export interface Head {
  readonly commit: string | undefined;
  /** The short name of the branch. */
  readonly branch: string | undefined;
}

/**
 * Asks Git for the places of the repository whose work tree has this root. Neither `core.worktree` nor a setting that names a
 * program has an effect on that.
 * @throws when there is no repository, or this Git cannot read it
 */
export async function gitPlaces(program: string, root: string, signal: AbortSignal): Promise<GitPlaces> {
  const files = ['index', 'objects', 'info/exclude', 'info/attributes'];
  const asked = ['--show-object-format', ...files.flatMap((file) => ['--git-path', file])];
  const output = await outputOfGit({
    program,
    arguments: ['rev-parse', ...asked],
    workingDirectory: root,
    environment: repository(root),
    signal,
  });
  const [hash, ...paths] = output.toString().replace(/\n$/, '').split('\n');
  const [index, objects, exclude, attributes] = paths.map((path) => resolve(root, path));
  const isWhole = index !== undefined && objects !== undefined && exclude !== undefined && attributes !== undefined;
  if (!isWhole || paths.length > files.length) {
    throw new Error('Git names the places of this repository in a way that is not understood.');
  }
  if (hash !== 'sha1' && hash !== 'sha256') throw new Error(`Object ids of the kind ${hash ?? ''} are not understood.`);
  return { root, index, objects, exclude, attributes, hash };
}

/** Returns what is checked out. It never rejects but for an aborted signal. */
export async function headOf(program: string, root: string, signal: AbortSignal): Promise<Head> {
  const ask = (args: readonly string[]): Promise<GitResult> =>
    runGit({ program, arguments: args, workingDirectory: root, environment: repository(root), signal });
  const [commit, branch] = await Promise.all([
    ask(['rev-parse', '-q', '--verify', 'HEAD']),
    ask(['symbolic-ref', '-q', '--short', 'HEAD']),
  ]).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof Error) return [];
    throw error;
  });
  return { commit: lineOf(commit), branch: lineOf(branch) };
}

function lineOf(result: GitResult | undefined): string | undefined {
  const line = result?.code === 0 ? result.output.toString().trim() : '';
  return line === '' ? undefined : line;
}

/** The relative name keeps a line break in the path of the folder out of the answer. */
function repository(root: string): Readonly<Record<string, string>> {
  return { GIT_DIR: '.git', GIT_WORK_TREE: root };
}

/** Returns the variable that lets Git read the objects of a repository beside its own. */
export function objectsOf({ objects }: GitPlaces): Readonly<Record<string, string>> {
  const isPlain = !/["\\\n]/.test(objects) && !objects.includes(delimiter) && !objects.startsWith('#');
  const quoted = `"${objects.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: isPlain ? objects : quoted };
}

const mostIndexBytes = 256 * 1024 * 1024;

/** A file of the repository with its time of modification in milliseconds. */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly modified: number;
}

/** Reads a file of the repository; undefined when there is none, or it is something else or too large. */
export async function readPlace(path: string): Promise<ReadFile | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > mostIndexBytes) return undefined;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && { bytes, modified: found.mtimeMs };
}
