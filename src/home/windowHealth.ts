import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEnded, hostIdentity, isSameHost } from './hostIdentity.ts';
import { askWindow, readWindowFile, type WindowRecord } from './windows.ts';

/**
 * What became of a window that wrote a file: it answers its own secret; its endpoint is closed or another program's; it
 * gives no answer of ours within two seconds, so it may only be busy; its process is gone.
 */
export type WindowState = 'alive' | 'refused' | 'unreachable' | 'notRunning';

/** One file in `windows` of the state folder (absolute path), and what is behind it. */
export type WindowHealth =
  /** `otherHost`: not ours to judge (another computer, start of this one, or container). */
  | { readonly file: string; readonly record: WindowRecord; readonly state: WindowState | 'otherHost' }
  | { readonly file: string; readonly record?: undefined; readonly state: 'malformed' };

/**
 * Whether a window of this host is there. Only an answer to its own secret proves it.
 * @param timeout how long its answer may take, in milliseconds; two seconds unless told
 */
export async function examineWindow(record: WindowRecord, timeout?: number): Promise<WindowState> {
  if (await hasEnded(record)) return 'notRunning';
  const answer = await askWindow(record, timeout);
  return answer === 'unknown' ? 'unreachable' : answer;
}

/** All window files, in the order of their names. Changes nothing on the disk. */
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
