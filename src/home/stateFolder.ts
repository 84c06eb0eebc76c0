import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The folders that all windows and bridges of one user share, as absolute paths. */
export interface StateFolder {
  readonly home: string;
  /** One file for each running window. */
  readonly windows: string;
  /** Audit records of calls, one file for each run of a window. */
  readonly audit: string;
  /** Texts before and after changes, and the outcome of each approval. */
  readonly history: string;
}

/**
 * Returns the state folder of this user: `DRAWBRIDGE_HOME`, or `~/.drawbridge`. Creates nothing. A relative `DRAWBRIDGE_HOME` is
 * ignored: it would mean another folder for each program, and a folder of the repository for a program that starts there.
 */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): StateFolder {
  const override = environment['DRAWBRIDGE_HOME'];
  const home = override !== undefined && isAbsolute(override) ? resolve(override) : join(homedir(), '.drawbridge');
  return { home, windows: join(home, 'windows'), audit: join(home, 'audit'), history: join(home, 'history') };
}

/**
 * Creates a folder below the state folder, and the state folder itself, for this user only (0700), unless they exist. Sets the mode
 * of existing ones to 0700 when others have access. The state folder may be a link of this user; folders below it may not.
 * @throws when the path is not a folder, or a folder or link belongs to another user (threat rows H12 and P23)
 */
export function makePrivateFolder(home: string, folder: string): void {
  makeFolder(home);
  const { uid } = lstatSync(home);
  if (!isOwn(uid)) throw new Error(`${home} belongs to another user. Move it away and start Drawbridge again.`);
  checkPrivate(home, statSync(home));
  if (folder === home) return;
  makeFolder(folder);
  checkPrivate(folder, lstatSync(folder));
}

/** Creates a folder; anything else in its place is left to the check. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

function checkPrivate(path: string, stats: { isDirectory(): boolean; uid: number; mode: number }): void {
  if (!stats.isDirectory()) throw new Error(`${path} is not a folder. Move it away and start Drawbridge again.`);
  if (!isOwn(stats.uid)) {
    throw new Error(`${path} belongs to another user. Move it away and start Drawbridge again.`);
  }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
