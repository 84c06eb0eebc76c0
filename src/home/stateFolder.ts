import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** What all windows and bridges of one user share. Absolute paths. */
export interface StateFolder {
  readonly home: string;
  /** One file for each running window. */
  readonly windows: string;
  /** Records of calls, one file for each run of a window. */
  readonly audit: string;
  /** Texts before and after changes, and what became of each approval. */
  readonly history: string;
}

/**
 * Where the state of this user lives: `DRAWBRIDGE_HOME`, or `~/.drawbridge`. Touches nothing. What is no absolute path does not
 * count: it would be another place for each program, and a repository's own for one that is started there.
 */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): StateFolder {
  const override = environment['DRAWBRIDGE_HOME'];
  const home = override !== undefined && isAbsolute(override) ? resolve(override) : join(homedir(), '.drawbridge');
  return { home, windows: join(home, 'windows'), audit: join(home, 'audit'), history: join(home, 'history') };
}

/**
 * Makes a folder of the state folder, and the state folder itself, for this user only (0700). Whoever comes first makes
 * them; what others may look into is closed. The state folder may be a link to another place, nothing below it may.
 * @throws when something else stands in its place, or it belongs to another user (threat row H12).
 */
export function makePrivateFolder(home: string, folder: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  checkPrivate(home, statSync(home));
  if (folder === home) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkPrivate(folder, lstatSync(folder));
}

function checkPrivate(path: string, stats: { isDirectory(): boolean; uid: number; mode: number }): void {
  if (!stats.isDirectory()) throw new Error(`${path} is not a folder. Move it away and start Drawbridge again.`);
  if (process.getuid !== undefined && stats.uid !== process.getuid()) {
    throw new Error(`${path} belongs to another user. Move it away and start Drawbridge again.`);
  }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
}
