import type { OutlineSymbol } from '#base/language.ts';

interface KeptOutline {
  readonly text: string;
  readonly outline: readonly OutlineSymbol[];
  /** Milliseconds of the clock of the process. */
  readonly time: number;
}

const most = 100;
/** UTF-16 units; larger texts are not kept. */
const longestText = 500_000;
/** Milliseconds; a service may learn more about the same text, for example when it has loaded the rest of the project. */
const longest = 30_000;

/** Outlines of texts that are still the same: nearly every question about a symbol begins with one. */
export class OutlineCache {
  /** By file; the oldest first. */
  readonly #kept = new Map<string, KeptOutline>();

  get(fsPath: string, text: string): readonly OutlineSymbol[] | undefined {
    const kept = this.#kept.get(fsPath);
    if (kept === undefined || kept.text !== text || performance.now() - kept.time > longest) return undefined;
    return kept.outline;
  }

  /** Whether the file was asked about when it held another text. */
  hasOther(fsPath: string, text: string | undefined): boolean {
    const kept = this.#kept.get(fsPath);
    return kept !== undefined && kept.text !== text;
  }

  /** An empty outline may be that of a service that is not ready yet, and is not kept. */
  keep(fsPath: string, text: string, outline: readonly OutlineSymbol[]): void {
    this.#kept.delete(fsPath);
    if (outline.length === 0 || text.length > longestText) return;
    this.#kept.set(fsPath, { text, outline, time: performance.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
  }
}
