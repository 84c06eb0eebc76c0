import { mkdir, readFile } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import type { Machine } from './assistant.ts';

/** What connecting an assistant created besides the entry. Holds no other content of its configuration file. */
const CreatedParts = z.object({
  version: z.literal(1),
  /** The configuration file, absolute. */
  file: z.string(),
  /** Whether there was no file before. */
  isFile: z.boolean(),
  /** The topmost folder that was created for the file, absolute. */
  folder: z.string().optional(),
  keys: z.int().min(0).max(10),
  emptyParent: z.string().max(1000).optional(),
  /** The parts that each element of a settings file created. The key is the path of its array. */
  elements: z
    .record(z.string(), z.object({ keys: z.int().min(0).max(10), emptyParent: z.string().max(1000).optional() }))
    .optional(),
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
