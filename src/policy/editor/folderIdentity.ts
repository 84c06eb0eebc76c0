import { statSync, type BigIntStats } from 'node:fs';

/**
 * Tells a folder from another one that comes to stand at its path, such as a new clone: device, inode, and its birth where the
 * file system knows it, since inodes are used again. Undefined when there is no such folder.
 */
export function folderIdentity(realPath: string): string | undefined {
  const stats = statsOf(realPath);
  if (stats === undefined) return undefined;
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  if (birthtimeNs === 0n) return `${dev}:${ino}`;
  // Where it is not known, systems give the time of the last change; of a new folder they are the same.
  return `${dev}:${ino}:${birthtimeNs}${birthtimeNs === ctimeNs ? unsure : ''}`;
}

/** Behind a birth that may be no birth. */
const unsure = '?';

/** Whether two identities are of one folder; their births count where one is sure, for then the file system knows births. */
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
