/** Counts the line ends of a file that differ from `eol`. An editor that holds the file changes them when it saves. */
export function changedLineEnds(bytes: Buffer, encoding: string, eol: '\n' | '\r\n'): number {
  const text = encoding.startsWith('utf16')
    ? new TextDecoder(encoding === 'utf16be' ? 'utf-16be' : 'utf-16le').decode(bytes)
    : // All other encodings write line ends as ASCII does, so one byte may count as one character.
      bytes.toString('latin1');
  if (eol === '\n' && !text.includes('\r')) return 0;
  let others = 0;
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) {
    if (end !== eol) others += 1;
  }
  return others;
}
