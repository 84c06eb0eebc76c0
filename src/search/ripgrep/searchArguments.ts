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

/** The editor's encoding ids that ripgrep knows under another name (WHATWG labels). */
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
 * What to tell ripgrep about files without a byte-order mark; undefined when it finds out by itself, or when it does
 * not know the encoding.
 */
export function encodingLabel(encoding: string): string | undefined {
  const numbered = /^(windows|iso8859)(\d+)$/.exec(encoding);
  if (numbered !== null) return numbered[1] === 'windows' ? `windows-${numbered[2]}` : `iso-8859-${numbered[2]}`;
  return Object.hasOwn(renamed, encoding) ? renamed[encoding] : undefined;
}
