import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { redactText } from './redactText.ts';

/** The key of this process, until {@link keepVersionKey} sets the one of the installation. Bytes would become a key for each hash. */
let key = createSecretKey(randomBytes(32));

/** Sets the key of all versions. The key of an installation is kept, so that versions stay valid over a reload. */
export function keepVersionKey(kept: Buffer): void {
  if (kept.length < 32) throw new RangeError('The key of versions has at least 32 bytes');
  key = createSecretKey(kept);
}

/**
 * Returns the version of a text, 16 hex digits, as assistants get it and send it back. It is a keyed hash of what assistants see
 * of the text, with LF line ends: nobody can test guesses of a redacted secret against it, neither by hashing nor by writing a
 * guess and comparing versions (threat row A29). Line ends and encoding are reported separately. Do not decide with it whether
 * bytes are those that were approved: it does not change with a redacted secret.
 */
export function textVersion(text: string): string {
  return versionOfShown(redactText(text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text).text);
}

/** Returns the version of a text that is redacted already. @param shown has LF line ends */
export function versionOfShown(shown: string): string {
  return createHmac('sha256', key).update(shown).digest('hex').slice(0, 16);
}
