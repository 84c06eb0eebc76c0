/** Source control by VS Code's git extension; Drawbridge runs no git itself. */
import * as vscode from 'vscode';
import type { Recovery } from '#base/proposal.ts';
import type { SourceControl } from '../sourceControl.ts';

/** The part that is used of version 1 of the API of VS Code's git extension. */
interface GitApi {
  getRepository(uri: vscode.Uri): Repository | null;
}

interface Change {
  readonly uri: vscode.Uri;
}

interface Repository {
  readonly state: {
    readonly workingTreeChanges: readonly Change[];
    readonly indexChanges: readonly Change[];
    readonly mergeChanges: readonly Change[];
    /** Apart from the working tree's only where the user has set it so. */
    readonly untrackedChanges?: readonly Change[];
  };
  /** Refreshes the state. */
  status(): Promise<void>;
  /** Rejects when that commit has no such path. */
  buffer(commit: string, path: string): Promise<Buffer>;
  /** Rejects with `gitErrorCode: 'UnknownPath'` when that commit has no such path. */
  getObjectDetails(commit: string, path: string): Promise<unknown>;
}

interface GitExtension {
  /** Throws while the user has git turned off. */
  getAPI(version: 1): GitApi;
}

const mostFiles = 1000;
/** Concurrent requests; the git extension runs a process for each. */
const parallel = 4;
const timeoutMilliseconds = 5000;

export const sourceControl: SourceControl = {
  async recovery(fsPaths) {
    if (fsPaths.length === 0 || fsPaths.length > mostFiles) return 'unknown';
    const expired = AbortSignal.timeout(timeoutMilliseconds);
    const late = Promise.withResolvers<Recovery>();
    expired.addEventListener('abort', () => late.resolve('unknown'), { once: true });
    const answer = recoveryOf(fsPaths, expired).catch((): Recovery => 'unknown');
    return Promise.race([answer, late.promise]);
  },
};

/** Returns the bytes of a file in the newest commit (absolute path); undefined when there are none, or git does not tell. */
export async function committedBytes(fsPath: string): Promise<Uint8Array | undefined> {
  try {
    return await (await gitApi())?.getRepository(vscode.Uri.file(fsPath))?.buffer('HEAD', fsPath);
  } catch {
    return undefined;
  }
}

async function recoveryOf(fsPaths: readonly string[], expired: AbortSignal): Promise<Recovery> {
  const git = await gitApi();
  if (git === undefined) return 'unknown';
  const byRepository = Map.groupBy(fsPaths, (fsPath) => git.getRepository(vscode.Uri.file(fsPath)));
  let recovery: Recovery = 'committed';
  for (const [repository, paths] of byRepository) {
    const found = repository === null ? 'unknown' : await recoveryIn(repository, paths, expired);
    // The user must know of one file that is in no commit.
    if (found === 'not_committed') return found;
    if (found === 'unknown') recovery = found;
  }
  return recovery;
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  // Git runs what a repository's own configuration names, so its extension is woken only for folders that are trusted.
  if (extension === undefined || !vscode.workspace.isTrusted) return undefined;
  return (extension.isActive ? extension.exports : await extension.activate()).getAPI(1);
}

async function recoveryIn(repository: Repository, fsPaths: readonly string[], expired: AbortSignal): Promise<Recovery> {
  await repository.status();
  const { workingTreeChanges, indexChanges, mergeChanges, untrackedChanges = [] } = repository.state;
  const changed = new Set(
    [...workingTreeChanges, ...indexChanges, ...mergeChanges, ...untrackedChanges].map(({ uri }) => uri.fsPath),
  );
  if (fsPaths.some((fsPath) => changed.has(fsPath))) return 'not_committed';
  // The git extension stops counting there.
  const limit = vscode.workspace.getConfiguration('git').get('statusLimit', 10_000);
  if (limit > 0 && changed.size >= limit) return 'unknown';
  const waiting = [...fsPaths];
  const found: Recovery[] = [];
  const worker = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined && !expired.aborted; path = waiting.pop()) {
      found.push(await inNewestCommit(repository, path));
      if (found.at(-1) === 'not_committed') waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  if (found.includes('not_committed')) return 'not_committed';
  return found.includes('unknown') ? 'unknown' : 'committed';
}

/** New and ignored files are in no commit. */
async function inNewestCommit(repository: Repository, fsPath: string): Promise<Recovery> {
  try {
    await repository.getObjectDetails('HEAD', fsPath);
    return 'committed';
  } catch (error) {
    const isUnknown = error instanceof Error && 'gitErrorCode' in error && error.gitErrorCode === 'UnknownPath';
    return isUnknown ? 'not_committed' : 'unknown';
  }
}
