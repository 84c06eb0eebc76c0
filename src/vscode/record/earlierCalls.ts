import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callHistoryRecord, type CallHistoryRecord } from './auditRecord.ts';
import { RecentCalls } from './recentCalls.ts';

/** Enough for some 300 calls. */
const tailBytes = 256 * 1024;
const mostFiles = 3;

/**
 * The calls of earlier runs of a window, so that its Activity view survives a reload: from the ends of its newest record
 * files. Lines that cannot be read (torn ones at either end, another version's) are left out; so are files, and a missing folder
 * is an empty one.
 * @param auditFolder where the record files are
 */
export async function readEarlierCalls(auditFolder: string, windowId: string): Promise<RecentCalls> {
  const names = await readdir(auditFolder).catch((): string[] => []);
  const newest = names
    .map((name) => ({ name, start: startOf(name, windowId) }))
    .filter(({ start }) => start !== undefined)
    .toSorted((a, b) => (b.start ?? 0) - (a.start ?? 0))
    .slice(0, mostFiles);
  const tails = await Promise.all(newest.map(({ name }) => readTail(join(auditFolder, name))));
  const calls = new RecentCalls();
  for (const line of tails.toReversed().flat()) {
    const record = parseLine(line);
    if (record !== undefined) calls.take(record);
  }
  calls.closeUnfinished();
  return calls;
}

function startOf(name: string, windowId: string): number | undefined {
  const match = /^\d{4}-\d\d-\d\d-(?<id>[\w-]{1,100})-(?<start>\d{1,16})\.jsonl$/.exec(name);
  return match?.groups?.['id'] === windowId ? Number(match.groups['start']) : undefined;
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
