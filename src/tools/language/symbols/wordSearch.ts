import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { ToolContext } from '#call/tool.ts';
import { declaringKeyword } from './identifiers.ts';

/** The most lines of a result; search_code finds more. */
const maximumPlaces = 200;

/** A line that contains a name as a word. Line and column are 1-based. */
export interface WordPlace extends FoundFile {
  readonly line: number;
  readonly column: number;
  /** The line; a long one is cut around the word. */
  readonly text: string;
}

export interface WordPlaces {
  /** Lines that look like a declaration of the name. */
  readonly declarations: readonly WordPlace[];
  readonly others: readonly WordPlace[];
}

/** Searches for lines with a name, in path order, when no language service knows the name. */
export async function placesOfWord(
  name: string,
  within: readonly ResolvedPath[],
  { search }: Pick<ToolContext<'search'>, 'search'>,
  signal: AbortSignal,
): Promise<WordPlaces> {
  const declarations: WordPlace[] = [];
  const others: WordPlace[] = [];
  const query = {
    within,
    include: [],
    exclude: [],
    includeIgnored: false,
    pattern: name,
    isRegex: false,
    caseSensitive: true,
    wholeWord: true,
    multiline: false,
    linesBefore: 0,
    linesAfter: 0,
    sorted: true,
  };
  for await (const { matches, ...file } of search.text(query, signal)) {
    for (const { line, column, text } of matches) {
      const isDeclaration = declaringKeyword.test(text.slice(0, text.indexOf(name)));
      (isDeclaration ? declarations : others).push({ ...file, line, column, text });
    }
    if (declarations.length + others.length >= maximumPlaces) break;
  }
  return { declarations, others };
}
