import type { SymbolPlace, Symbols } from '#language/symbols.ts';

/** A language service with the symbols that a test sets. */
export class FakeSymbols implements Symbols {
  places: readonly SymbolPlace[] = [];

  async find(query: string): Promise<readonly SymbolPlace[]> {
    return this.places.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  }
}
