import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

/** An event of the editor that comes later than this is missing, in milliseconds. */
const patienceMilliseconds = 10_000;

/**
 * Finds out whether the editor reports changed files. It does not where its settings exclude them, and where the system lets it watch
 * no more folders; VS Code says neither to an extension. So files that a comparison with the snapshot found are counted when no event
 * named them.
 */
export class UnreportedFiles {
  readonly #clock: Clock;
  readonly #onDidChange: () => void;
  /** Real paths that events named since the last comparison. */
  readonly #reported = new Set<string>();
  /** Real paths that a comparison found without an event. */
  readonly #awaited = new Set<string>();
  /** Real paths whose event did not come in time. */
  readonly #missing = new Set<string>();
  readonly #timers = new Set<Subscription>();

  /** @param onDidChange is called when an event did not come in time */
  constructor(clock: Clock, onDidChange: () => void) {
    this.#clock = clock;
    this.#onDidChange = onDidChange;
  }

  /** The number of files whose event did not come in time. */
  get count(): number {
    return this.#missing.size;
  }

  /** Notes an event. It may come after the file was found. */
  reported(fsPath: string): void {
    this.#reported.add(fsPath);
    this.#awaited.delete(fsPath);
    this.#missing.delete(fsPath);
  }

  /** Notes the edited files that a comparison found. Each was found for the first time with this content. */
  found(fsPaths: readonly string[]): void {
    const unreported = fsPaths.filter((fsPath) => !this.#reported.has(fsPath));
    this.#reported.clear();
    if (unreported.length === 0) return;
    for (const fsPath of unreported) this.#awaited.add(fsPath);
    const timer = this.#clock.after(patienceMilliseconds, () => {
      this.#timers.delete(timer);
      for (const fsPath of unreported) if (this.#awaited.delete(fsPath)) this.#missing.add(fsPath);
      this.#onDidChange();
    });
    this.#timers.add(timer);
  }

  /** Begins anew, with a new snapshot. */
  clear(): void {
    for (const timer of this.#timers) timer.dispose();
    for (const set of [this.#timers, this.#reported, this.#awaited, this.#missing]) set.clear();
  }
}
