import type { SymbolPlace, Symbols } from '#language/symbols.ts';

/** A language service that knows what a test tells it. */
export class FakeSymbols implements Symbols {
  places: readonly SymbolPlace[] = [];

  async find(query: string): Promise<readonly SymbolPlace[]> {
    return this.places.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  }
}
