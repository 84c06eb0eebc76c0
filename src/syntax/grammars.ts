import type { SyntaxLanguage } from '#base/syntaxTree.ts';

/**
 * The grammar of each language, as the package `@vscode/tree-sitter-wasm` names its file. A new language needs a line here and
 * its name in `SyntaxLanguage`; the build then packs its file.
 */
export const grammars: Readonly<Record<SyntaxLanguage, string>> = {
  bash: 'tree-sitter-bash.wasm',
  powershell: 'tree-sitter-powershell.wasm',
};

/** The runtime of tree-sitter, which runs every grammar. */
export const runtimeFile = 'tree-sitter.wasm';

/** The build compresses each file of WebAssembly with brotli and adds this to its name. */
export const packedSuffix = '.br';
