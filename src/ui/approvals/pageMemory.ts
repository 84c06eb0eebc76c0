import type { Remembered } from '#ui/page/fromPage.ts';

/**
 * What the user began on the pages and did not send: drafts, viewed ticks, open files and comments. No page outlives its view, so the
 * host keeps it for all of them until the request is over or the window is reloaded.
 */
export class PageMemory {
  readonly #kept = new Map<string, Remembered>();
  readonly #cleared = new Set<string>();

  remember(kept: Remembered): void {
    this.#kept.set(kept.id, kept);
  }

  /** Returns what is kept of these requests. */
  of(ids: readonly string[]): readonly Remembered[] {
    return ids.flatMap((id) => this.#kept.get(id) ?? []);
  }

  /** Moves what is kept of a request to the one that took its place. */
  move(from: string, to: string): void {
    const kept = this.#kept.get(from);
    if (kept === undefined || this.#kept.has(to)) return;
    this.#kept.set(to, { ...kept, id: to });
    this.#kept.delete(from);
  }

  /** Takes finished requests off the pages. History keeps them. */
  clear(ids: readonly string[]): void {
    for (const id of ids) this.#cleared.add(id);
  }

  isCleared(id: string): boolean {
    return this.#cleared.has(id);
  }

  /** Forgets all requests but these. */
  keep(known: ReadonlySet<string>): void {
    for (const id of this.#kept.keys()) if (!known.has(id)) this.#kept.delete(id);
    for (const id of this.#cleared) if (!known.has(id)) this.#cleared.delete(id);
  }
}
