import { posix, win32 } from 'node:path';
import type { Machine } from './assistant.ts';

/** A path in the form of the machine's platform. */
export function joined({ platform }: Machine, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** A path below the user's home folder. */
export function inHome(machine: Machine, ...parts: readonly string[]): string {
  return joined(machine, machine.home, ...parts);
}

/** A variable of the environment that is an absolute path; others do not count, as with most programs. */
export function folderVariable({ platform, environment }: Machine, name: string): string | undefined {
  const value = environment[name]?.trim();
  const path = platform === 'win32' ? win32 : posix;
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}

/** `$XDG_CONFIG_HOME`, or `~/.config`: what programs of Linux use, and many on every platform (XDG Base Directory). */
export function xdgConfigFolder(machine: Machine): string {
  return folderVariable(machine, 'XDG_CONFIG_HOME') ?? inHome(machine, '.config');
}

/** `%APPDATA%`, where programs of Windows keep settings. */
export function roamingFolder(machine: Machine): string {
  return folderVariable(machine, 'APPDATA') ?? inHome(machine, 'AppData', 'Roaming');
}

/** A path as a human knows it: the home folder is `~`. */
export function shortPath(path: string, home: string): string {
  const next = path.at(home.length);
  return path.startsWith(home) && (next === '/' || next === '\\') ? `~${path.slice(home.length)}` : path;
}
