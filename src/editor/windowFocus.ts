import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';

/** Who looks at windows all the time switches between them faster than anybody needs to know. */
const quietMilliseconds = 1000;

/** When this window last gained the focus, so that of two windows alike an assistant gets the one that its user was in. */
export class WindowFocus {
  readonly #clock: Clock;
  readonly #gained = new Emitter<void>();
  /** It gained the focus; at most once a second. */
  readonly onDidGain: Event<void> = this.#gained.event;
  readonly #subscription: Subscription;
  #focusedAt: number;
  #isUntold = false;
  #quiet: Subscription | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#focusedAt = vscode.window.state.focused ? clock.now() : 0;
    this.#subscription = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) this.#gain();
    });
  }

  /** Milliseconds since the epoch; 0 for never. */
  get focusedAt(): number {
    return this.#focusedAt;
  }

  dispose(): void {
    this.#quiet?.dispose();
    this.#subscription.dispose();
  }

  #gain(): void {
    this.#focusedAt = this.#clock.now();
    this.#isUntold = true;
    if (this.#quiet === undefined) this.#tell();
  }

  #tell(): void {
    this.#quiet = undefined;
    if (!this.#isUntold) return;
    this.#isUntold = false;
    this.#quiet = this.#clock.after(quietMilliseconds, () => this.#tell());
    this.#gained.fire();
  }
}
