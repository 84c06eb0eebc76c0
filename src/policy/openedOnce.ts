/** How long an opening waits for its read, in milliseconds. */
const waitMilliseconds = 10 * 60_000;

/** Secret files that the user opened by hand, each for the next read of this one path (threat row A36). */
export class OpenedOnce {
  readonly #now: () => number;
  /** When each opening ends, by real path. */
  readonly #ends = new Map<string, number>();

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Opens a file for one read within ten minutes. Only an act of the user may call this. */
  open(realPath: string): void {
    this.#ends.set(realPath, this.#now() + waitMilliseconds);
  }

  has(realPath: string): boolean {
    return (this.#ends.get(realPath) ?? 0) > this.#now();
  }

  /** Closes the file again, because its read begins. */
  use(realPath: string): void {
    this.#ends.delete(realPath);
  }
}
