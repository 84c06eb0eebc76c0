import { lstatSync, realpathSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { bridgesFile, bridgesText, readBridges, readLines, withLauncherLock } from './launcherFiles.ts';

/**
 * Removes a bridge that is being uninstalled from the list of the launcher. With the last bridge, it removes all files that the
 * extension put beside the launcher. The launcher itself stays while an assistant is still configured to start it, and then
 * tells how to remove that configuration. Records, history, rules and tokens belong to the user and stay.
 * @param home the state folder of this user; a missing one is not created
 * @param bridge absolute path of the bridge program
 */
export async function removeLauncher(home: string, bridge: string): Promise<void> {
  const folder = join(home, 'bin');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  await withLauncherLock(folder, async () => {
    const gone = realPathOf(bridge);
    const left = readBridges(folder).filter(({ path }) => realPathOf(path) !== gone);
    if (left.length > 0) return writeFileAtomic(bridgesFile(folder), bridgesText(left), { mode: 0o600 });
    const isConnected = readLines(join(home, 'connected')).length > 0;
    const launchers = isConnected ? [] : ['drawbridge', 'drawbridge.cmd'];
    for (const name of ['bridges', 'runtimes', 'runtime', ...launchers]) await rm(join(folder, name), { force: true });
    // No window can ask the user any more, so the launcher must not refuse edits in these folders.
    await rm(join(home, 'guards'), { recursive: true, force: true });
    await rm(join(home, 'guards-off'), { force: true });
  });
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
