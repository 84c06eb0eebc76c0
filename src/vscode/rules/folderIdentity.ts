import { statSync, type BigIntStats } from 'node:fs';

/**
 * Tells a folder from another one that comes to stand at its path, such as a new clone: device, inode, and its birth where the
 * file system knows it, since inodes are used again. Undefined when there is no such folder.
 */
export function folderIdentity(realPath: string): string | undefined {
  const stats = statsOf(realPath);
  if (stats === undefined) return undefined;
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  // Where it is not known, systems give zero or the time of the last change.
  const hasBirth = birthtimeNs !== 0n && birthtimeNs !== ctimeNs;
  return hasBirth ? `${dev}:${ino}:${birthtimeNs}` : `${dev}:${ino}`;
}

/** Whether two identities are of one folder; a birth counts where both have one. */
export function isSameIdentity(one: string, other: string): boolean {
  const [device, inode, birth] = one.split(':');
  const [otherDevice, otherInode, otherBirth] = other.split(':');
  if (device !== otherDevice || inode !== otherInode) return false;
  return birth === undefined || otherBirth === undefined || birth === otherBirth;
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
