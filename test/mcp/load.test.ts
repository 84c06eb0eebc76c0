import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectMcp, type Era, type McpClient } from '../bench/mcpClient.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { size } from '../size.ts';
import {
  callEcho,
  initialize,
  jsonHeaders,
  messagesOf,
  modern,
  openSession,
  send,
  startTestServer,
  until,
  type TestServer,
} from './fixture.ts';
import { heapInUse } from './heapInUse.ts';
import { endless, startShippedWindow } from './protocol/shippedWindow.ts';

const megabyte = 1024 * 1024;
const eras = ['2025', '2026'] as const;
const connection = (): Record<string, string> => ({ 'Drawbridge-Connection': randomBytes(16).toString('hex') });

async function connectMany(address: { endpoint: string; token: string }, count: number): Promise<McpClient[]> {
  const eraOf = (at: number): Era => (at % 2 === 0 ? '2025' : '2026');
  const all = await Promise.all(
    Array.from({ length: count }, (_, at) => connectMcp(address, eraOf(at), `client-${at}`)),
  );
  onTestFinished(() => all.forEach((client) => client.close()));
  return all;
}

describe('H7 the order of answers', () => {
  it('gives each of 64 clients of both eras its own answers when they use equal ids', async () => {
    const clientCount = 64;
    const callCount = size({ quick: 1280, full: 10_000 });
    const textOf = (at: number): string => `The file of client ${at} and of no other.\n`;
    const files = new FakeFiles(
      Object.fromEntries(Array.from({ length: clientCount }, (_, at) => [`/w/client-${at}.txt`, textOf(at)])),
    );
    const shipped = await startShippedWindow({ files });
    const clients = await connectMany(shipped.server, clientCount);
    let answered = 0;
    const work = clients.map(async (client, at) => {
      for (let call = at; call < callCount; call += clientCount) {
        const answer = await client.callTool('read_file', { path: `client-${at}.txt` });
        // This throws when the answer belongs to another request.
        const { structuredContent } = answer.toolResult();
        if (structuredContent?.['text'] !== textOf(at))
          throw new Error(`${at} got ${JSON.stringify(structuredContent)}`);
        answered += 1;
      }
    });
    await Promise.all(work);
    expect(answered).toBe(callCount);
    expect(shipped.errors).toEqual([]);
  });

  it('delivers answers that are ready in another order than the requests', async () => {
    const test = await startTestServer();
    const ready: (() => void)[] = [];
    test.product.answerOther = async ({ arguments: given }) => {
      await new Promise<void>((resolve) => ready.push(resolve));
      const text = JSON.stringify(given);
      return { kind: 'result', result: { content: [{ type: 'text', text }], structuredContent: { text } } };
    };
    const clients = await connectMany(test.server, 32);
    for (let round = 0; round < 5; round += 1) {
      const answers = clients.map((client, at) => client.callTool('late', { at, round }));
      await until(() => ready.length === clients.length);
      // The answers become ready from the last request to the first.
      for (const answer of ready.splice(0).toReversed()) answer();
      const texts = (await Promise.all(answers)).map((answer) => answer.toolResult().structuredContent?.['text']);
      expect(texts).toEqual(clients.map((_, at) => JSON.stringify({ at, round })));
    }
  });
});

describe('H8 sessions and streams do not exhaust the window', () => {
  it('uses no more memory for 1,000 sessions of one principal than for 100, and closes the first', async () => {
    const test = await startTestServer();
    const own = connection();
    const headers = jsonHeaders(test.server.token, own);
    const first = await openSession(test, '2025-11-25', own);
    const open = async (count: number): Promise<void> => {
      for (let opened = 0; opened < count; opened += 20) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => send(test.port, 'POST', headers, initialize('2025-11-25'))),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(test.server.sessionCount()).toBeLessThanOrEqual(32);
      }
    };
    await open(100);
    const before = await heapInUse();
    await open(900);
    expect((await heapInUse()) - before).toBeLessThan(4 * megabyte);
    expect(test.server.sessionCount()).toBe(32);
    expect((await send(test.port, 'POST', first, callEcho(1, 'x'))).status).toBe(404);
  });

  it('refuses the 129th of 128 invented connections, and keeps the idle session of another assistant', async () => {
    const test = await startTestServer();
    const other = await openSession(test, '2025-11-25', connection());
    const open = async (who: Record<string, string>): Promise<number> =>
      (await send(test.port, 'POST', jsonHeaders(test.server.token, who), initialize('2025-11-25'))).status;
    const invented = Array.from({ length: 200 }, connection);
    const statuses: number[] = [];
    for (const who of invented) statuses.push(await open(who));
    expect(statuses).toEqual(invented.map((_, at) => (at < 127 ? 200 : 503)));
    expect((await send(test.port, 'POST', other, callEcho(1, 'x'))).status).toBe(200);
    // A caller with an idle session of its own may still replace it.
    expect(await open({ 'Drawbridge-Connection': other['Drawbridge-Connection'] ?? '' })).toBe(200);
    // The 2026 era has no sessions, so its requests are still served.
    const { headers: alone, body } = modern(test.server.token, 1, 'tools/call', {
      name: 'echo',
      arguments: { text: 'x' },
    });
    expect((await send(test.port, 'POST', alone, body)).status).toBe(200);
    expect(test.server.sessionCount()).toBe(128);
  });

  it('closes a session after 30 idle minutes', async () => {
    const clock = new FakeClock();
    const test = await startTestServer({ clock });
    const session = await openSession(test);
    clock.advance(29 * 60_000);
    expect((await send(test.port, 'POST', session, callEcho(1, 'x'))).status).toBe(200);
    clock.advance(32 * 60_000);
    expect(test.server.sessionCount()).toBe(0);
    expect((await send(test.port, 'POST', session, callEcho(2, 'x'))).status).toBe(404);
  });

  it.each(eras)('closes a stream when its client stops reading, era %s', async (era) => {
    const test = await startTestServer();
    const messageLength = 64 * 1024;
    const messages = 1000;
    let said = 0;
    test.product.answerOther = async ({ progress }) => {
      for (; said < messages; said += 1) {
        progress?.('x'.repeat(messageLength));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { kind: 'result', result: { content: [{ type: 'text', text: 'the end' }] } };
    };
    const before = await heapInUse();
    const received = await readAfter(test, era, () => said === messages);
    // The system's own socket buffers come on top of the 1 MiB.
    expect(received.bytes).toBeLessThan((messages * messageLength) / 2);
    expect(received.text).not.toContain('the end');
    expect((await heapInUse()) - before).toBeLessThan(8 * megabyte);
  });
});

/** Calls a tool that sends progress, reads nothing until it has sent everything, then reads to the end. */
async function readAfter(
  test: TestServer,
  era: Era,
  isOver: () => boolean,
): Promise<{ readonly bytes: number; readonly text: string }> {
  const params = { name: 'flood', arguments: {}, _meta: { progressToken: 1 } };
  const legacy = async (): Promise<ReturnType<typeof modern>> => ({
    headers: await openSession(test),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { headers, body } =
    era === '2025' ? await legacy() : withProgress(modern(test.server.token, 1, 'tools/call', params));
  const head = Object.entries({
    Host: `127.0.0.1:${test.port}`,
    ...headers,
    'Content-Length': `${Buffer.byteLength(body)}`,
  });
  const socket = connect(test.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
  await until(isOver);
  let bytes = 0;
  let last = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      last = (last + chunk.toString('latin1')).slice(-1000);
    });
    socket.on('close', () => resolve({ bytes, text: last }));
    socket.resume();
  });
}

/** The 2026-era envelope with a progress token. */
function withProgress({ headers, body }: ReturnType<typeof modern>): ReturnType<typeof modern> {
  return { headers, body: body.replace('"_meta":{', '"_meta":{"progressToken":1,') };
}

describe('H6 a small request that explodes', () => {
  it('does not delay the answers of other clients', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const zeros = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":[${'0,'.repeat(1_900_000)}0]}}}`;
    const explosions = Array.from({ length: 8 }, () => send(test.port, 'POST', session, zeros));
    const calls = Array.from({ length: 20 }, (_, id) => send(test.port, 'POST', session, callEcho(id, `call ${id}`)));
    expect((await Promise.all(explosions)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 400));
    const texts = (await Promise.all(calls)).flatMap(messagesOf);
    expect(texts).toMatchObject(
      Array.from({ length: 20 }, (_, id) => ({ id, result: { structuredContent: { text: `call ${id}` } } })),
    );
    expect(test.product.calls).toHaveLength(20);
  });
});

describe('H8 calls at the same time', () => {
  it('runs 8 calls, queues 256 of one principal, and refuses the next one', async () => {
    const shipped = await startShippedWindow();
    const begun: AbortSignal[] = [];
    shipped.search.onBegin((signal) => void begun.push(signal));
    const headers = jsonHeaders(shipped.token, connection());
    const search = (id: number): ReturnType<typeof send> => {
      const call = modern(shipped.token, id, 'tools/call', { name: 'search_code', arguments: { query: endless } });
      return send(shipped.port, 'POST', { ...call.headers, ...headers }, call.body);
    };
    const answers: string[] = [];
    const sent = Array.from({ length: 265 }, async (_, id) => {
      const answer = await search(id).catch(() => undefined);
      if (answer !== undefined) answers.push(answer.text);
    });
    await until(() => answers.length > 0);
    expect(begun).toHaveLength(8);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain('256 of your calls are already waiting');
    expect(answers[0]).toContain('[rate_limited]');
    await shipped.server.stop();
    await Promise.all(sent);
  });
});
