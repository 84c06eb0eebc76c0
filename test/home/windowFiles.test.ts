import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { isSameBoot, isSameHost, ownProcess } from '#home/hostIdentity.ts';
import {
  readWindowRecords,
  removeWindowFile,
  sweepWindowFiles,
  WindowRecord,
  writeWindowFile,
  type WindowAnswer,
} from '#home/windowFiles.ts';
import { windowRecord } from '../bridge/windowRecord.ts';
import { startTestServer, temporaryFolder, send } from '../mcp/fixture.ts';

const posix = process.platform !== 'win32';

async function record(changes: Partial<WindowRecord> = {}): Promise<WindowRecord> {
  return windowRecord({ ...(await ownProcess()), ...changes });
}

/** Returns the pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

const alive = async (): Promise<WindowAnswer> => 'alive';

describe('H12 the window file', () => {
  it.runIf(posix)('is private from the moment it appears', async () => {
    const home = join(await temporaryFolder(), 'home');
    await mkdir(join(home, 'windows'), { recursive: true });
    const modes: Promise<number | undefined>[] = [];
    const watcher = watch(join(home, 'windows'), (_, name) => {
      if (name !== null)
        modes.push(
          stat(join(home, 'windows', name)).then(
            ({ mode }) => mode & 0o777,
            () => undefined,
          ),
        );
    });
    const before = process.umask(0);
    try {
      for (let count = 0; count < 20; count++) await writeWindowFile(home, await record());
    } finally {
      process.umask(before);
    }
    const path = join(home, 'windows', 'window-1.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await new Promise((resolve) => setTimeout(resolve, 50));
    watcher.close();
    const seen = (await Promise.all(modes)).filter((mode) => mode !== undefined);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set([0o600]));
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, 'windows'))).mode & 0o777).toBe(0o700);
  });

  it.runIf(posix)('replaces a link in its place and leaves the target of the link alone', async () => {
    const home = await temporaryFolder();
    const target = join(home, 'target');
    await writeFile(target, 'untouched', { mode: 0o666 });
    await mkdir(join(home, 'windows'));
    const path = join(home, 'windows', 'window-1.json');
    await symlink(target, path);
    const written = await record();
    expect(await writeWindowFile(home, written)).toBe(path);
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(written);
    expect(await readFile(target, 'utf8')).toBe('untouched');
    expect((await stat(target)).mode & 0o777).not.toBe(0o600);
  });

  it.runIf(posix)('replaces a file that others may read', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'windows'));
    const path = join(home, 'windows', 'window-1.json');
    await writeFile(path, 'old');
    await chmod(path, 0o666);
    await writeWindowFile(home, await record());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.runIf(posix)('refuses a folder that is a link or a file', async () => {
    const [home, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    await symlink(elsewhere, join(home, 'windows'));
    await expect(record().then((one) => writeWindowFile(home, one))).rejects.toThrow(/not a folder/);
    expect(await readdir(elsewhere)).toEqual([]);
    const other = await temporaryFolder();
    await writeFile(join(other, 'windows'), 'x');
    await expect(record().then((one) => writeWindowFile(other, one))).rejects.toThrow(/not a folder/);
  });

  it('leaves no partial file when the write fails', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'windows', 'window-1.json'), { recursive: true });
    await expect(record().then((one) => writeWindowFile(home, one))).rejects.toThrow(/EISDIR|EPERM|ENOTEMPTY|EEXIST/);
    expect(await readdir(join(home, 'windows'))).toEqual(['window-1.json']);
  });

  it.each(['../evil', 'a/b', '', 'a.b'])('refuses the window id %j', async (windowId) => {
    const home = await temporaryFolder();
    await expect(record({ windowId }).then((one) => writeWindowFile(home, one))).rejects.toThrow(/windowId/);
    expect(await readdir(home)).toEqual([]);
  });

  it('removes a file only when it holds the same token', async () => {
    const home = await temporaryFolder();
    const [first, second] = [await record(), await record()];
    await writeWindowFile(home, first);
    const path = await writeWindowFile(home, second);
    await removeWindowFile(home, 'window-1', first.token);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(second);
    await removeWindowFile(home, 'window-1', second.token);
    expect(await readdir(join(home, 'windows'))).toEqual([]);
    await removeWindowFile(home, 'window-1', second.token);
  });
});

describe('reading the windows of this host', () => {
  it('skips other hosts, boots, containers and malformed files, and removes nothing', async () => {
    const home = await temporaryFolder();
    expect(await readWindowRecords(home)).toEqual([]);
    const here = await record({ windowId: 'here', focusedAt: 7 });
    await writeWindowFile(home, here);
    await writeWindowFile(home, await record({ windowId: 'dead', pid: await deadPid() }));
    await writeWindowFile(home, await record({ windowId: 'otherHost', hostName: 'elsewhere' }));
    await writeWindowFile(home, await record({ windowId: 'otherBoot', bootId: 'before' }));
    await writeWindowFile(home, await record({ windowId: 'otherContainer', pidNamespace: 'pid:[1]' }));
    await writeFile(join(home, 'windows', 'notes.json'), '{"mine":true}');
    const found = await readWindowRecords(home);
    expect(found.map(({ windowId }) => windowId).toSorted()).toEqual(['dead', 'here']);
    expect(found).toContainEqual(here);
    expect(await readdir(join(home, 'windows'))).toHaveLength(6);
  });

  it('accepts a file of an older version without focusedAt', async () => {
    const home = await temporaryFolder();
    const { focusedAt: _, ...older } = await record();
    await mkdir(join(home, 'windows'), { recursive: true });
    await writeFile(join(home, 'windows', 'window-1.json'), JSON.stringify(older), { mode: 0o600 });
    expect((await readWindowRecords(home)).map(({ focusedAt }) => focusedAt)).toEqual([0]);
  });

  it.each([
    ['boot-29000000', 'boot-29000001', true],
    ['boot-29000000', 'boot-29000006', false],
    ['7f3a', '7f3a', true],
    ['7f3a', 'boot-29000000', false],
  ])('compares boot id %s and boot id %s: same boot %s', (one, other, same) => {
    expect([isSameBoot(one, other), isSameBoot(other, one)]).toEqual([same, same]);
  });

  it.each([
    ['macOS, where the name changes with the network', '5C1E', 'none', true],
    ['Windows, where only the name identifies the host', 'boot-29000000', 'none', false],
    ['Linux, where a container may share everything but the name', '5c1e', 'pid:[1]', false],
  ])('recognises the same host under another name on %s: %s', (_, bootId, pidNamespace, same) => {
    const before = { hostName: 'laptop.local', bootId, pidNamespace };
    expect(isSameHost(before, { ...before, hostName: 'laptop.office.example' })).toBe(same);
    expect(isSameHost(before, { ...before, hostName: 'laptop.office.example', bootId: 'another' })).toBe(false);
  });
});

describe('sweepWindowFiles', () => {
  it('creates no folder when the state folder is gone', async () => {
    const home = join(await temporaryFolder(), 'gone');
    await sweepWindowFiles(home, alive);
    await expect(readdir(home)).rejects.toThrow('ENOENT');
  });

  it('removes only files of ended processes of this host', async () => {
    const home = await temporaryFolder();
    const pid = await deadPid();
    await writeWindowFile(home, await record({ windowId: 'dead', pid }));
    await writeWindowFile(home, await record({ windowId: 'alive' }));
    await writeWindowFile(home, await record({ windowId: 'otherHost', pid, hostName: 'elsewhere' }));
    await writeWindowFile(home, await record({ windowId: 'otherBoot', pid, bootId: 'before' }));
    await writeWindowFile(home, await record({ windowId: 'otherContainer', pid, pidNamespace: 'pid:[1]' }));
    await writeFile(join(home, 'windows', 'notes.json'), '{"mine":true}');
    await sweepWindowFiles(home, alive);
    const left = await readdir(join(home, 'windows'));
    expect(left.toSorted()).toEqual([
      'alive.json',
      'notes.json',
      'otherBoot.json',
      'otherContainer.json',
      'otherHost.json',
    ]);
  });

  it.runIf(process.platform === 'linux')('removes a file when another process has its pid', async () => {
    const home = await temporaryFolder();
    const { processStart = 0 } = await ownProcess();
    await writeWindowFile(home, await record({ processStart: processStart - 1 }));
    await sweepWindowFiles(home, alive);
    expect(await readdir(join(home, 'windows'))).toEqual([]);
  });

  it('keeps the file of a window that started before the clock was set', async () => {
    const home = await temporaryFolder();
    await writeWindowFile(home, await record({ startedAt: Date.now() - 365 * 24 * 3600 * 1000 }));
    await sweepWindowFiles(home, alive);
    expect(await readdir(join(home, 'windows'))).toEqual(['window-1.json']);
  });

  it('asks the endpoint of a running process with its token', async () => {
    const home = await temporaryFolder();
    const test = await startTestServer();
    const { endpoint } = test.server;
    await writeWindowFile(home, await record({ windowId: 'accepted', endpoint, token: test.server.token }));
    await writeWindowFile(home, await record({ windowId: 'refused', endpoint }));
    const closed = await startTestServer();
    await closed.server.stop();
    await writeWindowFile(home, await record({ windowId: 'closed', endpoint: closed.server.endpoint }));
    await sweepWindowFiles(home);
    expect(await readdir(join(home, 'windows'))).toEqual(['accepted.json']);
  });

  it('removes temporary files of crashed writers', async () => {
    const home = await temporaryFolder();
    await writeWindowFile(home, await record());
    const [old, fresh] = ['a.json.0011.tmp', 'b.json.0022.tmp'].map((name) => join(home, 'windows', name));
    await writeFile(old ?? '', 'x');
    await writeFile(fresh ?? '', 'x');
    await utimes(old ?? '', 1, 1);
    await sweepWindowFiles(home, alive);
    expect((await readdir(join(home, 'windows'))).toSorted()).toEqual(['b.json.0022.tmp', 'window-1.json']);
  });
});

describe('the file of a running server', () => {
  it('holds the endpoint, follows changes of the window, and is removed at the end', async () => {
    const home = join(await temporaryFolder(), 'made', 'by', 'us');
    let folders = [{ name: 'one', path: '/one', uri: 'file:///one' }];
    let focusedAt = 0;
    const { server, port } = await startTestServer({
      drawbridgeHome: home,
      clock: systemClock,
      window: () => ({
        windowId: 'window-9',
        folders,
        trusted: false,
        extensionVersion: '1.2.3',
        editor: { name: 'Editor', version: '1.0.0' },
        focusedAt,
      }),
    });
    expect(server.windowFile).toBe(join(home, 'windows', 'window-9.json'));
    const read = async (): Promise<WindowRecord> =>
      WindowRecord.parse(JSON.parse(await readFile(server.windowFile, 'utf8')));
    expect(await read()).toMatchObject({ endpoint: server.endpoint, token: server.token, folders, pid: process.pid });
    folders = [...folders, { name: 'two', path: '/two', uri: 'file:///two' }];
    focusedAt = 1_700_000_000_000;
    await server.updateWindow();
    expect(await read()).toMatchObject({ folders, focusedAt });
    const stopped = server.stop();
    const late = server.updateWindow();
    await Promise.all([stopped, late]);
    expect(await readdir(join(home, 'windows'))).toEqual([]);
    await expect(send(port, 'GET', {})).rejects.toThrow(/ECONNREFUSED/);
  });

  it('holds a change that happened during its first write', async () => {
    let folders: WindowRecord['folders'] = [];
    const known = {
      windowId: 'window-9',
      trusted: true,
      extensionVersion: '1',
      editor: { name: 'E', version: '1' },
      focusedAt: 0,
    };
    const { server } = await startTestServer({
      drawbridgeHome: await temporaryFolder(),
      clock: systemClock,
      window: () => {
        // The editor reports the folder shortly after the first write began.
        setImmediate(() => (folders = [{ name: 'one', path: '/one', uri: 'file:///one' }]));
        return { ...known, folders };
      },
    });
    const { folders: written } = WindowRecord.parse(JSON.parse(await readFile(server.windowFile, 'utf8')));
    expect(written.map(({ name }) => name)).toEqual(['one']);
    await server.stop();
  });
});
