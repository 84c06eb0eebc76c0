import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimWindow, type WindowClaim } from '#home/editor/windowClaim.ts';
import { hostIdentity } from '#home/hostIdentity.ts';
import { writeWindowFile } from '#home/windows.ts';
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
    /** Another process becomes the holder of a place. */
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
  /** Opens it; resolves with its id. */
  open(): Promise<string>;
}

/** Another window on the folder: a process of its own, which lives until it is ended. */
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
  test('is the same after a reload', async () => {
    const { claim, folder } = setUp();
    const before = await claim();
    expect(before.windowId).toMatch(/^[0-9a-f]{32}$/);
    before.release();
    expect(existsSync(join(folder, 'window-owner'))).toBe(false);
    expect((await claim()).windowId).toBe(before.windowId);
  });

  test('is the same when its extension was started again without an end', async () => {
    const { claim } = setUp();
    const before = await claim();
    expect((await claim()).windowId).toBe(before.windowId);
  });

  test('is another one each time without a folder, and has no port', async () => {
    const { home } = setUp();
    const [one, other] = [
      await claimWindow({ storage: undefined, home }),
      await claimWindow({ storage: undefined, home }),
    ];
    expect(one.windowId).not.toBe(other.windowId);
    expect(await one.httpPort()).toBeUndefined();
    expect(existsSync(home)).toBe(false);
  });

  test('keeps one random high port, chosen when it is first asked for', async () => {
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

  test.runIf(isPosix)('keeps files that only its user can read', async () => {
    const { claim, folder } = setUp();
    await (await claim()).httpPort();
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
  });
});

describe('two windows on the same folder', () => {
  test('are two windows, with a port each, and each is itself again after a reload', async () => {
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

  test('that open at the same moment are not the same', async () => {
    const { folder, home } = setUp();
    const windows = await Promise.all(Array.from({ length: 6 }, () => otherWindow(folder, home)));
    const ids = await Promise.all(windows.map((window) => window.open()));
    expect(new Set(ids).size).toBe(6);
  });

  test('the place of one that was killed is free again', async () => {
    const { folder, home, claim } = setUp();
    const [first, second] = [await otherWindow(folder, home), await otherWindow(folder, home)];
    const ids = [await first.open(), await second.open()];
    await kill(first.child);
    expect((await claim()).windowId).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
  });

  test.runIf(process.platform === 'linux')('the place of one whose process id another has now is free', async () => {
    const { claim, give } = setUp();
    const { windowId } = await claim();
    await give({ processStart: 1 });
    expect((await claim()).windowId).toBe(windowId);
  });

  test('the place of one that began before the clock was set is not free', async () => {
    const { claim, give } = setUp();
    const { windowId } = await claim();
    await give({ startedAt: 1 });
    expect((await claim()).windowId).not.toBe(windowId);
  });

  test('one that reloads is waited for, so that it stays itself', async () => {
    const { claim, folder, give } = setUp();
    const before = await claim();
    await give({});
    const after = claim(60_000);
    await vi.waitUntil(() => existsSync(join(folder, 'window-owners.lock')), { interval: 1 });
    await vi.waitUntil(() => !existsSync(join(folder, 'window-owners.lock')), { interval: 1 });
    rmSync(join(folder, 'window-owner'));
    expect((await after).windowId).toBe(before.windowId);
  });

  test('one that ended does not take the place from the one that came after it', async () => {
    const { claim, folder, give } = setUp();
    const before = await claim();
    await give({});
    before.release();
    expect(existsSync(join(folder, 'window-owner'))).toBe(true);
  });
});

describe('a place that another computer left', () => {
  test.each([
    ['an earlier start of this computer', { bootId: 'before' }],
    ['another computer that shows no window', { hostName: 'elsewhere' }],
    ['another container that shows no window', { pidNamespace: 'pid:[1]' }],
  ])('of %s is free', async (_, owner) => {
    const { claim, give } = setUp();
    const { windowId } = await claim();
    await give(owner);
    expect((await claim()).windowId).toBe(windowId);
  });

  test('of one whose window is there is not', async () => {
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

  test('is free when what stands there is no owner', async () => {
    const { claim, folder } = setUp();
    const { windowId } = await claim();
    writeFileSync(join(folder, 'window-owner'), '{"pid":');
    expect((await claim()).windowId).toBe(windowId);
    expect(JSON.parse(readFileSync(join(folder, 'window-owner'), 'utf8'))).toMatchObject({ pid: process.pid });
  });
});
