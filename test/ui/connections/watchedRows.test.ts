import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { WindowHealth } from '#home/windowHealth.ts';
import { otherWindowItem, otherWindowsOf, windowIdOf, type OtherWindow } from '#ui/connections/otherWindowItem.ts';
import { WatchedRows } from '#ui/connections/watchedRows.ts';

const secret = 's'.repeat(43);

function health(state: Exclude<WindowHealth['state'], 'malformed'>, pid: number, windowId = `w-${pid}`): WindowHealth {
  const record = {
    version: 1 as const,
    windowId,
    endpoint: 'http://127.0.0.1:40001/mcp',
    token: secret,
    folders: [{ name: 'shop', path: '/home/me/shop', uri: 'file:///home/me/shop' }],
    trusted: true,
    extensionVersion: '1.0.0',
    editor: { name: 'Code', version: '1.101.0' },
    hostName: 'host',
    bootId: 'boot',
    pidNamespace: 'none',
    pid,
    startedAt: 0,
    focusedAt: 0,
  };
  return { file: `/home/me/.drawbridge/windows/${windowId}.json`, record, state };
}

describe('the rows of other windows', () => {
  test('list the windows that run beside this one, without their secrets', () => {
    const states = ['alive', 'unreachable', 'refused', 'notRunning', 'otherHost'] as const;
    const all = [...states.map((state, index) => health(state, index + 2)), health('alive', 1)];
    const found = otherWindowsOf([...all, { file: 'x.json', state: 'malformed' }], 1);
    expect(found.map(({ id, answers }) => [id, answers])).toEqual([
      ['w-2', true],
      ['w-3', false],
    ]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('show the name of the workspace or its folders as plain text', () => {
    const window: OtherWindow = {
      id: 'w-1',
      name: undefined,
      folders: [
        { name: 'shop', path: '/home/me/shop' },
        { name: 'a\u202eb', path: '/home/me/a\u202eb' },
      ],
      editor: { name: 'Cursor', version: '3.0.0' },
      waiting: 0,
      answers: true,
    };
    const item = otherWindowItem(window);
    expect(item).toMatchObject({
      label: 'shop, a<U+202E>b',
      description: 'running · Cursor',
      iconPath: { id: 'window' },
    });
    expect(item.accessibilityInformation?.label).toContain('/home/me/shop, /home/me/a<U+202E>b');
    expect(item.tooltip).toContain('The window ID is w-1');
    expect(windowIdOf(item)).toBe('w-1');
    expect(otherWindowItem({ ...window, name: 'team' }).label).toBe('team');
    expect(otherWindowItem({ ...window, folders: [] }).label).toBe('No folder');
    expect(otherWindowItem({ ...window, waiting: 2 })).toMatchObject({ description: 'running · 2 waiting · Cursor' });
    expect(otherWindowItem({ ...window, answers: false })).toMatchObject({
      description: 'does not answer · Cursor',
      iconPath: { id: 'warning' },
    });
  });
});

describe('looking for other windows', () => {
  const folders: string[] = [];
  const open: WatchedRows<OtherWindow>[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.unwatch();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function scene(read: () => Promise<readonly OtherWindow[]>) {
    const home = mkdtempSync(join(tmpdir(), 'drawbridge-'));
    folders.push(home);
    const errors: unknown[] = [];
    const folder = join(home, 'windows');
    const otherWindows = new WatchedRows<OtherWindow>({ folder, read, onError: (error) => void errors.push(error) });
    open.push(otherWindows);
    const nextChange = (): Promise<void> =>
      new Promise((resolve) => {
        const subscription = otherWindows.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    return { folder, otherWindows, errors, nextChange };
  }

  test('finds a window that opens', async () => {
    let found = otherWindowsOf([health('alive', 2)], 1);
    const { folder, otherWindows, nextChange } = scene(async () => found);
    mkdirSync(folder);
    const first = nextChange();
    otherWindows.watch();
    await first;
    expect(otherWindows.all.map(({ id }) => id)).toEqual(['w-2']);
    found = [];
    const second = nextChange();
    writeFileSync(join(folder, 'w-3.json'), '{}');
    await second;
    expect(otherWindows.all).toEqual([]);
  });

  test('goes on after reading the folder failed, and after the folder was missing', async () => {
    let found: readonly OtherWindow[] | undefined;
    const { folder, otherWindows, errors, nextChange } = scene(async () => {
      if (found === undefined) throw new Error('No');
      return found;
    });
    otherWindows.watch();
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    mkdirSync(folder);
    found = [];
    otherWindows.watch();
    found = otherWindowsOf([health('alive', 2)], 1);
    const change = nextChange();
    writeFileSync(join(folder, 'w-2.json'), '{}');
    await change;
    expect(otherWindows.all).toHaveLength(1);
  });

  test('reads again on request, but not while nobody looks', async () => {
    let looks = 0;
    const { otherWindows } = scene(async () => {
      looks += 1;
      return [];
    });
    otherWindows.refresh();
    expect(looks).toBe(0);
    otherWindows.watch();
    await vi.waitFor(() => expect(looks).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 0));
    otherWindows.refresh();
    await vi.waitFor(() => expect(looks).toBe(2));
  });

  test('ends when the view is hidden', async () => {
    let looks = 0;
    const { folder, otherWindows } = scene(async () => {
      looks += 1;
      otherWindows.unwatch();
      // It comes while the look goes on: another one would follow if somebody saw them.
      writeFileSync(join(folder, 'w-4.json'), '{}');
      return otherWindowsOf([health('alive', looks + 1)], 1);
    });
    mkdirSync(folder);
    otherWindows.watch();
    await vi.waitFor(() => expect(otherWindows.all).toHaveLength(1));
    expect(looks).toBe(1);
  });
});
