import { hostIdentity } from '#home/hostIdentity.ts';
import type { Surroundings } from '#bridge/neutralFolders.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { makeSecret } from '#mcp/auth.ts';

/** What a window of this host and process would write; its endpoint is closed. */
export async function windowRecord(changes: Partial<WindowRecord> = {}): Promise<WindowRecord> {
  return {
    version: 1,
    windowId: 'window-1',
    endpoint: 'http://127.0.0.1:1/mcp',
    token: makeSecret(),
    folders: [],
    trusted: true,
    extensionVersion: '0.0.0',
    editor: { name: 'Editor', version: '1.0.0' },
    ...(await hostIdentity()),
    pid: process.pid,
    startedAt: Date.now(),
    focusedAt: 0,
    ...changes,
  };
}

/** Surroundings in which every working directory says what an assistant works on. */
export const elsewhere: Surroundings = { platform: 'linux', home: '/home/nobody', client: undefined, environment: {} };

/** A folder as a record names it. */
export function folderOf(path: string): WindowRecord['folders'][number] {
  return { name: path.split(/[/\\]/).at(-1) ?? path, path, uri: `file://${path}` };
}
