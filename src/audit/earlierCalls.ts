import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { listAuditFiles } from './auditFiles.ts';
import { callHistoryRecord, type CallHistoryRecord } from './auditRecord.ts';
import { RecentCalls } from './recentCalls.ts';

/** Enough for some 300 calls. */
const tailBytes = 256 * 1024;
const mostFiles = 3;

/**
 * The calls of earlier runs of a window, so that its Activity view survives a reload: from the ends of its newest record
 * files, of this version or the one before. Lines that cannot be read (torn ones at either end) are left out; so are files, and
 * a missing folder is an empty one.
 * @param auditFolder where the record files are
 */
export async function readEarlierCalls(auditFolder: string, windowId: string): Promise<RecentCalls> {
  const files = await listAuditFiles(auditFolder);
  const newest = files.filter((file) => file.windowId === windowId).slice(-mostFiles);
  const tails = await Promise.all(newest.map(({ path }) => readTail(path)));
  const calls = new RecentCalls();
  for (const line of tails.flat()) {
    const record = parseLine(line);
    if (record !== undefined) calls.take(record);
  }
  calls.closeUnfinished();
  return calls;
}

async function readTail(path: string): Promise<string[]> {
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using file = await open(path, flags);
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: size - length });
    return buffer.toString('utf8', 0, bytesRead).split('\n');
  } catch {
    return [];
  }
}

function parseLine(line: string): CallHistoryRecord | undefined {
  try {
    return callHistoryRecord.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
