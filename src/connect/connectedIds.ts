import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';

/** A lock older than this is taken over, since its owner died: a change takes milliseconds. */
const staleMilliseconds = 2000;
/** Retries for some four seconds, longer than the lock of a dead process lasts. */
const lockRetries = { retries: 80, factor: 1, minTimeout: 50, randomize: false };

/**
 * Returns the ids of the assistants that are connected on this machine. The file exists while there is one, which makes
 * windows start their server. Lines that are no id are ignored.
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
  await change(home, (ids) => [...ids, id]);
}

/** @throws when the state folder cannot be written */
export async function unmarkConnected(home: string, id: string): Promise<void> {
  await change(home, (ids) => ids.filter((other) => other !== id));
}

/** Changes the file under a lock, since another window may change it at the same time. */
async function change(home: string, edit: (ids: readonly string[]) => readonly string[]): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'connected');
  const release = await lock(path, {
    // The file may not exist yet.
    realpath: false,
    stale: staleMilliseconds,
    retries: lockRetries,
    // A lost lock can at worst drop an assistant from the file until it is connected again.
    onCompromised: () => undefined,
  });
  try {
    const ids = new Set(edit(await connectedIds(home)));
    if (ids.size === 0) await rm(path, { force: true });
    else await writeFileAtomic(path, [...ids].map((id) => `${id}\n`).join(''), { mode: 0o600 });
  } finally {
    await release().catch(() => undefined);
  }
}
