import { posix, win32 } from 'node:path';
import type { Machine } from './assistant.ts';

/** Joins a path in the form of the machine's platform. */
export function joined({ platform }: Machine, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

export function isAbsolute({ platform }: Machine, path: string): boolean {
  return (platform === 'win32' ? win32 : posix).isAbsolute(path);
}

/** Returns a path below the user's home folder. */
export function inHome(machine: Machine, ...parts: readonly string[]): string {
  return joined(machine, machine.home, ...parts);
}

/** Returns an environment variable that holds an absolute path; other values are ignored, as most programs do. */
export function folderVariable({ platform, environment }: Machine, name: string): string | undefined {
  const value = environment[name]?.trim();
  const path = platform === 'win32' ? win32 : posix;
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}

/**
 * Returns `$XDG_CONFIG_HOME` or `~/.config`, which programs use on Linux and many on every platform (XDG Base
 * Directory).
 */
export function xdgConfigFolder(machine: Machine): string {
  return folderVariable(machine, 'XDG_CONFIG_HOME') ?? inHome(machine, '.config');
}

/** Returns `%APPDATA%`, where Windows programs keep settings. */
export function roamingFolder(machine: Machine): string {
  return folderVariable(machine, 'APPDATA') ?? inHome(machine, 'AppData', 'Roaming');
}

/** Returns a path with `~` in place of the home folder, for display. */
export function shortPath(path: string, home: string): string {
  const next = path.at(home.length);
  return path.startsWith(home) && (next === '/' || next === '\\') ? `~${path.slice(home.length)}` : path;
}
