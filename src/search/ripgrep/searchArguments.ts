import type { TextQuery } from '../search.ts';

/** A model writes line ends as LF; files hold CRLF as well, so in a multi-line search each LF stands for both. */
export function patternArguments(query: TextQuery): readonly string[] {
  const flags = [
    query.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(query.wholeWord ? ['--word-regexp'] : []),
  ];
  if (!query.multiline) {
    return [...flags, ...(query.isRegex ? ['--crlf'] : ['--fixed-strings']), '--regexp', query.pattern];
  }
  const pattern = query.isRegex ? withBothLineEnds(query.pattern) : literalWithBothLineEnds(query.pattern);
  return [...flags, '--multiline', '--crlf', '--regexp', pattern];
}

function literalWithBothLineEnds(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&').replace(/\r?\n/g, '\\r?\\n');
}

/** Each line feed of the pattern, escaped or not, outside a character class. */
function withBothLineEnds(pattern: string): string {
  let depth = 0;
  return pattern.replace(/\\r\\n|\\[^]|\r?\n|[[\]]/g, (token) => {
    if (token === '[') depth += 1;
    if (token === ']') depth = Math.max(0, depth - 1);
    const isLineEnd = token === '\\n' || token === '\n' || token === '\r\n' || token === '\\r\\n';
    return isLineEnd && depth === 0 ? '(?:\\r?\\n)' : token;
  });
}
