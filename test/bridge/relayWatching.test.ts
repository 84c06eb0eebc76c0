import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '#base/clock.ts';
import { FakeClock } from '../fakes/clock.ts';
import { until } from '../mcp/fixture.ts';
import { startRawWindow, type RawRequest, type RawWindow } from './rawWindow.ts';
import { initializeParams, modernParams, startRelay, type TestRelay } from './relaySetUp.ts';

const [shop, till] = ['file:///work/shop.ts', 'file:///work/till.ts'];
const updated = 'notifications/resources/updated';
const acknowledged = 'notifications/subscriptions/acknowledged';
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** What a window was asked, handshakes aside. */
function asked({ requests }: RawWindow, method: string): readonly RawRequest[] {
  return requests.filter(({ message }) => message.method === method);
}

function urisAsked(window: RawWindow, method = 'resources/subscribe'): readonly unknown[] {
  return asked(window, method).map(({ message }) => message.params?.['uri']);
}

function toldUpdated({ messages }: TestRelay): readonly unknown[] {
  return messages.flatMap(({ method, params }) => (method === updated ? [params?.['uri']] : []));
}

async function startWatching(uris: readonly string[] = [], clock: Clock = systemClock) {
  const window = await startRawWindow('window-1');
  const test = startRelay({ clock });
  test.windows.choose(window.record);
  await test.ask('init', 'initialize', initializeParams);
  test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  for (const uri of uris) await test.ask(uri, 'resources/subscribe', { uri });
  return { window, test };
}

describe('the subscriptions of a client of the 2025 era', () => {
  it('are requested of the next window, and reported as updated once they are', async () => {
    const { window, test } = await startWatching([shop, till]);
    expect([urisAsked(window), toldUpdated(test)]).toEqual([[shop, till], []]);
    const next = await startRawWindow('window-2');
    test.windows.choose(next.record);
    await until(() => toldUpdated(test).length === 2);
    expect(toldUpdated(test)).toEqual([shop, till]);
    expect(new Set(urisAsked(next))).toEqual(new Set([shop, till]));
    // Nothing of the bridge's own requests reaches the client.
    expect(test.messages.filter(({ id }) => String(id).startsWith('drawbridge-'))).toEqual([]);
  });

  it('are requested before any request of the client is sent to that window', async () => {
    const { window, test } = await startWatching([shop]);
    const next = await startRawWindow('window-2');
    const held: RawRequest[] = [];
    next.onRequest = (request) => {
      if (request.message.method === 'resources/subscribe') held.push(request);
      else request.json(200, { jsonrpc: '2.0', id: request.message.id, result: {} });
    };
    test.windows.choose(next.record);
    test.send({ jsonrpc: '2.0', id: 'read', method: 'resources/read', params: { uri: shop } });
    await until(() => held.length === 1);
    expect(asked(next, 'resources/read')).toEqual([]);
    held[0]?.json(200, { jsonrpc: '2.0', id: held[0].message.id, result: {} });
    await until(() => test.answers('read').length === 1);
    const of = (method: string) => test.messages.findIndex((message) => message.method === method);
    expect(of(updated)).toBeLessThan(test.messages.findIndex(({ id }) => id === 'read'));
    expect(asked(window, 'resources/read')).toEqual([]);
  });

  it('are requested again of a window that forgot the session, even when it refuses one', async () => {
    const { window, test } = await startWatching([shop, till]);
    let isForgotten = true;
    window.onRequest = (request) => {
      const { method, id, params } = request.message;
      if (method === 'tools/list' && isForgotten) {
        isForgotten = false;
        return request.json(404, undefined);
      }
      const isGone = params?.['uri'] === till;
      const gone = { error: { code: -32602, message: 'Resource not found' } };
      request.json(200, { jsonrpc: '2.0', id, ...(isGone ? gone : { result: {} }) });
    };
    await test.ask('list', 'tools/list');
    expect(urisAsked(window)).toEqual([shop, till, shop, till]);
    expect(toldUpdated(test)).toEqual([shop, till]);
  });

  it('do not contain what a window refused, or what the client unsubscribed from, with or without a window', async () => {
    const clock = new FakeClock();
    const { window, test } = await startWatching([shop, till], clock);
    window.onRequest = (request) =>
      request.json(200, {
        jsonrpc: '2.0',
        id: request.message.id,
        error: { code: -32602, message: 'Resource not found' },
      });
    expect((await test.ask(1, 'resources/subscribe', { uri: 'file:///gone' })).error?.code).toBe(-32602);
    // The client wants no more of it, whatever the window says.
    expect((await test.ask(2, 'resources/unsubscribe', { uri: till })).error?.code).toBe(-32602);
    expect(urisAsked(window, 'resources/unsubscribe')).toEqual([till]);
    const next = await startRawWindow('window-2');
    test.windows.choose(next.record);
    await until(() => toldUpdated(test).length > 0);
    expect(urisAsked(next)).toEqual([shop]);
    test.windows.choose(undefined);
    // The time is over in which the window may come back, as after a reload.
    clock.advance(30_000);
    expect((await test.ask(3, 'resources/unsubscribe', { uri: shop })).result).toEqual({});
    const last = await startRawWindow('window-3');
    test.windows.choose(last.record);
    await test.ask(4, 'tools/list');
    expect(urisAsked(last)).toEqual([]);
  });

  it('do not contain what the client unsubscribed from before the window granted it', async () => {
    const { window, test } = await startWatching();
    const held: RawRequest[] = [];
    window.onRequest = (request) => void held.push(request);
    test.send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: shop } });
    test.send({ jsonrpc: '2.0', id: 2, method: 'resources/unsubscribe', params: { uri: shop } });
    await until(() => held.length === 2);
    for (const request of held) request.json(200, { jsonrpc: '2.0', id: request.message.id, result: {} });
    await until(() => test.answers(1).length + test.answers(2).length === 2);
    const next = await startRawWindow('window-2');
    test.windows.choose(next.record);
    await test.ask(3, 'tools/list');
    expect(urisAsked(next)).toEqual([]);
  });

  it('do not contain what a former window granted late: the client is told so', async () => {
    const { window, test } = await startWatching();
    const held: RawRequest[] = [];
    window.onRequest = (request) => void held.push(request);
    test.send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: shop } });
    await until(() => held.length === 1);
    const next = await startRawWindow('window-2');
    test.windows.choose(next.record);
    held[0]?.json(200, { jsonrpc: '2.0', id: 1, result: {} });
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ error: { data: { code: 'session_closed' } } }]);
    await test.ask(2, 'tools/list');
    expect(urisAsked(next)).toEqual([]);
  });

  it('are forgotten when the client introduces itself again', async () => {
    const { window, test } = await startWatching([shop]);
    await test.ask('again', 'initialize', initializeParams);
    await test.ask('list', 'tools/list');
    expect(urisAsked(window)).toEqual([shop]);
  });

  it('are remembered from a batch', async () => {
    const { test } = await startWatching();
    test.relay.receive(
      JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: shop } },
        { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      ]),
    );
    await until(() => test.answers(1).length + test.answers(2).length === 2);
    const next = await startRawWindow('window-2');
    test.windows.choose(next.record);
    await until(() => toldUpdated(test).length > 0);
    expect(urisAsked(next)).toEqual([shop]);
  });
});

describe('the listening requests of a client of the 2026 era', () => {
  const notifications = { promptsListChanged: true, resourceSubscriptions: [shop, till] };

  /** A window that acknowledges a stream and tells of each resource once. */
  async function startListened(windowId: string): Promise<RawWindow> {
    const window = await startRawWindow(windowId);
    window.onRequest = (request) => {
      const { method, id } = request.message;
      if (method !== 'subscriptions/listen') return request.json(200, { jsonrpc: '2.0', id, result: {} });
      const meta = { [subscriptionId]: id };
      request.stream(
        { jsonrpc: '2.0', method: acknowledged, params: { notifications, _meta: meta } },
        { jsonrpc: '2.0', method: updated, params: { uri: `${windowId}:`, _meta: meta } },
      );
    };
    return window;
  }

  it('are acknowledged with their resources, and followed from window to window', async () => {
    const [first, second] = [await startListened('window-1'), await startListened('window-2')];
    const test = startRelay();
    test.windows.choose(first.record);
    test.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: modernParams({ notifications }) });
    await until(() => toldUpdated(test).length === 1);
    expect(test.messages).toMatchObject([
      { method: acknowledged, params: { notifications, _meta: { [subscriptionId]: 's' } } },
      { method: updated, params: { uri: 'window-1:' } },
    ]);
    test.windows.choose(second.record);
    await until(() => toldUpdated(test).includes('window-2:'));
    expect(toldUpdated(test)).toEqual(['window-1:', shop, till, 'window-2:']);
    expect(test.messages.filter(({ method }) => method === acknowledged)).toHaveLength(1);
    expect(asked(second, 'subscriptions/listen')[0]?.message.params).toMatchObject({ notifications });
    expect(test.messages.find(({ params }) => params?.['uri'] === shop)).toMatchObject({
      params: { _meta: { [subscriptionId]: 's' } },
    });
    expect(test.answers('s')).toEqual([]);
  });

  it('are acknowledged with what the window can report, before any report', async () => {
    const window = await startRawWindow();
    window.onRequest = (request) => {
      const honored = { promptsListChanged: true, resourceSubscriptions: [till] };
      request.stream(
        { jsonrpc: '2.0', method: acknowledged, params: { notifications: honored } },
        { jsonrpc: '2.0', method: updated, params: { uri: till } },
      );
    };
    const test = startRelay();
    test.windows.choose(window.record);
    test.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: modernParams({ notifications }) });
    await until(() => toldUpdated(test).length === 1);
    expect(test.messages.map(({ method }) => method)).toEqual([acknowledged, updated]);
    expect(test.messages[0]?.params?.['notifications']).toEqual({
      promptsListChanged: true,
      resourceSubscriptions: [till],
    });
    const next = await startListened('window-2');
    test.windows.choose(next.record);
    await until(() => toldUpdated(test).includes('window-2:'));
    expect(toldUpdated(test)).toEqual([till, till, 'window-2:']);
  });

  it.each([
    ['in words', 200],
    ['by its status', 429],
  ])('are refused as the window refuses them, %s', async (_how, status) => {
    const window = await startRawWindow();
    const error = { code: -32602, message: 'Too many subscriptions' };
    window.onRequest = (request) => request.json(status, { jsonrpc: '2.0', id: request.message.id, error });
    const test = startRelay();
    test.windows.choose(window.record);
    expect((await test.ask('s', 'subscriptions/listen', modernParams({ notifications }))).error).toEqual(error);
    const next = await startListened('window-2');
    test.windows.choose(next.record);
    await test.ask('x', 'tools/list', modernParams());
    expect(asked(next, 'subscriptions/listen')).toEqual([]);
    expect(test.messages.filter(({ method }) => method !== undefined && !method.endsWith('list_changed'))).toEqual([]);
  });

  it('are acknowledged whole when the window went meanwhile', async () => {
    const window = await startRawWindow();
    await window.stop();
    const test = startRelay();
    test.windows.choose(window.record);
    test.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: modernParams({ notifications }) });
    await until(() => test.messages.length === 1);
    expect(test.messages[0]).toMatchObject({ method: acknowledged, params: { notifications } });
  });

  it('are sent again when their stream breaks, and reported as updated then; not when the window ends it', async () => {
    const window = await startListened('window-1');
    const test = startRelay();
    test.windows.choose(window.record);
    test.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: modernParams({ notifications }) });
    await until(() => toldUpdated(test).length === 1);
    asked(window, 'subscriptions/listen')[0]?.response.destroy();
    await until(() => toldUpdated(test).length === 4);
    expect(toldUpdated(test)).toEqual(['window-1:', shop, till, 'window-1:']);
    expect(test.windows.refreshes).toBe(1);
    const [, again] = asked(window, 'subscriptions/listen');
    again?.stream({ jsonrpc: '2.0', id: 's', result: { resultType: 'complete' } });
    again?.response.end();
    await new Promise((resolve) => again?.response.once('close', resolve));
    await test.ask('x', 'tools/list', modernParams());
    expect([asked(window, 'subscriptions/listen').length, test.windows.refreshes]).toEqual([2, 1]);
    expect(test.answers('s')).toEqual([]);
  });

  it('report a window that comes later, and nothing once they are cancelled', async () => {
    const test = startRelay();
    test.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: modernParams({ notifications }) });
    test.windows.choose((await startListened('window-1')).record);
    await until(() => toldUpdated(test).length === 3);
    expect(toldUpdated(test)).toEqual([shop, till, 'window-1:']);
    test.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's' } });
    const count = test.messages.length;
    const last = await startListened('window-2');
    test.windows.choose(last.record);
    await test.ask('x', 'tools/list', modernParams());
    expect(test.messages).toHaveLength(count + 1);
    expect(asked(last, 'subscriptions/listen')).toEqual([]);
  });

  it.each([[{}], ['file:///x'], [[1]]])('are refused when the resources are %j', async (resourceSubscriptions) => {
    const params = modernParams({ notifications: { resourceSubscriptions } });
    expect((await startRelay().ask('s', 'subscriptions/listen', params)).error).toEqual({
      code: -32602,
      message: `Invalid params: 'resourceSubscriptions' is no list of URIs.`,
    });
  });
});

describe('a bridge without a window', () => {
  const completion = { ref: { type: 'ref/prompt', name: 'explain_symbol' }, argument: { name: 'symbol', value: '' } };

  it.each([
    ['prompts/list', {}, { prompts: [] }],
    ['completion/complete', completion, { completion: { values: [] } }],
    ['resources/unsubscribe', { uri: shop }, {}],
    ['logging/setLevel', { level: 'info' }, {}],
  ])('answers %s', async (method, params, result) => {
    expect((await startRelay().ask(1, method, params)).result).toEqual(result);
  });

  it.each([
    ['prompts/list', { prompts: [], ttlMs: 0, cacheScope: 'private' }],
    ['completion/complete', { completion: { values: [] } }],
  ])('answers %s in the 2026 era', async (method, result) => {
    const answer = await startRelay().ask(1, method, modernParams(completion));
    expect(answer.result).toEqual({ ...result, resultType: 'complete', _meta: expect.any(Object) });
  });

  it.each([
    ['resources/subscribe', { uri: shop }],
    ['prompts/get', { name: 'explain_symbol' }],
  ])('fails %s, with the reason', async (method, params) => {
    const { error } = await startRelay().ask(1, method, params);
    expect(error).toMatchObject({ code: -32000, data: { code: 'workspace_unavailable' } });
  });

  it('reports all lists as changed when a window comes, prompts included', async () => {
    const test = startRelay();
    await test.ask('init', 'initialize', initializeParams);
    test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await test.ask(1, 'prompts/list');
    test.windows.choose((await startRawWindow()).record);
    await until(() => test.messages.some(({ method }) => method === 'notifications/prompts/list_changed'));
    expect(test.messages.flatMap(({ method }) => method ?? [])).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
    ]);
  });
});

describe('a request of the window to the client', () => {
  it('reads its folders, while a call of the 2025 era waits for them', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    test.onText = (text) => {
      const { id, method } = JSON.parse(text);
      if (method === 'roots/list') test.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///work' }] } });
    };
    const calls: RawRequest[] = [];
    window.onRequest = (request) => {
      const { message } = request;
      if (message.method === 'tools/call') {
        calls.push(request);
        request.stream({ jsonrpc: '2.0', id: 0, method: 'roots/list' });
      } else {
        request.json(202, undefined);
        if (message.id !== 0) return;
        calls[0]?.stream({ jsonrpc: '2.0', id: 'call', result: message.result });
        calls[0]?.response.end();
      }
    };
    await test.ask('init', 'initialize', { ...initializeParams, capabilities: { roots: {} } });
    test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { result } = await test.ask('call', 'tools/call', { name: 'find_files', arguments: {} });
    expect(result).toEqual({ roots: [{ uri: 'file:///work' }] });
    // The bridge's own question, which chooses the window, and the window's.
    expect(test.messages.filter(({ method }) => method === 'roots/list')).toHaveLength(2);
    expect(test.windows.roots).toEqual([['file:///work']]);
  });

  it('travels in a result that wants input, and the answer with its sealed state comes back (2026)', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    const input = {
      resultType: 'input_required',
      inputRequests: { where: { method: 'roots/list' } },
      requestState: 's.1',
    };
    window.onRequest = (request) => {
      const { id, params } = request.message;
      const result = params?.['requestState'] === 's.1' ? { resultType: 'complete', content: [] } : input;
      request.json(200, { jsonrpc: '2.0', id, result });
    };
    const call = { name: 'find_files', arguments: {} };
    expect((await test.ask(1, 'tools/call', modernParams(call))).result).toEqual(input);
    const inputResponses = { where: { roots: [{ uri: 'file:///work' }] } };
    const again = modernParams({ ...call, inputResponses, requestState: 's.1' });
    expect((await test.ask(2, 'tools/call', again)).result).toEqual({ resultType: 'complete', content: [] });
    expect(window.requests.at(-1)?.message.params).toEqual(again);
  });
});

describe('a log message of the window', () => {
  it('passes in the level that the client set, from every window that the bridge uses', async () => {
    const { test } = await startWatching();
    await test.ask('level', 'logging/setLevel', { level: 'debug' });
    const next = await startRawWindow('window-2');
    next.onStream = (request) =>
      request.stream({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'debug', data: 'said' } });
    test.windows.choose(next.record);
    await until(() => test.messages.at(-1)?.method === 'notifications/message');
    expect(asked(next, 'logging/setLevel')[0]?.message.params).toEqual({ level: 'debug' });
    expect(test.messages.at(-1)?.params).toEqual({ level: 'debug', data: 'said' });
  });
});
