import { Emitter } from '#base/event.ts';
import type { MarkedContext, MarkedPlace } from '#call/ports/markedContext.ts';

/** The files and lines that a test marks. */
export class FakeMarkedContext implements MarkedContext {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #places: readonly MarkedPlace[] = [];

  list(): readonly MarkedPlace[] {
    return this.#places;
  }

  set(...places: readonly MarkedPlace[]): void {
    this.#places = places;
    this.#changed.fire();
  }
}
