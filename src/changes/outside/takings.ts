/** The snapshots of one window: one for each time in which assistants are active. */
import type { Head } from './gitPlaces.ts';
import type { HeldSnapshot, OutsideDependencies } from './outsideDependencies.ts';
import type { OutsideFile } from './outsideChange.ts';
import type { Snapshot } from './snapshot.ts';

/** The clock of a file system may lag behind ours. */
export const tickMilliseconds = 20;

type TakingDependencies = Pick<OutsideDependencies, 'clock' | 'takeSnapshot' | 'onError'>;

/** A snapshot that is being taken, or was. */
export class Taking {
  /** Milliseconds since the epoch. */
  readonly began: number;
  /** Resolves with undefined when there is no snapshot; never rejects. */
  readonly done: Promise<Snapshot | undefined>;
  readonly #dependencies: TakingDependencies;
  readonly #abort = new AbortController();
  #held: HeldSnapshot | undefined;
  #isDone = false;
  /** When somebody gave up waiting, in milliseconds since the epoch. */
  #doubtedSince: number | undefined;

  /** @param onHeads is called with what the repositories had checked out */
  constructor(dependencies: TakingDependencies, onHeads: (heads: ReadonlyMap<string, Head>, began: number) => void) {
    this.#dependencies = dependencies;
    this.began = dependencies.clock.now();
    this.done = this.#take(onHeads);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get snapshot(): Snapshot | undefined {
    return this.#held?.snapshot;
  }

  /** Waits for the snapshot, as {@link OutsideChanges.ready} describes it. */
  async ready(timeoutMilliseconds: number): Promise<'ready' | 'incomplete' | 'none'> {
    const { clock } = this.#dependencies;
    const late = Promise.withResolvers<void>();
    const timer = clock.after(timeoutMilliseconds, late.resolve);
    await Promise.race([this.done, late.promise]);
    timer.dispose();
    if (this.#isDone) return this.#held === undefined ? 'none' : 'ready';
    this.#doubtedSince ??= clock.now() - tickMilliseconds;
    return 'incomplete';
  }

  /** Deletes the snapshot, or ends the attempt. */
  drop(): void {
    if (!this.#isDone) this.#abort.abort(new Error('The session ended.'));
    this.#held?.drop();
    this.#held = undefined;
  }

  async #take(onHeads: (heads: ReadonlyMap<string, Head>, began: number) => void): Promise<Snapshot | undefined> {
    try {
      const held = await this.#dependencies.takeSnapshot(this.signal);
      try {
        this.signal.throwIfAborted();
        onHeads(await held.snapshot.heads(this.signal), this.began);
        if (this.#doubtedSince !== undefined) held.snapshot.doubtSince(this.#doubtedSince);
        this.#held = held;
      } catch (error) {
        held.drop();
        throw error;
      }
    } catch (error) {
      if (!this.signal.aborted) this.#dependencies.onError(error);
    }
    this.#isDone = true;
    return this.#held?.snapshot;
  }
}

/** How a changed file was found. */
export interface Seen {
  readonly taking: Taking | undefined;
  /** The comparison with the snapshot names it. */
  readonly isCertain: boolean;
  /** When the first event came, in milliseconds since the epoch; Infinity without one. */
  readonly event: number;
}

/** A listed file with the snapshot that its baseline may need. */
export interface ListedFile extends OutsideFile {
  readonly taking: Taking | undefined;
}
