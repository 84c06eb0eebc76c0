import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { NativeAnswer } from '#base/nativeEdit.ts';
import { writeWindowFile } from '#home/windowFiles.ts';
import { writeGuard } from '#home/windowGuard.ts';
import { makeSecret } from '#mcp/auth.ts';
import { folderOf, windowRecord } from './windowRecord.ts';

const report = z.looseObject({ event: z.string() });

/** A window of which only the route of hooks exists: it guards folders, keeps what it is told, and gives one answer to all. */
export async function openHookWindow(
  home: string,
  windowId: string,
  folders: readonly string[],
  answer: NativeAnswer = { decision: 'none' },
): Promise<{ readonly told: readonly z.infer<typeof report>[]; close(): Promise<void> }> {
  const told: z.infer<typeof report>[] = [];
  const token = makeSecret();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    told.push(report.parse(JSON.parse(await text(request))));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const endpoint = `http://127.0.0.1:${port}/mcp`;
  await writeWindowFile(home, await windowRecord({ windowId, endpoint, token, folders: folders.map(folderOf) }));
  await writeGuard(home, { windowId, state: 'open', folders: [...folders] });
  return { told, close };
}
