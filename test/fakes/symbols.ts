import type { SymbolPlace, Symbols } from '#language/symbols.ts';

/** A language service with the symbols that a test sets. */
export class FakeSymbols implements Symbols {
  places: readonly SymbolPlace[] = [];
  /** Languages that no extension serves. */
  readonly unserved = new Set(['python', 'rust', 'go', 'lua']);
  /** The services never answer. */
  isLoading = false;

  async find(query: string, signal: AbortSignal): Promise<readonly SymbolPlace[]> {
    if (this.isLoading) {
      await new Promise((resolve) => (signal.aborted ? resolve(0) : signal.addEventListener('abort', resolve)));
      return [];
    }
    return this.places.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  }

  served(languages: readonly string[]): ReadonlySet<string> {
    return new Set(languages.filter((language) => !this.unserved.has(language)));
  }
}
