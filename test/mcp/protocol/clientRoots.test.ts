import { describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { RememberedRoots } from '#mcp/protocol/clientRoots.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { startTestServer, until, type TestServer } from '../fixture.ts';
import { startShippedWindow, type ShippedWindow } from './shippedWindow.ts';
import { askModern, openModern, WireSession, type WireStream } from './wire.ts';

const echo = { name: 'echo', arguments: { text: 'x' } };
const roots = { roots: [{ uri: 'file:///one' }, { uri: 'https://elsewhere.example' }, { uri: 'file:///two' }] };
const files = ['file:///one', 'file:///two'];
const capabilities = { roots: { listChanged: true } };

const rootsOf = ({ product }: TestServer): unknown => product.calls.map((call) => call.roots);

async function questionOn(stream: WireStream) {
  await until(() => stream.of('roots/list').length > 0);
  return stream.of('roots/list')[0];
}

describe('a session whose client has roots', () => {
  it('is asked once on the stream of the call that needs the roots, and again after they changed', async () => {
    const test = await startTestServer();
    const session = await WireSession.open(test, { capabilities });
    const stream = await session.asking('tools/call', echo);
    const question = await questionOn(stream);
    const other = session.ask('resources/read', { uri: 'file:///here.txt' });
    expect(test.product.calls).toEqual([]);
    await session.reply(question, { result: roots });
    await stream.ended;
    await other;
    await session.ask('tools/call', echo);
    expect(rootsOf(test)).toEqual([files, files]);
    expect(test.product.asked).toMatchObject([{ what: 'read file:///here.txt', call: { roots: files } }]);
    await session.tell('notifications/roots/list_changed');
    const again = await session.asking('tools/call', echo);
    await session.reply(await questionOn(again), { result: { roots: [] } });
    await again.ended;
    expect(rootsOf(test)).toEqual([files, files, []]);
  });

  it('is waited for once when it does not answer, then has no roots', async () => {
    const test = await startTestServer({ limits: { rootsMilliseconds: 20 } });
    const session = await WireSession.open(test, { capabilities });
    const stream = await session.asking('tools/call', echo);
    await stream.ended;
    expect(stream.of('roots/list')).toHaveLength(1);
    const next = await session.asking('tools/call', echo);
    await next.ended;
    expect(next.of('roots/list')).toEqual([]);
    expect(rootsOf(test)).toEqual([undefined, undefined]);
  });

  it('has no roots when it refuses or answers nonsense', async () => {
    for (const answer of [{ error: { code: -32601, message: 'no' } }, { result: { roots: 'all' } }]) {
      const test = await startTestServer();
      const session = await WireSession.open(test, { capabilities });
      const stream = await session.asking('tools/call', echo);
      await session.reply(await questionOn(stream), answer);
      await stream.ended;
      expect(rootsOf(test)).toEqual([undefined]);
    }
  });

  it('keeps its earlier roots when it reports a change but does not answer', async () => {
    const test = await startTestServer();
    const session = await WireSession.open(test, { capabilities });
    for (const answer of [{ result: roots }, { error: { code: -32603, message: 'no' } }]) {
      const stream = await session.asking('tools/call', echo);
      await session.reply(await questionOn(stream), answer);
      await stream.ended;
      await session.tell('notifications/roots/list_changed');
    }
    expect(rootsOf(test)).toEqual([files, files]);
  });

  it('is asked by the next call when the asking call was cancelled, and no waiting call runs before', async () => {
    const test = await startTestServer();
    const session = await WireSession.open(test, { capabilities });
    const stream = await session.asking('tools/call', echo, 1);
    await questionOn(stream);
    const other = await session.asking('tools/call', echo, 2);
    await session.tell('notifications/cancelled', { requestId: 1 });
    await session.reply(await questionOn(other), { result: roots });
    await other.ended;
    expect(test.product.calls.at(-1)).toMatchObject({ requestId: '2', roots: files });
  });

  it('is asked again when the roots changed during the question', async () => {
    const test = await startTestServer();
    const session = await WireSession.open(test, { capabilities });
    const stream = await session.asking('tools/call', echo);
    const question = await questionOn(stream);
    await session.tell('notifications/roots/list_changed');
    await session.reply(question, { result: roots });
    await until(() => stream.of('roots/list').length === 2);
    await session.reply(stream.of('roots/list')[1], { result: { roots: [{ uri: 'file:///three' }] } });
    await stream.ended;
    expect(rootsOf(test)).toEqual([['file:///three']]);
  });

  it('is not asked when it does not declare roots', async () => {
    const test = await startTestServer();
    const stream = await (await WireSession.open(test)).asking('tools/call', echo);
    await stream.ended;
    expect(stream.of('roots/list')).toEqual([]);
    expect(rootsOf(test)).toEqual([undefined]);
  });
});

describe('a client of the 2026 era that has roots', () => {
  const connection = 'a'.repeat(32);

  it('is asked by the first call of its connection, and its answer is remembered', async () => {
    const test = await startTestServer();
    const first = await askModern(test, 'tools/call', echo, { connection, capabilities });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'drawbridge.roots': { method: 'roots/list' } },
      requestState: expect.any(String),
    });
    expect(test.product.calls).toEqual([]);
    const answers = {
      inputResponses: { 'drawbridge.roots': roots },
      requestState: first.result?.['requestState'],
    };
    const second = await askModern(test, 'tools/call', { ...echo, ...answers }, { connection, capabilities });
    expect(second.result).toMatchObject({ structuredContent: { text: 'x' } });
    await askModern(test, 'tools/call', echo, { connection, capabilities });
    await askModern(test, 'resources/list', {}, { connection, capabilities });
    expect(rootsOf(test)).toEqual([files, files]);
    expect(test.product.calls[0]?.clientInput?.responses).toEqual({});
    expect(test.product.asked).toMatchObject([{ call: { roots: files } }]);
    const stranger = await askModern(test, 'tools/call', echo, { connection: 'b'.repeat(32), capabilities });
    expect(stranger.result).toMatchObject({ resultType: 'input_required' });
  });

  it('is not asked when it has no connection or does not declare roots', async () => {
    const test = await startTestServer();
    await askModern(test, 'tools/call', echo, { capabilities });
    await askModern(test, 'tools/call', echo, { connection });
    expect(rootsOf(test)).toEqual([undefined, undefined]);
  });

  it('gets its calls answered when it never answers', async () => {
    const clock = new FakeClock();
    const test = await startTestServer({ clock });
    for (let count = 0; count < 4; count++) {
      expect(rootsOf(test)).toEqual([]);
      await askModern(test, 'tools/call', echo, { connection, capabilities });
      clock.advance(3000);
    }
    expect(rootsOf(test)).toEqual([undefined]);
  });

  it('is asked by each of its simultaneous first calls, and none runs without roots', async () => {
    const test = await startTestServer();
    const ask = () => askModern(test, 'tools/call', echo, { connection, capabilities });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.map(({ result }) => result?.['resultType'])).toEqual(answers.map(() => 'input_required'));
    expect(rootsOf(test)).toEqual([]);
  });

  it('has no roots when its request holds no answer to the question', async () => {
    const test = await startTestServer();
    const first = await askModern(test, 'prompts/get', { name: 'greet_someone' }, { connection, capabilities });
    const params = { name: 'greet_someone', requestState: first.result?.['requestState'] };
    await askModern(test, 'prompts/get', params, { connection, capabilities });
    await askModern(test, 'tools/call', echo, { connection, capabilities });
    expect(rootsOf(test)).toEqual([undefined]);
  });
});

describe("a resource outside a client's roots", () => {
  const [inside, outside] = ['file:///w/src/greet.ts', 'file:///w/readme.md'];
  const answer = { roots: [{ uri: 'file:///w/src' }] };
  const updated = 'notifications/resources/updated';
  const change = ({ fileChanges }: ShippedWindow): void => {
    for (const path of ['/w/readme.md', '/w/src/greet.ts', '/w/readme.md']) fileChanges.change(path);
  };
  const toldOn = (stream: WireStream): unknown => stream.of(updated).map(({ params }) => params?.['uri']);

  it('is no longer reported to a session that subscribed before', async () => {
    const window = await startShippedWindow();
    const session = await WireSession.open(window, { capabilities });
    const stream = await session.listen();
    for (const uri of [inside, outside]) {
      const asking = await session.asking('resources/subscribe', { uri });
      if (uri === inside) await session.reply(await questionOn(asking), { result: { roots: [] } });
      await asking.ended;
    }
    await session.tell('notifications/roots/list_changed');
    const call = await session.asking('tools/call', { name: 'get_workspace' });
    await session.reply(await questionOn(call), { result: answer });
    await call.ended;
    expect(window.fileChanges.size).toBe(2);
    change(window);
    await until(() => stream.of(updated).length > 0);
    expect([toldOn(stream), window.fileChanges.size]).toEqual([[inside], 1]);
  });

  it('is no longer reported to a stream that listened before it told its roots (2026)', async () => {
    const window = await startShippedWindow();
    const own = { connection: 'a'.repeat(32), capabilities };
    const notifications = { resourceSubscriptions: [inside, outside] };
    const stream = await openModern(window, 'subscriptions/listen', { notifications }, own);
    await until(() => stream.messages.length > 0);
    const call = { name: 'get_workspace' };
    const { result } = await askModern(window, 'tools/call', call, own);
    const retry = { ...call, requestState: result?.['requestState'], inputResponses: { 'drawbridge.roots': answer } };
    await askModern(window, 'tools/call', retry, own);
    change(window);
    await until(() => stream.of(updated).length > 0);
    expect([toldOn(stream), window.fileChanges.size]).toEqual([[inside], 1]);
  });
});

it('gets the roots of real clients of both SDKs', async () => {
  const test = await startTestServer();
  const url = new URL(test.server.endpoint);
  const headers = { Authorization: `Bearer ${test.server.token}` };
  const old = new Client({ name: 'v1', version: '1.0.0' }, { capabilities });
  old.setRequestHandler(ListRootsRequestSchema, async () => roots);
  await old.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await old.callTool(echo);
  await old.close();
  for (const mode of ['auto', 'legacy'] as const) {
    const client = new ModernClient({ name: mode, version: '2.0.0' }, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler('roots/list', async () => roots);
    const own = { ...headers, 'Drawbridge-Connection': 'c'.repeat(32) };
    await client.connect(new ModernTransport(url, { requestInit: { headers: own } }));
    await client.callTool(echo);
    await client.close();
  }
  expect(rootsOf(test)).toEqual([files, files, files]);
});

it('remembers the roots of 1,000 connections, and then drops the oldest', () => {
  const remembered = new RememberedRoots(new FakeClock());
  const principal = (index: number) => ({ credential: 'window', connectionId: String(index) });
  for (let index = 0; index <= 1000; index++) remembered.answered(principal(index), roots);
  expect(remembered.known(principal(0))).toBeUndefined();
  expect(remembered.known(principal(1))).toEqual(files);
  expect(remembered.known(principal(1000))).toEqual(files);
});
