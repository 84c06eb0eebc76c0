import type { OutlineSymbol, Position } from '#base/language.ts';
import type { Syntax } from '#base/syntaxTree.ts';

/** A parser that understands no text. */
export class FakeSyntax implements Syntax {
  async declarations(): Promise<readonly OutlineSymbol[] | undefined> {
    return undefined;
  }

  async uses(): Promise<readonly Position[] | undefined> {
    return undefined;
  }
}
