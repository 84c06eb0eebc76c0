/** Finds what a file was before an outside change: the first source that knows it counts. */
import type { History } from '../history.ts';
import { type Baseline, type BaselineSource, emptyBaseline, hashedBaseline, isExecutableMode } from './baseline.ts';
import { type DiskEntry, sha256Of } from './diskEntry.ts';
import type { Snapshot } from './snapshot.ts';

/** Sources beside the snapshot. Each returns the bytes of a file (absolute path), or undefined when it does not know them. */
export interface OtherSources {
  /** The text that the editor held before another program wrote the file. */
  readonly document: (fsPath: string) => Promise<Uint8Array | undefined>;
  /** What Drawbridge read for an assistant last. */
  readonly read: (fsPath: string) => Promise<Uint8Array | undefined>;
  /** What the newest commit holds, for a file without a snapshot. */
  readonly commit: (fsPath: string) => Promise<Uint8Array | undefined>;
}

export interface BaselinesDependencies {
  readonly contents: Pick<History, 'putContent' | 'getContent'>;
  readonly isSecret: (fsPath: string) => boolean;
  readonly sources: OtherSources;
}

/** What the editor or Drawbridge wrote last; `sha256` is undefined for a file that they deleted. */
interface Written {
  readonly sha256: string | undefined;
  /** The bytes of a text are known, so that a new file of it may not be executed. */
  readonly isText: boolean;
}

/** The baselines of one window. */
export class Baselines {
  readonly #dependencies: BaselinesDependencies;
  readonly #written = new Map<string, Written>();
  /** Baselines that replace the snapshot: of kept files, and of files that a check-out changed. */
  readonly #replaced = new Map<string, Baseline>();
  readonly #reports = new Map<string, Baseline>();
  /** Hashes of contents in the history. */
  readonly #contents = new Set<string>();

  constructor(dependencies: BaselinesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Notes what the editor or Drawbridge wrote. The bytes, where they are given, are kept for an undo. */
  async written(fsPath: string, sha256: string | undefined, bytes?: Uint8Array): Promise<void> {
    this.#written.set(fsPath, { sha256, isText: bytes !== undefined });
    if (bytes !== undefined) await this.keepContent(fsPath, bytes);
  }

  /** Returns whether the last known write of a file by the editor or Drawbridge still lacks its bytes. */
  lacksContent(fsPath: string): boolean {
    const { sha256 } = this.#written.get(fsPath) ?? {};
    return sha256 !== undefined && !this.#contents.has(sha256) && !this.#dependencies.isSecret(fsPath);
  }

  /** Keeps bytes in the history, unless the file is secret. Returns their hash. */
  async keepContent(fsPath: string, bytes: Uint8Array): Promise<string> {
    const sha256 = sha256Of(bytes);
    if (!this.#dependencies.isSecret(fsPath) && !this.#contents.has(sha256)) {
      await this.#dependencies.contents.putContent(bytes);
      this.#contents.add(sha256);
    }
    return sha256;
  }

  /** Replaces whatever was known of a file. */
  replace(fsPath: string, baseline: Baseline): void {
    this.#written.delete(fsPath);
    this.#replaced.set(fsPath, baseline);
  }

  /** Notes the original content of a file in the report of an assistant; the first report of a file counts. */
  async report(fsPath: string, bytes: Uint8Array): Promise<void> {
    if (this.#dependencies.isSecret(fsPath) || this.#reports.has(fsPath)) return;
    const sha256 = await this.keepContent(fsPath, bytes);
    this.#reports.set(fsPath, this.#hashed('report', sha256, undefined));
  }

  /** Forgets all but the baselines of these files, when a new snapshot begins. */
  restart(pending: ReadonlyMap<string, Baseline>): void {
    this.#written.clear();
    this.#reports.clear();
    this.#replaced.clear();
    for (const [fsPath, baseline] of pending) this.#replaced.set(fsPath, baseline);
  }

  /** Returns the files whose baseline is not that of the snapshot, so that a comparison with it says nothing of them. */
  overridden(): Iterable<string> {
    return new Set([...this.#written.keys(), ...this.#replaced.keys()]);
  }

  /**
   * Returns what a file was.
   * @param pinned its baseline in the list, which stays when neither the editor nor Drawbridge has written it since
   */
  async of(fsPath: string, snapshot: Snapshot | undefined, pinned: Baseline | undefined): Promise<Baseline> {
    const written = this.#written.get(fsPath);
    const replaced = this.#replaced.get(fsPath);
    if (written !== undefined) {
      const before = replaced ?? (await snapshot?.read(fsPath));
      if (written.sha256 === undefined) return emptyBaseline('written', 'missing');
      // A new text may not be executed, until another program says so; a file that was moved or restored has the mode it had.
      const isNewText = before?.kind === 'missing' && written.isText;
      const isExecutable = before?.kind === 'file' ? before.isExecutable : isNewText ? false : undefined;
      return this.#hashed('written', written.sha256, isExecutable);
    }
    if (replaced !== undefined) return replaced;
    if (pinned !== undefined) return pinned;
    const taken = await snapshot?.read(fsPath);
    if (taken !== undefined && taken.kind !== 'unknown') return taken;
    return (await this.#otherBaseline(fsPath)) ?? emptyBaseline('unknown', 'unknown');
  }

  async #otherBaseline(fsPath: string): Promise<Baseline | undefined> {
    if (this.#dependencies.isSecret(fsPath)) return undefined;
    const report = this.#reports.get(fsPath);
    if (report !== undefined) return report;
    const { sources } = this.#dependencies;
    for (const source of ['document', 'read', 'commit'] as const) {
      const bytes = await sources[source](fsPath).catch(() => undefined);
      if (bytes !== undefined) return this.#hashed(source, await this.keepContent(fsPath, bytes), undefined);
    }
    return undefined;
  }

  /** Returns the baseline of a file with these bytes; its mode counts where it is known. */
  #hashed(source: BaselineSource, sha256: string, isExecutable: boolean | undefined): Baseline {
    const { contents } = this.#dependencies;
    return {
      source,
      kind: 'file',
      isExecutable: isExecutable ?? false,
      ...(this.#contents.has(sha256) && { contentId: `sha256 ${sha256}` }),
      isSame: (now) =>
        now.kind === 'file' &&
        now.sha256 === sha256 &&
        (isExecutable === undefined || isExecutableMode(now.mode) === isExecutable),
      content: () => contents.getContent(sha256),
    };
  }

  /** Returns the baseline of a text of which the user kept a part. */
  async keptText(fsPath: string, bytes: Uint8Array, mode: number): Promise<Baseline> {
    const sha256 = await this.keepContent(fsPath, bytes);
    return hashedBaseline('kept', { kind: 'file', sha256, mode }, () => this.#dependencies.contents.getContent(sha256));
  }

  /** Returns the baseline that an entry as it is now becomes when the user keeps it. */
  async kept(fsPath: string, now: DiskEntry, bytes: Uint8Array | undefined): Promise<Baseline> {
    if (now.kind === 'missing') return emptyBaseline('kept', 'missing');
    if ((now.kind === 'file' || now.kind === 'link') && bytes !== undefined && !this.#dependencies.isSecret(fsPath)) {
      const sha256 = await this.keepContent(fsPath, bytes);
      return hashedBaseline('kept', { ...now, sha256 }, () => this.#dependencies.contents.getContent(sha256));
    }
    return {
      ...emptyBaseline('kept', 'unknown'),
      kind: 'opaque',
      isSame: (later) => stateOfKept(later) === stateOfKept(now),
    };
  }
}

function stateOfKept(entry: DiskEntry): string {
  if ('sha256' in entry) return `${entry.sha256} ${entry.mode}`;
  return 'stamp' in entry ? entry.stamp : entry.kind;
}
