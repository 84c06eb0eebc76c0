import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const idPattern = /^[\w-]{1,100}$/;

/**
 * Writes when an assistant last called a window of this user. Each assistant has a file of its own, so that windows that write at the
 * same time need no lock. The file holds the time and nothing else.
 * @param home the state folder, absolute
 * @param time milliseconds since the epoch
 */
export async function writeLastSeen(home: string, id: string, time: number): Promise<void> {
  await mkdir(seenFolder(home), { recursive: true, mode: 0o700 });
  await writeFile(join(seenFolder(home), id), `${time}\n`, { mode: 0o600 });
}

/** Returns when each assistant last called, in milliseconds since the epoch, by its id. Files that hold no time are ignored. */
export async function readLastSeen(home: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(seenFolder(home)).catch((): string[] => []);
  const ids = names.filter((name) => idPattern.test(name));
  const texts = await Promise.all(ids.map((id) => readFile(join(seenFolder(home), id), 'utf8').catch(() => '')));
  return new Map(
    ids.flatMap((id, index) => {
      const time = Number(texts[index]);
      return Number.isSafeInteger(time) && time > 0 ? [[id, time] as const] : [];
    }),
  );
}

function seenFolder(home: string): string {
  return join(home, 'seen');
}
