import type { CheckedLanguage } from '#base/syntaxTree.ts';

/**
 * The grammar of each language, as the package `@vscode/tree-sitter-wasm` names its file. A new language needs a line here and
 * its name in `CheckedLanguage`; the build then packs its file.
 */
export const grammars: Readonly<Record<CheckedLanguage, string>> = {
  bash: 'tree-sitter-bash.wasm',
  css: 'tree-sitter-css.wasm',
  go: 'tree-sitter-go.wasm',
  java: 'tree-sitter-java.wasm',
  javascript: 'tree-sitter-javascript.wasm',
  php: 'tree-sitter-php.wasm',
  powershell: 'tree-sitter-powershell.wasm',
  python: 'tree-sitter-python.wasm',
  ruby: 'tree-sitter-ruby.wasm',
  rust: 'tree-sitter-rust.wasm',
  tsx: 'tree-sitter-tsx.wasm',
  typescript: 'tree-sitter-typescript.wasm',
};

/** The runtime of tree-sitter, which runs every grammar. */
export const runtimeFile = 'tree-sitter.wasm';
