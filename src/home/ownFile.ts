import { closeSync, fchmodSync, fstatSync, lstatSync, openSync, readFileSync, type BigIntStats } from 'node:fs';
import { readFlags } from '#base/openFlags.ts';

const mostBytes = 4 * 1024 * 1024;

/**
 * Reads a text file of this user, of at most 4 MiB; returns undefined when there is none. The mode of a file that others could
 * read is set to 0600. `stamp` is the value that {@link stampAt} returns for this content.
 * @throws when the path is a link or not a file, or the file belongs to another user (threat row H12)
 */
export function readOwnFile(path: string): { readonly text: string; readonly stamp: string } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, readFlags);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (hasCode(error, 'ELOOP')) throw new Error('it is a link.', { cause: error });
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a file.');
    if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes.`);
    if (process.getuid !== undefined && stats.uid !== process.getuid()) throw new Error('it belongs to another user.');
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
    const stamp = stampOf(fstatSync(descriptor, { bigint: true }));
    return { text: readFileSync(descriptor, 'utf8'), stamp };
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a string that changes whenever the file does, or undefined when there is no file. It takes one `stat`. */
export function stampAt(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && stampOf(stats);
  } catch (error) {
    return String(error);
  }
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(':');
}

/** Returns whether an error of Node.js has this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
