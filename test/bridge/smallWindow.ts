import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { removeWindowFile, writeWindowFile, type WindowRecord } from '#home/windowFiles.ts';
import { makeSecret } from '#mcp/auth.ts';
import { folderOf, windowRecord } from './windowRecord.ts';

/** A window of which only the door exists: it proves its secret, and has a file. */
export interface SmallWindow {
  readonly record: WindowRecord;
  /** How many requests came, with whatever secret. */
  readonly requests: () => number;
  /** Writes its file anew. */
  write(changes?: Partial<WindowRecord>): Promise<void>;
  /** The endpoint closes; the file stays, as after a kill. */
  kill(): Promise<void>;
  /** Ends in order: the file goes, too. */
  close(): Promise<void>;
}

export async function startSmallWindow(
  home: string,
  windowId: string,
  folders: readonly string[],
  { focusedAt = 0, status = 405 }: { focusedAt?: number; status?: number } = {},
): Promise<SmallWindow> {
  const token = makeSecret();
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    response.writeHead(request.headers.authorization === `Bearer ${token}` ? status : 401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const endpoint = `http://127.0.0.1:${port}/mcp`;
  const record = await windowRecord({ windowId, endpoint, token, focusedAt, folders: folders.map(folderOf) });
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(kill);
  const window: SmallWindow = {
    record,
    requests: () => requests,
    write: async (changes) => void (await writeWindowFile(home, { ...record, ...changes })),
    kill,
    async close() {
      await removeWindowFile(home, windowId, token);
      await kill();
    },
  };
  await window.write();
  return window;
}
