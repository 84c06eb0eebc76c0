import { describe, expect, it } from 'vitest';
import { startTestServer, until } from '../mcp/fixture.ts';
import { startShippedWindow } from '../mcp/protocol/shippedWindow.ts';
import { connectSdkClient, modes } from '../mcp/sdkClients.ts';
import { initializeParams, recordOf, startRelay } from './relaySetUp.ts';

const readme = 'file:///w/readme.md';

describe.each(modes)('the subscriptions over the bridge of a client of the SDK, %s,', (mode) => {
  it('are updated by the window as it is after a reload, and once for the reload itself', async () => {
    const window = await startShippedWindow();
    const relay = startRelay();
    relay.windows.choose(recordOf(window));
    const client = await connectSdkClient(mode, window, relay);
    await client.subscribe(readme);
    window.fileChanges.change('/w/readme.md');
    await until(() => client.heard.length === 1);
    relay.windows.choose(undefined);
    await window.server.stop();
    const next = await startShippedWindow();
    relay.windows.choose(recordOf(next));
    await until(() => client.heard.length === 2);
    expect(next.fileChanges.size).toBe(1);
    next.fileChanges.change('/w/readme.md');
    await until(() => client.heard.length === 3);
    expect(client.heard).toEqual([readme, readme, readme]);
    await expect(client.read(readme)).resolves.toMatchObject({ contents: [{ uri: readme }] });
    expect([window.errors, next.errors, relay.logged]).toEqual([[], [], []]);
  });

  it('are held by one window only, when the client moves to another', async () => {
    const [first, second] = [await startShippedWindow(), await startShippedWindow()];
    const relay = startRelay();
    relay.windows.choose(recordOf(first));
    const client = await connectSdkClient(mode, first, relay);
    await client.subscribe(readme);
    await until(() => first.fileChanges.size === 1);
    relay.windows.choose(recordOf(second, 'window-2'));
    await until(() => second.fileChanges.size === 1 && first.fileChanges.size === 0);
    await until(() => client.heard.length === 2);
    expect(client.heard.toSorted()).toEqual([readme, 'tools']);
  });
});

it('are joined by a request of the next window for the client’s roots, which narrow it from its first call on', async () => {
  const [first, second] = [await startTestServer(), await startTestServer()];
  const relay = startRelay();
  relay.onText = (text) => {
    const { id, method } = JSON.parse(text);
    if (method === 'roots/list') relay.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///one' }] } });
  };
  relay.windows.choose(recordOf(first));
  await relay.ask('init', 'initialize', { ...initializeParams, capabilities: { roots: {} } });
  relay.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await relay.ask('subscribe', 'resources/subscribe', { uri: readme });
  relay.windows.choose(recordOf(second, 'window-2'));
  await relay.ask('call', 'tools/call', { name: 'echo', arguments: { text: 'x' } });
  const roots = ['file:///one'];
  expect(first.product.asked).toMatchObject([{ what: `watch ${readme}`, call: { roots } }]);
  expect(second.product.asked).toMatchObject([{ what: `watch ${readme}`, call: { roots } }]);
  expect(second.product.calls).toMatchObject([{ roots }]);
});
