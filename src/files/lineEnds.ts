/** How many line ends of a file change when an editor that holds it saves it with one line end. */
export function changedLineEnds(bytes: Buffer, encoding: string, eol: '\n' | '\r\n'): number {
  const text = encoding.startsWith('utf16')
    ? new TextDecoder(encoding === 'utf16be' ? 'utf-16be' : 'utf-16le').decode(bytes)
    : // The line ends of every other encoding are those of ASCII, one byte a unit.
      bytes.toString('latin1');
  if (eol === '\n' && !text.includes('\r')) return 0;
  let others = 0;
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) {
    if (end !== eol) others += 1;
  }
  return others;
}
