import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';

/** Milliseconds between two events, since a user may switch windows many times a second. */
const quietMilliseconds = 1000;

/**
 * Records when this window last gained the focus, so that of two equal windows an assistant gets the one that its user used
 * last.
 */
export class WindowFocus {
  readonly #clock: Clock;
  readonly #gained = new Emitter<void>();
  /** Fires when the window gains the focus, at most once a second. */
  readonly onDidGain: Event<void> = this.#gained.event;
  readonly #subscription: Subscription;
  #focusedAt: number;
  #isUnreported = false;
  #quiet: Subscription | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#focusedAt = vscode.window.state.focused ? clock.now() : 0;
    this.#subscription = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) this.#gain();
    });
  }

  /** The time of the last focus in milliseconds since the epoch; 0 when the window never had the focus. */
  get focusedAt(): number {
    return this.#focusedAt;
  }

  dispose(): void {
    this.#quiet?.dispose();
    this.#subscription.dispose();
  }

  #gain(): void {
    this.#focusedAt = this.#clock.now();
    this.#isUnreported = true;
    if (this.#quiet === undefined) this.#report();
  }

  #report(): void {
    this.#quiet = undefined;
    if (!this.#isUnreported) return;
    this.#isUnreported = false;
    this.#quiet = this.#clock.after(quietMilliseconds, () => this.#report());
    this.#gained.fire();
  }
}
