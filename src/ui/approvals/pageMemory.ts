import * as z from 'zod';
import { type Remembered, remembered } from '#ui/page/fromPage.ts';
import { moved } from './commentAnchors.ts';

/** Where VS Code keeps small values of a workspace. */
export interface MemoryStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storeKey = 'review';
/** The most requests whose drafts outlive a reload. */
const mostStored = 100;

/**
 * What the user began on the pages and did not send: drafts, viewed ticks, open files and comments. No page outlives its view, so the
 * host keeps it for all of them until the request is over. It outlives a reload of the window, as waiting requests do.
 */
export class PageMemory {
  readonly #store: MemoryStore;
  readonly #kept: Map<string, Remembered>;
  readonly #cleared = new Set<string>();
  /** Requests that were there since the window was loaded. The others may not have been restored yet. */
  readonly #known = new Set<string>();

  constructor(store: MemoryStore) {
    this.#store = store;
    const stored = z.array(remembered).catch([]).parse(store.get(storeKey));
    this.#kept = new Map(stored.map((kept) => [kept.id, kept]));
  }

  remember(kept: Remembered): void {
    this.#kept.set(kept.id, kept);
    this.#save();
  }

  /** Moves the comments of a request to where their lines stand in its files. */
  settle(id: string, files: Parameters<typeof moved>[1]): void {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.comments.length === 0) return;
    this.#kept.set(id, moved(kept, files));
    this.#save();
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
    this.#save();
  }

  /** Takes finished requests off the pages. History keeps them. */
  clear(ids: readonly string[]): void {
    for (const id of ids) this.#cleared.add(id);
  }

  isCleared(id: string): boolean {
    return this.#cleared.has(id);
  }

  /** Forgets the requests that are there no more. */
  keep(known: ReadonlySet<string>): void {
    for (const id of known) this.#known.add(id);
    let hasForgotten = false;
    for (const id of this.#known) {
      if (known.has(id)) continue;
      this.#known.delete(id);
      this.#cleared.delete(id);
      hasForgotten = this.#kept.delete(id) || hasForgotten;
    }
    if (hasForgotten) this.#save();
  }

  #save(): void {
    void this.#store.update(storeKey, [...this.#kept.values()].slice(-mostStored));
  }
}
