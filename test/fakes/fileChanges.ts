import type { Subscription } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { FileChanges } from '#files/fileChanges.ts';

/** Watches that a test triggers. */
export class FakeFileChanges implements FileChanges {
  readonly #watches = new Set<{ readonly realPath: string; readonly changed: () => void }>();

  /** The number of open watches. */
  get size(): number {
    return this.#watches.size;
  }

  watch({ realPath }: ResolvedPath, changed: () => void): Subscription {
    const watch = { realPath, changed };
    this.#watches.add(watch);
    return { dispose: () => void this.#watches.delete(watch) };
  }

  change(realPath: string): void {
    for (const watch of this.#watches) if (watch.realPath === realPath) watch.changed();
  }
}
