import type { TextQuery } from '../search.ts';

/**
 * Returns the arguments of ripgrep for the pattern of a query. Assistants write line ends as LF but files may have CRLF, so in a
 * multi-line search each LF of the pattern matches both.
 */
export function patternArguments(query: TextQuery): readonly string[] {
  const flags = [
    query.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(query.wholeWord ? ['--word-regexp'] : []),
  ];
  if (query.flag !== undefined) {
    const lineEnds = query.multiline ? ['--multiline', '--crlf'] : query.isRegex ? ['--crlf'] : [];
    return [...flags, ...lineEnds, '--regexp', regexOf(query), ...flagOf(query)];
  }
  if (!query.multiline) {
    return [...flags, ...(query.isRegex ? ['--crlf'] : ['--fixed-strings']), '--regexp', query.pattern];
  }
  return [...flags, '--multiline', '--crlf', '--regexp', regexOf(query)];
}

function regexOf({ pattern, isRegex, multiline }: TextQuery): string {
  if (!isRegex) return literalWithBothLineEnds(pattern);
  return multiline ? withBothLineEnds(pattern) : pattern;
}

/** Returns the pattern that flags files. It always distinguishes letter case, and it matches whole lines where only whole words count. */
function flagOf({ flag, wholeWord }: TextQuery): readonly string[] {
  const pattern = `(?-i:(?-u:${flag?.search ?? ''}))`;
  return ['--regexp', wholeWord ? `^(?-u:.*)${pattern}(?-u:.*)$` : pattern];
}

function literalWithBothLineEnds(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&').replace(/\r?\n/g, '\\r?\\n');
}

/** Replaces each line feed of a regular expression, escaped or not, outside character classes. */
function withBothLineEnds(pattern: string): string {
  let depth = 0;
  return pattern.replace(/\\r\\n|\\[^]|\r?\n|[[\]]/g, (token) => {
    if (token === '[') depth += 1;
    if (token === ']') depth = Math.max(0, depth - 1);
    const isLineEnd = token === '\\n' || token === '\n' || token === '\r\n' || token === '\\r\\n';
    return isLineEnd && depth === 0 ? '(?:\\r?\\n)' : token;
  });
}
