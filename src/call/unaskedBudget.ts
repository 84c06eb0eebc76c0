import type { Clock } from '#base/clock.ts';
import type { Principal } from '#base/principal.ts';
import type { Amount, Budget } from '#policy/decide.ts';

/** The limits of what the callers of one credential may change together without asking in ten minutes (threat row A16). */
export interface UnaskedLimits {
  readonly files: number;
  readonly changedLines: number;
  readonly deletedFiles: number;
  readonly windowMilliseconds: number;
}

export const shippedUnaskedLimits: UnaskedLimits = {
  files: 60,
  changedLines: 2000,
  deletedFiles: 5,
  windowMilliseconds: 10 * 60_000,
};

interface Spent extends Amount {
  /** Monotonic milliseconds. */
  readonly at: number;
}

/**
 * Limits what is changed without asking: after too many changes, the user is asked about the next one. The changes are counted per
 * credential, because a caller could open a new connection for each call.
 */
export class UnaskedBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #limits: UnaskedLimits;
  readonly #spent = new Map<string, readonly Spent[]>();

  constructor(clock: Pick<Clock, 'monotonic'>, limits: UnaskedLimits = shippedUnaskedLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Returns the check of whether a change still fits into the budget of a caller. */
  of({ credential }: Principal): Budget {
    return (change) => this.#exceededBy(change, this.#recent(credential));
  }

  /**
   * Counts a change right before it is applied without asking, so that simultaneous calls cannot exceed the budget together.
   * @returns the function that takes it back, for a change that was not applied after all
   */
  spend({ credential }: Principal, { files, changedLines, deletedFiles }: Amount): () => void {
    const spent: Spent = { files, changedLines, deletedFiles, at: this.#clock.monotonic() };
    this.#spent.set(credential, [...this.#recent(credential), spent]);
    return () => {
      const others = this.#recent(credential).filter((each) => each !== spent);
      this.#spent.set(credential, others);
    };
  }

  #recent(credential: string): readonly Spent[] {
    const since = this.#clock.monotonic() - this.#limits.windowMilliseconds;
    for (const [key, spent] of this.#spent) {
      if ((spent.at(-1)?.at ?? 0) <= since) this.#spent.delete(key);
    }
    return (this.#spent.get(credential) ?? []).filter(({ at }) => at > since);
  }

  #exceededBy(change: Amount, recent: readonly Amount[]): string | undefined {
    const all = [...recent, change];
    const total = (amount: (each: Amount) => number): number => all.reduce((sum, each) => sum + amount(each), 0);
    const { files, changedLines, deletedFiles, windowMilliseconds } = this.#limits;
    const minutes = windowMilliseconds / 60_000;
    if (total((each) => each.files) > files)
      return `more than ${files} files changed without asking in ${minutes} minutes`;
    if (total((each) => each.changedLines) > changedLines) {
      return `more than ${changedLines} lines changed without asking in ${minutes} minutes`;
    }
    const deletes = total((each) => each.deletedFiles);
    return deletes > deletedFiles && change.deletedFiles > 0
      ? `more than ${deletedFiles} files deleted without asking in ${minutes} minutes`
      : undefined;
  }
}
