import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { installLauncher, launcherPath, type LauncherOptions } from '#home/launcher/installLauncher.ts';

/** Creates a folder for the running test and returns its real path. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-launcher-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Writes the files of an installed extension that the launcher needs.
 * @param bridge JavaScript of the bridge
 * @returns the path of the extension
 */
export function makeExtension(folder: string, version: string, bridge = ''): string {
  const extensionPath = join(folder, `drawbridge.drawbridge-${version}`);
  mkdirSync(join(extensionPath, 'dist'), { recursive: true });
  writeFileSync(join(extensionPath, 'dist', 'bridge.cjs'), bridge);
  for (const script of ['drawbridge.sh', 'drawbridge.cmd']) {
    copyFileSync(join('src/home/launcher', script), join(extensionPath, 'dist', script));
  }
  return extensionPath;
}

export interface InstallSetUp extends Partial<LauncherOptions> {
  /** Folder that holds the home folder and the extensions. */
  readonly root: string;
  readonly bridge?: string;
}

/** Installs the launcher of a version (0.1.0) as a window does. */
export async function install({ root, bridge, ...options }: InstallSetUp) {
  const version = options.version ?? '0.1.0';
  const home = options.home ?? join(root, 'home', '.drawbridge');
  const extensionPath = options.extensionPath ?? makeExtension(join(root, 'extensions'), version, bridge);
  const execPath = options.execPath ?? process.execPath;
  const platform = options.platform ?? 'linux';
  await installLauncher({ home, extensionPath, version, execPath, platform });
  return {
    home,
    extensionPath,
    folder: join(home, 'bin'),
    bridge: join(extensionPath, 'dist', 'bridge.cjs'),
    launcher: launcherPath(home, platform),
  };
}

/** Writes a program as a shell script. */
export function writeProgram(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Writes a program that reports this version of Node, and prints how it was started instead of running anything. */
export function writeRuntime(path: string, version = 'v22.0.0'): string {
  return writeProgram(path, `case $1 in --version) echo ${version} ;; *) printf '%s\\n' "$0" "$@" ;; esac`);
}
