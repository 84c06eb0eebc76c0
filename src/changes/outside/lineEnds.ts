/** The conversion of line ends with which Git checks out texts: each LF of the blob becomes CRLF. */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Returns the number of LF in the bytes of a blob; undefined when one follows a CR, since Git then converts in other ways. */
export function lfCount(bytes: Uint8Array): number | undefined {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at - 1] === carriageReturn) return undefined;
    count += 1;
  }
  return count;
}

/** Returns bytes with CRLF for each LF. */
export function lfToCrlf(bytes: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

/** Returns bytes with LF for each CRLF; undefined unless there is a line end, and each is CRLF. */
export function crlfToLf(bytes: Uint8Array): Buffer | undefined {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.includes('\n') || /(?<!\r)\n/.test(text)) return undefined;
  return Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1');
}
