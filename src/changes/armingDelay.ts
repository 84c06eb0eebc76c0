import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

/** Milliseconds that a card must have been on screen, in one place, before a decision on it counts (threat row A17). */
export const armMilliseconds = 500;

/**
 * The delay of a card that is on screen: the one deadline for the queue, which refuses earlier decisions, and for the page,
 * which enables its buttons when it is told. A card that moved gets another delay in place of this one.
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
