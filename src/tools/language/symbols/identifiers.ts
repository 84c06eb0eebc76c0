const inWord = /[\p{L}\p{N}\p{M}_$]/u;

/** A word of a line that may be a name. The column is 1-based, in UTF-16 units. */
export interface Identifier {
  readonly name: string;
  readonly column: number;
}

/** Returns the identifiers of a line, from left to right. */
export function identifiersIn(line: string): readonly Identifier[] {
  return [...line.matchAll(/(?<![\p{L}\p{N}\p{M}_$])[\p{L}_$][\p{L}\p{N}\p{M}_$]*/gu)].map(({ 0: name, index }) => ({
    name,
    column: index + 1,
  }));
}

/** Matches the keywords that most languages write before a declared name. */
export const declaringKeyword =
  /\b(?:abstract|class|const|def|defn?|enum|fn|fun|func|function|impl|interface|let|macro|module|namespace|record|struct|sub|trait|type|union|val|var)\b/;

/** Returns the identifier that a line declares after a keyword: `total` of `def total(cart):`. */
export function declaredIdentifier(line: string): Identifier | undefined {
  const keyword = declaringKeyword.exec(line);
  if (keyword === null) return undefined;
  return identifiersIn(line).find(({ name, column }) => column > keyword.index + 1 && !declaringKeyword.test(name));
}

/** Returns the identifier that a column is in or directly after. */
export function identifierAt(line: string, column: number): Identifier | undefined {
  return identifiersIn(line).findLast((each) => each.column <= column && column <= each.column + each.name.length);
}

/** Returns the columns where a name stands as a whole word. */
export function columnsOf(name: string, line: string): readonly number[] {
  if (name === '') return [];
  const columns: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const goesOnBefore = inWord.test(line[at - 1] ?? '') && inWord.test(name[0] ?? '');
    const goesOnAfter = inWord.test(line[at + name.length] ?? '') && inWord.test(name.at(-1) ?? '');
    if (!goesOnBefore && !goesOnAfter) columns.push(at + 1);
  }
  return columns;
}
