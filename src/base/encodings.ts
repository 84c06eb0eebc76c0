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

/** The characters of Windows-1252 from 0x80 to 0x9f; the five bytes without one stay control characters, as in ripgrep. */
const upper = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes bytes as Windows-1252, in which each byte is one character. */
export function windows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (each) => upper[each.charCodeAt(0) - 0x80] ?? each);
}
