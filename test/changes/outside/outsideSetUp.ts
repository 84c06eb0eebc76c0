/** The list of outside changes of a real folder, with timers that a test moves. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Files, Purpose, ResolvedPath } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import type { OtherSources } from '#changes/outside/baselines.ts';
import { isText, sha256Of } from '#changes/outside/diskEntry.ts';
import { findGit } from '#changes/outside/gitProgram.ts';
import type { OutsideChange } from '#changes/outside/outsideChange.ts';
import { OutsideChanges } from '#changes/outside/outsideChanges.ts';
import { outsideDisk } from '#changes/outside/outsideDependencies.ts';
import { UndoOutside } from '#changes/outside/undoOutside.ts';
import { takeHeldSnapshot } from '#changes/outside/windowSnapshot.ts';
import { locate } from '#files/disk.ts';
import { locateEntry, readTree } from '#files/readTree.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeHistory } from '../../fakes/history.ts';
import { diskEdits } from './diskEdits.ts';
import { put, repository } from './repository.ts';
import { temporaryFolder } from './snapshots.ts';

/** The time of this computer, since that of files is compared with it; its timers wait for the test. */
class WallClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

export const claude: Principal = { credential: 'window', connectionId: 'claude' };

export interface SetUpOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** False for a folder without Git. */
  readonly isRepository?: boolean;
  readonly sources?: Partial<OtherSources>;
  /** The snapshot begins when this is resolved. */
  readonly until?: Promise<unknown>;
}

export async function setUp({ files = {}, isRepository = true, sources = {}, until }: SetUpOptions = {}) {
  const folder = temporaryFolder();
  const root = join(folder, 'work');
  const snapshots = join(folder, 'snapshots');
  mkdirSync(root);
  if (isRepository) repository(root, files);
  else for (const [path, content] of Object.entries(files)) put(root, path, content);
  const clock = new WallClock();
  const history = new FakeHistory();
  const program = await findGit({ path: process.env['PATH'], platform: process.platform, folders: [root] });
  const isSecret = (fsPath: string): boolean => fsPath.includes('/.env');
  const errors: unknown[] = [];
  const none = async (): Promise<undefined> => undefined;
  const changes = new OutsideChanges({
    clock,
    disk: outsideDisk,
    contents: history,
    isSecret,
    sources: { document: none, read: none, commit: none, ...sources },
    covers: (fsPath) => fsPath.startsWith(`${root}/`) && !fsPath.includes('/.git/'),
    takeSnapshot: async (signal) => {
      await until;
      return takeHeldSnapshot([root], snapshots, { program, isSecret, signal });
    },
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => changes.dispose());
  const at = (path: string): string => join(root, path);
  const undo = new UndoOutside({
    clock,
    changes,
    history,
    disk: outsideDisk,
    edits: diskEdits,
    files: diskFiles,
    resolve: (uri, purpose) => resolveIn(root, uri, purpose),
    uriOf: (fsPath) => fsPath,
    nameOf: (fsPath) => relative(root, fsPath),
  });
  onTestFinished(() => undo.dispose());
  return {
    root,
    snapshots,
    clock,
    history,
    changes,
    undo,
    errors,
    at,
    /** Another program writes a file. */
    write: (path: string, content: string | Uint8Array) => put(root, path, content),
    remove: (path: string) => rmSync(at(path), { recursive: true }),
    move: (from: string, to: string) => renameSync(at(from), at(to)),
    mode: (path: string, mode: number) => chmodSync(at(path), mode),
    text: (path: string) => readFileSync(at(path), 'utf8'),
    /** The editor saves a file. */
    save(path: string, text: string): void {
      put(root, path, text);
      changes.writtenByEditor(at(path), sha256Of(Buffer.from(text)), Buffer.from(text));
    },
    /** Drawbridge writes a file. */
    apply(path: string, text: string): void {
      put(root, path, text);
      changes.writtenByUs(at(path), sha256Of(Buffer.from(text)), Buffer.from(text));
    },
    /** Returns the lines of both groups. */
    lines: (): readonly OutsideChange[] => [...changes.changes().duringCalls, ...changes.changes().byOthers],
    /** Returns the lines in words, such as `edit a.txt`, sorted. */
    words(): readonly string[] {
      return this.lines()
        .map((line) => {
          if (line.type === 'switch') return `switch ${line.from} ${line.to} ${line.count}`;
          if (line.type === 'ignored') return `ignored ${relative(root, line.root)} ${line.count}`;
          const from = line.movedFrom === undefined ? '' : ` from ${relative(root, line.movedFrom)}`;
          return `${line.kind} ${relative(root, line.fsPath)}${from}`;
        })
        .toSorted();
    },
    /** Returns the lines of files at these paths. */
    fileLines(...paths: readonly string[]) {
      return this.lines().flatMap((line) =>
        line.type === 'file' && (paths.length === 0 || paths.some((path) => at(path) === line.fsPath)) ? [line] : [],
      );
    },
    /** Begins a session and waits for its snapshot. */
    async begin(principal = claude): Promise<void> {
      changes.sessionBegan(principal);
      undo.sessionBegan(principal);
      await changes.ready(1_000);
      // The clock of a file system ticks every few milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 30));
    },
  };
}

export async function resolveIn(root: string, fsPath: string, purpose: Purpose): Promise<ResolvedPath> {
  const found = purpose === 'entry' ? await locateEntry(fsPath) : await locate(fsPath, purpose);
  const folder = { name: 'work', uri: root, fsPath: root, realPath: root };
  return { ...found, folder, fsPath, uri: fsPath, path: relative(root, fsPath), linked: found.realPath !== fsPath };
}

/** Files as an editor without open documents has them. */
const diskFiles: Pick<Files, 'readText' | 'readTree'> = {
  async readText({ realPath }) {
    const bytes = readFileSync(realPath);
    if (!isText(bytes)) throw new Error('binary');
    const text = bytes.toString();
    const isMarked = text.startsWith('\uFEFF');
    return {
      text: isMarked ? text.slice(1) : text,
      encoding: isMarked ? 'utf8bom' : 'utf8',
      source: 'disk',
      unsaved: false,
      unsavedElsewhere: false,
      readonly: false,
      unifiedLineEnds: 0,
      modified: 0,
    };
  },
  readTree: async (path, limits) => ({ files: await readTree(path, limits), unsaved: [], unsavedElsewhere: [] }),
};
