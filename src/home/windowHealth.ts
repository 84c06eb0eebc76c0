import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEnded, hostIdentity, isSameHost } from './hostIdentity.ts';
import { askWindow, readWindowFile, type WindowRecord } from './windowFiles.ts';

/**
 * The state of a window that wrote a window file. `alive`: it answers its own secret. `refused`: its endpoint is closed, or belongs
 * to another program. `unreachable`: it gave no valid answer within two seconds, so it may be busy. `notRunning`: its process
 * has ended.
 */
export type WindowState = 'alive' | 'refused' | 'unreachable' | 'notRunning';

/** The health of one file (absolute path) in the `windows` folder of the state folder. */
export type WindowHealth =
  /** `otherHost`: another host, boot or container wrote it, so its process cannot be checked here. */
  | { readonly file: string; readonly record: WindowRecord; readonly state: WindowState | 'otherHost' }
  | { readonly file: string; readonly record?: undefined; readonly state: 'malformed' };

/**
 * Checks whether a window of this host is running. Only an answer to its own secret proves that it is.
 * @param timeout how long the answer may take, in milliseconds; two seconds by default
 */
export async function examineWindow(record: WindowRecord, timeout?: number): Promise<WindowState> {
  if (await hasEnded(record)) return 'notRunning';
  const answer = await askWindow(record, timeout);
  return answer === 'unknown' ? 'unreachable' : answer;
}

/** Checks all window files, in the order of their names. Changes nothing on the disk. */
export async function examineWindows(home: string): Promise<readonly WindowHealth[]> {
  const folder = join(home, 'windows');
  const identity = await hostIdentity();
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(
    names.map(async (name): Promise<WindowHealth> => {
      const file = join(folder, name);
      const record = await readWindowFile(file);
      if (record === undefined) return { file, state: 'malformed' };
      return { file, record, state: isSameHost(record, identity) ? await examineWindow(record) : 'otherHost' };
    }),
  );
}
