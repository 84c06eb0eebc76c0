import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/**
 * Ids of the assistants that were connected here. The file exists while there is one, which makes windows start their server
 * (product.md, "Settings"). Lines that are no id are ignored.
 */
export async function connectedIds(home: string): Promise<readonly string[]> {
  const text = await readFile(join(home, 'connected'), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  return [...new Set(text.split(/\r?\n/).filter((line) => /^[\w-]{1,100}$/.test(line)))];
}

/** @throws when the state folder cannot be written */
export async function markConnected(home: string, id: string): Promise<void> {
  const ids = await connectedIds(home);
  if (!ids.includes(id)) await writeIds(home, [...ids, id]);
}

/** @throws when the state folder cannot be written */
export async function unmarkConnected(home: string, id: string): Promise<void> {
  const ids = await connectedIds(home);
  const others = ids.filter((other) => other !== id);
  if (others.length === 0) await rm(join(home, 'connected'), { force: true });
  else if (others.length < ids.length) await writeIds(home, others);
}

async function writeIds(home: string, ids: readonly string[]): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFileAtomic(join(home, 'connected'), ids.map((id) => `${id}\n`).join(''), { mode: 0o600 });
}
