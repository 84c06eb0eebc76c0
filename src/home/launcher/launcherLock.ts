import { lock } from 'proper-lockfile';
import { join } from 'node:path';

/** A writer that died is overtaken after this long; a change takes milliseconds. */
const staleMilliseconds = 2000;
/** Some four seconds: more than a dead writer's lock lasts, less than the editor waits for an uninstalling extension. */
const lockRetries = { retries: 40, factor: 1, minTimeout: 100, randomize: false };

/**
 * Changes the launcher's files while no other window and no other editor of this user does.
 * @param folder of the launcher; it exists
 * @throws when another one does not end
 */
export async function withLauncherLock(folder: string, change: () => Promise<void>): Promise<void> {
  const release = await lock(folder, {
    lockfilePath: join(folder, 'lock'),
    stale: staleMilliseconds,
    retries: lockRetries,
    // At worst a line is lost, which its window writes again when it starts.
    onCompromised: () => undefined,
  });
  try {
    await change();
  } finally {
    await release().catch(() => undefined);
  }
}
