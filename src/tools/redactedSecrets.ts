import * as z from 'zod';
import { counted } from './page.ts';

/** The `redactedSecrets` output field of every result that contains text of files. */
export const redactedSecretsOutput = z
  .int()
  .min(0)
  .max(10_000_000)
  .exactOptional()
  .describe('Secrets shown as [redacted:type#number]; the file has them');

/** Returns the text line that counts the redacted secrets, or no line when there are none. */
export function secretsText(count: number | undefined): readonly string[] {
  return count === undefined || count === 0 ? [] : [`(${counted(count, 'secret')} redacted)`];
}
