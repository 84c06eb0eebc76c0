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

/** The names (WHATWG labels) that ripgrep uses for encoding ids of the editor. */
const renamed: Readonly<Record<string, string>> = {
  big5hkscs: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  utf16be: 'utf-16be',
  utf16le: 'utf-16le',
  shiftjis: 'shift_jis',
  gb2312: 'gb2312',
  gbk: 'gbk',
  gb18030: 'gb18030',
  macroman: 'macintosh',
};

/**
 * Returns ripgrep's name of an encoding, for files without a byte-order mark. Returns undefined when ripgrep detects the encoding by
 * itself, or does not know it.
 */
export function encodingLabel(encoding: string): string | undefined {
  const numbered = /^(windows|iso8859)(\d+)$/.exec(encoding);
  if (numbered !== null) return numbered[1] === 'windows' ? `windows-${numbered[2]}` : `iso-8859-${numbered[2]}`;
  return Object.hasOwn(renamed, encoding) ? renamed[encoding] : undefined;
}
