/** The list of files that other programs and assistants' own commands changed while an assistant was active. */
import { Emitter, type Subscription } from '#base/event.ts';
import { messageOf } from '#base/messageOf.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { TimeSlice } from '#base/timeSlice.ts';
import type { Hunk } from '../hunks.ts';
import { Baselines } from './baselines.ts';
import type { Baseline } from './baseline.ts';
import type { DiskEntry } from './diskEntry.ts';
import { IgnoredFolders, mayBeIgnored } from './ignoredFolders.ts';
import { KnownEntries } from './knownEntries.ts';
import { OutsideCalls, type OutsideCall } from './outsideCalls.ts';
import { kindOf, linesOf, type OutsideChange, type OutsideFile, stateOf } from './outsideChange.ts';
import type { OutsideDependencies, ReportedFile } from './outsideDependencies.ts';
import type { Differences, Snapshot } from './snapshot.ts';
import { bytesWith, onlyPart, partsOf } from './parts.ts';
import { Switches } from './switches.ts';
import { type ListedFile, type Seen, Taking, tickMilliseconds } from './takings.ts';
import { UnreportedFiles } from './unreportedFiles.ts';

/** Watchers report a file several times in a row. */
const settleMilliseconds = 150;

/** The outside changes of one window. */
export class OutsideChanges {
  readonly #dependencies: OutsideDependencies;
  readonly #baselines: Baselines;
  readonly #calls = new OutsideCalls();
  readonly #sessions = new Map<string, Principal>();
  readonly #files = new Map<string, ListedFile>();
  readonly #switches = new Switches();
  readonly #ignored = new IgnoredFolders();
  readonly #known: KnownEntries;
  readonly #unreported: UnreportedFiles;
  readonly #named = new Map<string, OutsideCall[]>();
  readonly #didChange = new Emitter<void>();
  readonly #takings = new Set<Taking>();
  #taking: Taking | undefined;
  /** Files to look at, with the time of the first event, in milliseconds since the epoch; Infinity without one. */
  #dirty = new Map<string, number>();
  #isFullWanted = false;
  #timer: Subscription | undefined;
  #looking: Promise<void> | undefined;
  /** Why the last look at everything failed. */
  #failure: string | undefined;

  /** Fires when the list changed. */
  readonly onDidChange = this.#didChange.event;

  constructor(dependencies: OutsideDependencies) {
    this.#dependencies = dependencies;
    this.#baselines = new Baselines(dependencies);
    this.#known = new KnownEntries(dependencies.disk);
    this.#unreported = new UnreportedFiles(dependencies.clock, () => this.#didChange.fire());
  }

  /** The snapshot begins with the first session; what is listed already keeps its baselines. */
  sessionBegan(principal: Principal): void {
    const isFirst = this.#sessions.size === 0;
    this.#sessions.set(principalKey(principal), principal);
    if (isFirst) this.#takeSnapshot();
  }

  /** Ends a session with all its calls, and looks at everything once more. */
  async sessionEnded(principal: Principal): Promise<void> {
    if (!this.#sessions.has(principalKey(principal))) return;
    this.#calls.endAll(principal, this.#dependencies.clock.now());
    await this.look();
    this.#sessions.delete(principalKey(principal));
    this.#release();
  }

  /**
   * Waits until the snapshot is there. When it is not in time, what changes from now on may lack its baseline, and the list says
   * where it comes from instead.
   */
  async ready(timeoutMilliseconds: number): Promise<'ready' | 'incomplete' | 'none'> {
    return (await this.#taking?.ready(timeoutMilliseconds)) ?? 'none';
  }

  callBegan(principal: Principal, callId: string, headline: string): void {
    this.#calls.begin(principal, callId, headline, this.#dependencies.clock.now());
  }

  /**
   * Ends a call. The files that its report names were changed by it.
   * @param headline for a call whose beginning was not reported
   */
  async callEnded(
    principal: Principal,
    callId: string,
    files: readonly ReportedFile[] = [],
    headline?: string,
  ): Promise<void> {
    const now = this.#dependencies.clock.now();
    let call = this.#calls.end(principal, callId, now);
    if (call === undefined && headline !== undefined) {
      this.#calls.begin(principal, callId, headline, now);
      call = this.#calls.end(principal, callId, now);
    }
    for (const { fsPath, original } of files) {
      if (call !== undefined) this.#named.set(fsPath, [...(this.#named.get(fsPath) ?? []), call]);
      if (original !== undefined) await this.#baselines.report(fsPath, original);
      this.fileChanged(fsPath);
    }
  }

  /** Looks at everything, since the watcher may have lost events. Resolves when the list is right. */
  turnEnded(_principal: Principal): Promise<void> {
    return this.look();
  }

  /** Says that a file may have changed. Only the comparison with its baseline decides. */
  fileChanged(fsPath: string): void {
    if (this.#sessions.size === 0 || !this.#dependencies.covers(fsPath)) return;
    this.#unreported.reported(fsPath);
    this.#markDirty(fsPath, this.#dependencies.clock.now());
    this.#timer ??= this.#dependencies.clock.after(settleMilliseconds, () => {
      this.#timer = undefined;
      void this.settled().catch(this.#dependencies.onError);
    });
  }

  /**
   * Notes what the editor saved; undefined when it deleted the file. It is no outside change, whenever it is seen.
   * @param sha256 hex, of the bytes on disk
   * @param bytes for an undo of what another program writes over them
   */
  writtenByEditor(fsPath: string, sha256: string | undefined, bytes?: Uint8Array): void {
    if (this.#sessions.size === 0) return;
    void this.#baselines.written(fsPath, sha256, bytes).catch(this.#dependencies.onError);
    this.fileChanged(fsPath);
  }

  /** Notes what Drawbridge wrote, or an assistant with an approval, as {@link writtenByEditor} does. */
  writtenByUs(fsPath: string, sha256: string | undefined, bytes?: Uint8Array): void {
    this.writtenByEditor(fsPath, sha256, bytes);
  }

  /** Returns the list: files that changed during calls first, then those of other programs. */
  changes(): { readonly duringCalls: readonly OutsideChange[]; readonly byOthers: readonly OutsideChange[] } {
    const all = [...this.#switches.lines(), ...linesOf([...this.#files.values()]), ...this.#ignored.lines()];
    const isOfCall = (line: OutsideChange): boolean => line.type !== 'switch' && line.calls.length > 0;
    return { duringCalls: all.filter(isOfCall), byOthers: all.filter((line) => !isOfCall(line)) };
  }

  /** Returns what the list does not cover, or covers late, in sentences for the user. */
  gaps(): readonly string[] {
    const failure = this.#failure === undefined ? [] : [`Some files could not be compared: ${this.#failure}`];
    const unreported = this.#unreported.count === 0 ? [] : [unreportedText(this.#unreported.count)];
    return [...(this.#taking?.snapshot?.gaps ?? []), ...failure, ...unreported];
  }

  /** Keeps lines of the list as they are. A file that has changed again since stays. Returns the ids of those that stay. */
  async keep(ids: readonly string[]): Promise<readonly string[]> {
    const lines = [...this.changes().duringCalls, ...this.changes().byOthers];
    const stay: string[] = [];
    for (const id of ids) {
      const line = lines.find((each) => each.id === id);
      if (line === undefined) continue;
      if (line.type === 'switch') this.#switches.forget(id);
      else if (line.type === 'ignored') this.#ignored.forget(line.root);
      else if (!(await this.#keepFiles(line.files))) stay.push(id);
    }
    this.#didChange.fire();
    this.#release();
    return stay;
  }

  async #keepFiles(files: readonly OutsideFile[]): Promise<boolean> {
    const read = await Promise.all(files.map(async ({ fsPath }) => this.#dependencies.disk.read(fsPath)));
    if (files.some(({ now }, index) => stateOf(read[index]?.entry ?? now) !== stateOf(now))) {
      for (const { fsPath } of files) this.fileChanged(fsPath);
      return false;
    }
    for (const [index, { fsPath, now }] of files.entries()) {
      this.#baselines.replace(fsPath, await this.#baselines.kept(fsPath, now, read[index]?.bytes));
      this.#files.delete(fsPath);
    }
    return true;
  }

  /** Returns the parts of a changed text in their order; none for a file that is something else, or has changed again. */
  async partsOf(fsPath: string): Promise<readonly Hunk[]> {
    const file = this.#files.get(fsPath);
    return file === undefined ? [] : partsOf(file, this.#dependencies.disk);
  }

  /** Keeps one part of a changed text; the others stay in the list. Returns false when the file holds this part no more. */
  async keepPart(fsPath: string, part: Hunk): Promise<boolean> {
    const file = this.#files.get(fsPath);
    const bytes = file && (await bytesWith(file, part, this.#dependencies.disk));
    if (file !== undefined && bytes !== undefined) {
      const { isExecutable, mode = isExecutable ? 0o755 : 0o644 } = file.before;
      this.#baselines.replace(fsPath, await this.#baselines.keptText(fsPath, bytes, mode));
    }
    await this.recheck([fsPath]);
    return bytes !== undefined;
  }

  /** Returns a listed file with what an undo of one part leaves of it; undefined when the file holds this part no more. */
  async onlyPart(fsPath: string, part: Hunk): Promise<OutsideFile | undefined> {
    const file = this.#files.get(fsPath);
    return file && onlyPart(file, part, this.#dependencies.disk);
  }

  /** Looks at these files again, after an undo for example. */
  async recheck(fsPaths: readonly string[]): Promise<void> {
    for (const fsPath of fsPaths) this.#markDirty(fsPath);
    await this.settled();
    this.#release();
  }

  /** Looks at everything that differs from the snapshot. */
  async look(): Promise<void> {
    this.#isFullWanted = true;
    await this.settled();
  }

  /** Resolves when every reported file was looked at. */
  async settled(): Promise<void> {
    while (this.#looking !== undefined || this.#dirty.size > 0 || this.#isFullWanted) {
      this.#looking ??= this.#lookOnce().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#unreported.clear();
    this.#sessions.clear();
    this.#files.clear();
    this.#release();
  }

  #markDirty(fsPath: string, event = Infinity): void {
    this.#dirty.set(fsPath, Math.min(this.#dirty.get(fsPath) ?? Infinity, event));
  }

  #takeSnapshot(): void {
    this.#unreported.clear();
    this.#taking = new Taking(this.#dependencies, (heads, began) => this.#switches.begin(heads, began));
    this.#takings.add(this.#taking);
    this.#baselines.restart(new Map([...this.#files.values()].map(({ fsPath, before }) => [fsPath, before])));
  }

  #failed(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#failure = messageOf(error);
    this.#dependencies.onError(error);
  }

  /** Drops snapshots that neither a session nor a listed file needs. */
  #release(): void {
    for (const taking of this.#takings) {
      const isNeeded =
        (taking === this.#taking && this.#sessions.size > 0) ||
        [...this.#files.values()].some((file) => file.taking === taking);
      if (isNeeded) continue;
      this.#takings.delete(taking);
      if (taking === this.#taking) this.#taking = undefined;
      taking.drop();
    }
  }

  async #lookOnce(): Promise<void> {
    const taking = this.#taking;
    const snapshot = await taking?.done;
    const isFull = this.#isFullWanted;
    const paths = this.#dirty;
    this.#isFullWanted = false;
    this.#dirty = new Map();
    try {
      await this.#lookAt(new Map(paths), isFull, taking, snapshot);
    } catch (error) {
      // The history may be full, for example; the next look finds the same files.
      for (const [fsPath, event] of paths) this.#markDirty(fsPath, event);
      this.#isFullWanted ||= isFull;
      throw error;
    }
    this.#didChange.fire();
  }

  async #lookAt(
    paths: Map<string, number>,
    isFull: boolean,
    taking: Taking | undefined,
    snapshot: Snapshot | undefined,
  ): Promise<void> {
    const { clock, disk, covers } = this.#dependencies;
    const signal = taking?.signal ?? new AbortController().signal;
    const began = clock.now();
    const differing = new Set<string>();
    if (isFull) {
      const { paths: found, ignored } = await this.#differences(snapshot, signal);
      for (const fsPath of found.filter(covers)) differing.add(fsPath);
      for (const root of ignored.filter(covers)) {
        if (/[/\\]$/.test(root)) this.#ignored.addFolder(root, this.#calls.at(disk.changedAt(root) ?? began));
        else paths.set(root, paths.get(root) ?? Infinity);
      }
      for (const fsPath of [...differing, ...this.#files.keys(), ...this.#baselines.overridden()]) {
        paths.set(fsPath, paths.get(fsPath) ?? Infinity);
      }
    }
    const now = await this.#known.lookAt(paths.keys());
    const before = await this.#baselinesOf(now, snapshot);
    const changed = new Map([...now].filter(([fsPath, entry]) => !before.get(fsPath)?.isSame(entry)));
    for (const [fsPath, entry] of now) if (!changed.has(fsPath)) await this.#foundSame(fsPath, entry);
    if (snapshot !== undefined && (isFull || changed.size > 0)) {
      try {
        const heads = await snapshot.heads(signal, isFull ? undefined : [...changed.keys()]);
        const isSwitched = this.#switches.see(heads, began, (from) => this.#calls.between(from, began).length > 0);
        // Files of the same check-out may be listed already, or not be reported yet.
        if (isSwitched && !isFull) this.#isFullWanted = true;
        await this.#explain(snapshot, changed, signal);
        await this.#takeIgnored(snapshot, changed, before, signal);
      } catch (error) {
        // The files are listed one by one then.
        this.#failed(error, signal);
      }
    }
    if (isFull) this.#unreported.found(this.#newEdits(changed, before, differing));
    for (const [fsPath, entry] of changed) {
      const baseline = before.get(fsPath);
      const seen = { isCertain: differing.has(fsPath), event: paths.get(fsPath) ?? Infinity };
      if (baseline !== undefined) this.#list(fsPath, entry, baseline, { taking, ...seen });
    }
    if (isFull) this.#calls.forgetBefore(began);
  }

  /** Returns the edited files of a full look that are not listed yet: the editor reports a deleted or new folder without its files. */
  #newEdits(
    changed: ReadonlyMap<string, DiskEntry>,
    before: ReadonlyMap<string, Baseline>,
    differing: ReadonlySet<string>,
  ): readonly string[] {
    return [...changed].flatMap(([fsPath, entry]) => {
      const baseline = before.get(fsPath);
      const listed = this.#files.get(fsPath);
      const isListed = listed !== undefined && stateOf(listed.now) === stateOf(entry);
      const isEdit = baseline !== undefined && kindOf(baseline, entry) === 'edit';
      return differing.has(fsPath) && !isListed && isEdit ? [fsPath] : [];
    });
  }

  /** Without an answer, the events of the watcher count alone, and the user is told. */
  async #differences(snapshot: Snapshot | undefined, signal: AbortSignal): Promise<Differences> {
    try {
      const found = await snapshot?.differences(signal);
      this.#failure = undefined;
      return found ?? { paths: [], ignored: [] };
    } catch (error) {
      this.#failed(error, signal);
      return { paths: [], ignored: [] };
    }
  }

  async #baselinesOf(
    now: ReadonlyMap<string, DiskEntry>,
    snapshot: Snapshot | undefined,
  ): Promise<ReadonlyMap<string, Baseline>> {
    const found = new Map<string, Baseline>();
    // A check-out may change thousands of files, and the snapshot reads a part of its index for each.
    const slice = new TimeSlice();
    for (const fsPath of now.keys()) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      found.set(fsPath, await this.#baselines.of(fsPath, snapshot, this.#files.get(fsPath)?.before));
    }
    return found;
  }

  async #foundSame(fsPath: string, entry: DiskEntry): Promise<void> {
    this.#files.delete(fsPath);
    this.#ignored.remove(fsPath);
    if (!this.#baselines.lacksContent(fsPath)) return;
    const { entry: read, bytes } = await this.#dependencies.disk.read(fsPath);
    if (bytes !== undefined && stateOf(read) === stateOf(entry)) await this.#baselines.keepContent(fsPath, bytes);
  }

  /**
   * Takes out of `changed` what a check-out of the user explains. A commit of the user moves the head too, but takes nothing out of
   * the list that a call of an assistant changed.
   */
  async #explain(snapshot: Snapshot, changed: Map<string, DiskEntry>, signal: AbortSignal): Promise<void> {
    const open = new Map(
      [...changed].filter(([fsPath, entry]) => {
        const listed = this.#files.get(fsPath);
        return listed === undefined || listed.calls.length === 0 || stateOf(listed.now) !== stateOf(entry);
      }),
    );
    const changedAt = (fsPath: string): number | undefined => this.#dependencies.disk.changedAt(fsPath);
    for (const [fsPath, baseline] of await this.#switches.explain(snapshot, open, changedAt, signal)) {
      changed.delete(fsPath);
      this.#files.delete(fsPath);
      this.#baselines.replace(fsPath, baseline);
    }
  }

  /** Takes out of `changed` what lies in ignored folders; each of these is one line. */
  async #takeIgnored(
    snapshot: Snapshot,
    changed: Map<string, DiskEntry>,
    before: ReadonlyMap<string, Baseline>,
    signal: AbortSignal,
  ): Promise<void> {
    const asked = [...changed.keys()].filter((fsPath) => mayBeIgnored(before.get(fsPath)));
    for (const [fsPath, root] of await snapshot.ignoredRoots(asked, signal)) {
      if (root === fsPath) continue;
      const time = this.#dependencies.disk.changedAt(fsPath);
      changed.delete(fsPath);
      this.#files.delete(fsPath);
      this.#ignored.add(root, fsPath, this.#callsOf(fsPath, time));
    }
  }

  #list(fsPath: string, now: DiskEntry, before: Baseline, { taking, isCertain, event }: Seen): void {
    const listed = this.#files.get(fsPath);
    const changedAt = this.#dependencies.disk.changedAt(fsPath);
    // The folder of a deleted file may have changed again since.
    const time = now.kind === 'missing' ? Math.min(changedAt ?? Infinity, event) : changedAt;
    if (listed === undefined && before.kind === 'unknown' && !isCertain) {
      // Nobody knows that anything was there, or that it was another one.
      if (now.kind === 'missing' || (time ?? Infinity) < (taking?.began ?? 0) - tickMilliseconds) return;
    }
    const isSecret = this.#dependencies.isSecret(fsPath);
    const calls = new Set([...(listed?.calls ?? []), ...this.#callsOf(fsPath, time)]);
    const kind = kindOf(before, now);
    this.#files.set(fsPath, {
      fsPath,
      kind,
      before,
      now,
      calls: [...calls],
      isSecret,
      taking: listed === undefined ? taking : listed.taking,
      since: listed?.since ?? taking?.began ?? Infinity,
    });
  }

  #callsOf(fsPath: string, time: number | undefined): readonly OutsideCall[] {
    const named = this.#named.get(fsPath) ?? [];
    this.#named.delete(fsPath);
    return [...named, ...(time === undefined ? [] : this.#calls.at(time))];
  }
}

function unreportedText(count: number): string {
  const files = count === 1 ? 'a changed file' : `${count} changed files`;
  return (
    `VS Code did not report ${files}, so changes may be listed only when an assistant ends its turn. ` +
    'Either the setting files.watcherExclude excludes them, or the system lets VS Code watch no more folders; then exclude large ones.'
  );
}
