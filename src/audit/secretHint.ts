/** A pattern for a search program: it finds every line on which a secret may begin, and few others. */
import { assigned, secretTable } from './secretShapes.ts';

/** Characters of `\s`, `\w` and `\d` as both engines understand them when they are written out. */
const classes: Readonly<Record<string, string>> = { s: ' \\t\\r\\n\\f\\v', w: 'A-Za-z0-9_', d: '0-9' };

/** Shapes whose own pattern says too little on one line without its look-behind, or goes on in the next line. */
const ownHints: Readonly<Record<string, string>> = {
  nuget_password: '"ClearTextPassword"',
  password: '://[^\\s:/?#@"\'`<>[]*:[^\\s/?#@"\'`<>]+@[\\w[]',
};

export interface SecretHint {
  /** For ripgrep, with ASCII classes: matches on each line on which {@link secretTable} may find the beginning of a secret. */
  readonly search: string;
  /** For JavaScript, with the flag `m`: matches at least where `search` does, in linear time on any text. */
  readonly check: string;
}

/** Returns the patterns. They are derived from the table, so that a new row is part of them. */
export function secretHint(): SecretHint {
  const sources = secretTable.map(({ type, pattern }) => ownHints[type] ?? pattern.source);
  const joined = (isCut: boolean): string => sources.map((source) => simplified(source, isCut)).join('|');
  return { search: joined(false), check: joined(true) };
}

/**
 * Returns a superset of a pattern without look-around, named groups, upper bounds and matches over several lines.
 * @param isCut leaves out what follows a long run. Without a look-behind, each of its characters could begin another run.
 */
function simplified(source: string, isCut: boolean): string {
  const [head = '', ...rest] = withoutGroup(source).split(assigned);
  const [name, value] = [head, rest.join('')].map((part) => translated(part, isCut));
  if (name === undefined || value === undefined) throw new Error(`A shape goes on in a group: ${source}`);
  return rest.length === 0 ? `(?:${name})` : `(?:${name}${assignedTo(value)})`;
}

/** Returns a superset of {@link assigned} and a value, of which each part may stand on the next line. */
function assignedTo(value: string): string {
  const [quote, blank] = ['\\\\*["\'`]?', '(?:[ \\t\\r\\f\\v]|[^\\x00-\\x7F])*'];
  return `${quote}\\]?${blank}(?:$|(?::|=>?|,)${blank}(?:$|${quote}${value}))`;
}

/** Returns a pattern without the group of what comes before a secret. */
function withoutGroup(source: string): string {
  const start = '(?<before>';
  if (!source.startsWith(start)) return source;
  const end = endOfGroup(source, 0);
  return source.slice(start.length, end - 1) + source.slice(end);
}

/** Translates a pattern; returns undefined for a part of one that does not end every group that it begins. */
function translated(pattern: string, isCut: boolean): string | undefined {
  let out = '';
  let depth = 0;
  /** The depth of the group whose rest is left out, up to its end or its next alternative. */
  let cutAt: number | undefined;
  for (let at = 0; at < pattern.length;) {
    const lookAround = /^\(\?<?[=!]/.exec(pattern.slice(at));
    if (lookAround !== null) {
      at = endOfGroup(pattern, at);
      continue;
    }
    const [token = ''] =
      /^(?:\\.|\(\?<\w+>|\(\?:|\{\d+,\d+\}|\[\^?(?:\\.|[^\]\\])*\]|[^])/.exec(pattern.slice(at)) ?? [];
    at += token.length;
    if (token.startsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    if (depth < 0) return undefined;
    if (cutAt !== undefined) {
      const isEnd = token === ')' && depth < cutAt;
      if (!isEnd && !(token === '|' && depth === cutAt)) continue;
      // What follows a group that was cut is left out, too, but not whether the group must be there.
      const [quantifier = ''] = isEnd ? (/^(?:[?*+]|\{\d+(?:,\d*)?\})/.exec(pattern.slice(at)) ?? []) : [];
      out += token + quantifier;
      at += quantifier.length;
      cutAt = isEnd ? depth : undefined;
      continue;
    }
    const run = isCut ? /^\{(\d{2,}|[89]),\d+\}$/.exec(token) : null;
    out += run === null ? written(token) : `{${run[1]}}`;
    if (run !== null) cutAt = depth;
  }
  return depth === 0 ? out : undefined;
}

function written(token: string): string {
  if (token.startsWith('(?<')) return '(?:';
  if (/^\{\d+,\d+\}$/.test(token)) return token.replace(/,\d+\}$/, ',}');
  if (token.startsWith('[')) {
    const [, start = '', inside = ''] = /^(\[\^?)([^]*)\]$/.exec(token) ?? [];
    return `${start}${inside.replaceAll(/\\[swd/]|\[/g, writtenInClass)}]`;
  }
  if (token === '\\s') throw new Error('A shape that may go on in the next line needs a hint of its own');
  if (/^\\[wd]$/.test(token)) return `[${classes[token.slice(1)]}]`;
  return token === '\\/' ? '/' : token;
}

function writtenInClass(token: string): string {
  if (token === '[') return '\\[';
  return token === '\\/' ? '/' : (classes[token.slice(1)] ?? token);
}

/** Returns the offset after the group that begins at an offset. */
function endOfGroup(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') at = endOfClass(pattern, at);
    else if (pattern[at] === '(') depth += 1;
    else if (pattern[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return pattern.length;
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
  return at;
}
