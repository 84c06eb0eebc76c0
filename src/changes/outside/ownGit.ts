/** Runs Git on a work tree with a Git directory of our own, and only reads objects of the repository. */
import { appendFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TimeSlice } from '#base/timeSlice.ts';
import { gitBlobId, mostFileBytes } from './diskEntry.ts';
import { idBytes, type IndexEntry, parseIndex, writeIndex } from './gitIndex.ts';
import { type GitPlaces, objectsOf, readPlace } from './gitPlaces.ts';
import { type GitResult, namesOf, outputOfGit, runGit } from './gitProgram.ts';
import { type KeptFile, KeptFiles } from './keptFiles.ts';
import { lfCount } from './lineEnds.ts';

/** How Git is run. */
export interface GitUse {
  /** Absolute path of Git. */
  readonly program: string;
  readonly signal: AbortSignal;
}

/** Makes Git write one pack instead of a file for each object. What a crash of the system leaves of it is never used. */
const onePack = ['core.bigFileThreshold=1', 'core.compression=1', 'core.fsync=none'].flatMap((each) => ['-c', each]);

/** Attributes with which Git writes other bytes than a blob has, beside those that change line ends. */
const conversions = ['filter', 'ident', 'working-tree-encoding'] as const;
/** Files whose attributes one run of Git tells; those of all files are more than 256 MiB in a large repository. */
const attributesAtOnce = 10_000;
const regularFile = 0o100000;
/** Files of a work tree that Git could not read; more of them end the attempt. */
const mostUnreadable = 50;

/** Bytes of the blobs that one run of Git tells; the last blob may exceed them. */
const blobBytesAtOnce = 16 * 1024 * 1024;

/** The files whose bytes on disk are not those of their blobs. */
export interface Converted {
  /** In these files, each LF of the blob became CRLF, and nothing else changed. */
  readonly crlf: ReadonlySet<IndexEntry>;
  /** Only the disk knows the bytes of these files. */
  readonly others: ReadonlySet<IndexEntry>;
}

interface SizedEntry {
  readonly file: IndexEntry;
  /** Bytes of the blob. */
  readonly size: number;
}

/** Makes the Git directory, with the attributes and the excludes of the repository. */
export async function makeOwn(
  own: string,
  { root, hash, exclude, attributes }: GitPlaces,
  { program, signal }: GitUse,
): Promise<void> {
  await mkdir(own, { recursive: true, mode: 0o700 });
  await outputOfGit({
    program,
    arguments: ['init', '-q', '--bare', '--template=', `--object-format=${hash}`, own],
    workingDirectory: root,
    environment: {},
    signal,
  });
  // With a work tree, the folder is not bare. The last line of a setting counts.
  await appendFile(join(own, 'config'), '[core]\n\tbare = false\n');
  await mkdir(join(own, 'info'), { recursive: true, mode: 0o700 });
  const attributed = await readPlace(attributes);
  await writeFile(join(own, 'info', 'attributes'), attributed?.bytes ?? '', { mode: 0o600 });
  // It is copied, so that a later line in the repository's file hides nothing.
  const excluded = await readPlace(exclude);
  await writeFile(join(own, 'info', 'exclude'), excluded?.bytes ?? '', { mode: 0o600 });
}

/** Runs Git on a work tree with our own Git directory. */
export class OwnGit {
  readonly #own: string;
  readonly #places: GitPlaces;
  readonly #options: GitUse;

  constructor(own: string, places: GitPlaces, options: GitUse) {
    this.#own = own;
    this.#places = places;
    this.#options = options;
  }

  /**
   * Returns the entries of the repository's index with its time of modification in milliseconds, or those of the newest commit when
   * the index cannot be used.
   */
  async indexEntries(): Promise<{ readonly entries: readonly IndexEntry[]; readonly modified: number }> {
    const index = await readPlace(this.#places.index);
    const entries = index && (await parseIndex(index.bytes, this.#places.hash));
    if (index !== undefined && entries !== undefined) return { entries, modified: index.modified };
    const head = await runGit({
      program: this.#options.program,
      arguments: ['rev-parse', '-q', '--verify', 'HEAD'],
      workingDirectory: this.#places.root,
      environment: { GIT_DIR: '.git', GIT_WORK_TREE: this.#places.root },
      signal: this.#options.signal,
    });
    // Before the first commit there is nothing to read.
    if (head.code !== 0) return { entries: [], modified: 0 };
    await this.#run(['read-tree', head.output.toString().trim()], { readsObjects: true });
    return { entries: await this.ownEntries(), modified: 0 };
  }

  /** Returns the entries of our index. @throws when it cannot be read */
  async ownEntries(): Promise<readonly IndexEntry[]> {
    const index = await readPlace(this.#index);
    const entries = index && (await parseIndex(index.bytes, this.#places.hash));
    if (entries === undefined) throw new Error('The index of the snapshot cannot be read.');
    return entries;
  }

  /** Returns the files of our index, which must stay as it is from now on. @throws when it cannot be read */
  kept(): Promise<KeptFiles> {
    return KeptFiles.open(this.#index, this.#places.hash);
  }

  get #index(): string {
    return join(this.#own, 'index');
  }

  /**
   * Returns the files that a check-out converted: their size in the index is not that of their blob, or the attributes of the
   * repository name a filter, which may keep the size. Afterwards, Git converts and filters nothing in this directory.
   */
  async converted(entries: readonly IndexEntry[]): Promise<Converted> {
    const filtered = await this.#filtered(entries);
    // These attributes win over those of the work tree.
    const attributes = '* -text -eol -crlf -filter -ident -working-tree-encoding\n';
    await writeFile(join(this.#own, 'info', 'attributes'), attributes, { mode: 0o600 });
    const files: IndexEntry[] = [];
    const ids = Buffer.alloc(entries.length * (2 * idBytes[this.#places.hash] + 1));
    let idsLength = 0;
    const slice = new TimeSlice();
    for (const entry of entries) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      const { mode, size, stage, isIntended, id } = entry;
      if ((mode & 0o170000) !== regularFile || size === 0 || stage !== 0 || isIntended) continue;
      files.push(entry);
      idsLength += ids.write(`${id}\n`, idsLength, 'latin1');
    }
    const output = await this.#run(['cat-file', '--batch-check=%(objectsize)', '--buffer'], {
      readsObjects: true,
      input: ids.subarray(0, idsLength),
    });
    const others = new Set<IndexEntry>();
    const larger: SizedEntry[] = [];
    let at = 0;
    for (const file of files) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      const end = output.indexOf('\n', at);
      // Git prints no number for an object that is missing, so its file counts as converted.
      const size = end < 0 ? NaN : Number(output.toString('latin1', at, end)) % 2 ** 32;
      at = end < 0 ? output.length : end + 1;
      if (filtered.has(file.path)) others.add(file);
      // At most each byte of a blob is a line end.
      else if (size < file.size && file.size <= 2 * size && size <= mostFileBytes) larger.push({ file, size });
      else if (size !== file.size) others.add(file);
    }
    const crlf = await this.#withCrlf(larger);
    for (const { file } of larger) if (!crlf.has(file)) others.add(file);
    return { crlf, others };
  }

  /**
   * Returns the files that are larger than their blobs by exactly one byte for each LF. Without a filter, Git only adds or removes the CR of
   * CRLF, so that each line of such a file ends with CRLF.
   */
  async #withCrlf(larger: readonly SizedEntry[]): Promise<ReadonlySet<IndexEntry>> {
    const found = new Set<IndexEntry>();
    const slice = new TimeSlice();
    let begin = 0;
    while (begin < larger.length) {
      let end = begin;
      for (let bytes = 0; end < larger.length && bytes < blobBytesAtOnce; end += 1) bytes += larger[end]?.size ?? 0;
      const asked = larger.slice(begin, end);
      const output = await this.#run(['cat-file', '--batch=%(objectname)', '--buffer'], {
        readsObjects: true,
        input: Buffer.from(asked.map(({ file }) => `${file.id}\n`).join('')),
      });
      let at = 0;
      for (const { file, size } of asked) {
        if (slice.isUsedUp) await slice.yieldToEventLoop();
        const blob = at + file.id.length + 1;
        if (output.toString('latin1', at, blob) !== `${file.id}\n`)
          throw new Error('Git told other blobs than those asked for.');
        if (lfCount(output.subarray(blob, blob + size)) === file.size - size) found.add(file);
        at = blob + size + 1;
      }
      begin = end;
    }
    return found;
  }

  /** Returns the files whose attributes name a filter or an encoding. */
  async #filtered(entries: readonly IndexEntry[]): Promise<ReadonlySet<string>> {
    const filtered = new Set<string>();
    if (!(await this.#mayFilter(entries))) return filtered;
    const slice = new TimeSlice();
    for (let begin = 0; begin < entries.length; begin += attributesAtOnce) {
      const asked = entries.slice(begin, begin + attributesAtOnce);
      const output = await this.#run(['check-attr', '-z', '--stdin', ...conversions], {
        input: Buffer.from(asked.map(({ path }) => `${path}\0`).join('')),
      });
      let at = 0;
      while (at < output.length) {
        if (slice.isUsedUp) await slice.yieldToEventLoop();
        const pathEnd = output.indexOf(0, at);
        const nameEnd = output.indexOf(0, pathEnd + 1);
        const valueEnd = output.indexOf(0, nameEnd + 1);
        if (valueEnd < 0) throw new Error('Git told a part of the attributes.');
        const value = output.toString('utf8', nameEnd + 1, valueEnd);
        if (value !== 'unspecified' && value !== 'unset') filtered.add(output.toString('utf8', at, pathEnd));
        at = valueEnd + 1;
      }
    }
    return filtered;
  }

  /** Returns whether the attributes of the repository, or a `.gitattributes` in its index, name a conversion. */
  async #mayFilter(entries: readonly IndexEntry[]): Promise<boolean> {
    const files = [join(this.#own, 'info', 'attributes')];
    const slice = new TimeSlice();
    for (const { path } of entries) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      if (/(^|\/)\.gitattributes$/i.test(path)) files.push(join(this.#places.root, path));
    }
    for (const file of files) {
      const found = await readPlace(file);
      if (found !== undefined && conversions.some((name) => found.bytes.includes(name))) return true;
    }
    return false;
  }

  /** Writes our index. Git takes files that are as new as its index for changed, so it gets the time of the repository's. */
  async replaceIndex(entries: readonly IndexEntry[], modified: number): Promise<void> {
    await writeFile(this.#index, await writeIndex(entries, this.#places.hash), { mode: 0o600 });
    const time = (modified - 1) / 1000;
    if (modified > 0) await utimes(this.#index, time, time);
  }

  /** Returns what differs from our index, relative; the root of another repository ends with `/`. */
  async changed(): Promise<readonly string[]> {
    return [...new Set(namesOf(await this.#run(['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'])))];
  }

  /** Returns what is ignored, relative; a folder ends with `/` and stands for all that is in it. */
  async ignored(): Promise<readonly string[]> {
    return namesOf(await this.#run(['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory']));
  }

  /** Returns all files of a repository in the work tree, absolute, but those that are ignored. */
  async filesIn(repository: string): Promise<readonly string[]> {
    const output = await outputOfGit({
      program: this.#options.program,
      arguments: ['ls-files', '-z', '-o', '--exclude-standard'],
      workingDirectory: repository,
      environment: { GIT_DIR: this.#own, GIT_WORK_TREE: repository, GIT_INDEX_FILE: join(this.#own, 'no-index') },
      signal: this.#options.signal,
    });
    return namesOf(output).map((path) => join(repository, path));
  }

  /** Puts files with their bytes into our index. Returns those that could not be read. */
  async add(paths: Iterable<string>): Promise<readonly string[]> {
    const unreadable: string[] = [];
    const left = new Set(paths);
    while (left.size > 0) {
      const { code, errorText } = await this.#result(
        [...onePack, 'update-index', '-z', '--add', '--remove', '--stdin'],
        {
          input: Buffer.from([...left].join('\0')),
        },
      );
      if (code === 0) return unreadable;
      const [, failed] = /^fatal: Unable to process path (.+)$/m.exec(errorText) ?? [];
      if (failed === undefined || !left.delete(failed) || unreadable.length === mostUnreadable) {
        throw new Error(`Git could not take the files into the snapshot: ${errorText.slice(0, 500)}`);
      }
      unreadable.push(failed);
    }
    return unreadable;
  }

  /** Returns those of the names that are ignored. */
  async checkIgnored(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const { code, output, errorText } = await this.#result(['check-ignore', '-z', '--stdin'], {
      input: Buffer.from([...new Set(names)].join('\0')),
    });
    if (code > 1) throw new Error(`git check-ignore failed: ${errorText.slice(0, 500)}`);
    return new Set(namesOf(output));
  }

  /** Returns the files of a commit. */
  async filesOf(commit: string): Promise<ReadonlyMap<string, KeptFile>> {
    const output = await this.#run(['ls-tree', '-r', '-z', '--full-tree', commit], { readsObjects: true });
    return new Map(
      namesOf(output).flatMap((line) => {
        const { mode, id, path } = /^(?<mode>\d+) \w+ (?<id>[0-9a-f]+)\t(?<path>.*)$/s.exec(line)?.groups ?? {};
        return mode === undefined || id === undefined || path === undefined
          ? []
          : [[path, { mode: Number.parseInt(mode, 8), id }] as const];
      }),
    );
  }

  /** Returns the bytes of a blob. @throws when it is missing or damaged */
  async blob(id: string): Promise<Uint8Array> {
    const bytes = await this.#run(['cat-file', 'blob', id], { readsObjects: true });
    if (gitBlobId(this.#places.hash, bytes) !== id) throw new Error('The repository holds other bytes under this id.');
    return bytes;
  }

  async #run(args: readonly string[], how: RunHow = {}): Promise<Buffer> {
    const { code, output, errorText } = await this.#result(args, how);
    if (code !== 0) throw new Error(`git ${args[0] ?? ''} failed: ${errorText.slice(0, 500)}`);
    return output;
  }

  /** Only commands that read objects see those of the repository: a command that writes would renew the time of a known one. */
  #result(args: readonly string[], { readsObjects = false, input }: RunHow): Promise<GitResult> {
    const { root } = this.#places;
    return runGit({
      program: this.#options.program,
      arguments: args,
      workingDirectory: root,
      environment: { GIT_DIR: this.#own, GIT_WORK_TREE: root, ...(readsObjects && objectsOf(this.#places)) },
      ...(input && { input }),
      signal: this.#options.signal,
    });
  }
}

interface RunHow {
  readonly readsObjects?: boolean;
  readonly input?: Uint8Array;
}
