import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWindows, type OpenWindowsOptions } from '#bridge/openWindows.ts';
import type { WindowSource } from '#bridge/windowSource.ts';
import { writeWindowFile } from '#home/windowFiles.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryFolder } from '../mcp/fixture.ts';
import { startSmallWindow } from './smallWindow.ts';
import { elsewhere, folderOf, windowRecord } from './windowRecord.ts';

type Wishes = OpenWindowsOptions['wishes'];

async function setUp() {
  const folder = await realpath(await temporaryFolder());
  const [home, shop, inner] = [join(folder, 'home'), join(folder, 'shop'), join(folder, 'shop', 'inner')];
  await mkdir(inner, { recursive: true });
  await mkdir(home);
  const clock = new FakeClock();
  const look = async (given: Partial<Wishes> = {}, surroundings = elsewhere): Promise<WindowSource> => {
    const wishes = { roots: [], workingDirectory: shop, ...given };
    const source = await openWindows({ home, clock, wishes, surroundings });
    onTestFinished(() => source.dispose());
    return source;
  };
  return { folder, home, shop, inner, clock, look };
}

/** Resolves once the chosen window is as wanted: by an event, not by asking again. */
function chosen(source: WindowSource, windowId: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (source.chosen?.record.windowId !== windowId) return;
      subscription.dispose();
      resolve();
    };
    const subscription = source.onDidChange(check);
    check();
  });
}

const idOf = (source: WindowSource): string | undefined => source.chosen?.record.windowId;

describe('the open windows', () => {
  it('chooses by the working directory and lists all open windows', async () => {
    const { home, shop, inner, clock, look } = await setUp();
    const [one] = await Promise.all([startSmallWindow(home, 'one', [shop]), startSmallWindow(home, 'two', ['/other'])]);
    const source = await look({ workingDirectory: inner });
    expect(source.chosen).toEqual({
      record: one.record,
      reason: `it has the folder ${shop} open, which holds the working directory`,
      worksIn: inner,
    });
    expect(source.open.map(({ windowId }) => windowId).toSorted()).toEqual(['one', 'two']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('resolves links and file URIs on both sides', async () => {
    const { folder, home, shop, inner, look } = await setUp();
    const link = join(folder, 'a link');
    await symlink(shop, link);
    await startSmallWindow(home, 'one', [link]);
    await startSmallWindow(home, 'two', ['/other']);
    expect(idOf(await look({ workingDirectory: inner }))).toBe('one');
    expect(idOf(await look({ folder: join(link, 'inner') }))).toBe('one');
    expect(idOf(await look({ folder: 'inner' }))).toBe('one');
    expect(idOf(await look({ folder: join(shop, 'not', 'yet', 'there') }))).toBe('one');
    expect(idOf(await look({ folder: '..' }))).toBeUndefined();
    expect(idOf(await look({ roots: [pathToFileURL(join(link, 'inner')).href] }))).toBe('one');
    expect(idOf(await look({ roots: ['vscode-remote://host/work', 'file://%'] }))).toBeUndefined();
  });

  it('never chooses a dead window when a live one matches, however well it fits', async () => {
    const { home, shop, inner, look } = await setUp();
    const killed = await startSmallWindow(home, 'killed', [inner]);
    await killed.kill();
    await writeWindowFile(
      home,
      await windowRecord({ windowId: 'ended', pid: 2 ** 22 + 1, folders: [folderOf(inner)] }),
    );
    await startSmallWindow(home, 'live', [shop]);
    const source = await look({ workingDirectory: inner });
    expect(idOf(source)).toBe('live');
  });

  it('takes the only live window although dead windows left files behind', async () => {
    const { home, look } = await setUp();
    await (await startSmallWindow(home, 'killed', ['/somewhere'])).kill();
    await startSmallWindow(home, 'live', ['/other']);
    const source = await look();
    expect(idOf(source)).toBe('live');
    expect(source.open.map(({ windowId }) => windowId)).toEqual(['live']);
  });

  it('ignores a window of another host', async () => {
    const { home, shop, look } = await setUp();
    const window = await startSmallWindow(home, 'one', [shop]);
    await window.write({ hostName: 'another' });
    const source = await look();
    expect([source.chosen, source.open]).toEqual([undefined, []]);
  });

  it('waits for a window whose port gives another answer, and takes no other window for it', async () => {
    const { home, shop, inner, clock, look } = await setUp();
    await startSmallWindow(home, 'busy', [inner], { status: 500 });
    await startSmallWindow(home, 'outer', [shop]);
    const source = await look({ workingDirectory: inner });
    expect([idOf(source), source.silent?.windowId]).toEqual([undefined, 'busy']);
    expect(clock.pendingTimers).toBe(1);
    const answers = chosen(source, 'busy');
    await startSmallWindow(home, 'busy', [inner]);
    await answers;
    expect(source.silent).toBeUndefined();
  });

  it('takes another window when the port of the first one belongs to another program now', async () => {
    const { home, shop, inner, look } = await setUp();
    await startSmallWindow(home, 'stale', [inner], { status: 404 });
    await startSmallWindow(home, 'outer', [shop]);
    expect(idOf(await look({ workingDirectory: inner }))).toBe('outer');
  });

  it('does not present a refused secret again at each look', async () => {
    const { home, shop, clock, look } = await setUp();
    const window = await startSmallWindow(home, 'one', [shop]);
    await window.write({ token: 'x'.repeat(43) });
    const source = await look();
    for (let looks = 0; looks < 5; looks++) await source.refresh();
    expect([idOf(source), window.requests()]).toEqual([undefined, 1]);
    clock.advance(10_000);
    await source.refresh();
    expect(window.requests()).toBe(2);
  });
});

describe('the folder that a bridge tells its window', () => {
  const only = async (given: Partial<Wishes>, surroundings = elsewhere) => {
    const { home, shop, inner, look } = await setUp();
    await startSmallWindow(home, 'only', [inner]);
    return { shop, inner, source: await look(given, surroundings) };
  };

  it('is the real path of the working directory, whether or not the window holds it', async () => {
    const { shop, source } = await only({});
    expect(source.chosen).toMatchObject({ record: { windowId: 'only' }, worksIn: shop });
    expect(source.chosen?.reason).toContain('it is the only window that is open, and asks its user');
    const { folder, home, inner, look } = await setUp();
    const link = join(folder, 'a link');
    await symlink(inner, link);
    await startSmallWindow(home, 'one', [inner]);
    expect((await look({ workingDirectory: link })).chosen?.worksIn).toBe(inner);
  });

  it('is none when --folder, a root or the terminal names the window, or when the directory says nothing', async () => {
    const { home, shop, inner, look } = await setUp();
    await startSmallWindow(home, 'only', [inner]);
    const toldBy = async (given: Partial<Wishes>, surroundings = elsewhere) => {
      const { chosen: found } = await look(given, surroundings);
      return [found?.record.windowId, found?.worksIn];
    };
    expect(await toldBy({ folder: inner })).toEqual(['only', undefined]);
    expect(await toldBy({ roots: [inner] })).toEqual(['only', undefined]);
    expect(await toldBy({ windowId: 'only' })).toEqual(['only', undefined]);
    expect(await toldBy({ windowId: 'another' })).toEqual(['only', shop]);
    expect(await toldBy({}, { ...elsewhere, home: shop })).toEqual(['only', undefined]);
  });

  it('goes with the roots of the client, and the bridge then needs another link', async () => {
    const { inner, shop, source } = await only({});
    let changes = 0;
    source.onDidChange(() => changes++);
    await source.setRoots([inner]);
    expect([source.chosen?.worksIn, changes]).toEqual([undefined, 1]);
    await source.setRoots([]);
    expect([source.chosen?.worksIn, changes]).toEqual([shop, 2]);
  });
});

describe('the bridge when windows come and go', () => {
  it('chooses a window that opens later, at once', async () => {
    const { home, shop, clock, look } = await setUp();
    await mkdir(join(home, 'windows'), { mode: 0o700 });
    const source = await look();
    expect([source.chosen, source.wanted]).toEqual([undefined, `the folder ${shop}`]);
    await startSmallWindow(home, 'one', [shop]);
    await chosen(source, 'one');
    expect(clock.pendingTimers).toBe(0);
  });

  it('finds the first window of all by its poll, since there was no folder to watch', async () => {
    const { home, shop, clock, look } = await setUp();
    const source = await look();
    await startSmallWindow(home, 'one', [shop]);
    clock.advance(1000);
    await chosen(source, 'one');
    expect(clock.pendingTimers).toBe(0);
  });

  it('polls each second for a minute, then every five seconds', async () => {
    const { clock, look } = await setUp();
    const source = await look();
    for (let second = 0; second < 60; second++) {
      expect(clock.pendingTimers).toBe(1);
      clock.advance(1000);
      await source.setRoots([]);
    }
    clock.advance(1000);
    expect(clock.pendingTimers).toBe(1);
    clock.advance(4000);
    expect(clock.pendingTimers).toBe(0);
    await source.refresh();
    clock.advance(1000);
    expect(clock.pendingTimers).toBe(0);
  });

  it('stays with its window through a reload, whichever other window has the folder open', async () => {
    const { home, shop, clock, look } = await setUp();
    const before = await startSmallWindow(home, 'one', [shop], { focusedAt: 2 });
    await startSmallWindow(home, 'twin', [shop], { focusedAt: 1 });
    const source = await look();
    expect(idOf(source)).toBe('one');
    const gone = chosen(source, undefined);
    await before.close();
    await gone;
    clock.advance(9000);
    await source.refresh();
    expect(idOf(source)).toBeUndefined();
    const back = chosen(source, 'one');
    const after = await startSmallWindow(home, 'one', [shop]);
    await back;
    expect(source.chosen?.record.token).toBe(after.record.token);
    clock.advance(20_000);
    await source.refresh();
    expect(idOf(source)).toBe('one');
  });

  it('waits again for each reload', async () => {
    const { home, shop, clock, look } = await setUp();
    let own = await startSmallWindow(home, 'one', [shop], { focusedAt: 2 });
    await startSmallWindow(home, 'twin', [shop]);
    const source = await look();
    for (let reload = 0; reload < 2; reload++) {
      await own.close();
      await source.refresh();
      expect(idOf(source)).toBeUndefined();
      clock.advance(9000);
      own = await startSmallWindow(home, 'one', [shop], { focusedAt: 2 });
      await source.refresh();
      expect(idOf(source)).toBe('one');
    }
  });

  it('reports another endpoint and secret of its window, and no other change of its file', async () => {
    const { home, shop, look } = await setUp();
    const own = await startSmallWindow(home, 'one', [shop]);
    const source = await look();
    const secrets: (string | undefined)[] = [];
    source.onDidChange(() => secrets.push(source.chosen?.record.token));
    await own.write({ focusedAt: 7 });
    await source.refresh();
    expect([secrets, source.chosen?.record.focusedAt]).toEqual([[], 7]);
    const again = await startSmallWindow(home, 'one', [shop]);
    await source.refresh();
    expect(secrets).toEqual([again.record.token]);
  });

  it('detects a process that ended without another look', async () => {
    const { home, shop, look } = await setUp();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const window = await startSmallWindow(home, 'one', [shop]);
    await window.write({ pid: child.pid ?? 0 });
    const source = await look();
    expect(idOf(source)).toBe('one');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await source.setRoots([]);
    expect(idOf(source)).toBeUndefined();
  });

  it('moves at once to a window that fits better than the only one, whether that reloads or not', async () => {
    const { home, shop, look } = await setUp();
    const only = await startSmallWindow(home, 'only', ['/other']);
    const source = await look();
    await only.close();
    await source.refresh();
    await startSmallWindow(home, 'one', [shop]);
    await source.refresh();
    expect(idOf(source)).toBe('one');
  });

  it('takes another window when its own one does not come back', async () => {
    const { home, shop, clock, look } = await setUp();
    const own = await startSmallWindow(home, 'one', [shop], { focusedAt: 2 });
    await startSmallWindow(home, 'twin', [shop]);
    const source = await look();
    await own.close();
    await chosen(source, undefined);
    await source.refresh();
    clock.advance(10_000);
    await chosen(source, 'twin');
    expect(clock.pendingTimers).toBe(0);
  });

  it('detects a killed window at its next look, and the window that is back', async () => {
    const { home, shop, look } = await setUp();
    const own = await startSmallWindow(home, 'one', [shop]);
    const source = await look();
    await own.kill();
    await source.refresh();
    expect(idOf(source)).toBeUndefined();
    const back = chosen(source, 'one');
    await startSmallWindow(home, 'one', [shop]);
    await back;
  });

  it('does not follow the focus from one window of the folder to another', async () => {
    const { home, shop, look } = await setUp();
    const [own, twin] = [await startSmallWindow(home, 'one', [shop]), await startSmallWindow(home, 'twin', [shop])];
    await own.write({ focusedAt: 1 });
    const source = await look();
    await twin.write({ focusedAt: 2 });
    await source.refresh();
    expect(idOf(source)).toBe('one');
  });

  it('leaves a window that was chosen as the only one for one that fits, whenever that opens', async () => {
    const { home, shop, clock, look } = await setUp();
    await startSmallWindow(home, 'other', ['/other']);
    const source = await look();
    expect(idOf(source)).toBe('other');
    clock.advance(3_600_000);
    await startSmallWindow(home, 'one', [shop]);
    await chosen(source, 'one');
    expect(clock.pendingTimers).toBe(0);
  });

  it('keeps the only window when another one opens that fits no better', async () => {
    const { home, look } = await setUp();
    await startSmallWindow(home, 'other', ['/other'], { focusedAt: 1 });
    const source = await look();
    await startSmallWindow(home, 'third', ['/third'], { focusedAt: 2 });
    await source.refresh();
    expect(idOf(source)).toBe('other');
  });

  it.each([
    [29_000, 'inner'],
    [31_000, 'outer'],
  ])(
    'chooses while an editor opens its windows one by one: after %i ms a deeper folder leads to %s',
    async (milliseconds, id) => {
      const { home, shop, inner, clock, look } = await setUp();
      await startSmallWindow(home, 'outer', [shop]);
      const source = await look({ workingDirectory: inner });
      expect(idOf(source)).toBe('outer');
      clock.advance(milliseconds);
      await startSmallWindow(home, 'inner', [inner]);
      await source.refresh();
      expect(idOf(source)).toBe(id);
    },
  );

  it('returns to its window when that was closed and is opened again, however late', async () => {
    const { home, shop, inner, clock, look } = await setUp();
    const own = await startSmallWindow(home, 'inner', [inner]);
    await startSmallWindow(home, 'outer', [shop]);
    const source = await look({ workingDirectory: inner });
    expect(idOf(source)).toBe('inner');
    await own.close();
    await source.refresh();
    clock.advance(10_000);
    await chosen(source, 'outer');
    clock.advance(3_600_000);
    await startSmallWindow(home, 'inner', [inner]);
    await chosen(source, 'inner');
  });

  it('leaves a window that closed the folder it was chosen for', async () => {
    const { home, shop, look } = await setUp();
    const own = await startSmallWindow(home, 'one', [shop]);
    await startSmallWindow(home, 'two', ['/other']);
    const source = await look();
    const left = chosen(source, undefined);
    await own.write({ folders: [] });
    await left;
    expect(source.open.map(({ windowId }) => windowId).toSorted()).toEqual(['one', 'two']);
  });

  it('lets the roots of the client replace the choice, and only when they change', async () => {
    const { home, shop, inner, look } = await setUp();
    await startSmallWindow(home, 'one', [shop], { focusedAt: 1 });
    const twin = await startSmallWindow(home, 'twin', [shop]);
    await startSmallWindow(home, 'other', ['/other']);
    const source = await look({ workingDirectory: inner });
    await source.setRoots(['file:///other']);
    expect(idOf(source)).toBe('other');
    await source.setRoots(['/none']);
    expect([idOf(source), source.wanted]).toEqual([undefined, 'the folder /none']);
    await source.setRoots([shop]);
    expect(idOf(source)).toBe('one');
    await twin.write({ focusedAt: 2 });
    await source.setRoots([shop]);
    expect(idOf(source)).toBe('one');
    await source.setRoots([]);
    expect(idOf(source)).toBe('twin');
  });

  it('prefers an earlier root to a deeper folder, whichever window opens first', async () => {
    const { home, shop, inner, look } = await setUp();
    await startSmallWindow(home, 'second', [inner]);
    const source = await look({ roots: ['/first', inner] });
    expect(idOf(source)).toBe('second');
    await startSmallWindow(home, 'first', ['/first']);
    await startSmallWindow(home, 'around', [shop]);
    await source.refresh();
    expect(idOf(source)).toBe('first');
  });

  it('ignores a look that began before its end', async () => {
    const { home, shop, clock, look } = await setUp();
    const source = await look();
    await startSmallWindow(home, 'one', [shop]);
    const looked = source.refresh();
    // By now the look reads the files.
    await Promise.resolve();
    source.dispose();
    await looked;
    expect([idOf(source), clock.pendingTimers]).toEqual([undefined, 0]);
  });

  it('does nothing after its end', async () => {
    const { home, shop, clock, look } = await setUp();
    const source = await look();
    let events = 0;
    source.onDidChange(() => events++);
    source.dispose();
    expect(clock.pendingTimers).toBe(0);
    await startSmallWindow(home, 'one', [shop]);
    await source.refresh();
    expect([events, clock.pendingTimers]).toEqual([0, 0]);
  });
});
