import type { CheckedLanguage } from '#base/syntaxTree.ts';
import type { SyntaxParser } from './syntaxParser.ts';

/** The languages of files, by the end of their names. */
const languages: Readonly<Record<string, CheckedLanguage>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  css: 'css',
  php: 'php',
  rb: 'ruby',
  sh: 'bash',
  bash: 'bash',
  ps1: 'powershell',
};

/** Ends of the names of files that hold code or data, for which there is no grammar. */
const unchecked: ReadonlySet<string> = new Set(
  `c cc cpp cxx h hh hpp cs dart ex exs fs fsx groovy hs html jl json jsonc kt kts less lua m ml mm pl r sass scala scss sql svelte
  swift tf toml vb vue xml yaml yml zig`.split(/\s+/),
);

/** Returns the language in which a file is checked, `no_grammar` for other code, and undefined for a text that has no syntax. */
function checkedLanguage(path: string): CheckedLanguage | 'no_grammar' | undefined {
  const end = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(languages, end) ? languages[end] : unchecked.has(end) ? 'no_grammar' : undefined;
}

/**
 * Returns the lines (1-based) with syntax errors of the text of a file; `no_grammar` for code without a grammar, and undefined for a
 * text that has no syntax.
 * @throws Error when the text is too large, or takes too long
 */
export async function syntaxErrors(
  parser: Pick<SyntaxParser, 'errors'>,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly number[] | 'no_grammar' | undefined> {
  const language = checkedLanguage(path);
  if (language === undefined || language === 'no_grammar') return language;
  const lines = await parser.errors(language, text, signal);
  if (lines === undefined) throw new Error('The text could not be parsed in time.');
  return lines;
}
