import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../fakes/clock.ts';
import { startTestServer, until, type TestServer } from './fixture.ts';
import { askModern, listenModern, openModern, WireSession, type WireStream } from './protocol/wire.ts';

const updated = 'notifications/resources/updated';
const uri = 'file:///here.txt';
const many = Array.from({ length: 101 }, (_, index) => `file:///${index}.txt`);

const updatesOf = (stream: WireStream): readonly unknown[] => stream.of(updated).map(({ params }) => params?.['uri']);
const watchersOf = ({ product }: TestServer): readonly string[] => [...product.watchers].map((watcher) => watcher.uri);

async function startWithFakeClock() {
  const clock = new FakeClock();
  return { clock, test: await startTestServer({ clock }) };
}

describe('a session', () => {
  it('is notified of a subscribed resource once for a burst and within 200 ms', async () => {
    const { clock, test } = await startWithFakeClock();
    const session = await WireSession.open(test);
    const stream = await session.listen();
    expect(await session.ask('resources/subscribe', { uri })).toMatchObject({ result: {} });
    expect(await session.ask('resources/subscribe', { uri })).toMatchObject({ result: {} });
    expect(watchersOf(test)).toEqual([uri]);
    for (let count = 0; count < 100; count++) test.product.touch(uri);
    clock.advance(100);
    await until(() => updatesOf(stream).length > 0);
    test.product.touch(uri);
    clock.advance(100);
    await until(() => updatesOf(stream).length > 1);
    expect(updatesOf(stream)).toEqual([uri, uri]);
  });

  it('gets one notification of each resource and list that changed while it had no stream, when the stream opens', async () => {
    const { clock, test } = await startWithFakeClock();
    const session = await WireSession.open(test);
    await session.ask('resources/subscribe', { uri });
    for (let count = 0; count < 100; count++) {
      test.product.touch(uri);
      test.product.changedResources.fire();
      clock.advance(200);
    }
    const stream = await session.listen();
    await until(() => stream.messages.length > 1);
    test.product.touch(uri);
    clock.advance(200);
    await until(() => stream.messages.length > 2);
    const listChanged = 'notifications/resources/list_changed';
    expect(stream.messages.map(({ method }) => method)).toEqual([updated, listChanged, updated]);
  });

  it('gets no notification after it unsubscribed, not even a pending one', async () => {
    const { clock, test } = await startWithFakeClock();
    const session = await WireSession.open(test);
    const stream = await session.listen();
    await session.ask('resources/subscribe', { uri });
    await session.ask('resources/subscribe', { uri: 'test://other' });
    test.product.touch(uri);
    await session.ask('resources/unsubscribe', { uri });
    expect(await session.ask('resources/unsubscribe', { uri: 'test://never' })).toMatchObject({ result: {} });
    expect(watchersOf(test)).toEqual(['test://other']);
    test.product.touch('test://other');
    clock.advance(100);
    await until(() => updatesOf(stream).length > 0);
    expect(updatesOf(stream)).toEqual(['test://other']);
  });

  it('is refused resources that it may not read, and is told no details of bugs', async () => {
    const { test } = await startWithFakeClock();
    const session = await WireSession.open(test);
    expect(await session.ask('resources/subscribe', { uri: 'file:///secret.env' })).toMatchObject({
      error: {
        code: -32602,
        message: 'There is no file:///secret.env.',
        data: { code: 'not_found', hint: 'List the folder first.', uri: 'file:///secret.env' },
      },
    });
    const bug = await session.ask('resources/subscribe', { uri: 'crash:' });
    expect(bug.error).toEqual({ code: -32603, message: 'Internal error' });
    expect(test.errors).toHaveLength(1);
    expect(watchersOf(test)).toEqual([]);
  });

  it('watches at most 100 resources, and one more after it unsubscribes from one', async () => {
    const { test } = await startWithFakeClock();
    const session = await WireSession.open(test);
    for (const each of many.slice(0, 100)) await session.ask('resources/subscribe', { uri: each });
    expect(await session.ask('resources/subscribe', { uri: many[100] })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('at most 100') },
    });
    expect(await session.ask('resources/subscribe', { uri: many[0] })).toMatchObject({ result: {} });
    expect(test.product.watchers.size).toBe(100);
    await session.ask('resources/unsubscribe', { uri: many[0] });
    expect(await session.ask('resources/subscribe', { uri: many[100] })).toMatchObject({ result: {} });
  });

  it('leaves no watch and no timer behind', async () => {
    const { clock, test } = await startWithFakeClock();
    const before = clock.pendingTimers;
    const session = await WireSession.open(test);
    await session.ask('resources/subscribe', { uri });
    test.product.touch(uri);
    await session.end();
    expect(watchersOf(test)).toEqual([]);
    expect(clock.pendingTimers).toBe(before);
  });
});

describe('a stream of the 2026 era', () => {
  it('is notified once of a resource, however many other streams listen to it', async () => {
    const { clock, test } = await startWithFakeClock();
    const streams = [
      await listenModern(test, { resourceSubscriptions: [uri, uri] }),
      await listenModern(test, { resourceSubscriptions: [uri, 'test://other'] }),
    ];
    expect(watchersOf(test)).toEqual([uri, uri, 'test://other']);
    for (let count = 0; count < 100; count++) test.product.touch(uri);
    clock.advance(100);
    await until(() => streams.every((stream) => updatesOf(stream).length > 0));
    test.product.touch('test://other');
    clock.advance(100);
    await until(() => updatesOf(streams[1] ?? fail()).length > 1);
    expect(streams.map(updatesOf)).toEqual([[uri], [uri, 'test://other']]);
  });

  it('is told which of its resources it may listen to', async () => {
    const { clock, test } = await startWithFakeClock();
    const stream = await listenModern(test, { resourceSubscriptions: ['file:///secret.env', uri] });
    expect(stream.messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: [uri] } },
    });
    expect(test.product.asked.map(({ call }) => call)).toMatchObject([
      {
        era: '2026',
        protocolVersion: '2026-07-28',
        client: { name: 'modern-test' },
        principal: { credential: 'window' },
      },
      {},
    ]);
    // A stream does not get the updates of a resource that only another stream may read.
    test.product.touch('file:///secret.env');
    test.product.touch(uri);
    clock.advance(100);
    await until(() => updatesOf(stream).length > 0);
    expect(updatesOf(stream)).toEqual([uri]);
    const nothing = await openModern(test, 'subscriptions/listen', {
      notifications: { resourceSubscriptions: ['file:///secret.env'] },
    });
    await nothing.ended;
    expect(nothing.messages[0]?.params?.['notifications']).toEqual({});
  });

  it('may listen to at most 100 resources', async () => {
    const { test } = await startWithFakeClock();
    const listen = (resourceSubscriptions: unknown) =>
      askModern(test, 'subscriptions/listen', { notifications: { resourceSubscriptions } });
    expect(await listen(many)).toMatchObject({
      id: 1,
      error: { code: -32602, message: expect.stringContaining('at most 100') },
    });
    expect(await listen('all')).toMatchObject({ error: { code: -32602 } });
    expect(watchersOf(test)).toEqual([]);
    await listenModern(test, { resourceSubscriptions: many.slice(1) });
    expect(test.product.watchers.size).toBe(100);
  });

  it('leaves no watch behind when it closes, is disconnected, fails or ends with the server', async () => {
    const { test } = await startWithFakeClock();
    const closed = await listenModern(test, { resourceSubscriptions: [uri] });
    closed.close();
    await until(() => test.product.watchers.size === 0);
    await listenModern(test, { resourceSubscriptions: [uri] });
    await test.server.closePrincipal({ credential: 'window' });
    await until(() => test.product.watchers.size === 0);
    await expect(listenModern(test, { resourceSubscriptions: [uri, 'crash:'] })).rejects.toThrow(/500/);
    await until(() => test.product.watchers.size === 0);
    await listenModern(test, { resourceSubscriptions: [uri] });
    await test.server.stop();
    await until(() => test.product.watchers.size === 0);
  });
});

it('notifies real clients of both SDKs of the resources they listen to', async () => {
  const test = await startTestServer();
  const url = new URL(test.server.endpoint);
  const requestInit = { headers: { Authorization: `Bearer ${test.server.token}` } };
  const heard: string[] = [];
  const old = new Client({ name: 'v1', version: '1.0.0' });
  old.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(`v1 ${params.uri}`));
  await old.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => old.close());
  await old.subscribeResource({ uri });
  const modern = new ModernClient({ name: 'v2', version: '2.0.0' }, { versionNegotiation: { mode: 'auto' } });
  modern.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(`v2 ${params.uri}`));
  await modern.connect(new ModernTransport(url, { requestInit }));
  onTestFinished(() => modern.close());
  await modern.listen({ resourceSubscriptions: [uri] });
  await until(() => {
    // The older client opens its stream at a time of its own.
    test.product.touch(uri);
    return new Set(heard).size === 2;
  });
  expect([...new Set(heard)].toSorted()).toEqual([`v1 ${uri}`, `v2 ${uri}`]);
});

function fail(): never {
  throw new Error('There are two streams');
}
