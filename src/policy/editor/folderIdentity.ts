import { statSync, type BigIntStats } from 'node:fs';

/**
 * Returns an identity that differs from that of a later folder at the same path, such as a new clone: device, inode, and the
 * birth time where the file system knows it, since inodes are reused. Returns undefined when there is no such folder.
 */
export function folderIdentity(realPath: string): string | undefined {
  const stats = statsOf(realPath);
  if (stats === undefined) return undefined;
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  if (birthtimeNs === 0n) return `${dev}:${ino}`;
  // Systems without birth times return the time of the last change, which is the same for a new folder.
  return `${dev}:${ino}:${birthtimeNs}${birthtimeNs === ctimeNs ? unsure : ''}`;
}

/** Marks a birth time that may be the time of the last change. */
const unsure = '?';

/** Returns true when two identities are of one folder. Birth times count when one is sure: the file system then knows them. */
export function isSameIdentity(one: string, other: string): boolean {
  const [device, inode, birth] = one.split(':');
  const [otherDevice, otherInode, otherBirth] = other.split(':');
  if (device !== otherDevice || inode !== otherInode) return false;
  if (birth === undefined || otherBirth === undefined) return true;
  if (birth.endsWith(unsure) && otherBirth.endsWith(unsure)) return true;
  return birth.replace(unsure, '') === otherBirth.replace(unsure, '');
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
