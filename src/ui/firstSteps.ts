import { Emitter } from '#base/event.ts';
import type { SetUpAssistant } from '#connect/seenAssistants.ts';

export interface FirstStepsOptions {
  /** Reads which assistants are set up on this machine. */
  readonly setUp: () => Promise<readonly SetUpAssistant[]>;
  /** Returns whether an assistant has called this window. */
  readonly hasCalled: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Knows the assistants that are set up while none has ever called: the Approvals view shows the user what to do next. */
export class FirstSteps {
  readonly #options: FirstStepsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #names: readonly string[] = [];

  constructor(options: FirstStepsOptions) {
    this.#options = options;
  }

  /** The names of these assistants; empty as soon as one has called. */
  get names(): readonly string[] {
    return this.#options.hasCalled() ? [] : this.#names;
  }

  /** Reads them again. */
  async look(): Promise<void> {
    const { setUp, onError } = this.#options;
    try {
      const all = await setUp();
      const names = all.some(({ lastSeen }) => lastSeen !== undefined)
        ? []
        : all.map(({ assistant }) => assistant.name);
      if (names.join('\n') === this.#names.join('\n')) return;
      this.#names = names;
      this.#changed.fire();
    } catch (error) {
      onError(error);
    }
  }

  /** Must be called when an assistant has called. */
  called(): void {
    if (this.#names.length === 0) return;
    this.#names = [];
    this.#changed.fire();
  }
}
