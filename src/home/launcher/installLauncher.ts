import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { bridgesFile, bridgesText, compareVersions, readBridges, readLines, withLauncherLock } from './launcherFiles.ts';
import { readOwnFile } from '../ownFile.ts';
import { makePrivateFolder } from '../stateFolder.ts';

/** This window's extension, as the launcher has to know it. Paths are absolute. */
export interface LauncherOptions {
  /** The state folder of this user; made when it is missing. */
  readonly home: string;
  readonly extensionPath: string;
  /** Of the extension. */
  readonly version: string;
  /** The program that runs the extension, which can run the bridge too. */
  readonly execPath: string;
  readonly platform: NodeJS.Platform;
}

interface LauncherFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** More than anybody has editors; those that updates left behind go last. */
const mostRuntimes = 20;

/** Where assistants find the launcher, whether it exists or not; the same for all windows, editors and versions. */
export function launcherPath(home: string, platform: NodeJS.Platform = process.platform): string {
  return join(home, 'bin', platform === 'win32' ? 'drawbridge.cmd' : 'drawbridge');
}

/**
 * Makes the launcher start this version's bridge, unless a newer one is installed, and know this editor's program as a runtime.
 * Writes nothing when it does already. Each file is replaced whole, so an assistant may start it at any time.
 * @throws when a file is a link or another user's (threat row H12), or cannot be written
 */
export async function installLauncher(options: LauncherOptions): Promise<void> {
  const folder = join(options.home, 'bin');
  makePrivateFolder(options.home, folder);
  if (outdatedFiles(folder, options).length === 0) return;
  await withLauncherLock(folder, async () => {
    for (const { path, text, mode } of outdatedFiles(folder, options)) await writeFileAtomic(path, text, { mode });
  });
}

/** What has to be written, the lists first: a launcher without them would say that nothing is installed. */
function outdatedFiles(folder: string, options: LauncherOptions): readonly LauncherFile[] {
  const { home, extensionPath, version, execPath, platform } = options;
  const bridge = join(extensionPath, 'dist', 'bridge.cjs');
  for (const path of [bridge, execPath]) {
    if (/[\r\n]/.test(path)) throw new Error(`The path ${JSON.stringify(path)} holds a line break.`);
  }
  if (!isFile(bridge)) throw new Error(`${bridge} is missing. Install the extension again.`);

  const found = readBridges(folder);
  const isListed = found.some(({ path, version: listed }) => path === bridge && listed === version);
  const bridges = isListed ? found : [{ version, path: bridge }, ...found.filter(({ path }) => path !== bridge)];
  const runtimes = readLines(join(folder, 'runtimes'));
  const known = runtimes.includes(execPath) ? runtimes : [execPath, ...runtimes].slice(0, mostRuntimes);
  const lists: LauncherFile[] = [
    { path: bridgesFile(folder), text: bridgesText(bridges), mode: 0o600 },
    { path: join(folder, 'runtimes'), text: known.map((line) => `${line}\n`).join(''), mode: 0o600 },
  ];
  const launcher = { path: launcherPath(home, platform), text: launcherText(extensionPath, platform), mode: 0o700 };
  const isNewest = bridges.every((other) => compareVersions(other.version, version) <= 0);
  const isRunnable = isFile(launcher.path) && isAllowed(launcher.path, launcher.mode, platform);
  const wanted = isNewest || !isRunnable ? [...lists, launcher] : lists;
  return wanted.filter(({ path, text, mode }) => readOwnFile(path)?.text !== text || !isAllowed(path, mode, platform));
}

function launcherText(extensionPath: string, platform: NodeJS.Platform): string {
  const script = (name: string): string => readFileSync(join(extensionPath, 'dist', name), 'utf8');
  // A batch file with other line ends loses its labels.
  return platform === 'win32' ? script('drawbridge.cmd').replaceAll(/\r?\n/g, '\r\n') : script('drawbridge.sh');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Somebody may have taken the right to run it away. */
function isAllowed(path: string, mode: number, platform: NodeJS.Platform): boolean {
  return platform === 'win32' || (statSync(path).mode & mode) === mode;
}
