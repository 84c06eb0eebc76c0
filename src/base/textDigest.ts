import { createHash } from 'node:crypto';

/**
 * Returns the first 16 hex digits of the SHA-256 of a text with LF line ends, to tell whether a text is still the same. It is for
 * comparisons inside the window alone: assistants get `textVersion` (`src/audit/textVersion.ts`).
 */
export function textDigest(text: string): string {
  const lf = text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
  return createHash('sha256').update(lf).digest('hex').slice(0, 16);
}
