import { realpathSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Event, Subscription } from '#base/event.ts';
import type { Files } from '#base/files.ts';
import type { NativeMoment } from '#base/nativeCommand.ts';
import { type Principal, principalKey } from '#base/principal.ts';
import type { Workspace } from '#base/workspace.ts';
import { principalOf } from '#call/nativeCalls.ts';
import type { NativeWatch } from '#call/nativeWatch.ts';
import type { createOutsideSources } from '#changes/editor/outsideSources.ts';
import type { Edits, NoteWritten } from '#changes/edits.ts';
import type { History } from '#changes/history.ts';
import type { Resolve } from '#changes/keep.ts';
import { sha256Of } from '#changes/outside/diskEntry.ts';
import { findGit } from '#changes/outside/gitProgram.ts';
import { OutsideChanges } from '#changes/outside/outsideChanges.ts';
import { outsideDisk } from '#changes/outside/outsideDependencies.ts';
import { noteWrites } from '#changes/outside/ownWrites.ts';
import { deleteAllSnapshots, sweepSnapshots } from '#changes/outside/snapshotFolders.ts';
import { UndoOutside } from '#changes/outside/undoOutside.ts';
import { takeHeldSnapshot } from '#changes/outside/windowSnapshot.ts';
import { encodeText } from '#files/editor/textEncoding.ts';
import { makePrivateFolder } from '#home/stateFolder.ts';
import { folderContaining, fsPathOf } from '#policy/paths.ts';
import { classifyPath, type PathRules } from '#policy/protectedPaths.ts';
import type { OutsideList } from '#ui/outside/outsideView.ts';

export interface OutsideOptions {
  /** The state folder of this user. */
  readonly home: string;
  readonly clock: Clock;
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly pathRules: PathRules;
  readonly history: History;
  readonly edits: Edits;
  readonly files: Files;
  readonly resolve: Resolve;
  readonly sources: ReturnType<typeof createOutsideSources>;
  /** Whether the user wants the list. */
  readonly isWanted: () => boolean;
  readonly onDidChangeWanted: Event<void>;
  readonly onError: (error: unknown) => void;
}

/** A command that may change files waits so long at most for the snapshot, in milliseconds. */
const mostWait = 2000;
/** A session that was silent for so long has ended, in milliseconds. Some assistants do not tell their end. */
const sessionMilliseconds = 60 * 60_000;
/** Old snapshots are looked for so often, in milliseconds. */
const sweepMilliseconds = 24 * 60 * 60_000;
/** The most files of a folder that the user deletes or moves in the editor and that are noted one by one. */
const mostFiles = 20_000;

/** Creates the list of outside changes: what tells it of sessions, calls and writes, and what shows and undoes its lines. */
export function createOutside(options: OutsideOptions) {
  const { home, clock, workspace, pathRules, history, sources, onError } = options;
  const snapshots = join(home, 'snapshots');
  const placeOf = (realPath: string) => folderContaining(realPath, workspace.folders());
  const classOf = (realPath: string) => {
    const place = placeOf(realPath);
    return place && classifyPath({ folder: place.folder, fsPath: fsPathOf(place), realPath }, pathRules).class;
  };
  const isSecret = (realPath: string): boolean => ['secret', 'hard_deny'].includes(classOf(realPath) ?? '');
  const list = new OutsideChanges({
    clock,
    disk: outsideDisk,
    contents: history,
    isSecret,
    covers: (realPath) => ![undefined, 'hard_deny'].includes(classOf(realPath)),
    sources,
    async takeSnapshot(signal) {
      makePrivateFolder(home, snapshots);
      const folders = workspace.folders().map(({ realPath }) => realPath);
      const program = await findGit({ path: process.env['PATH'], platform: process.platform, folders });
      return takeHeldSnapshot(folders, snapshots, { program, isSecret, signal });
    },
    onError,
  });
  const undo = new UndoOutside({
    ...options,
    changes: list,
    disk: outsideDisk,
    uriOf: (realPath) => vscode.Uri.file(realPath).toString(),
    nameOf: (realPath) => vscode.workspace.asRelativePath(realPath),
  });
  const sessions = new Sessions(list, undo, options);
  return {
    list: viewOf(list, undo, sessions),
    watch: watchOf(list, undo, sessions, options.isWanted),
    moment: (moment: NativeMoment) => sessions.moment(moment),
    /** Ends all sessions, because no hook reaches this window any more. What is listed stays. */
    endSessions: () => sessions.endAll(),
    noteWritten: ((changes, outcome) => void noteWrites(changes, outcome, list).catch(onError)) satisfies NoteWritten,
    /** Returns when a command of an assistant changed a file of the list (real path), in milliseconds since the epoch. */
    changedAt: (realPath: string): number | undefined =>
      list.changes().duringCalls.some((line) => line.type === 'file' && line.fsPath === realPath)
        ? outsideDisk.changedAt(realPath)
        : undefined,
    /** Deletes what was kept of files before outside changes. What is listed cannot be undone any more. */
    deleteSnapshots: () => deleteAllSnapshots(snapshots),
    disposables: [sessions, list, undo, sources, keepSwept(snapshots, clock, onError)],
  };
}

/** The list as the view needs it. */
function viewOf(list: OutsideChanges, undo: UndoOutside, sessions: Sessions): OutsideList {
  return {
    changes: () => list.changes(),
    onDidChange: list.onDidChange,
    gaps: () => (sessions.isIncomplete ? [incompleteText(), ...list.gaps()] : list.gaps()),
    keep: (ids) => list.keep(ids),
    partsOf: (fsPath) => list.partsOf(fsPath),
    keepPart: (fsPath, part) => list.keepPart(fsPath, part),
    undo: (lines) => undo.request(lines),
    undoNow: () => undo.undoNow(),
  };
}

function incompleteText(): string {
  return vscode.l10n.t(
    'The snapshot was not complete when the first command began, so what some files held before may not be known.',
  );
}

function watchOf(list: OutsideChanges, undo: UndoOutside, sessions: Sessions, isWanted: () => boolean): NativeWatch {
  return {
    saw(principal) {
      if (isWanted()) sessions.saw(principal);
    },
    async ready() {
      if ((await list.ready(mostWait)) === 'incomplete') sessions.isIncomplete = true;
    },
    began({ key, principal, headline }) {
      list.callBegan(principal, key, headline);
      undo.callBegan(principal, key);
    },
    ended({ key, principal, paths }) {
      undo.callEnded(principal, key);
      void list.callEnded(
        principal,
        key,
        paths.map((fsPath) => ({ fsPath: realPathOf(fsPath) })),
      );
    },
    takeWords: (principal) => undo.takeWords(principal),
  };
}

/** The sessions of assistants in this window. Files are watched while there is one. */
class Sessions {
  readonly #list: OutsideChanges;
  readonly #undo: UndoOutside;
  readonly #options: OutsideOptions;
  /** The sessions, each with the timer after which it has ended. */
  readonly #sessions = new Map<string, { readonly principal: Principal; readonly timer: Subscription }>();
  #watching: vscode.Disposable | undefined;
  /** A command began before the snapshot was complete. */
  isIncomplete = false;
  readonly #settings: Subscription;

  constructor(list: OutsideChanges, undo: UndoOutside, options: OutsideOptions) {
    this.#list = list;
    this.#undo = undo;
    this.#options = options;
    this.#settings = options.onDidChangeWanted(() => {
      if (options.isWanted() || this.#sessions.size === 0) return;
      this.endAll();
      this.#list.dispose();
    });
  }

  /** Notes that a session is there. */
  saw(principal: Principal): void {
    const key = principalKey(principal);
    const known = this.#sessions.get(key);
    known?.timer.dispose();
    const timer = this.#options.clock.after(sessionMilliseconds, () => this.#end(principal));
    this.#sessions.set(key, { principal, timer });
    if (known === undefined) {
      if (this.#sessions.size === 1) this.isIncomplete = false;
      this.#watching ??= watchFiles(this.#list, this.#options);
      this.#list.sessionBegan(principal);
      this.#undo.sessionBegan(principal);
    }
    this.#undo.worked(principal);
  }

  moment(moment: NativeMoment): void {
    const principal = principalOf(moment);
    if (!this.#options.isWanted()) return;
    if (moment.event === 'sessionBegan') this.saw(principal);
    else if (moment.event === 'sessionEnded') this.#end(principal);
    else void this.#endTurn(principal).catch(this.#options.onError);
  }

  endAll(): void {
    for (const { principal } of this.#sessions.values()) this.#end(principal);
  }

  async #endTurn(principal: Principal): Promise<void> {
    await this.#list.turnEnded(principal);
    this.#undo.turnEnded(principal);
  }

  #end(principal: Principal): void {
    const key = principalKey(principal);
    this.#sessions.get(key)?.timer.dispose();
    if (!this.#sessions.delete(key)) return;
    this.#undo.sessionEnded(principal);
    void this.#list.sessionEnded(principal).catch(this.#options.onError);
    if (this.#sessions.size > 0) return;
    this.#watching?.dispose();
    this.#watching = undefined;
  }

  dispose(): void {
    this.#settings.dispose();
    for (const { timer } of this.#sessions.values()) timer.dispose();
    this.#sessions.clear();
    this.#watching?.dispose();
  }
}

/** Tells the list which files may have changed, and what the editor wrote. */
function watchFiles(list: OutsideChanges, { onError }: OutsideOptions): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const changed = ({ fsPath }: vscode.Uri): void => list.fileChanged(realPathOf(fsPath));
  const note = (work: Promise<void>): void => void work.catch(onError);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(changed),
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidSaveTextDocument((document) => note(noteSaved(document, list))),
    vscode.workspace.onDidCreateFiles(({ files }) => note(noteFound(files, list))),
    // Afterwards nobody knows what was in a folder.
    vscode.workspace.onWillDeleteFiles((event) =>
      event.waitUntil(
        filesIn(event.files).then((paths) => paths.forEach((path) => list.writtenByEditor(path, undefined))),
      ),
    ),
    vscode.workspace.onWillRenameFiles((event) =>
      event.waitUntil(
        filesIn(event.files.map(({ oldUri }) => oldUri)).then((paths) =>
          paths.forEach((path) => list.writtenByEditor(path, undefined)),
        ),
      ),
    ),
    vscode.workspace.onDidRenameFiles(({ files }) =>
      note(
        noteFound(
          files.map(({ newUri }) => newUri),
          list,
        ),
      ),
    ),
  );
}

async function noteSaved(document: vscode.TextDocument, list: OutsideChanges): Promise<void> {
  if (document.uri.scheme !== 'file') return;
  const bytes = await encodeText(document.getText(), document.encoding);
  if (bytes !== undefined) list.writtenByEditor(realPathOf(document.uri.fsPath), sha256Of(bytes), bytes);
}

async function noteFound(uris: readonly vscode.Uri[], list: OutsideChanges): Promise<void> {
  for (const path of await filesIn(uris)) {
    const bytes = await readFile(path);
    list.writtenByEditor(path, sha256Of(bytes), bytes);
  }
}

/** Returns the real paths of files, and of those in folders. */
async function filesIn(uris: readonly vscode.Uri[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const uri of uris.filter(({ scheme }) => scheme === 'file')) {
    const real = realPathOf(uri.fsPath);
    const isFolder = (await stat(real).catch(() => undefined))?.isDirectory() === true;
    if (!isFolder) found.push(real);
    else {
      const entries = await readdir(real, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).slice(0, mostFiles);
      found.push(...files.map((entry) => join(entry.parentPath, entry.name)));
    }
  }
  return found;
}

/** Returns the path with the links of its folder resolved; a link itself stays. */
function realPathOf(fsPath: string): string {
  try {
    return join(realpathSync(dirname(fsPath)), basename(fsPath));
  } catch {
    return fsPath;
  }
}

function keepSwept(snapshots: string, clock: Clock, onError: (error: unknown) => void): Subscription {
  let timer: Subscription | undefined;
  const sweep = (): void => {
    timer = clock.after(sweepMilliseconds, sweep);
    void sweepSnapshots(snapshots, clock.now()).catch(onError);
  };
  timer = clock.after(60_000, sweep);
  return { dispose: () => timer?.dispose() };
}
