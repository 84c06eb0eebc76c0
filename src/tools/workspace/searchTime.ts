/** Seconds after which a search of files ends, so that its tool returns what was found: less than the time limit of the tool. */
const patience = 20;

/** The time limit of the tools that search files, in seconds: the rest is for the page. */
export const searchLimitSeconds = patience + 10;

/** The note of a search that was stopped before it had looked at all files. */
export const stoppedNote = `stopped after ${patience} s, before all files were looked at; narrow it down by path or globs to see the rest`;

/** The time that the searches of one call have together. */
export class SearchTime {
  readonly #given: AbortSignal;
  readonly #up = new AbortController();
  readonly #timer = setTimeout(() => this.#up.abort(), patience * 1000);
  /** True when the time was up before a search had ended. */
  isUp = false;

  /** @param signal aborts when nobody waits for the call any more */
  constructor(signal: AbortSignal) {
    this.#given = signal;
  }

  /** Yields what a search yields until the time is up. */
  async *during<Item>(search: (signal: AbortSignal) => AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      yield* search(AbortSignal.any([this.#given, this.#up.signal]));
    } catch (error) {
      if (!this.#up.signal.aborted || this.#given.aborted) throw error;
      this.isUp = true;
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
