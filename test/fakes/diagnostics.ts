import type { Diagnostics, FileDiagnostics } from '../../src/ports/diagnostics.ts';
import { Emitter } from '../../src/ports/event.ts';

/** A problems list that a test sets. */
export class FakeDiagnostics implements Diagnostics {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #files: readonly FileDiagnostics[] = [];

  list(): readonly FileDiagnostics[] {
    return this.#files;
  }

  publish(...files: readonly FileDiagnostics[]): void {
    this.#files = files;
    this.#changed.fire();
  }
}
