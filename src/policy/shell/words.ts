/** One word of a command. */
export interface Word {
  /** The word as it stands in the text. */
  readonly raw: string;
  /** The word after removal of quotes and escapes; undefined when the shell would expand it. */
  readonly value: string | undefined;
}

/** Characters that are literal outside quotes wherever they stand. Every other ASCII character needs a quote or a rule below. */
const plain = /[\w\-./,:@%+=^\]#\u{a1}-\u{10ffff}]/u;
/** Blanks that bash takes as letters and a parser may take as separators, and characters that nobody sees. */
const deceiving = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u;

/**
 * Returns the value of a word of bash: what is left after removal of quotes and escapes. Returns undefined when the word holds an
 * expansion, a glob, a brace expansion, a tilde that bash expands or anything else that is not literal. Source: the Bash manual,
 * sections 3.1.2 (quoting) and 3.5 (shell expansions).
 */
export function decodeWord(raw: string): string | undefined {
  let value = '';
  // A brace expansion needs a comma or two dots, so braces without them are literal, as in `HEAD@{1}`.
  if (/[{}]/.test(raw) && /,|\.\./.test(raw) && hasBareBrace(raw)) return undefined;
  for (let at = 0; at < raw.length;) {
    const char = String.fromCodePoint(raw.codePointAt(at) ?? 0);
    if (char === "'") {
      const end = raw.indexOf("'", at + 1);
      if (end < 0) return undefined;
      value += raw.slice(at + 1, end);
      at = end + 1;
    } else if (char === '"') {
      const quoted = decodeDouble(raw, at + 1);
      if (!quoted) return undefined;
      value += quoted.value;
      at = quoted.end;
    } else if (char === '\\') {
      const next = raw[at + 1];
      if (next === undefined) return undefined;
      if (next !== '\n') value += next;
      at += 2;
    } else if (char === '~') {
      // Bash expands it at the start of a word, and after `=` and `:` in an assignment.
      if (at === 0 || /[=:]/.test(raw[at - 1] ?? '')) return undefined;
      value += char;
      at += 1;
    } else if (char === '!' || (char === '=' && at === 0)) {
      // An interactive bash takes `!` for an event of its history, and zsh takes `=` for the path of a program.
      if ((char === '=' && raw.length > 1) || !/^$|^[=(]/.test(raw.slice(at + 1))) return undefined;
      value += char;
      at += 1;
    } else if (char === '{' || char === '}' || (plain.test(char) && !deceiving.test(char))) {
      value += char;
      at += char.length;
    } else return undefined;
  }
  return value;
}

/** Reads the rest of a string in double quotes. The end is the offset after the closing quote. */
function decodeDouble(raw: string, start: number): { readonly value: string; readonly end: number } | undefined {
  let value = '';
  for (let at = start; at < raw.length; at += 1) {
    const char = raw[at] ?? '';
    const next = raw[at + 1] ?? '';
    if (char === '"') return { value, end: at + 1 };
    if (char === '`' || (char === '!' && !['"', ' ', '=', '('].includes(next))) return undefined;
    // A dollar sign before these begins no expansion.
    if (char === '$' && !['"', ' ', '|', ')', '/'].includes(next)) return undefined;
    if (char === '\\' && ['$', '`', '"', '\\', '\n'].includes(next)) {
      if (next !== '\n') value += next;
      at += 1;
    } else value += char;
  }
  return undefined;
}

function hasBareBrace(raw: string): boolean {
  return /[{}]/.test(raw.replaceAll(/'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]/g, ''));
}

/** True when the text holds a character that this reader and a shell may take differently, such as a carriage return. */
export function hasDeceivingCharacter(text: string): boolean {
  return deceiving.test(text.replaceAll(/[ \t\n]/g, ''));
}
