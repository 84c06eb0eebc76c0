import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defaultBodyLimits } from '#mcp/requestBody.ts';
import { capabilities as windowCapabilities } from '#mcp/wire/capabilities.ts';
import { FakeClock } from '../fakes/clock.ts';
import { initialize, jsonHeaders, messagesOf, modern, send, startTestServer, until } from '../mcp/fixture.ts';
import { startRawWindow, type RawRequest } from './rawWindow.ts';
import {
  initializeParams,
  modernParams,
  recordOf,
  reload,
  startConnected,
  startRelay,
  staticTools,
  type TestRelay,
} from './relaySetUp.ts';

const echo = (text: string) => ({ name: 'echo', arguments: { text } });
const wait = { name: 'wait', arguments: {} };
const bridgeCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

describe('the answers of the bridge itself', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('accept revision %s', async (revision) => {
    const test = startRelay();
    const { result } = await test.ask(1, 'initialize', { ...initializeParams, protocolVersion: revision });
    expect(result).toMatchObject({
      protocolVersion: revision,
      serverInfo: { name: 'drawbridge', version: '9.9.9' },
      capabilities: bridgeCapabilities,
      instructions: expect.any(String),
    });
  });

  it.each(['2024-11-05', '2025-11-25'])('introduce the bridge as a window does, in revision %s', async (revision) => {
    const window = await startTestServer();
    const { server, port } = window;
    const [own] = messagesOf(await send(port, 'POST', jsonHeaders(server.token), initialize(revision)));
    const { result } = z.object({ result: z.object({ serverInfo: z.looseObject({}) }) }).parse(own);
    const introduced = await startRelay().ask(1, 'initialize', { ...initializeParams, protocolVersion: revision });
    expect(introduced.result?.['serverInfo']).toEqual({ ...result.serverInfo, version: '9.9.9' });
  });

  it.each(['2026-07-28', '1999-01-01', undefined])('offer its newest session revision for %s', async (revision) => {
    const { result } = await startRelay().ask(1, 'initialize', { ...initializeParams, protocolVersion: revision });
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it('describe the server as a window does, except for the lists that may change', async () => {
    const window = await startTestServer();
    const { headers, body } = modern(window.server.token, 1, 'server/discover', {});
    const [own] = messagesOf(await send(window.port, 'POST', headers, body));
    const test = startRelay({ version: '0.0.0-test' });
    const discovered = await test.ask(1, 'server/discover', modernParams());
    const { capabilities, instructions } = discovered.result ?? {};
    expect(capabilities).toEqual(bridgeCapabilities);
    expect(own).toMatchObject({ result: { capabilities: windowCapabilities } });
    const { result } = z.object({ result: z.looseObject({}) }).parse(own);
    expect(discovered).toEqual({ jsonrpc: '2.0', id: 1, result: { ...result, capabilities, instructions } });
  });

  it('refuse an unknown revision of the 2026 era with the code that makes a client fall back', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const { error } = await startRelay().ask(1, 'server/discover', { _meta: meta });
    expect(error).toEqual({
      code: -32022,
      message: 'Unsupported protocol version: 2031-01-01',
      data: { supported: ['2026-07-28'], requested: '2031-01-01' },
    });
    expect((await startRelay().ask(2, 'server/discover', {})).error?.code).toBe(-32601);
  });

  it('answer pings at once, even while the bridge waits for folders', async () => {
    const test = startRelay({ clock: new FakeClock() });
    await test.ask(1, 'initialize', { ...initializeParams, capabilities: { roots: {} } });
    expect((await test.ask('p', 'ping')).result).toEqual({});
  });

  it('refuse messages that are not JSON-RPC, too large or sent twice, with an id where there is one', async () => {
    const { relay, ask, messages, answers } = await startConnected();
    relay.receive('{');
    relay.receive('[]');
    relay.receive('{"jsonrpc":"2.0","id":null,"method":"ping"}');
    expect(messages.slice(-3).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
    ]);
    const large = await ask(1, 'tools/call', echo('x'.repeat(defaultBodyLimits.bytes)));
    expect(large.error).toEqual({
      code: -32600,
      message: `The message is larger than ${defaultBodyLimits.bytes} bytes.`,
    });
    const fits = await ask(2, 'tools/call', echo('x'.repeat(defaultBodyLimits.bytes - 1000)));
    expect(fits.error).toBeUndefined();
    relay.receive(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: wait }));
    relay.receive(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: wait }));
    await until(() => answers(3).length > 0);
    expect(answers(3)).toMatchObject([
      { error: { code: -32600, message: 'Invalid Request: This id belongs to a request still running.' } },
    ]);
  });

  it('limit how many requests run at once', async () => {
    const test = startRelay();
    await test.ask('init', 'initialize', { ...initializeParams, capabilities: { roots: {} } });
    for (let id = 0; id < 1001; id++) test.send({ jsonrpc: '2.0', id, method: 'tools/list' });
    expect(test.messages.filter(({ error }) => error !== undefined)).toMatchObject([{ id: 1000 }]);
  });
});

describe('the relayed messages', () => {
  it('keep ids and texts to the byte', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    const answer = '{"jsonrpc" : "2.0", "result":{"n": 1.0, "s":"\\u00e9"}, "id":"5"}';
    window.onRequest = ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`data: ${answer}\n\n`);
    };
    const line = '{"method":"unknown/thing", "id" :"5","jsonrpc":"2.0","params":{"x": 1.50}}';
    test.relay.receive(`${line}\r`);
    await until(() => test.texts.includes(answer));
    const sent = window.requests.at(-1);
    expect(sent?.text.trim()).toBe(line);
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${window.record.token}`,
      'drawbridge-connection': '0123456789abcdef0123456789abcdef',
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-06-18',
    });
    expect(window.requests[0]?.message.params).toEqual(initializeParams);
  });

  it('mirror a request of the 2026 era in its headers, in Base64 where headers must be plain', async () => {
    const window = await startTestServer();
    const test = startRelay();
    test.windows.choose(recordOf(window));
    for (const uri of ['file:///here.txt', 'file:///h\u00e9.txt', ' x', '=?base64?eA==?=']) {
      const { error } = await test.ask(uri, 'resources/read', modernParams({ uri }));
      expect(error?.code).toBe(uri === 'file:///here.txt' ? undefined : -32602);
    }
    expect((await test.ask('u', 'unknown/thing', modernParams())).error).toEqual({
      code: -32601,
      message: 'Method not found',
    });
  });

  it('carry requests and notifications of the window, and the answer goes to the window that asked', async () => {
    const [first, second] = [await startRawWindow('window-1'), await startRawWindow('window-2')];
    const test = startRelay();
    await test.ask('init', 'initialize', initializeParams);
    for (const window of [first, second]) {
      window.onRequest = (request) => {
        if (request.message.method !== 'tools/call') return request.json(202, undefined);
        request.stream({ jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: { of: window.record.windowId } });
      };
    }
    for (const [id, window] of [first, second].entries()) {
      test.windows.choose(window.record);
      test.send({ jsonrpc: '2.0', id, method: 'tools/call', params: wait });
      await until(() => test.messages.filter(({ method }) => method === 'elicitation/create').length === id + 1);
    }
    const questions = test.messages.filter(({ method }) => method === 'elicitation/create');
    expect(questions.map(({ params }) => params?.['of'])).toEqual(['window-1', 'window-2']);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(2);
    for (const { id, params } of questions) test.send({ jsonrpc: '2.0', id, result: { to: params?.['of'] } });
    const answered = (window: typeof first) => window.requests.find(({ message }) => message.result !== undefined);
    await until(() => answered(first) !== undefined && answered(second) !== undefined);
    expect(answered(first)?.message).toEqual({ jsonrpc: '2.0', id: 0, result: { to: 'window-1' } });
    expect(answered(second)?.message).toEqual({ jsonrpc: '2.0', id: 0, result: { to: 'window-2' } });
  });

  it('withdraw the questions of a window that is gone', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    window.onRequest = (request) => request.stream({ jsonrpc: '2.0', id: 7, method: 'sampling/createMessage' });
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait });
    await until(() => test.messages.some(({ id }) => id === 7));
    await window.stop();
    test.windows.choose(undefined);
    await until(() => test.messages.some(({ method }) => method === 'notifications/cancelled'));
    expect(test.messages.at(-1)?.params).toMatchObject({ requestId: 7 });
  });

  it('carry notifications of the window, and listen again when that stream ends or its session is forgotten', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    const streams: RawRequest[] = [];
    window.onStream = (request) => {
      streams.push(request);
      const said = { jsonrpc: '2.0', method: 'notifications/message', params: { stream: streams.length } };
      if (streams.length === 2) request.response.destroy();
      else request.stream(said);
      if (streams.length === 1) request.response.end();
    };
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await until(() => streams.length === 3);
    window.onStream = (request) => {
      request.json(request.headers['mcp-session-id'] === 'session-1' ? 404 : 405, undefined);
    };
    streams[2]?.response.end();
    const sessions = () => window.requests.filter(({ message }) => message.method === 'initialize');
    await until(() => sessions().length === 2 && window.requests.at(-1)?.method === 'GET');
    expect(test.messages.flatMap(({ params }) => params?.['stream'] ?? [])).toEqual([1, 3]);
  });

  it('leave a window that the bridge no longer uses', async () => {
    const { window, ask, windows } = await startConnected();
    await ask(1, 'tools/list');
    expect(window.server.sessionCount()).toBe(1);
    windows.choose((await startRawWindow('window-2')).record);
    await until(() => window.server.sessionCount() === 0);
  });

  it('let a cancellation pass any number of calls', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    window.onRequest = (request) => request.stream({ jsonrpc: '2.0', method: 'notifications/message' });
    for (let id = 0; id < 300; id++) test.send({ jsonrpc: '2.0', id, method: 'tools/call', params: wait });
    await until(() => test.messages.length > 200);
    test.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
    await until(() => window.requests.some(({ message }) => message.method === 'notifications/cancelled'));
    expect(test.answers(0)).toEqual([]);
  });

  it('do not ask again for a stream that the window does not have', async () => {
    const clock = new FakeClock();
    const window = await startRawWindow();
    const test = startRelay({ clock });
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    const streams = () => window.requests.filter(({ method }) => method === 'GET');
    await test.ask(1, 'tools/list');
    await until(() => streams().length === 1);
    for (let id = 2; id < 6; id++) {
      await test.ask(id, 'tools/list');
      clock.advance(10_000);
    }
    expect(streams()).toHaveLength(1);
  });

  it('look for the window when its stream is refused the secret', async () => {
    const window = await startRawWindow();
    const test = startRelay({ clock: new FakeClock() });
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    window.onStream = (request) => request.json(401, undefined);
    await test.ask(1, 'tools/list');
    await until(() => test.windows.refreshes > 0);
    expect(test.windows.refreshes).toBe(1);
  });

  it('introduce a client again that introduces itself again', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    for (const name of ['first', 'second']) {
      const params = { ...initializeParams, clientInfo: { name, version: '1' } };
      await test.ask(name, 'initialize', params);
      await test.ask(`${name} list`, 'tools/list');
    }
    const introduced = window.requests.filter(({ message }) => message.method === 'initialize');
    expect(introduced.map(({ message }) => message.params?.['clientInfo'])).toEqual([
      { name: 'first', version: '1' },
      { name: 'second', version: '1' },
    ]);
  });

  it('keep a subscription of the client, whatever the window reports about it', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} };
    window.onRequest = (request) => {
      if (request.message.method !== 'subscriptions/listen')
        return request.json(200, { jsonrpc: '2.0', id: request.message.id, result: {} });
      const acknowledged = 'notifications/subscriptions/acknowledged';
      request.stream({ jsonrpc: '2.0', method: acknowledged, params: { notifications: {} } }, changed);
      request.stream({ jsonrpc: '2.0', id: request.message.id, result: {} });
      request.response.end();
    };
    await test.ask('x', 'tools/list', modernParams());
    const notifications = { toolsListChanged: true };
    test.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: modernParams({ notifications }) });
    await until(() => test.messages.length === 3);
    await test.ask('y', 'tools/list', modernParams());
    expect(test.messages.slice(1, 3)).toMatchObject([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': 's' } },
      },
      changed,
    ]);
    expect(test.answers('s')).toEqual([]);
    const empty = await test.ask('e', 'subscriptions/listen', modernParams({ notifications: {} }));
    expect(empty.result).toMatchObject({ resultType: 'complete' });
    expect((await test.ask('n', 'subscriptions/listen', modernParams())).error?.code).toBe(-32602);
  });

  it('send a cancellation after the request that it cancels', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    const held: RawRequest[] = [];
    window.onRequest = (request) => void held.push(request);
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait });
    await until(() => held.length === 1);
    test.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
    test.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: wait });
    await until(() => held.length === 2);
    expect(held[1]?.message.id).toBe(2);
    held[0]?.stream({ jsonrpc: '2.0', method: 'notifications/message' });
    await until(() => held.length === 3);
    expect(held[2]?.message).toMatchObject({ method: 'notifications/cancelled', params: { reason: 'enough' } });
    held[0]?.stream({ jsonrpc: '2.0', id: 1, result: {} });
    held[1]?.json(200, { jsonrpc: '2.0', id: 2, result: {} });
    await until(() => test.answers(2).length === 1);
    expect(test.answers(1)).toEqual([]);
  });

  it('send nothing before an earlier notification', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    await test.ask(1, 'tools/list');
    const held: RawRequest[] = [];
    window.onRequest = (request) => void held.push(request);
    test.send({ jsonrpc: '2.0', method: 'notifications/x' });
    test.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    await until(() => held.length === 1);
    expect(held[0]?.message.method).toBe('notifications/x');
    held[0]?.json(202, undefined);
    await until(() => held.length === 2);
  });

  it('carry a batch unchanged', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', { ...initializeParams, protocolVersion: '2025-03-26' });
    window.onRequest = (request) =>
      request.json(200, [
        { jsonrpc: '2.0', id: 'b', result: {} },
        { jsonrpc: '2.0', id: 'a', result: {} },
      ]);
    const batch =
      '[{"jsonrpc":"2.0","id":"a","method":"tools/list"}, {"jsonrpc":"2.0","id":"b","method":"resources/list"}]';
    test.relay.receive(batch);
    await until(() => test.answers('a').length > 0 && test.answers('b').length > 0);
    expect(window.requests.at(-1)?.text).toBe(batch);
    test.relay.receive('[{"jsonrpc":"2.0","id":"c","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]');
    expect(test.answers('c')).toHaveLength(1);
  });

  it('carry every message of a batch, notifications too', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', { ...initializeParams, protocolVersion: '2025-03-26' });
    const held: RawRequest[] = [];
    window.onRequest = (request) => void held.push(request);
    const batch = (id: string): string =>
      `[{"jsonrpc":"2.0","method":"notifications/${id}"},{"jsonrpc":"2.0","id":"${id}","method":"tools/list"},{"jsonrpc":"2.0","id":"same","method":"tools/list"}]`;
    test.relay.receive(batch('a'));
    await until(() => held.length === 1);
    expect(held[0]?.text).toBe(batch('a'));
    // One of these cannot be taken, which is no reason to keep back the others.
    test.relay.receive(batch('b'));
    await until(() => held.length === 2);
    expect(held[1]?.message.method).toBe('notifications/b');
    held[1]?.json(202, undefined);
    await until(() => held.length === 3);
    expect(held[2]?.message).toMatchObject({ id: 'b', method: 'tools/list' });
  });

  it('hold nothing for another window while one hangs on a notification', async () => {
    const hanging = await startRawWindow();
    const test = startRelay();
    test.windows.choose(hanging.record);
    await test.ask('init', 'initialize', initializeParams);
    await test.ask(1, 'tools/list');
    let isNotified = false;
    hanging.onRequest = ({ message }) => (isNotified ||= message.method === 'notifications/x');
    test.send({ jsonrpc: '2.0', method: 'notifications/x' });
    test.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    await until(() => isNotified);
    test.windows.choose((await startRawWindow('window-2')).record);
    await until(() => test.answers(2).length === 1);
    expect((await test.ask(3, 'tools/list')).result).toEqual({});
  });

  it('report a refusal of the window in its text or by the HTTP status', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    window.onRequest = (request) =>
      request.json(503, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Busy.' } });
    expect((await test.ask(1, 'tools/call', wait)).error).toEqual({ code: -32000, message: 'Busy.' });
    window.onRequest = (request) => request.json(429, undefined);
    expect((await test.ask(2, 'tools/call', wait)).error?.message).toMatch(/429.*Try again later/);
  });
});

describe('the client\u2019s folders', () => {
  const rooted = { ...initializeParams, capabilities: { roots: {} } };
  const question = (test: TestRelay) => test.messages.findLast(({ method }) => method === 'roots/list');

  async function startRooted() {
    const clock = new FakeClock();
    const window = await startRawWindow();
    const test = startRelay({ clock });
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', rooted);
    return { clock, window, test };
  }

  it('are waited for two seconds at most, and a late answer still counts', async () => {
    const { clock, window, test } = await startRooted();
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const asked = question(test);
    expect(asked?.id).toMatch(/^drawbridge-/);
    clock.advance(1999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(window.requests).toEqual([]);
    clock.advance(1);
    await until(() => test.answers(1).length === 1);
    test.send({ jsonrpc: '2.0', id: asked?.id, result: { roots: [{ uri: 'file:///late' }] } });
    await until(() => test.windows.roots.length === 1);
    expect(test.windows.roots).toEqual([['file:///late']]);
  });

  it('are requested again when they change; those answers never reach the window', async () => {
    const { window, test } = await startRooted();
    test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    test.send({ jsonrpc: '2.0', id: question(test)?.id, error: { code: -32603, message: 'no' } });
    await test.ask(1, 'tools/list');
    expect(test.windows.roots).toEqual([]);
    const other = await startRawWindow('window-2');
    test.windows.onRoots = () => {
      test.windows.choose(other.record);
      return Promise.resolve();
    };
    test.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    test.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    await until(() => window.requests.at(-1)?.message.method === 'notifications/roots/list_changed');
    const overtaken = question(test);
    test.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    test.send({ jsonrpc: '2.0', id: overtaken?.id, result: { roots: [{ uri: 'file:///a' }] } });
    test.send({ jsonrpc: '2.0', id: question(test)?.id, result: { roots: [{ uri: 'file:///b' }, { nonsense: 1 }] } });
    await until(() => test.answers(2).length === 1);
    expect(test.windows.roots).toEqual([['file:///b']]);
    expect(other.requests.some(({ message }) => message.id === 2)).toBe(true);
    expect(window.requests.some(({ message }) => message.id === 2)).toBe(false);
    expect(
      window.requests.filter(({ message }) => message.result !== undefined || message.error !== undefined),
    ).toEqual([]);
  });

  it('are waited for again when the client introduces itself again', async () => {
    const { clock, window, test } = await startRooted();
    clock.advance(1500);
    await test.ask('again', 'initialize', rooted);
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    clock.advance(1999);
    // Long enough for a message to get to the window.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(window.requests).toEqual([]);
    clock.advance(1);
    await until(() => test.answers(1).length === 1);
  });

  it('do not delay a client for ever that is never ready', async () => {
    const { clock, test } = await startRooted();
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    clock.advance(2000);
    await until(() => test.answers(1).length === 1);
    expect(test.windows.roots).toEqual([]);
  });
});

describe('a bridge without a window', () => {
  it('answers in both eras, and says what to do', async () => {
    const test = startRelay();
    await test.ask('init', 'initialize', initializeParams);
    expect((await test.ask(1, 'tools/list')).result).toEqual(staticTools);
    const called = (await test.ask(2, 'tools/call', echo('x'))).result;
    expect(called).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'No editor window with Drawbridge has the folder /wanted open (no window with Drawbridge is open). Ask the user to open it in the editor, or to run the command "Drawbridge: Start" in the window that has it open, then call again; nothing has to be reconnected. [workspace_unavailable]',
        },
      ],
    });
    test.windows.open = [recordOf(await startTestServer(), 'window-9')];
    expect(JSON.stringify(await test.ask(3, 'tools/call', echo('x')))).toContain('(open are: /window-9)');
    expect((await test.ask(4, 'resources/list')).result).toEqual({ resources: [] });
    expect((await test.ask(5, 'resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    for (const [index, method] of ['resources/read', 'prompts/get', 'unknown'].entries()) {
      const { error } = await test.ask(10 + index, method, { uri: 'file:///x', name: 'x' });
      expect(error).toMatchObject({ code: -32000, data: { code: 'workspace_unavailable' } });
    }
    const listed = (await test.ask(20, 'tools/list', modernParams())).result;
    expect(listed).toEqual({
      ...staticTools,
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'drawbridge', title: 'Drawbridge', version: '9.9.9' } },
    });
    const failed = (await test.ask(21, 'tools/call', modernParams(echo('x')))).result;
    expect(failed).toMatchObject({ isError: true, resultType: 'complete' });
  });

  it('waits once for a window that is busy when the client comes, and then names the window that hangs', async () => {
    const clock = new FakeClock();
    const test = startRelay({ clock });
    const { record } = await startRawWindow();
    [test.windows.open, test.windows.silent] = [[record], record];
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait });
    await until(() => clock.pendingTimers === 1);
    clock.advance(5000);
    await until(() => test.answers(1).length > 0);
    const text =
      'The editor window with /window-1 does not answer. Ask the user to reload or reopen that window, then call again; nothing has to be reconnected. [workspace_unavailable]';
    expect(test.answers(1)[0]?.result?.['content']).toEqual([{ type: 'text', text }]);
    expect((await test.ask(2, 'tools/call', wait)).result?.['content']).toEqual([{ type: 'text', text }]);
  });

  it('sends the first call to a window that was busy for a moment', async () => {
    const clock = new FakeClock();
    const test = startRelay({ clock });
    const window = await startTestServer();
    test.windows.silent = recordOf(window);
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: echo('x') });
    await until(() => clock.pendingTimers === 1);
    test.windows.silent = undefined;
    test.windows.choose(recordOf(window));
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)[0]?.result).toMatchObject({ structuredContent: { text: 'x' } });
  });

  it('remembers the log level for the next window, and tells the client once', async () => {
    const test = startRelay();
    await test.ask('init', 'initialize', initializeParams);
    test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await test.ask(1, 'logging/setLevel', { level: 'debug' })).result).toEqual({});
    const window = await startRawWindow();
    test.windows.choose(window.record);
    await test.ask(2, 'tools/call', wait);
    const methods = window.requests.map(({ method, message }) => message.method ?? method);
    expect(methods.filter((method) => method !== 'GET')).toEqual([
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'tools/call',
    ]);
    expect(test.messages.flatMap(({ method }) => method ?? [])).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
    ]);
  });
});

describe('a window that reloads', () => {
  it('makes the bridge wait thirty seconds at most, as the hooks of assistants do', async () => {
    const clock = new FakeClock();
    const test = startRelay({ clock });
    test.windows.choose((await startRawWindow()).record);
    await test.ask('init', 'initialize', initializeParams);
    test.windows.choose(undefined);
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait });
    await until(() => clock.pendingTimers > 0);
    expect(test.answers(1)).toEqual([]);
    test.windows.choose((await startRawWindow()).record);
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: {} }]);
    test.windows.choose(undefined);
    test.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: wait });
    await until(() => test.windows.refreshes > 1);
    clock.advance(29_999);
    expect(test.answers(2)).toEqual([]);
    clock.advance(1);
    await until(() => test.answers(2).length > 0);
    expect(test.answers(2)).toMatchObject([{ result: { isError: true } }]);
    // It is gone by now: the next call need not wait again.
    expect((await test.ask(3, 'tools/call', wait)).result).toMatchObject({ isError: true });
  });

  it.each([true, false])('loses no answer, whether its file goes first (%s) or its port', async (isSeenFirst) => {
    const { window, windows, send: receive, answers, ask, messages } = await startConnected();
    const started = window.product.nextWait();
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait });
    receive({ jsonrpc: '2.0', id: 'read', method: 'tools/call', params: wait });
    await started;
    const next = await reload(windows, window, isSeenFirst);
    expect((await ask(2, 'tools/call', echo('x'))).result).toMatchObject({ structuredContent: { text: 'x' } });
    await until(() => answers(1).length > 0 && answers('read').length > 0);
    expect(answers(1)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          isError: true,
          content: [
            {
              type: 'text',
              text: 'The editor window was reloaded or closed while this call ran. Call again. If the call proposed a change, read its files first: the user may have applied it just before. [session_closed]',
            },
          ],
        },
      },
    ]);
    expect(next.product.calls[0]?.principal).toEqual(window.product.calls[0]?.principal);
    expect(messages.flatMap(({ method }) => method ?? [])).toEqual([]);
  });

  it('fails requests in flight that may have changed something with an error that names the reload', async () => {
    const window = await startRawWindow();
    const test = startRelay();
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', initializeParams);
    window.onRequest = ({ response }) => void response.destroy();
    expect((await test.ask(1, 'logging/setLevel', { level: 'info' })).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('[session_closed]'),
      data: { code: 'session_closed' },
    });
  });

  it('is looked for at once when its port is closed or its secret refused', async () => {
    const clock = new FakeClock();
    for (const [isStopped, era] of [
      [true, '2025'],
      [false, '2025'],
      [false, '2026'],
    ] as const) {
      const window = await startRawWindow();
      const test = startRelay({ clock });
      test.windows.choose(isStopped ? window.record : { ...(await startTestServerRecord()), token: 'x'.repeat(43) });
      if (isStopped) await window.stop();
      await test.ask('init', 'initialize', initializeParams);
      const params = era === '2026' ? modernParams(wait) : wait;
      test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      await until(() => test.windows.refreshes > 0 && clock.pendingTimers > 0);
      expect(test.answers(1)).toEqual([]);
      clock.advance(5000);
      await until(() => test.answers(1).length > 0);
      expect(JSON.stringify(test.answers(1))).toMatch(/window-1 does not answer.*workspace_unavailable/);
      // The time that a reload may take is over: nobody waits for it again.
      expect((await test.ask(2, 'tools/call', params)).result).toMatchObject({ isError: true });
      await test.relay.close();
    }
  });

  it('gets a new session and the request once more when it forgot the session', async () => {
    const { window, ask } = await startConnected();
    await ask(1, 'tools/call', echo('a'));
    await window.server.closeCredential('window');
    expect((await ask(2, 'tools/call', echo('b'))).result).toMatchObject({ structuredContent: { text: 'b' } });
    expect(window.product.calls.map(({ tool }) => tool)).toEqual(['echo', 'echo']);
  });
});

async function startTestServerRecord() {
  return recordOf(await startTestServer());
}

describe('the end of the bridge', () => {
  it('cancels nothing that was not sent, and sends nothing that was cancelled', async () => {
    const clock = new FakeClock();
    const window = await startRawWindow();
    const test = startRelay({ clock });
    test.windows.choose(window.record);
    await test.ask('init', 'initialize', { ...initializeParams, capabilities: { roots: {} } });
    test.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait });
    test.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: wait });
    test.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    clock.advance(2000);
    await until(() => test.answers(2).length > 0);
    expect(test.answers(1)).toEqual([]);
    expect(window.requests.map(({ message }) => message.id).filter((id) => id === 1)).toEqual([]);
    expect(window.requests.map(({ message }) => message.method)).not.toContain('notifications/cancelled');
  });

  it.each(['2025', '2026'])('ends calls and session when the client goes (%s)', async (era) => {
    const { window, relay, send: receive, messages } = await startConnected();
    const started = window.product.nextWait();
    const params = era === '2026' ? modernParams(wait) : wait;
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const call = await started;
    const count = messages.length;
    await relay.close();
    await until(() => call.signal.aborted && window.server.sessionCount() === 0);
    expect(messages).toHaveLength(count);
    receive({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(messages).toHaveLength(count);
  });

  it('takes a second at most with a window that hangs', async () => {
    const clock = new FakeClock();
    const window = await startRawWindow();
    const test = startRelay({ clock });
    test.windows.choose(window.record);
    await test.ask(1, 'initialize', initializeParams);
    await test.ask(2, 'tools/list');
    const asked = new Promise<void>((resolve) => (window.onEnd = () => resolve()));
    const closed = test.relay.close();
    await asked;
    clock.advance(1000);
    await expect(closed).resolves.toBeUndefined();
  });
});
