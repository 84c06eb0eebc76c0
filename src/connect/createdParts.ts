import { mkdir, readFile } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import type { Machine } from './assistant.ts';

/**
 * The record of what Drawbridge created in a configuration file besides its own values, so that a removal restores every byte. A key
 * is the JSON of a path. The record holds nothing else of the file, except values that were replaced.
 */
const CreatedParts = z.object({
  version: z.literal(2),
  /** The configuration file, absolute. */
  file: z.string(),
  /** Whether there was no file before. */
  isFile: z.boolean(),
  /** The topmost folder that was created for the file, absolute. */
  folder: z.string().optional(),
  /** The containers that were created (null), and those that were empty, with their text. */
  containers: z.record(z.string(), z.string().max(1000).nullable()),
  /** The values that were added, with the text of the value that each replaced, or null. */
  added: z.record(z.string(), z.string().max(100_000).nullable()),
});
export type CreatedParts = z.infer<typeof CreatedParts>;

/** Returns the state folder that a launcher lies in. */
export function stateHome({ launcher, platform }: Machine): string {
  const path = platform === 'win32' ? win32 : posix;
  return path.dirname(path.dirname(launcher));
}

/**
 * Returns what was created for an assistant's file; undefined when unknown, in which case a removal may leave white
 * space.
 */
export async function readCreatedParts(home: string, id: string, file: string): Promise<CreatedParts | undefined> {
  const parts = await readLastCreatedParts(home, id);
  return parts?.file === file ? parts : undefined;
}

/** Returns what was created in the last file in which the assistant got our entry; undefined when unknown. */
export async function readLastCreatedParts(home: string, id: string): Promise<CreatedParts | undefined> {
  try {
    return CreatedParts.parse(JSON.parse(await readFile(pathOf(home, id), 'utf8')));
  } catch {
    return undefined;
  }
}

export async function writeCreatedParts(home: string, id: string, parts: CreatedParts): Promise<void> {
  await mkdir(join(home, 'connections'), { recursive: true, mode: 0o700 });
  await writeFileAtomic(pathOf(home, id), `${JSON.stringify(parts, undefined, 2)}\n`, { mode: 0o600 });
}

function pathOf(home: string, id: string): string {
  return join(home, 'connections', `${id}.json`);
}
