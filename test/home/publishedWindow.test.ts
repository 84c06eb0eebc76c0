import { mkdtemp, rm } from 'node:fs/promises';
import type * as os from 'node:os';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { publishWindow } from '#home/publishedWindow.ts';
import { readWindowRecords } from '#home/windowFiles.ts';
import { makeSecret } from '#mcp/auth.ts';

const host = vi.hoisted(() => ({ name: 'laptop.home' }));
vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  hostname: () => host.name,
}));

test('finds a window again when the host name changed with the network', async () => {
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-published-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const window = {
    windowId: 'window-1',
    folders: [],
    trusted: true,
    extensionVersion: '1.2.3',
    editor: { name: 'Editor', version: '1.0.0' },
    focusedAt: 0,
  };
  const options = { clock: systemClock, drawbridgeHome: home, token: makeSecret(), window: () => window };
  const endpoints = { endpoint: 'http://127.0.0.1:50001/mcp', httpEndpoint: () => undefined };
  const published = await publishWindow(options, endpoints);
  host.name = 'laptop.office';
  await published.update();
  expect((await readWindowRecords(home)).map(({ windowId, hostName }) => [windowId, hostName])).toEqual([
    ['window-1', 'laptop.office'],
  ]);
});
