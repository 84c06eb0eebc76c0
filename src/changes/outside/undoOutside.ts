/** Takes outside changes back once no assistant works any more, and tells the assistants. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { messageOf } from '#base/messageOf.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import type { History } from '../history.ts';
import { type OutsideChange, type OutsideFile, stateOf } from './outsideChange.ts';
import type { OutsideChanges } from './outsideChanges.ts';
import { undoFiles, type UndoFilesDependencies } from './undoFiles.ts';

/** A line of the list that stands for files. */
type FileLine = Extract<OutsideChange, { type: 'file' }>;

export interface UndoOutsideDependencies extends UndoFilesDependencies {
  readonly clock: Clock;
  readonly history: Pick<History, 'putContent' | 'putRecord'>;
  readonly changes: Pick<OutsideChanges, 'recheck' | 'onlyPart'>;
  /** Returns a path as the assistant knows it. */
  readonly nameOf: (fsPath: string) => string;
}

/** What became of one line. */
export type OutsideUndoResult =
  | { readonly line: FileLine; readonly status: 'undone' }
  | { readonly line: FileLine; readonly status: 'refused'; readonly reason: string };

interface Waiting {
  readonly lines: readonly FileLine[];
  readonly done: PromiseWithResolvers<readonly OutsideUndoResult[]>;
}

interface Working {
  readonly principal: Principal;
  /** Ids of the calls that are running. */
  readonly calls: Set<string>;
  timer: Subscription | undefined;
}

/** An assistant that was silent for so long has ended its turn. */
export const silenceMilliseconds = 60_000;
/** Files that the words to the assistants name one by one. */
const mostNames = 20;

/** Undoes outside changes of one window. */
export class UndoOutside {
  readonly #dependencies: UndoOutsideDependencies;
  /** The assistants whose turn has not ended. */
  readonly #working = new Map<string, Working>();
  readonly #sessions = new Map<string, Principal>();
  /** The words that each session's next call is told. */
  readonly #words = new Map<string, string[]>();
  #waiting: Waiting[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: UndoOutsideDependencies) {
    this.#dependencies = dependencies;
  }

  /** The number of lines whose undo waits for the end of a turn. */
  get waiting(): number {
    return this.#waiting.reduce((sum, { lines }) => sum + lines.length, 0);
  }

  sessionBegan(principal: Principal): void {
    this.#sessions.set(principalKey(principal), principal);
  }

  /** Says that an assistant works: it made a call that is no command, for example. */
  worked(principal: Principal): void {
    const key = principalKey(principal);
    const working = this.#working.get(key) ?? { principal, calls: new Set(), timer: undefined };
    this.#working.set(key, working);
    working.timer?.dispose();
    // A command may run for long without a word.
    working.timer =
      working.calls.size > 0
        ? undefined
        : this.#dependencies.clock.after(silenceMilliseconds, () => this.turnEnded(principal));
  }

  callBegan(principal: Principal, callId: string): void {
    this.worked(principal);
    this.#working.get(principalKey(principal))?.calls.add(callId);
    this.worked(principal);
  }

  callEnded(principal: Principal, callId: string): void {
    this.#working.get(principalKey(principal))?.calls.delete(callId);
    this.worked(principal);
  }

  turnEnded(principal: Principal): void {
    const key = principalKey(principal);
    this.#working.get(key)?.timer?.dispose();
    this.#working.delete(key);
    if (this.#working.size === 0) this.undoNow();
  }

  sessionEnded(principal: Principal): void {
    this.#sessions.delete(principalKey(principal));
    this.#words.delete(principalKey(principal));
    this.turnEnded(principal);
  }

  /**
   * Undoes lines of the list, each by itself, as soon as no assistant is in a turn. A line whose file is changed until then is
   * refused.
   */
  request(lines: readonly FileLine[]): Promise<readonly OutsideUndoResult[]> {
    const done = Promise.withResolvers<readonly OutsideUndoResult[]>();
    this.#waiting.push({ lines, done });
    if (this.#working.size === 0) this.undoNow();
    return done.promise;
  }

  /** Undoes what waits without waiting for the end of a turn. */
  undoNow(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { lines, done } of waiting) {
      this.#running = this.#running.then(() => this.#undo(lines)).then(done.resolve, done.reject);
    }
  }

  /** Returns what the session's next call must be told, once; undefined when there is nothing. */
  takeWords(principal: Principal): string | undefined {
    const key = principalKey(principal);
    const words = this.#words.get(key);
    this.#words.delete(key);
    return words?.join('\n');
  }

  dispose(): void {
    for (const { timer } of this.#working.values()) timer?.dispose();
    this.#working.clear();
    for (const { lines, done } of this.#waiting) {
      done.resolve(lines.map((line) => ({ line, status: 'refused', reason: 'the window closed' })));
    }
    this.#waiting = [];
  }

  async #undo(lines: readonly FileLine[]): Promise<readonly OutsideUndoResult[]> {
    const { changes, history } = this.#dependencies;
    const id = `outside-${randomUUID()}`;
    const record = await this.#recordOf(lines);
    // The record comes first, so that a crash leaves the names of what may be restored by half.
    await history.putRecord(id, { ...record, state: 'undoing' });
    const results: OutsideUndoResult[] = [];
    for (const [index, line] of lines.entries()) results.push(await this.#undoLine(line, `${id}-${index}`));
    await history.putRecord(id, {
      ...record,
      state: 'undone',
      undone: results.map(({ status }) => status === 'undone'),
    });
    await changes.recheck(lines.flatMap(({ files }) => files.map(({ fsPath }) => fsPath)));
    this.#tell(results);
    return results;
  }

  async #undoLine(line: FileLine, mark: string): Promise<OutsideUndoResult> {
    try {
      await undoFiles(await this.#filesOf(line), mark, this.#dependencies);
      return { line, status: 'undone' };
    } catch (error) {
      return { line, status: 'refused', reason: messageOf(error) };
    }
  }

  async #filesOf({ files, fsPath, part }: FileLine): Promise<readonly OutsideFile[]> {
    if (part === undefined) return files;
    const only = await this.#dependencies.changes.onlyPart(fsPath, part);
    if (only === undefined) throw new Error('these lines were changed since');
    return [only];
  }

  /** Keeps the present bytes, so that the undo itself loses nothing. Nothing of a secret file is kept or named by its hash. */
  async #recordOf(lines: readonly FileLine[]) {
    const files = lines.flatMap((line) => line.files).filter(({ isSecret }) => !isSecret);
    const kept = [];
    for (const file of files) kept.push({ fsPath: file.fsPath, found: await this.#keepNow(file) });
    return { version: 1, kind: 'outside_undo', at: this.#dependencies.clock.now(), files: kept };
  }

  async #keepNow({ fsPath, now }: OutsideFile): Promise<string> {
    const { entry, bytes } = await this.#dependencies.disk.read(fsPath);
    if (bytes !== undefined && stateOf(entry) === stateOf(now)) {
      return this.#dependencies.history.putContent(bytes);
    }
    return now.kind;
  }

  #tell(results: readonly OutsideUndoResult[]): void {
    const lines = results.flatMap(({ status, line }) => (status === 'undone' ? [line] : []));
    if (lines.length === 0) return;
    const named = lines.slice(0, mostNames).map((line) => this.#describe(line));
    const others = lines.length > mostNames ? `, and ${lines.length - mostNames} more` : '';
    const words = `The user took back changes that were made outside Drawbridge: ${named.join(', ')}${others}. Read these files again before you go on, and do not repeat the changes without asking.`;
    for (const key of this.#sessions.keys()) this.#words.set(key, [...(this.#words.get(key) ?? []), words]);
  }

  #describe({ fsPath, movedFrom, kind, part }: FileLine): string {
    const { nameOf } = this.#dependencies;
    if (part !== undefined) return `${nameOf(fsPath)} (a part around line ${part.baseStart + 1} is as before)`;
    if (movedFrom !== undefined) return `${nameOf(fsPath)} (moved back to ${nameOf(movedFrom)})`;
    const what = kind === 'create' ? 'deleted again' : kind === 'delete' ? 'restored' : 'as before';
    return `${nameOf(fsPath)} (${what})`;
  }
}
