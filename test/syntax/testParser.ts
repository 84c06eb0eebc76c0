import { resolve } from 'node:path';
import { createSyntaxParser, type SyntaxParser, type SyntaxParserOptions } from '#syntax/syntaxParser.ts';

/** The worker of the sources and the grammars of the installed package. */
export const testPlaces = {
  program: resolve('src/syntax/syntaxWorker.ts'),
  folder: resolve('node_modules/@vscode/tree-sitter-wasm/wasm'),
  tags: resolve('src/syntax/tags'),
};

/** Creates a parser that runs the worker from the sources, with the grammars of the installed package. */
export function createTestParser(options: Partial<SyntaxParserOptions> = {}): SyntaxParser {
  return createSyntaxParser({ ...testPlaces, ...options });
}
