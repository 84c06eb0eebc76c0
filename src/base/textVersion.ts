import { createHash } from 'node:crypto';

/**
 * The version of a text: the first 16 hex digits of SHA-256 over it with LF line ends and without a byte-order mark. So it
 * changes only when the text does; line ends and encoding are reported apart.
 */
export function textVersion(text: string): string {
  const lf = text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
  return createHash('sha256').update(lf).digest('hex').slice(0, 16);
}
