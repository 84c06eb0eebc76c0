import { parse } from 'jsonc-parser';
import * as z from 'zod';

const disabling = z.looseObject({ disableAllHooks: z.literal(true) });

/**
 * Returns the first of these settings files of Claude Code that switches its hooks off, for itself and the folders below it.
 * @param files path and text of each file; a text that is not valid JSON is read as far as possible
 */
export function hooksDisabledBy(
  files: readonly { readonly file: string; readonly text: string }[],
): string | undefined {
  return files.find(({ text }) => disabling.safeParse(parse(text)).success)?.file;
}
