import type { OutlineSymbol } from '#base/language.ts';

interface KeptOutline {
  readonly text: string;
  readonly outline: readonly OutlineSymbol[];
  /** Milliseconds of the process's monotonic clock. */
  readonly time: number;
}

/** The most outlines kept. */
const most = 100;
/** UTF-16 units; outlines of longer texts are not kept. */
const longestText = 500_000;
/** Milliseconds; a service may learn more about the same text, for example once it has loaded the rest of the project. */
const longest = 30_000;

/** Keeps outlines while their texts are unchanged, since nearly every symbol request begins with an outline. */
export class OutlineCache {
  /** Outlines by file path, the oldest first. */
  readonly #kept = new Map<string, KeptOutline>();

  /** Returns the outline for exactly this text, at most 30 seconds old. */
  get(fsPath: string, text: string): readonly OutlineSymbol[] | undefined {
    const kept = this.#kept.get(fsPath);
    if (kept === undefined || kept.text !== text || performance.now() - kept.time > longest) return undefined;
    return kept.outline;
  }

  /** Tells whether the cache holds an outline of the file for another text. */
  hasOtherText(fsPath: string, text: string | undefined): boolean {
    const kept = this.#kept.get(fsPath);
    return kept !== undefined && kept.text !== text;
  }

  /** Keeps an outline, unless it is empty: an empty outline may come from a service that is not ready yet. */
  keep(fsPath: string, text: string, outline: readonly OutlineSymbol[]): void {
    this.#kept.delete(fsPath);
    if (outline.length === 0 || text.length > longestText) return;
    this.#kept.set(fsPath, { text, outline, time: performance.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
  }
}
