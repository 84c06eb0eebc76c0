import type { CheckedLanguage, NamedLanguage } from '#base/syntaxTree.ts';

/**
 * The grammar of each language, as the package `@vscode/tree-sitter-wasm` names its file. A new language needs a line here and
 * its name in `CheckedLanguage`; the build then packs its file.
 */
export const grammars: Readonly<Record<CheckedLanguage, string>> = {
  bash: 'tree-sitter-bash.wasm',
  'c-sharp': 'tree-sitter-c-sharp.wasm',
  cpp: 'tree-sitter-cpp.wasm',
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

/** The query of each language that finds its declarations: a file of the folder `tags`. */
export const tagFiles: Readonly<Record<NamedLanguage, string>> = {
  'c-sharp': 'c-sharp.scm',
  cpp: 'cpp.scm',
  go: 'go.scm',
  java: 'java.scm',
  javascript: 'javascript.scm',
  php: 'php.scm',
  python: 'python.scm',
  ruby: 'ruby.scm',
  rust: 'rust.scm',
  tsx: 'typescript.scm',
  typescript: 'typescript.scm',
};
