import type { Addition, Assistant } from './assistant.ts';
import { type ConfigurationChange, recordsOf } from './configurationChange.ts';
import { ConfigurationError } from './configurationError.ts';
import { readConfigurationFile } from './configurationFile.ts';
import { readCreatedParts } from './createdParts.ts';

type OwnFile = Extract<Addition, { readonly kind: 'file' }>;

/** Matches the command of the launcher in any state folder, as every file of our own has it. */
const launcher = /[\\/]bin[\\/]+drawbridge(?:\.cmd)?\b/;

/**
 * Returns the state of a file that only Drawbridge writes.
 * @throws ConfigurationError when it cannot be read, or is not for Drawbridge
 */
export async function stateOfOwnFile({ file, text }: OwnFile): Promise<'absent' | 'current' | 'outdated'> {
  const found = await readConfigurationFile(file);
  if (found === undefined) return 'absent';
  if (found === text) return 'current';
  if (launcher.test(found)) return 'outdated';
  throw new ConfigurationError(`${file} is not a file of Drawbridge.`, 'Give it another name, then try again.');
}

/** Plans to write (true), remove (false) or leave (undefined) a file of our own. Throws as `stateOfOwnFile` does. */
export async function planOwnFile(
  own: OwnFile,
  isWanted: boolean | undefined,
  assistant: Assistant,
  home: string,
): Promise<ConfigurationChange> {
  const { file, text } = own;
  await stateOfOwnFile(own);
  const [, record] = recordsOf(assistant);
  const before = await readConfigurationFile(file);
  const after = isWanted === undefined ? before : isWanted ? text : undefined;
  const created = await readCreatedParts(home, record, file);
  return { assistant, record, file, before, after, isChange: after !== before, createdBefore: created, created };
}
