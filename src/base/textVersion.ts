import { createHash } from 'node:crypto';

/**
 * Returns the version of a text: the first 16 hex digits of the SHA-256 of the text with LF line ends and without a byte-order
 * mark. The version changes only with the text itself; line ends and encoding are reported separately.
 */
export function textVersion(text: string): string {
  const lf = text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
  return createHash('sha256').update(lf).digest('hex').slice(0, 16);
}
