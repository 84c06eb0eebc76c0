import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../fakes/clock.ts';
import { startTestServer, until, type TestServer } from '../fixture.ts';
import { listenModern, WireSession, type WireStream } from './wire.ts';

const toolsChanged = 'notifications/tools/list_changed';
const resourcesChanged = 'notifications/resources/list_changed';
const promptsChanged = 'notifications/prompts/list_changed';

async function listeners(test: TestServer): Promise<readonly WireStream[]> {
  return [
    await (await WireSession.open(test)).listen(),
    await (await WireSession.open(test, { revision: '2024-11-05' })).listen(),
    await listenModern(test, { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true }),
  ];
}

describe('list_changed notifications to clients of both eras', () => {
  it.each([
    [
      'other tools, resources and prompts',
      [toolsChanged, resourcesChanged, promptsChanged],
      ({ product }: TestServer) => product.catalog.changed(),
    ],
    ['another form of the tools', [toolsChanged], ({ product }: TestServer) => product.changedProfiles.fire()],
    ['other open resources', [resourcesChanged], ({ product }: TestServer) => product.changedResources.fire()],
  ])('report %s, once for a burst', async (_, methods, change) => {
    const clock = new FakeClock();
    const test = await startTestServer({ clock });
    const streams = await listeners(test);
    for (let count = 0; count < 50; count++) change(test);
    clock.advance(200);
    const heard = (times: number) =>
      until(() => streams.every((stream) => methods.every((method) => stream.of(method).length >= times)));
    await heard(1);
    change(test);
    clock.advance(200);
    await heard(2);
    for (const stream of streams) {
      for (const method of methods) expect(stream.of(method)).toHaveLength(2);
      const all = stream.messages.filter((message) => message.method?.endsWith('list_changed'));
      expect(all).toHaveLength(2 * methods.length);
    }
  });

  it('are not sent to a client that did not subscribe to them', async () => {
    const clock = new FakeClock();
    const test = await startTestServer({ clock });
    const stream = await listenModern(test, { resourcesListChanged: true });
    expect(stream.messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourcesListChanged: true } },
    });
    test.product.catalog.changed();
    test.product.changedResources.fire();
    clock.advance(200);
    await until(() => stream.of(resourcesChanged).length > 0);
    expect([...stream.of(toolsChanged), ...stream.of(promptsChanged)]).toEqual([]);
  });
});

it('leaves no timer and no listener behind when the server stops', async () => {
  const clock = new FakeClock();
  const test = await startTestServer({ clock });
  test.product.catalog.changed();
  await test.server.stop();
  const { pendingTimers } = clock;
  test.product.catalog.changed();
  test.product.changedProfiles.fire();
  test.product.changedResources.fire();
  expect(clock.pendingTimers).toBe(pendingTimers);
  expect(pendingTimers).toBe(0);
});
