import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

/** Milliseconds that a card must have been on screen, in one place, before a decision on it counts (threat row A17). */
export const armMilliseconds = 500;

/**
 * The delay of a card that is on screen and does not wait for a decision, such as a finished one with its Undo button. The state
 * machine has the delays of waiting cards. A card that moved gets a new delay in place of this one.
 */
export class ArmingDelay {
  readonly #timer: Subscription;
  #isOver = false;

  /** @param armed called once, when the delay is over, unless it is disposed before */
  constructor(clock: Pick<Clock, 'after'>, milliseconds: number, armed: () => void) {
    this.#timer = clock.after(milliseconds, () => {
      this.#isOver = true;
      armed();
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  dispose(): void {
    this.#timer.dispose();
  }
}
