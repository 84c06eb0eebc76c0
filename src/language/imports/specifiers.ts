/** The text between the quotes of an import. */
export interface Specifier {
  /** UTF-16 units. */
  readonly offset: number;
  readonly text: string;
}

/** `from`, `import`, `require(`, `import(`, `declare module` and `<reference path=`, in all that looks like JavaScript. */
const importing =
  /(?:\b(?:from|import|module)|\b(?:import|require(?:\.resolve)?)\s*\(|<reference\s+path\s*=)\s*(?:\/\*[^*]{0,200}\*\/\s*)*(["'`])([^"'`\\\r\n]{1,1000})\1/g;

/** Literals that may name a module, in order. Says nothing about whether they are code: a language service knows that. */
export function importSpecifiers(text: string): readonly Specifier[] {
  return [...text.matchAll(importing)].map((match) => {
    const specifier = match[2] ?? '';
    return { offset: match.index + match[0].length - 1 - specifier.length, text: specifier };
  });
}
