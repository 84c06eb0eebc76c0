/** The snapshot of a folder that is in no Git work tree: a list of its files, and the content of small ones. */
import type { BigIntStats, Dirent } from 'node:fs';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TimeSlice } from '#base/timeSlice.ts';
import { relativeTo } from '#policy/paths.ts';
import { type Baseline, emptyBaseline, hashedBaseline, lookedAtBaseline } from './baseline.ts';
import { type DiskEntry, readEntry, sha256Of, stampAt, stampIn, stampOf } from './diskEntry.ts';
import type { Head } from './gitPlaces.ts';
import type { Differences, Snapshot } from './snapshot.ts';

/** How much a snapshot looks at and keeps. */
export interface DiskLimits {
  readonly entries: number;
  /** A larger file is known by its size and time alone. */
  readonly fileBytes: number;
  /** The sum of all contents. */
  readonly allBytes: number;
}

export const shippedDiskLimits: DiskLimits = {
  entries: 60_000,
  fileBytes: 1024 * 1024,
  allBytes: 200 * 1024 * 1024,
};

export interface DiskSnapshotOptions {
  /** Returns whether only hash and size of a file may be kept. Absolute path. */
  readonly isSecret: (fsPath: string) => boolean;
  readonly signal: AbortSignal;
  readonly limits?: DiskLimits;
}

const readAtOnce = 32;

/** Folders that programs fill by themselves; Git repositories commonly ignore them. */
const generated: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__', '.hg', '.svn']);

interface Listed {
  /** Stamps of files, links and others by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders whose entries are all in `files` or `folders`. */
  readonly folders: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
  /** Folders with a `.git` of their own. */
  readonly repositories: readonly string[];
  readonly isWhole: boolean;
}

/** Lists a folder level by level without following links, as far as the limit goes. */
async function list(root: string, own: string, mostEntries: number, signal: AbortSignal): Promise<Listed> {
  const files = new Map<string, string>();
  const folders = new Set<string>();
  const ignored = new Set<string>();
  const repositories: string[] = [];
  const slice = new TimeSlice();
  const waiting = [root];
  for (const folder of waiting) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    signal.throwIfAborted();
    const entries = entriesOf(folder);
    // The root itself is listed where Git could take no snapshot of it.
    if (folder !== root && entries.some(({ name }) => name === '.git')) {
      repositories.push(folder);
      continue;
    }
    if (files.size + waiting.length + entries.length > mostEntries) {
      return { files, folders, ignored, repositories, isWhole: false };
    }
    for (const entry of entries) {
      const fsPath = join(folder, entry.name);
      if (fsPath === own || entry.name === '.git') continue;
      if (!entry.isDirectory()) files.set(fsPath, stampAt(fsPath));
      else if (generated.has(entry.name)) ignored.add(fsPath);
      else waiting.push(fsPath);
    }
    folders.add(folder);
  }
  return { files, folders, ignored, repositories, isWhole: true };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A file as the snapshot knows it. */
interface Known {
  readonly entry: DiskEntry;
  /** Where its content begins in our file; absent when it is not kept. */
  readonly begin?: number;
}

/** A snapshot of one folder, with the repositories in it, which it does not cover. */
export interface TakenDiskSnapshot {
  readonly snapshot: Snapshot;
  readonly repositories: readonly string[];
}

/**
 * Takes the snapshot of a folder.
 * @param root real path
 * @param own a folder of this session's snapshots, which must not exist; it gets the mode 0700
 */
export async function takeDiskSnapshot(
  root: string,
  own: string,
  { isSecret, signal, limits = shippedDiskLimits }: DiskSnapshotOptions,
): Promise<TakenDiskSnapshot> {
  await mkdir(own, { recursive: true, mode: 0o700 });
  const listed = await list(root, dirname(own), limits.entries, signal);
  const contents = join(own, 'contents');
  await using store = await open(contents, 'wx', 0o600);
  const known = new Map<string, Known>();
  const waiting = [...listed.files];
  let kept = 0;
  while (waiting.length > 0) {
    signal.throwIfAborted();
    const read = waiting.splice(0, readAtOnce).map(async ([fsPath, stamp]) => ({
      fsPath,
      stamp,
      found: await readListed(fsPath, limits.fileBytes),
    }));
    for (const { fsPath, stamp, found } of await Promise.all(read)) {
      if (found === undefined) continue;
      const { entry, bytes } = found;
      const isWhole = bytes !== undefined && stamp === stampIn(entry) && kept + bytes.length <= limits.allBytes;
      const isKept = isWhole && !isSecret(fsPath);
      known.set(fsPath, isKept ? { entry, begin: kept } : { entry });
      if (isKept) {
        await store.write(bytes, 0, bytes.length, kept);
        kept += bytes.length;
      }
    }
  }
  const snapshot = new DiskSnapshot({ root, own, contents, listed, known, isSecret, limits });
  return { snapshot, repositories: listed.repositories };
}

/** Reads a small file; returns undefined when it is gone. */
async function readListed(
  fsPath: string,
  mostBytes: number,
): Promise<{ readonly entry: DiskEntry; readonly bytes?: Buffer } | undefined> {
  const stats = lstatSync(fsPath, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.size <= mostBytes ? readEntry(fsPath, mostBytes) : { entry: unread(stats) };
}

function unread(stats: BigIntStats): DiskEntry {
  if (!stats.isFile() && !stats.isSymbolicLink()) return { kind: 'other' };
  const [size, mode] = [Number(stats.size), Number(stats.mode & 0o7777n)];
  return { kind: 'opaque', size, mode, stamp: stampOf(stats) };
}

interface Parts {
  readonly root: string;
  readonly own: string;
  /** Path of our file with the contents. */
  readonly contents: string;
  readonly listed: Listed;
  readonly known: ReadonlyMap<string, Known>;
  readonly isSecret: (fsPath: string) => boolean;
  readonly limits: DiskLimits;
}

class DiskSnapshot implements Snapshot {
  readonly #parts: Parts;
  #doubtfulSince = Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get roots(): readonly string[] {
    return [this.#parts.root];
  }

  get gaps(): readonly string[] {
    const { listed, limits, root } = this.#parts;
    return listed.isWhole
      ? []
      : [`${root} has more than ${limits.entries} files and folders; the rest has no snapshot.`];
  }

  async read(fsPath: string): Promise<Baseline> {
    const { known, listed, isSecret, contents } = this.#parts;
    const { entry, begin } = known.get(fsPath) ?? {};
    if (entry === undefined) {
      // In a folder that is new as a whole, everything is new.
      const isListed = listed.folders.has(nearestOf(dirname(fsPath), listed.folders)) && !this.#isApart(fsPath);
      return isListed && (listed.isWhole || listed.folders.has(dirname(fsPath)))
        ? emptyBaseline('snapshot', 'missing')
        : emptyBaseline('unknown', 'unknown');
    }
    if (changedAt(entry) >= this.#doubtfulSince) return emptyBaseline('unknown', 'unknown');
    if (begin === undefined || (entry.kind !== 'file' && entry.kind !== 'link')) {
      return lookedAtBaseline('snapshot', entry, isSecret(fsPath));
    }
    return hashedBaseline('snapshot', entry, () => contentAt(contents, begin, entry.size, entry.sha256));
  }

  async differences(signal: AbortSignal): Promise<Differences> {
    const { root, own, listed, limits, known } = this.#parts;
    const now = await list(root, dirname(own), limits.entries, signal);
    const paths = new Set<string>();
    for (const [fsPath, stamp] of now.files) {
      const before = known.get(fsPath);
      if (before === undefined ? this.#isNewIn(fsPath) : stampIn(before.entry) !== stamp) paths.add(fsPath);
    }
    for (const [fsPath, { entry }] of known) {
      if (changedAt(entry) >= this.#doubtfulSince || stampAt(fsPath) === 'missing') paths.add(fsPath);
    }
    return { paths: [...paths], ignored: [...now.ignored].filter((each) => !listed.ignored.has(each)).map(asFolder) };
  }

  doubtSince(time: number): void {
    this.#doubtfulSince = Math.min(this.#doubtfulSince, time);
  }

  async ignoredRoots(fsPaths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const roots = new Map<string, string>();
    for (const fsPath of fsPaths) {
      for (let at = dirname(fsPath); relativeTo(this.#parts.root, at); at = dirname(at)) {
        if (generated.has(basename(at))) roots.set(fsPath, asFolder(at));
      }
    }
    return roots;
  }

  async heads(): Promise<ReadonlyMap<string, Head>> {
    return new Map();
  }

  async checkedOut(): Promise<ReadonlyMap<string, Baseline>> {
    return new Map();
  }

  /** Beyond the limit, nobody knows whether a file is new. */
  #isNewIn(fsPath: string): boolean {
    const { listed } = this.#parts;
    return listed.isWhole || listed.folders.has(dirname(fsPath));
  }

  #isApart(fsPath: string): boolean {
    const { ignored, repositories } = this.#parts.listed;
    return [...ignored, ...repositories].some((each) => relativeTo(each, fsPath) !== undefined);
  }
}

function nearestOf(folder: string, known: ReadonlySet<string>): string {
  for (let at = folder; ; at = dirname(at)) {
    if (known.has(at) || dirname(at) === at) return at;
  }
}

/** Returns the time of the last change in the stamp of an entry, in milliseconds since the epoch. */
function changedAt(entry: DiskEntry): number {
  const nanoseconds = 'stamp' in entry ? entry.stamp.split(':').at(-1) : undefined;
  return nanoseconds === undefined ? 0 : Number(BigInt(nanoseconds) / 1_000_000n);
}

async function contentAt(contents: string, begin: number, size: number, sha256: string): Promise<Uint8Array> {
  await using file: FileHandle = await open(contents, 'r');
  const bytes = Buffer.alloc(size);
  await file.read(bytes, 0, size, begin);
  if (sha256Of(bytes) !== sha256) throw new Error('What the snapshot kept of this file is damaged.');
  return bytes;
}

function asFolder(fsPath: string): string {
  return join(fsPath, '/');
}
