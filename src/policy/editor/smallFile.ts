import { closeSync, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { readFlags, readThroughLinkFlags } from '#base/openFlags.ts';

export interface SmallFileOptions {
  readonly mostBytes: number;
  /** False to refuse a link in place of the file. */
  readonly followsLink: boolean;
}

/**
 * Returns the text of a small file; undefined when there is none.
 * @throws when it is not a regular file, too large, not UTF-8, or cannot be read
 */
export function readSmallFile(path: string, { mostBytes, followsLink }: SmallFileOptions): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, followsLink ? readThroughLinkFlags : readFlags);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('It is not a file.');
    if (stats.size > mostBytes) throw new Error(`It is larger than ${mostBytes / 1024} KiB.`);
    const buffer = Buffer.alloc(mostBytes + 1);
    const bytes = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (bytes > mostBytes) throw new Error(`It is larger than ${mostBytes / 1024} KiB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytes));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a cheap stamp that changes with a file; empty when there is none. */
export function stampOf(path: string, { followsLink }: Pick<SmallFileOptions, 'followsLink'>): string {
  const look = followsLink ? statSync : lstatSync;
  try {
    const stats = look(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return '';
    return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
  } catch (error) {
    return isMissing(error) ? '' : String(error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
