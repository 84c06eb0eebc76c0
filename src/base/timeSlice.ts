import { setImmediate } from 'node:timers/promises';

/** Milliseconds that work in a row may keep everybody else waiting. */
const longestTurn = 20;

/** Gives others their turn of the event loop between the pieces of long work (threat row H16). */
export class Turns {
  #began = performance.now();

  /** Whether it is time to `giveWay`: asked first, since most pieces are not worth a promise. */
  get isOver(): boolean {
    return performance.now() - this.#began > longestTurn;
  }

  async giveWay(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
