import { type Dirent, statSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileIdentity, IsClosed, NamedFile } from '#base/files.ts';
import { TimeSlice } from '#base/timeSlice.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';

/** How long the closed files of a folder are remembered: a call may read many hard links. */
const rememberedMilliseconds = 10_000;
/** The most entries of a folder that are looked through. */
const maximumEntries = 1_000_000;

/** The closed files of one folder, by device and inode; `undefined` when the folder has too many entries to know them. */
type ClosedFiles = ReadonlySet<string> | undefined;

interface Remembered {
  readonly until: number;
  readonly closed: Promise<ClosedFiles>;
}

/** Finds out whether a file is a closed file under another name (threat row P21). */
export class OtherNames {
  readonly #byFolder = new Map<string, Remembered>();

  /**
   * Returns true when a file is a hard link to a file of its folder that `isClosed` accepts. Files in `node_modules` are exempt, since
   * package managers link all of them. A folder with too many entries to look through counts as having such a file.
   */
  async leadsToClosed(file: NamedFile, isClosed: IsClosed): Promise<boolean> {
    const { folder, fsPath, realPath = fsPath } = file;
    const facts = file.kind === undefined ? statOf(fsPath) : file;
    if (facts === undefined) return true;
    const { kind, linkCount = 0, identity } = facts;
    if (kind !== 'file' || linkCount < 2 || identity === undefined) return false;
    if (/[/\\]node_modules[/\\]/.test(realPath)) return false;
    const closed = await this.#closedFiles(folder, isClosed);
    return closed?.has(keyOf(identity)) !== false;
  }

  #closedFiles(folder: WorkspaceFolder, isClosed: IsClosed): Promise<ClosedFiles> {
    const known = this.#byFolder.get(folder.realPath);
    if (known !== undefined && known.until > performance.now()) return known.closed;
    const closed = findClosed(folder, isClosed);
    this.#byFolder.set(folder.realPath, { until: performance.now() + rememberedMilliseconds, closed });
    return closed;
  }
}

/**
 * Returns the facts of a found file, with one short call that blocks: a search finds thousands of files, and a promise for each
 * would take longer than ripgrep. Returns undefined when the file cannot be looked at.
 */
function statOf(fsPath: string): Partial<NamedFile> | undefined {
  try {
    const stats = statSync(fsPath, { bigint: true, throwIfNoEntry: false });
    if (stats?.isFile() !== true) return {};
    return { kind: 'file', linkCount: Number(stats.nlink), identity: { device: stats.dev, inode: stats.ino } };
  } catch {
    return undefined;
  }
}

/** Looks through a folder without following links. Of `.git` only what lies directly in it: clones share the objects below. */
async function findClosed(folder: WorkspaceFolder, isClosed: IsClosed): Promise<ClosedFiles> {
  const closed = new Set<string>();
  const folders = [''];
  const timeSlice = new TimeSlice();
  let seen = 0;
  for (const below of folders) {
    const entries = await readdir(join(folder.realPath, below), { withFileTypes: true }).catch(noEntries);
    seen += entries.length;
    if (seen > maximumEntries) return undefined;
    for (const entry of entries) {
      if (timeSlice.isUsedUp) await timeSlice.yieldToEventLoop();
      const relative = join(below, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && below !== '.git') folders.push(relative);
      } else if (entry.isFile() && isClosed({ folder, fsPath: join(folder.fsPath, relative) })) {
        const stats = await lstat(join(folder.realPath, relative), { bigint: true }).catch(() => undefined);
        if (stats !== undefined) closed.add(keyOf({ device: stats.dev, inode: stats.ino }));
      }
    }
  }
  return closed;
}

/** A folder that vanished or that this user may not list has no file that a tool could read. */
function noEntries(): Dirent[] {
  return [];
}

function keyOf({ device, inode }: FileIdentity): string {
  return `${device}:${inode}`;
}
