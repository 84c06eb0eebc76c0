/** What language services say, as far as assistants may read it. */
import { redactText } from '#audit/redactText.ts';
import { findRandom } from '#audit/secretHeuristics.ts';

/** Changes a text of a language service. */
export type ToldText = (text: string) => string;

/** How the texts of language services are told in one call. */
export interface Telling {
  readonly code: ToldText;
  readonly markdown: ToldText;
  /**
   * Tells a message of a diagnostic, and the same message in the same way each time.
   * @param source names the service; undefined when it is not known
   */
  readonly message: (message: string, source: string | undefined) => string;
}

/**
 * Returns how texts are told. They are redacted here, before any tool cuts them: a part of a secret no longer has its shape. Their
 * markers are numbered through the call.
 */
export function tellingOf(hidesLiterals: boolean): Telling {
  let next = 1;
  const messages = new Map<string, string>();
  const redacted: ToldText = (text) => {
    const { text: shown, hidden } = redactText(text, next);
    next += new Set(hidden.map(({ secret }) => secret)).size;
    return withoutRandom(shown);
  };
  return {
    code: (text) => redacted(hidesLiterals ? codeWithoutLiterals(text) : text),
    markdown: (text) => redacted(hidesLiterals ? markdownWithoutLiterals(text) : text),
    message(message, source) {
      const told = messages.get(message) ?? redacted(hidesLiterals ? messageWithoutLiterals(message, source) : message);
      messages.set(message, told);
      return told;
    },
  };
}

/** Stands for what is left out. */
const leftOut = '…';

/** Match string literals, also unfinished ones, and numbers that are not part of a name. */
const [quoted, inApostrophes, number] = [
  /"(?:[^"\\\n]|\\.)*(?:"|$)|`(?:[^`\\]|\\.)*(?:`|$)/.source,
  /'(?:[^'\\\n]|\\.)*(?:'|$)/.source,
  /(?<![\w$.])-?\d[\w.]*/.source,
];
const literals = new RegExp(`${quoted}|${inApostrophes}|${number}`, 'gm');
/** TypeScript quotes names and types with apostrophes, so those enclose no literal in its messages. */
const literalsOfTypeScript = new RegExp(`${quoted}|${number}`, 'gm');
const codeBlock = /(```[^\n`]{0,100}\n)([\s\S]*?)(\n?```|$)/g;

/** Returns code without its literals. */
const codeWithoutLiterals: ToldText = (code) => code.replace(literals, withoutContent);

function withoutContent(literal: string): string {
  const quote = /^["'`]/.exec(literal)?.[0] ?? '';
  return quote + leftOut + quote;
}

/** Returns Markdown without the literals of its code, or of the whole text when no part is marked as code. */
const markdownWithoutLiterals: ToldText = (text) => {
  if (text.search(codeBlock) < 0) return codeWithoutLiterals(text);
  return text.replace(
    codeBlock,
    (_, start: string, code: string, end: string) => start + codeWithoutLiterals(code) + end,
  );
};

/** Returns the message of a diagnostic without literals. In a message of an unknown service, everything in quotes may be one. */
function messageWithoutLiterals(message: string, source: string | undefined): string {
  const isTypeScript = source === 'ts' || source === 'js';
  return message.replace(isTypeScript ? literalsOfTypeScript : literals, withoutContent);
}

/**
 * Returns a text without runs that look random. A service shows the value of a redacted secret without the name before it, by which
 * it would be recognized.
 */
const withoutRandom: ToldText = (text) => {
  let at = 0;
  const parts = findRandom(text).flatMap(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return [before, leftOut];
  });
  return parts.length === 0 ? text : parts.join('') + text.slice(at);
};
