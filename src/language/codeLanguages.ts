import type { NamedLanguage } from '#base/syntaxTree.ts';

/** A programming language, as the ends of file names tell it. */
export interface CodeLanguage {
  /** The editor's language id. */
  readonly id: string;
  /** The name as people write it. */
  readonly name: string;
  /** Ends of file names, without the dot. */
  readonly endings: readonly string[];
  /** The grammar that finds its names; absent when there is none. */
  readonly grammar?: NamedLanguage;
  /** Languages of one family use each other's names. */
  readonly family: string;
  /** Matches an identifier of the language. */
  readonly identifier?: RegExp;
}

const plainIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{N}\p{M}_]*$/u;
const dollarIdentifier = /^[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{N}\p{M}_$\u200c\u200d]*$/u;
const scriptIdentifier = /^#?[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{N}\p{M}_$\u200c\u200d]*$/u;

function script(id: string, name: string, grammar: NamedLanguage, endings: string): CodeLanguage {
  return { id, name, grammar, endings: endings.split(' '), family: 'script', identifier: scriptIdentifier };
}

function named(id: string, name: string, grammar: NamedLanguage, endings: string, identifier: RegExp): CodeLanguage {
  return { id, name, grammar, endings: endings.split(' '), family: grammar, identifier };
}

function other(id: string, name: string, endings: string): CodeLanguage {
  return { id, name, endings: endings.split(' '), family: id };
}

const codeLanguages: readonly CodeLanguage[] = [
  script('typescript', 'TypeScript', 'typescript', 'ts mts cts'),
  script('typescriptreact', 'TSX', 'tsx', 'tsx'),
  script('javascript', 'JavaScript', 'javascript', 'js mjs cjs'),
  script('javascriptreact', 'JSX', 'javascript', 'jsx'),
  named('python', 'Python', 'python', 'py pyi', plainIdentifier),
  named('go', 'Go', 'go', 'go', plainIdentifier),
  named('rust', 'Rust', 'rust', 'rs', /^(?:r#)?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{N}\p{M}_]*$/u),
  named('java', 'Java', 'java', 'java', dollarIdentifier),
  named('csharp', 'C#', 'c-sharp', 'cs', /^@?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{N}\p{M}_]*$/u),
  named('cpp', 'C++', 'cpp', 'cpp cc cxx hpp hh hxx h', dollarIdentifier),
  named('c', 'C', 'cpp', 'c', dollarIdentifier),
  named('php', 'PHP', 'php', 'php', /^\$?[\p{L}_][\p{L}\p{N}\p{M}_]*$/u),
  named('ruby', 'Ruby', 'ruby', 'rb rake', /^(?:@@?|\$)?[\p{L}_][\p{L}\p{N}\p{M}_]*[?!=]?$/u),
  other('kotlin', 'Kotlin', 'kt kts'),
  other('swift', 'Swift', 'swift'),
  other('scala', 'Scala', 'scala'),
  other('dart', 'Dart', 'dart'),
  other('lua', 'Lua', 'lua'),
  other('elixir', 'Elixir', 'ex exs'),
  other('haskell', 'Haskell', 'hs'),
  other('fsharp', 'F#', 'fs fsx'),
  other('vb', 'Visual Basic', 'vb'),
  other('groovy', 'Groovy', 'groovy'),
  other('julia', 'Julia', 'jl'),
  other('perl', 'Perl', 'pl pm'),
  other('r', 'R', 'r'),
  other('zig', 'Zig', 'zig'),
  other('vue', 'Vue', 'vue'),
  other('svelte', 'Svelte', 'svelte'),
  other('shellscript', 'shell', 'sh bash'),
  other('powershell', 'PowerShell', 'ps1'),
];

const byEnding = new Map(codeLanguages.flatMap((each) => each.endings.map((ending) => [ending, each] as const)));

/** Returns the language of a file by the end of its name; undefined for other files. */
export function codeLanguageOf(path: string): CodeLanguage | undefined {
  return byEnding.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** Returns the globs of the files of some languages; of all code when none are given. */
export function globsOf(languages: readonly CodeLanguage[] = codeLanguages): readonly string[] {
  return languages.flatMap(({ endings }) => endings.map((ending) => `**/*.${ending}`));
}

/** Returns the languages whose files may use the names of a language. */
export function familyOf({ family }: CodeLanguage): readonly CodeLanguage[] {
  return codeLanguages.filter((each) => each.family === family);
}
