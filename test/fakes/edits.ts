import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange, FileRestore } from '#base/proposal.ts';
import type { AppliedFile, ApplyOutcome, Edits } from '#changes/edits.ts';

type AppliedChange = FileChange | FileRestore;

/** Files in memory that change only when they hold the base text, as in the real adapter. Folders exist by their files. */
export class FakeEdits implements Edits {
  /** By real path. */
  readonly texts: Map<string, string>;
  /** Every apply that wrote a file. */
  readonly writes: (readonly AppliedChange[])[] = [];
  /** Returns the text that save participants write for a text. */
  onSave: (text: string) => string = (text) => text;
  /** While set, applies write nothing and end with this result. */
  failure: Extract<ApplyOutcome, { status: 'failed' }> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
  }

  /** The number of watched changes. */
  get watched(): number {
    return this.#listeners.size;
  }

  /** Reports an event of a watched file. */
  fire(): void {
    for (const listener of this.#listeners) listener();
  }

  watch(_changes: readonly AppliedChange[], listener: () => void): { dispose(): void } {
    // Two watches may share a listener.
    const own = (): void => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  async findStale(changes: readonly AppliedChange[]): Promise<{ path: string; reason: string } | undefined> {
    for (const change of changes) {
      const reason = this.#staleReason(change);
      if (reason !== undefined) return { path: change.path.path, reason };
    }
    return undefined;
  }

  async apply(changes: readonly AppliedChange[]): Promise<ApplyOutcome> {
    if (this.failure) return this.failure;
    const stale = await this.findStale(changes);
    if (stale) return { status: 'stale', ...stale };
    this.writes.push(changes);
    const files = new Map<AppliedChange, AppliedFile>();
    for (const kind of ['edit', 'create', 'restore', 'move', 'delete'] as const) {
      for (const change of changes) if (change.kind === kind) files.set(change, this.#carryOut(change));
    }
    return { status: 'applied', files: changes.map((change) => files.get(change) ?? {}) };
  }

  #staleReason(change: AppliedChange): string | undefined {
    const { realPath } = change.path;
    if (change.kind === 'edit') {
      return this.texts.get(realPath) === change.base.text ? undefined : 'the file was changed';
    }
    if (change.kind === 'create' || change.kind === 'restore') return this.#taken(realPath);
    return (
      this.#treeReason(realPath, change.files) ?? (change.kind === 'move' ? this.#taken(change.to.realPath) : undefined)
    );
  }

  #taken(path: string): string | undefined {
    return this.#below(path).length === 0 ? undefined : 'something else has its name now';
  }

  #treeReason(root: string, files: readonly TreeFile[]): string | undefined {
    const expected = new Map(files.map(({ relative, sha256 }) => [join(root, relative), sha256]));
    const found = this.#below(root);
    if (found.length < expected.size) return 'it no longer exists, or only in part';
    return found.every((path) => expected.get(path) === sha256Of(this.texts.get(path) ?? ''))
      ? undefined
      : 'it was changed';
  }

  /** Returns the path itself when it is a file, else all files below it. */
  #below(path: string): readonly string[] {
    return [...this.texts.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
  }

  #carryOut(change: AppliedChange): AppliedFile {
    const { realPath } = change.path;
    switch (change.kind) {
      case 'edit':
        return this.#write(realPath, change.result);
      case 'create': {
        const createdFolders = this.#missingFolders(change.path);
        const { written } = this.#write(realPath, change.result);
        return { ...(written && { written: { ...written, sha256: sha256Of(written.text) } }), ...createdFolders };
      }
      case 'restore': {
        const createdFolders = this.#missingFolders(change.path);
        for (const { relative, bytes } of change.files) {
          this.texts.set(join(realPath, relative), Buffer.from(bytes).toString());
        }
        return createdFolders;
      }
      case 'move': {
        const createdFolders = this.#missingFolders(change.to);
        for (const path of this.#below(realPath)) {
          this.texts.set(`${change.to.realPath}${path.slice(realPath.length)}`, this.texts.get(path) ?? '');
          this.texts.delete(path);
        }
        return createdFolders;
      }
      case 'delete': {
        for (const path of this.#below(realPath)) this.texts.delete(path);
        return {};
      }
      default:
        return change satisfies never;
    }
  }

  #write(path: string, result: { readonly text: string; readonly encoding: string }): AppliedFile {
    const text = this.onSave(result.text);
    this.texts.set(path, text);
    return {
      written: {
        text,
        encoding: result.encoding,
        saved: true,
        dirty: false,
        changedOnSave: text !== result.text,
        size: text.length,
        modified: 1,
      },
    };
  }

  #missingFolders({ realPath, folder }: ResolvedPath): { createdFolders?: readonly string[] } {
    const missing: string[] = [];
    for (let path = dirname(realPath); path.startsWith(`${folder.realPath}/`); path = dirname(path)) {
      if (this.#below(path).length === 0) missing.unshift(path);
    }
    return missing.length === 0 ? {} : { createdFolders: missing };
  }
}

function join(root: string, relative: string): string {
  return relative === '' ? root : `${root}/${relative}`;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
