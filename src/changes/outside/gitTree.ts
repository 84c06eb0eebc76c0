/** The snapshot of one Git work tree, in a Git directory of our own. */
import { lstatSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { TimeSlice } from '#base/timeSlice.ts';
import { relativeTo } from '#policy/paths.ts';
import { type Baseline, crlfContentId, emptyBaseline, isExecutableMode, lookedAtBaseline } from './baseline.ts';
import { type DiskEntry, lookAt, mostFileBytes, stampAt, stampIn } from './diskEntry.ts';
import { type IndexEntry, parseIndex } from './gitIndex.ts';
import { type GitPlaces, gitPlaces, type Head, headOf, readPlace } from './gitPlaces.ts';
import type { KeptFile, KeptFiles } from './keptFiles.ts';
import { lfToCrlf } from './lineEnds.ts';
import { type GitUse, makeOwn, OwnGit } from './ownGit.ts';
import type { Differences } from './snapshot.ts';

/** How much of what the repository does not hold a snapshot takes from the disk of one work tree. */
export interface TakenLimits {
  readonly files: number;
  /** The sum of their sizes. */
  readonly bytes: number;
}

/** Git takes about a minute for as many small files on a slow machine. */
const shippedTakenLimits: TakenLimits = { files: 50_000, bytes: 500 * 1024 * 1024 };

/** What a snapshot is made with. */
export interface SnapshotOptions extends GitUse {
  /** Returns whether only hash and size of a file may be kept. Absolute path. */
  readonly isSecret: (fsPath: string) => boolean;
  readonly limits?: TakenLimits;
}

/** A file whose content was taken from the disk, so that it is the content of that moment. */
interface TakenFile {
  /** The blob that the repository's index had for it; undefined when it had none, or one that a check-out converts. */
  readonly committed: KeptFile | undefined;
  /** The last change of the file, in milliseconds since the epoch; 0 when it was missing. */
  readonly changed: number;
}

/** What differs from the snapshot of one work tree. */
interface TreeDifferences extends Differences {
  /** Roots of repositories in the work tree, absolute. */
  readonly repositories: readonly string[];
}

const linkMode = 0o120000;
const repositoryMode = 0o160000;
/** Ignored files that are looked at one by one. */
const mostIgnoredFiles = 2_000;

/** A snapshot of one work tree. */
export class GitTree {
  readonly root: string;
  /** Roots of repositories in this work tree, absolute. */
  readonly repositories: readonly string[];
  readonly #options: SnapshotOptions;
  readonly #places: GitPlaces;
  /** The Git directory of our own. */
  readonly #own: string;
  readonly #kept: KeptFiles;
  /** Kept files that have a CRLF on disk for each LF of their blob. */
  readonly #crlf: ReadonlySet<string>;
  readonly #taken: ReadonlyMap<string, TakenFile>;
  /** Files that are not kept: secret ones, ignored ones, and those that are too large or cannot be read. */
  readonly #apart: ReadonlyMap<string, DiskEntry>;
  /** Number of files that are not kept because of the limits of all together. */
  readonly #beyondLimits: number;
  /** Relative; folders end with `/`. */
  readonly #ignored: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly #began: number;
  /** Milliseconds since the epoch; what was taken from the disk and changed later is not known to be the state before. */
  #doubtfulSince = Infinity;

  private constructor(parts: TreeParts) {
    this.root = parts.places.root;
    this.repositories = parts.repositories.map((each) => join(parts.places.root, each));
    this.#began = parts.began;
    this.#options = parts.options;
    this.#places = parts.places;
    this.#own = parts.own;
    this.#kept = parts.kept;
    this.#crlf = parts.crlf;
    this.#taken = parts.taken;
    this.#apart = parts.apart;
    this.#beyondLimits = parts.beyondLimits;
    this.#ignored = parts.ignored;
  }

  /**
   * Takes the snapshot of the work tree with this root (real path).
   * @param own a folder for our Git directory, which must not exist
   * @throws when there is no repository, or Git cannot read it
   */
  static async take(root: string, own: string, options: SnapshotOptions): Promise<GitTree> {
    const began = Date.now();
    const places = await gitPlaces(options.program, root, options.signal);
    await makeOwn(own, places, options);
    const git = new OwnGit(own, places, options);
    const { entries, modified } = await git.indexEntries();
    const converted = await git.converted(entries);
    const { ours, others } = await divideEntries(entries, converted.others, root, options);
    await git.replaceIndex(ours, modified);
    const [changed, ignored] = await Promise.all([git.changed(), git.ignored()]);
    const listed = new Set([
      ...changed,
      ...others.map(({ path }) => path),
      ...ignored.filter((path) => !path.endsWith('/')).slice(0, mostIgnoredFiles),
    ]);
    const ignoredFiles = new Set(ignored);
    const sorted = await sortOut(root, own, listed, ignoredFiles, options);
    const unreadable = await git.add(sorted.taken.keys());
    const apart = new Map(sorted.apart);
    for (const path of unreadable) apart.set(path, await lookAt(join(root, path), 0));
    const slice = new TimeSlice();
    const listedEntries = new Map<string, IndexEntry>();
    const crlf = new Set<string>();
    for (const entry of entries) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      if (listed.has(entry.path)) listedEntries.set(entry.path, entry);
      else if (converted.crlf.has(entry)) crlf.add(entry.path);
    }
    const taken = new Map<string, TakenFile>();
    for (const [path, change] of sorted.taken) {
      const entry = listedEntries.get(path);
      const isPlain =
        entry?.stage === 0 && !entry.isIntended && !converted.crlf.has(entry) && !converted.others.has(entry);
      taken.set(path, { committed: isPlain ? { mode: entry.mode, id: entry.id } : undefined, changed: change });
    }
    return new GitTree({
      began,
      options,
      places,
      own,
      kept: await git.kept(),
      crlf,
      taken,
      apart,
      beyondLimits: sorted.beyondLimits,
      ignored: ignoredFiles,
      repositories: sorted.repositories,
    });
  }

  /** The sentence for the user about files whose content is not kept because there is too much of it; undefined when there are none. */
  get gap(): string | undefined {
    if (this.#beyondLimits === 0) return undefined;
    return `Of the files of ${this.root} that Git does not hold as they are on disk, ${this.#beyondLimits} can be compared, but not restored: together they are too many or too large.`;
  }

  /**
   * Says that files may have been changed from that time on by what the snapshot is to show. The content of a file that was taken
   * from the disk and changed after it is no baseline.
   * @param time milliseconds since the epoch
   */
  doubtSince(time: number): void {
    this.#doubtfulSince = Math.min(this.#doubtfulSince, time);
  }

  /** Returns what a file was when the snapshot was taken. Absolute path below the root, not in another repository. */
  baseline(fsPath: string): Baseline {
    const path = relativeTo(this.root, fsPath);
    if (path === undefined) return emptyBaseline('unknown', 'unknown');
    const apart = this.#apart.get(path);
    if (apart !== undefined) return lookedAtBaseline('snapshot', apart, this.#options.isSecret(fsPath));
    const taken = this.#taken.get(path);
    if (taken !== undefined && taken.changed >= this.#doubtfulSince) {
      if (taken.committed !== undefined) return this.#fileBaseline(taken.committed, 'commit');
      return emptyBaseline('unknown', 'unknown');
    }
    let kept: KeptFile | undefined;
    try {
      kept = this.#kept.find(path);
    } catch {
      // Nothing is known of the file where the index of the snapshot is gone or was changed.
      return emptyBaseline('unknown', 'unknown');
    }
    if (kept !== undefined)
      return this.#crlf.has(path) ? this.#crlfBaseline(kept) : this.#fileBaseline(kept, 'snapshot');
    return this.ignoredRoot(fsPath) === undefined
      ? emptyBaseline('snapshot', 'missing')
      : emptyBaseline('unknown', 'unknown');
  }

  /** Returns the ignored folder or file of the snapshot that a path lies in or is; undefined for others. Absolute paths. */
  ignoredRoot(fsPath: string): string | undefined {
    const path = relativeTo(this.root, fsPath) ?? '';
    if (this.#ignored.has(path)) return fsPath;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (this.#ignored.has(path.slice(0, slash + 1))) return join(this.root, path.slice(0, slash + 1));
    }
    return undefined;
  }

  /** Returns the ignored folder or file that a path lies in or is by the present rules of the work tree; undefined for others. */
  async ignoredNow(fsPaths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const roots = new Map<string, string>();
    const asked = fsPaths.flatMap((fsPath) => {
      const path = relativeTo(this.root, fsPath);
      return path === undefined ? [] : [{ fsPath, names: prefixesOf(path) }];
    });
    const ignored = await this.#git(signal).checkIgnored(asked.flatMap(({ names }) => names));
    for (const { fsPath, names } of asked) {
      const found = names.find((name) => ignored.has(name));
      if (found !== undefined) {
        const root = join(this.root, found);
        roots.set(fsPath, root === fsPath ? root : join(root, '/'));
      }
    }
    return roots;
  }

  /** Finds what differs from the snapshot now, without what lies in other repositories. */
  async differences(signal: AbortSignal): Promise<TreeDifferences> {
    const isThere = await lstat(this.root).catch(() => undefined);
    if (isThere === undefined) {
      const entries = await this.#git(signal).ownEntries();
      return { paths: entries.map(({ path }) => join(this.root, path)), ignored: [], repositories: [] };
    }
    const git = this.#git(signal);
    const [changed, ignored] = await Promise.all([git.changed(), git.ignored()]);
    const doubtful = [...this.#taken].flatMap(([path, each]) => (each.changed >= this.#doubtfulSince ? [path] : []));
    const found = new Set(
      [...changed, ...doubtful].filter(
        (path) =>
          !path.endsWith('/') &&
          !this.#apart.has(path) &&
          !isWithin(this.#own, join(this.root, path)) &&
          !this.#isOldIgnored(path),
      ),
    );
    const slice = new TimeSlice();
    for (const [path, before] of this.#apart) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      if (stampAt(join(this.root, path)) !== stampIn(before)) found.add(path);
    }
    return {
      paths: [...found].map((path) => join(this.root, path)),
      ignored: ignored.filter((path) => !this.#isKnownIgnored(path)).map((path) => join(this.root, path)),
      repositories: changed.filter((path) => path.endsWith('/')).map((path) => join(this.root, path.slice(0, -1))),
    };
  }

  /** Returns what the repository has checked out. */
  head(signal: AbortSignal): Promise<Head> {
    return headOf(this.#options.program, this.root, signal);
  }

  /** Returns all files of another repository in this work tree but the ignored ones; absolute paths. */
  filesIn(repository: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#git(signal).filesIn(repository);
  }

  /**
   * Returns which entries are as a commit has them, so that a check-out explains them. Absolute paths.
   * @param now the entries on disk
   */
  async checkedOut(
    commit: string,
    now: ReadonlyMap<string, DiskEntry>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Baseline>> {
    const git = this.#git(signal);
    const [files, index] = await Promise.all([git.filesOf(commit), readPlace(this.#places.index)]);
    const indexEntries = index && (await parseIndex(index.bytes, this.#places.hash));
    const entries = new Map(indexEntries?.map((entry) => [entry.path, entry]) ?? []);
    const found = new Map<string, Baseline>();
    for (const [fsPath, entry] of now) {
      const path = relativeTo(this.root, fsPath);
      if (path === undefined) continue;
      const file = files.get(path);
      if (file === undefined) {
        if (entry.kind === 'missing') found.set(fsPath, emptyBaseline('commit', 'missing'));
        continue;
      }
      const baseline = this.#fileBaseline(file, 'commit');
      const indexed = entries.get(path);
      if (baseline.isSame(entry)) found.set(fsPath, baseline);
      // A check-out that converts line ends writes other bytes than the commit has, and remembers their size and time.
      else if (indexed?.id === file.id && isAsIndexed(fsPath, indexed)) {
        found.set(fsPath, lookedAtBaseline('commit', entry, false));
      }
    }
    return found;
  }

  #git(signal: AbortSignal): OwnGit {
    return new OwnGit(this.#own, this.#places, { ...this.#options, signal });
  }

  /** An ignored file that is not ignored any more, and is as old as the snapshot, was not changed. */
  #isOldIgnored(path: string): boolean {
    const ignored = this.ignoredRoot(join(this.root, path));
    return ignored !== undefined && stampTime(join(this.root, path)) < this.#began;
  }

  #isKnownIgnored(path: string): boolean {
    return this.#ignored.has(path) || this.#apart.has(path) || this.ignoredRoot(join(this.root, path)) !== undefined;
  }

  #fileBaseline({ mode, id }: KeptFile, source: 'snapshot' | 'commit'): Baseline {
    const kind = mode === linkMode ? 'link' : 'file';
    const isExecutable = kind === 'file' && isExecutableMode(mode);
    const { hash } = this.#places;
    return {
      source,
      kind,
      isExecutable,
      contentId: id,
      isSame: (now) =>
        now.kind === kind &&
        now.gitIds[hash] === id &&
        (kind === 'link' || isExecutableMode(now.mode) === isExecutable),
      content: () => this.#git(AbortSignal.timeout(30_000)).blob(id),
    };
  }

  #crlfBaseline(kept: KeptFile): Baseline {
    const asBlob = this.#fileBaseline(kept, 'snapshot');
    return {
      ...asBlob,
      contentId: crlfContentId(kept.id),
      isSame: (now) =>
        now.kind === 'file' &&
        now.lfIds?.[this.#places.hash] === kept.id &&
        isExecutableMode(now.mode) === asBlob.isExecutable,
      content: async () => lfToCrlf(await asBlob.content()),
    };
  }
}

interface TreeParts {
  readonly began: number;
  readonly options: SnapshotOptions;
  readonly places: GitPlaces;
  readonly own: string;
  readonly kept: KeptFiles;
  readonly crlf: ReadonlySet<string>;
  readonly taken: ReadonlyMap<string, TakenFile>;
  readonly apart: ReadonlyMap<string, DiskEntry>;
  readonly beyondLimits: number;
  readonly ignored: ReadonlySet<string>;
  readonly repositories: readonly string[];
}

/**
 * Divides the entries of an index into those that Git may compare as they are, and other files, which are looked at one by one. An index may
 * have hundreds of thousands of entries, and each path is judged by the rules for secret files.
 */
async function divideEntries(
  entries: readonly IndexEntry[],
  converted: ReadonlySet<IndexEntry>,
  root: string,
  { isSecret, signal }: SnapshotOptions,
): Promise<{ readonly ours: readonly IndexEntry[]; readonly others: readonly IndexEntry[] }> {
  const ours: IndexEntry[] = [];
  const others: IndexEntry[] = [];
  const slice = new TimeSlice();
  for (const entry of entries) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    signal.throwIfAborted();
    const { path, mode, stage, isIntended } = entry;
    if (mode === repositoryMode || !isPlainPath(path)) continue;
    const isOurs = stage === 0 && !isIntended && !converted.has(entry) && !isSecret(join(root, path));
    (isOurs ? ours : others).push(entry);
  }
  return { ours, others };
}

interface SortedFiles {
  /** Files, links and missing files that Git may take, with the time of their last change in milliseconds since the epoch. */
  readonly taken: ReadonlyMap<string, number>;
  readonly apart: ReadonlyMap<string, DiskEntry>;
  /** Number of files that stand apart because of the limits of all together. */
  readonly beyondLimits: number;
  readonly repositories: readonly string[];
}

/** Divides listed files into those whose content is kept and those that are only looked at. The smallest files are kept first. */
async function sortOut(
  root: string,
  own: string,
  listed: Iterable<string>,
  ignored: ReadonlySet<string>,
  options: SnapshotOptions,
): Promise<SortedFiles> {
  const found: { readonly path: string; readonly size: number; readonly changed: number }[] = [];
  const apart = new Map<string, DiskEntry>();
  const repositories: string[] = [];
  const slice = new TimeSlice();
  for (const path of listed) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    options.signal.throwIfAborted();
    const fsPath = join(root, path);
    if (path.endsWith('/')) {
      repositories.push(path.slice(0, -1));
    } else if (options.isSecret(fsPath)) {
      apart.set(path, await lookAt(fsPath));
    } else if (ignored.has(path)) {
      apart.set(path, await lookAt(fsPath, 0));
    } else if (!isWithin(own, fsPath)) {
      const stats = lstatSync(fsPath, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) continue;
      if (stats?.isFile() === true && stats.size > mostFileBytes) {
        apart.set(path, await lookAt(fsPath));
      } else if (stats === undefined || stats.isFile() || stats.isSymbolicLink()) {
        found.push({
          path,
          size: stats?.size ?? 0,
          changed: stats === undefined ? 0 : Math.max(stats.ctimeMs, stats.mtimeMs),
        });
      }
    }
  }
  const taken = new Map<string, number>();
  const { files, bytes } = options.limits ?? shippedTakenLimits;
  let bytesTaken = 0;
  for (const { path, size, changed } of found.toSorted((one, other) => one.size - other.size)) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    if (taken.size < files && bytesTaken + size <= bytes) {
      taken.set(path, changed);
      bytesTaken += size;
    } else apart.set(path, await lookAt(join(root, path), 0));
  }
  return { taken, apart, beyondLimits: found.length - taken.size, repositories };
}

/** A Git directory in a work tree, such as one in the home folder, is no part of the snapshot; nor are its neighbours. */
function isWithin(own: string, fsPath: string): boolean {
  return relativeTo(join(own, '..', '..'), fsPath) !== undefined;
}

/** An index that was made by hand may lead out of the work tree, or into its `.git`. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((name) => !['', '.', '..', '.git'].includes(name.toLowerCase()));
}

function prefixesOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function stampTime(fsPath: string): number {
  return lstatSync(fsPath, { throwIfNoEntry: false })?.ctimeMs ?? Infinity;
}

/** Returns whether size and time of a file are those that the index remembers. */
function isAsIndexed(fsPath: string, { stat, size }: IndexEntry): boolean {
  const stats = lstatSync(fsPath, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return false;
  const [seconds, nanoseconds] = [BigInt(stat.readUInt32BE(8)), BigInt(stat.readUInt32BE(12))];
  const isSameTime =
    stats.mtimeNs / 1_000_000_000n === seconds &&
    (nanoseconds === 0n || stats.mtimeNs % 1_000_000_000n === nanoseconds);
  return isSameTime && Number(stats.size % 2n ** 32n) === size;
}
