import { expect, it } from 'vitest';
import { startTestServer } from '../mcp/fixture.ts';
import { initializeParams, modernParams, recordOf, startRelay, type TestRelay } from './relaySetUp.ts';

const folder = '/home/u/o\u0308ther \u202e%/\u{1f600}';

async function introduce(relay: TestRelay): Promise<void> {
  await relay.ask('init', 'initialize', initializeParams);
  relay.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

it.each(['2025', '2026'])(
  'tells the window with each request in which folder the assistant works (%s)',
  async (era) => {
    const { product, ...window } = await startTestServer();
    const relay = startRelay();
    relay.windows.choose(recordOf(window), folder);
    const params = (given: object): object => (era === '2026' ? modernParams(given) : given);
    if (era === '2025') await introduce(relay);
    await relay.ask('call', 'tools/call', params({ name: 'echo', arguments: { text: 'x' } }));
    await relay.ask('read', 'resources/read', params({ uri: 'file:///here.txt' }));
    await relay.ask('list', 'resources/list', params({}));
    await relay.ask('prompt', 'prompts/get', params({ name: 'greet_someone', arguments: { who: 'x' } }));
    const ref = { type: 'ref/prompt', name: 'greet_someone' };
    await relay.ask('complete', 'completion/complete', params({ ref, argument: { name: 'who', value: 'x' } }));
    const asked = [...product.calls, ...product.asked.map(({ call }) => call)];
    expect(asked.map(({ worksIn }) => worksIn)).toEqual(Array(5).fill(folder));
  },
);

it('tells it with a subscription, too', async () => {
  const { product, ...window } = await startTestServer();
  const relay = startRelay();
  relay.windows.choose(recordOf(window), folder);
  const resourceSubscriptions = ['file:///here.txt'];
  relay.send({
    jsonrpc: '2.0',
    id: 'listen',
    method: 'subscriptions/listen',
    params: modernParams({ notifications: { resourceSubscriptions } }),
  });
  await expect.poll(() => product.asked).toMatchObject([{ what: 'watch file:///here.txt', call: { worksIn: folder } }]);
});

it('tells nothing any more once the client named the window, and again when it does not', async () => {
  const { product, ...window } = await startTestServer();
  const relay = startRelay();
  const record = recordOf(window);
  relay.windows.choose(record, folder);
  await introduce(relay);
  const call = (id: string) => relay.ask(id, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
  await call('one');
  relay.windows.choose(record);
  await call('two');
  relay.windows.choose(record, folder);
  await call('three');
  expect(product.calls.map(({ worksIn }) => worksIn)).toEqual([folder, undefined, folder]);
});
