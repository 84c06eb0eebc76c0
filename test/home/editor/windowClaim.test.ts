import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimWindow, type WindowClaim } from '#home/editor/windowClaim.ts';
import { hostIdentity } from '#home/hostIdentity.ts';
import { writeWindowFile } from '#home/windowFiles.ts';
import { makeSecret } from '#mcp/auth.ts';

function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-claim-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [folder, home] = [join(directory, 'storage'), join(directory, 'home')];
  return {
    folder,
    home,
    claim: (patienceMilliseconds = 0): Promise<WindowClaim> =>
      claimWindow({ storage: { scheme: 'file', fsPath: folder }, home, patienceMilliseconds }),
    /** Makes another process the owner of a claim. */
    give: async (
      owner: Partial<
        Record<'hostName' | 'bootId' | 'pidNamespace', string> & Record<'processStart' | 'startedAt', number>
      >,
    ) => {
      const holder = { ...(await hostIdentity()), pid: process.ppid, startedAt: Date.now(), ...owner };
      writeFileSync(join(folder, 'window-owner'), JSON.stringify(holder), { mode: 0o600 });
    },
  };
}

interface OtherWindow {
  readonly child: ChildProcess;
  /** Opens the window; resolves with its id. */
  open(): Promise<string>;
}

/** Starts another window on the folder, in a process that runs until it is ended. */
async function otherWindow(folder: string, home: string): Promise<OtherWindow> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'windowClaimer.ts'), folder, home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  return {
    child,
    async open() {
      child.stdin.write('open\n');
      return String((await once(lines, 'line'))[0]);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const isPosix = process.platform !== 'win32';

describe('a window', () => {
  test('keeps its id after a reload', async () => {
    const { claim, folder } = setUp();
    const before = await claim();
    expect(before.windowId).toMatch(/^[0-9a-f]{32}$/);
    before.release();
    expect(existsSync(join(folder, 'window-owner'))).toBe(false);
    expect((await claim()).windowId).toBe(before.windowId);
  });

  test('keeps its id when the extension restarts without a release', async () => {
    const { claim } = setUp();
    const before = await claim();
    expect((await claim()).windowId).toBe(before.windowId);
  });

  test('gets a new id each time and no port when it has no folder', async () => {
    const { home } = setUp();
    const [one, other] = [
      await claimWindow({ storage: undefined, home }),
      await claimWindow({ storage: undefined, home }),
    ];
    expect(one.windowId).not.toBe(other.windowId);
    expect(await one.httpPort()).toBeUndefined();
    expect(existsSync(home)).toBe(false);
  });

  test('chooses a random high port at the first request and keeps it', async () => {
    const { claim, folder } = setUp();
    const first = await claim();
    expect(existsSync(join(folder, 'http-port'))).toBe(false);
    const port = (await first.httpPort()) ?? 0;
    expect(port).toBeGreaterThanOrEqual(49_152);
    expect(port).toBeLessThanOrEqual(65_535);
    expect(await first.httpPort()).toBe(port);
    first.release();
    expect(await (await claim()).httpPort()).toBe(port);
    const elsewhere = await Promise.all(Array.from({ length: 8 }, async () => (await setUp().claim()).httpPort()));
    expect(new Set([port, ...elsewhere]).size).toBeGreaterThan(1);
  });

  test.each(['0', '80', '99999', 'x', '3.5e4', ''])(
    'takes another port than %j, which is none of ours',
    async (kept) => {
      const { claim, folder } = setUp();
      const claimed = await claim();
      writeFileSync(join(folder, 'http-port'), kept);
      expect(await claimed.httpPort()).toBeGreaterThanOrEqual(49_152);
    },
  );

  test.runIf(isPosix)('writes files that only this user can read', async () => {
    const { claim, folder } = setUp();
    await (await claim()).httpPort();
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
  });
});

describe('windows on the same folder', () => {
  test('have an id and a port each, and keep them after a reload', async () => {
    const { claim, give, folder } = setUp();
    const first = await claim();
    await give({});
    const second = await claim();
    expect(second.windowId).not.toBe(first.windowId);
    expect(await second.httpPort()).not.toBe(await first.httpPort());
    second.release();
    expect((await claim()).windowId).toBe(second.windowId);
    rmSync(join(folder, 'window-owner'));
    expect((await claim()).windowId).toBe(first.windowId);
  });

  test('get different ids when they open at the same time', async () => {
    const { folder, home } = setUp();
    const windows = await Promise.all(Array.from({ length: 6 }, () => otherWindow(folder, home)));
    const ids = await Promise.all(windows.map((window) => window.open()));
    expect(new Set(ids).size).toBe(6);
  });

  test('free the claim of a killed window', async () => {
    const { folder, home, claim } = setUp();
    const [first, second] = [await otherWindow(folder, home), await otherWindow(folder, home)];
    const ids = [await first.open(), await second.open()];
    await kill(first.child);
    expect((await claim()).windowId).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
  });

  test.runIf(process.platform === 'linux')('free the claim when another process has the pid', async () => {
    const { claim, give } = setUp();
    const { windowId } = await claim();
    await give({ processStart: 1 });
    expect((await claim()).windowId).toBe(windowId);
  });

  test('keep a claim that was made before the clock was set', async () => {
    const { claim, give } = setUp();
    const { windowId } = await claim();
    await give({ startedAt: 1 });
    expect((await claim()).windowId).not.toBe(windowId);
  });

  test('wait for a window that reloads, so that it keeps its id', async () => {
    const { claim, folder, give } = setUp();
    const before = await claim();
    await give({});
    const after = claim(60_000);
    await vi.waitUntil(() => existsSync(join(folder, 'window-owners.lock')), { interval: 1 });
    await vi.waitUntil(() => !existsSync(join(folder, 'window-owners.lock')), { interval: 1 });
    rmSync(join(folder, 'window-owner'));
    expect((await after).windowId).toBe(before.windowId);
  });

  test('keep the claim of the next window when the first one releases late', async () => {
    const { claim, folder, give } = setUp();
    const before = await claim();
    await give({});
    before.release();
    expect(existsSync(join(folder, 'window-owner'))).toBe(true);
  });
});

describe('a claim of another host', () => {
  test.each([
    ['an earlier boot of this host', { bootId: 'before' }],
    ['another host without a window file', { hostName: 'elsewhere' }],
    ['another container without a window file', { pidNamespace: 'pid:[1]' }],
  ])('is free when it belongs to %s', async (_, owner) => {
    const { claim, give } = setUp();
    const { windowId } = await claim();
    await give(owner);
    expect((await claim()).windowId).toBe(windowId);
  });

  test('is not free when the window of that host is published', async () => {
    const { claim, give, home } = setUp();
    const { windowId } = await claim();
    const elsewhere = { ...(await hostIdentity()), hostName: 'elsewhere' };
    await give(elsewhere);
    await writeWindowFile(home, {
      version: 1,
      windowId,
      endpoint: 'http://127.0.0.1:1/mcp',
      token: makeSecret(),
      folders: [],
      trusted: true,
      extensionVersion: '0.0.0',
      editor: { name: 'Editor', version: '1.0.0' },
      ...elsewhere,
      pid: 1,
      startedAt: 1,
      focusedAt: 0,
    });
    expect((await claim()).windowId).not.toBe(windowId);
  });

  test('is free when the owner file is malformed', async () => {
    const { claim, folder } = setUp();
    const { windowId } = await claim();
    writeFileSync(join(folder, 'window-owner'), '{"pid":');
    expect((await claim()).windowId).toBe(windowId);
    expect(JSON.parse(readFileSync(join(folder, 'window-owner'), 'utf8'))).toMatchObject({ pid: process.pid });
  });
});
