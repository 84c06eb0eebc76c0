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
