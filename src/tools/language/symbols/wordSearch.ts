import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { ToolContext } from '#call/tool.ts';

/** Lines that hold a word; who wants more of them searches. */
const maximumPlaces = 200;

/** A line that holds a name as a word. 1-based. */
export interface WordPlace extends FoundFile {
  readonly line: number;
  readonly column: number;
  /** The line; a long one is cut around the word. */
  readonly text: string;
}

export interface WordPlaces {
  /** What looks like a declaration of the name. */
  readonly declarations: readonly WordPlace[];
  readonly others: readonly WordPlace[];
}

/** What most languages write before the name that they declare. */
const declaration =
  /\b(abstract|class|const|def|defn?|enum|fn|fun|func|function|impl|interface|let|macro|module|namespace|record|struct|sub|trait|type|union|val|var)\b/;

/** Lines that hold a name, in path order, for where no language service knows it. */
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
    contextLines: 0,
    sorted: true,
  };
  for await (const { matches, ...file } of search.text(query, signal)) {
    for (const { line, column, text } of matches) {
      const isDeclaration = declaration.test(text.slice(0, text.indexOf(name)));
      (isDeclaration ? declarations : others).push({ ...file, line, column, text });
    }
    if (declarations.length + others.length >= maximumPlaces) break;
  }
  return { declarations, others };
}
