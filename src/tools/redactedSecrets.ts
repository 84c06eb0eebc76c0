import * as z from 'zod';
import { counted } from './page.ts';

/** The `redactedSecrets` field of results that hold text of files. */
export const redactedSecretsOutput = z
  .int()
  .min(0)
  .max(10_000_000)
  .exactOptional()
  .describe('Secrets that [redacted:type:hash] stands for; the file holds them');

/** What a result says of secrets that it does not show: a line, or none. */
export function secretsText(count: number | undefined): readonly string[] {
  return count === undefined || count === 0 ? [] : [`(${counted(count, 'secret')} redacted)`];
}
