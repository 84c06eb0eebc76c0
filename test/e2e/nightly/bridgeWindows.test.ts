import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ownProcess } from '#home/hostIdentity.ts';
import { processesOf } from '../../host/processes.ts';
import { size } from '../../size.ts';
import { textOfAnswer } from '../assistant.ts';
import { type Bridge, bridgeSdks, type BridgeOptions, launcherOf, startBridge } from '../bridgeClient.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, until, type Window, type WindowRecord } from '../harness.ts';

const places = ['shop', 'inner', 'several'] as const;
type Place = (typeof places)[number];

let drawbridge: Drawbridge;
let windows: Readonly<Record<Place, Window>>;
/** The directory in which the assistant of each window starts, below the folders of that window. */
let directories: Readonly<Record<Place, string>>;
/** A folder that no window has open. */
let elsewhere: string;

beforeAll(async () => {
  const shop = tempWorkspace(
    { 'who.txt': 'shop', 'other/a.txt': '', 'inner/who.txt': 'inner', 'inner/deep/a.txt': '' },
    'shop',
  );
  const several = tempWorkspace(
    {
      'first/who.txt': 'several',
      'second/below/a.txt': '',
      'several.code-workspace': JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }),
    },
    'several',
  );
  elsewhere = tempWorkspace({}, 'elsewhere');
  directories = {
    shop: join(shop, 'other'),
    inner: join(shop, 'inner/deep'),
    several: join(several, 'second/below'),
  };
  drawbridge = await startDrawbridge({ folder: shop });
  windows = {
    shop: drawbridge.window,
    inner: await drawbridge.host.openWindow({ folder: join(shop, 'inner') }),
    several: await drawbridge.host.openWindow({ workspace: join(several, 'several.code-workspace') }),
  };
  await until(async () => (await recordOf('several')).folders.length === 2, 'both folders');
  for (const place of places) await recordOf(place);
  await until(() => existsSync(launcherOf(drawbridge.host.home)), 'the launcher');
});
afterAll(() => drawbridge?.stop());

const recordOf = (place: Place): Promise<WindowRecord> => drawbridge.record(windows[place]);
const idOf = async (place: Place): Promise<string> => (await recordOf(place)).windowId;

/** Starts a bridge and ends it again, whatever `use` comes to. */
async function withBridge<T>(
  options: Omit<BridgeOptions, 'home'>,
  use: (bridge: Bridge) => T | Promise<T>,
): Promise<T> {
  const bridge = await startBridge({ home: drawbridge.host.home, ...options });
  try {
    return await use(bridge);
  } finally {
    await bridge.close();
  }
}

describe('three windows, one inside another, one with two folders', () => {
  it.each(bridgeSdks)(
    'are reached by each bridge whose directory they contain, and the bridge names the window (SDK %s)',
    async (sdk) => {
      for (const place of places) {
        const text = await withBridge({ directory: directories[place], sdk }, async (bridge) => {
          expect([place, await bridge.windowId()]).toEqual([place, await idOf(place)]);
          expect(await bridge.say('read_file', { path: 'who.txt' })).toContain(place);
          return bridge.stderr();
        });
        // The folder that is open, one above where the assistant was started.
        expect(text).toContain(`it has the folder ${dirname(directories[place])} open`);
      }
    },
  );

  it('get only their own calls when nine bridges call at the same time', { timeout: 600_000 }, async () => {
    const started = places.flatMap((place) =>
      bridgeSdks.map(async (sdk) => {
        const bridge = await startBridge({ home: drawbridge.host.home, directory: directories[place], sdk });
        return { place, bridge };
      }),
    );
    const bridges = await Promise.all(started);
    const reading = z.looseObject({ structuredContent: z.looseObject({ text: z.string() }) });
    const wrong: string[] = [];
    let left = size({ quick: 540, full: 10_000 });
    const work = async ({ place, bridge }: (typeof bridges)[number]): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const answer = await bridge.call('read_file', { path: 'who.txt' });
        const text = reading.safeParse(answer).data?.structuredContent.text;
        if (text !== place) wrong.push(`${place}: ${text ?? textOfAnswer(answer)}`);
      }
    };
    await Promise.all(bridges.flatMap((each) => Array.from({ length: 6 }, () => work(each))));
    await Promise.all(bridges.map(({ bridge }) => bridge.close()));
    expect(wrong).toEqual([]);
  });
});

describe('the choice of the window', () => {
  it('prefers --folder to the directory, and accepts no other window when --folder is given', async () => {
    const { inner: directory, shop } = directories;
    await withBridge({ directory, args: ['--folder', shop] }, async (bridge) => {
      expect(await bridge.windowId()).toBe(await idOf('shop'));
    });
    await withBridge({ directory, args: ['--folder', elsewhere] }, async (bridge) => {
      expect(await bridge.say('get_workspace')).toContain('[workspace_unavailable]');
    });
  });

  it('prefers the client’s roots to DRAWBRIDGE_WINDOW and the directory', async () => {
    const environment = { DRAWBRIDGE_WINDOW: await idOf('inner') };
    const options = { directory: directories.inner, roots: [directories.several], environment };
    await withBridge(options, async (bridge) => {
      expect(await bridge.windowId()).toBe(await idOf('several'));
    });
  });

  it('leads an assistant in an integrated terminal to the window of the terminal, wherever it is started', async () => {
    const file = join(elsewhere, 'terminal.txt');
    await windows.inner.evaluate((vscode, path) => {
      vscode.window.createTerminal('assistant').sendText(`printf %s "$DRAWBRIDGE_WINDOW" > '${path}'`);
    }, file);
    const id = await until(() => existsSync(file) && readFileSync(file, 'utf8'), 'the variable in the terminal');
    expect(id).toBe(await idOf('inner'));
    await withBridge({ directory: directories.several, environment: { DRAWBRIDGE_WINDOW: id } }, async (bridge) => {
      expect(await bridge.windowId()).toBe(id);
    });
  });

  it('F10: never picks a wrong window: for a directory outside every folder the bridge lists the open windows and says what to do', async () => {
    await withBridge({ directory: elsewhere }, async (bridge) => {
      const text = await bridge.say('get_workspace');
      expect(text).toContain('[workspace_unavailable]');
      for (const place of places) expect(text).toContain((await recordOf(place)).folders[0]?.path);
    });
  });

  it('distinguishes two windows on one folder, and prefers the one that had the focus last', async () => {
    const folder = join(directories.inner, '..');
    const twin = await drawbridge.host.openWindow({ folder });
    const ids = [await idOf('inner'), (await drawbridge.record(twin)).windowId];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      await withBridge({ directory: elsewhere, environment: { DRAWBRIDGE_WINDOW: id } }, async (bridge) => {
        expect(await bridge.windowId()).toBe(id);
      });
    }
    const focusedAt = async (window: Window): Promise<number> =>
      z.object({ focusedAt: z.number() }).parse(await drawbridge.record(window)).focusedAt;
    const expected = (await focusedAt(twin)) > (await focusedAt(windows.inner)) ? ids[1] : ids[0];
    await withBridge({ directory: directories.inner }, async (bridge) => {
      expect(await bridge.windowId()).toBe(expected);
    });
    await twin.close();
  });

  it('ignores window files with a reused process id, a dead process or another host', async () => {
    const requestHeaders: IncomingHttpHeaders[] = [];
    const stranger = createServer((question, response) => {
      requestHeaders.push(question.headers);
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsing edge: what a listening TCP server says
    const { port } = stranger.address() as AddressInfo;
    const real = await recordOf('shop');
    const tokens = await Promise.all(places.map(async (place) => (await recordOf(place)).token));
    const lie = {
      ...real,
      folders: [{ name: 'other', path: directories.shop, uri: `file://${directories.shop}` }],
      token: 'x'.repeat(43),
      endpoint: `http://127.0.0.1:${port}/mcp`,
      focusedAt: Date.now() + 60_000,
    };
    const invalidRecords: readonly object[] = [
      // This process began at another time than the window that once had its number.
      { ...lie, windowId: 'reused', pid: process.pid },
      { ...lie, windowId: 'refusing', ...(await ownProcess()), endpoint: 'http://127.0.0.1:9/mcp' },
      { ...lie, windowId: 'dead', pid: spawnSync('true').pid },
      { ...lie, windowId: 'elsewhere', hostName: 'another-host' },
      { ...lie, windowId: 'before', bootId: 'the-boot-before' },
    ];
    const files = invalidRecords.map((_, at) => join(drawbridge.host.home, 'windows', `lie-${at}.json`));
    for (const [at, file] of files.entries()) writeFileSync(file, JSON.stringify(invalidRecords[at]), { mode: 0o600 });
    try {
      await withBridge({ directory: directories.shop }, async (bridge) => {
        expect(await bridge.windowId()).toBe(real.windowId);
      });
    } finally {
      for (const file of files) rmSync(file, { force: true });
      stranger.close();
    }
    for (const token of tokens) expect(JSON.stringify(requestHeaders)).not.toContain(token);
  });
});

describe('the bridge process', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends on %s while its input is open, and leaves nothing behind',
    async (name) => {
      const bridge = await startBridge({ home: drawbridge.host.home, directory: directories.shop, sdk: 'v2' });
      await bridge.windowId();
      process.kill(bridge.pid, name);
      await until(() => bridgesRunning().length === 0, 'every bridge to be gone');
      expect(bridge.stderr()).not.toContain('Error');
      await bridge.close();
    },
  );

  it('starts with an empty PATH and another home, and ignores proxies', async () => {
    const proxies = { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' };
    const environment = { ...proxies, PATH: '', HOME: elsewhere };
    await withBridge({ directory: directories.shop, environment }, async (bridge) => {
      expect(await bridge.windowId()).toBe(await idOf('shop'));
    });
  });
});

/** Bridges and launchers of this host that still run. */
function bridgesRunning(): number[] {
  return processesOf(drawbridge.host.directory).filter((pid) => {
    try {
      return /bridge\.cjs|bin\/drawbridge/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    } catch {
      return false; // has ended
    }
  });
}
