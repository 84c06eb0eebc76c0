/** The place of one call among those that work. It is given back while the human is waited for, since that is no work. */
export class CallSlot {
  readonly #slot: () => Promise<() => void>;
  #release: (() => void) | undefined;
  #isWanted = false;
  #waits = 0;

  /** @param slot resolves with what gives a slot back, when there is one */
  constructor(slot: () => Promise<() => void>) {
    this.#slot = slot;
  }

  /** Resolves when the call may work; rejects as `slot` does. */
  async take(): Promise<void> {
    this.#isWanted = true;
    const release = await this.#slot();
    if (this.#isWanted && this.#waits === 0 && this.#release === undefined) this.#release = release;
    else release();
  }

  /** Waits without a slot; a call that waits for several answers works on when it has the last one. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    this.#giveBack();
    try {
      return await wait();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0 && this.#isWanted) await this.take();
    }
  }

  /** The call works no more. */
  release(): void {
    this.#isWanted = false;
    this.#giveBack();
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
