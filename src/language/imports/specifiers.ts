/** A module specifier: the text between the quotes of an import. */
export interface Specifier {
  /** UTF-16 units from the start of the file. */
  readonly offset: number;
  readonly text: string;
}

/** Matches `from`, `import`, `require(`, `import(`, `declare module` and `<reference path=`, each with its quoted specifier. */
const importing =
  /(?:\b(?:from|import|module)|\b(?:import|require(?:\.resolve)?)\s*\(|<reference\s+path\s*=)\s*(?:\/\*[^*]{0,200}\*\/\s*)*(["'`])([^"'`\\\r\n]{1,1000})\1/g;

/**
 * Returns the string literals that may name a module, in order. Some may stand in comments or strings; a language service
 * decides.
 */
export function importSpecifiers(text: string): readonly Specifier[] {
  return [...text.matchAll(importing)].map((match) => {
    const specifier = match[2] ?? '';
    return { offset: match.index + match[0].length - 1 - specifier.length, text: specifier };
  });
}
