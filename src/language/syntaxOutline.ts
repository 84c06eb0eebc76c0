import type { ResolvedPath } from '#base/files.ts';
import type { Language, OutlineSymbol } from '#base/language.ts';
import type { Syntax } from '#base/syntaxTree.ts';
import { ToolError } from '#base/toolError.ts';
import { codeLanguageOf } from './codeLanguages.ts';
import { raceAbort } from './raceAbort.ts';

/**
 * Milliseconds that a language service gets. One that is still loading its project may take a minute, and then an answer from the
 * syntax now is of more use than the end of the call.
 */
const patience = { outline: 5000, hover: 5000, places: 12_000, items: 15_000 };

/**
 * Returns the language services with an outline by syntax where no service gives one in time, and with an empty answer where one
 * needs too long.
 * @param readShown returns the text of a file as the assistant may see it. Throws ToolError for a file that it may not read.
 */
export function withSyntax(
  language: Language,
  syntax: Syntax,
  readShown: (path: ResolvedPath) => Promise<string>,
): Language {
  const bySyntax = async (path: ResolvedPath, signal: AbortSignal): Promise<readonly OutlineSymbol[] | undefined> => {
    const grammar = codeLanguageOf(path.path)?.grammar;
    if (grammar === undefined) return undefined;
    try {
      return await syntax.declarations(grammar, await readShown(path), signal);
    } catch (error) {
      // The file is too large, or no text.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };
  return {
    ...language,
    async outline(path, signal) {
      const asked = language.outline(path, signal);
      const answer = await inTime(asked, patience.outline, late);
      if (answer !== late && answer !== undefined && answer.length > 0) return answer;
      const found = await bySyntax(path, signal);
      if (found !== undefined && found.length > 0) return found;
      return asked;
    },
    places: (relation, path, at, signal) => inTime(language.places(relation, path, at, signal), patience.places, []),
    hover: (path, at, signal) => inTime(language.hover(path, at, signal), patience.hover, []),
    callItems: (path, at, signal) => inTime(language.callItems(path, at, signal), patience.items, []),
    typeItems: (path, at, signal) => inTime(language.typeItems(path, at, signal), patience.items, []),
  };
}

const late = Symbol('no answer in time');

/** Resolves with the answer, or with the other value when the time is up first. */
async function inTime<Answer, Late>(
  answer: Promise<Answer>,
  milliseconds: number,
  otherwise: Late,
): Promise<Answer | Late> {
  const timeLimit = AbortSignal.timeout(milliseconds);
  try {
    return await raceAbort(() => answer, timeLimit);
  } catch (error) {
    if (timeLimit.aborted && error === timeLimit.reason) return otherwise;
    throw error;
  }
}
