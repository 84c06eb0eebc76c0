import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {
  bridgesFile,
  bridgesText,
  compareVersions,
  readBridges,
  readLines,
  withLauncherLock,
} from './launcherFiles.ts';
import { readOwnFile } from '../ownFile.ts';
import { makePrivateFolder } from '../stateFolder.ts';

/** The extension of this window, for which the launcher is installed. Paths are absolute. */
export interface LauncherOptions {
  /** The state folder of this user, which is created when missing. */
  readonly home: string;
  readonly extensionPath: string;
  /** The version of the extension. */
  readonly version: string;
  /** The program that runs the extension. It can run the bridge too. */
  readonly execPath: string;
  readonly platform: NodeJS.Platform;
}

interface LauncherFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** Number of runtimes that the list keeps. The oldest, which editor updates left behind, are dropped first. */
const mostRuntimes = 20;

/** Returns the path of the launcher, whether it exists or not. It is the same for all windows, editors and versions. */
export function launcherPath(home: string, platform: NodeJS.Platform = process.platform): string {
  return join(home, 'bin', platform === 'win32' ? 'drawbridge.cmd' : 'drawbridge');
}

/**
 * Installs the launcher, or updates it: it starts the bridge of this version unless a newer one is installed, and knows the
 * program of this editor as a runtime. Writes nothing when all files are current. Each file is replaced as a whole, so an
 * assistant may start the launcher at any time.
 * @throws when a file is a link or belongs to another user (threat row H12), or cannot be written
 */
export async function installLauncher(options: LauncherOptions): Promise<void> {
  const folder = join(options.home, 'bin');
  makePrivateFolder(options.home, folder);
  if (outdatedFiles(folder, options).length === 0) return;
  await withLauncherLock(folder, async () => {
    for (const { path, text, mode } of outdatedFiles(folder, options)) await writeFileAtomic(path, text, { mode });
  });
}

/** Returns the files to write. The lists come first: a launcher without them would report that nothing is installed. */
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
  // cmd.exe finds the labels of a batch file only when its line ends are CRLF.
  return platform === 'win32' ? script('drawbridge.cmd').replaceAll(/\r?\n/g, '\r\n') : script('drawbridge.sh');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Returns true when a file has at least the wanted permissions, which somebody may have taken away. */
function isAllowed(path: string, mode: number, platform: NodeJS.Platform): boolean {
  return platform === 'win32' || (statSync(path).mode & mode) === mode;
}
