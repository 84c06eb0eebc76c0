import fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holds as contains } from '#home/guards.ts';
import { chooseWindow, type OpenWindow, wantedFolder, type Wishes } from '#bridge/chooseWindow.ts';
import { folderOf, windowRecord } from './windowRecord.ts';

const template = await windowRecord();

function open(windowId: string, folders: readonly string[], focusedAt = 0): OpenWindow {
  return { record: { ...template, windowId, focusedAt, folders: folders.map(folderOf) }, folders };
}

function choose(windows: readonly OpenWindow[], wishes: Partial<Wishes>): string | undefined {
  return chooseWindow(windows, { ...nothing, ...wishes })?.window.record.windowId;
}

const nothing: Wishes = { roots: [], workingDirectory: '/elsewhere', platform: 'linux' };
const shop = open('shop', ['/work/shop']);
const work = open('work', ['/work']);
const many = open('many', ['/a', '/b/c']);

describe('the choice of the window of a bridge', () => {
  it.each<[why: string, wishes: Partial<Wishes>, chosen: string | undefined]>([
    ['--folder', { folder: '/b/c/d', roots: ['/work'], windowId: 'shop', workingDirectory: '/work' }, 'many'],
    ['roots', { roots: ['/work/shop/src'], windowId: 'many', workingDirectory: '/a' }, 'shop'],
    ['the first root that a window holds', { roots: ['/none', '/a', '/work'] }, 'many'],
    ['the terminal', { windowId: 'many', workingDirectory: '/work/shop' }, 'many'],
    [
      'the working directory, when the terminal\u2019s window is gone',
      { windowId: 'gone', workingDirectory: '/a' },
      'many',
    ],
    ['the working directory', { workingDirectory: '/work/shop/src' }, 'shop'],
    ['the folder around it', { workingDirectory: '/work/other' }, 'work'],
    ['nothing when several windows are open and none holds the directory', {}, undefined],
    ['the whole name of a folder, not a name that begins alike', { workingDirectory: '/work/shopping' }, 'work'],
    ['--folder alone, which is strict', { folder: '/none', workingDirectory: '/work', windowId: 'shop' }, undefined],
    ['roots alone, which are strict', { roots: ['/none'], workingDirectory: '/work', windowId: 'shop' }, undefined],
    ['no root that is not a path of this machine', { roots: ['vscode-remote://x/work'] }, undefined],
  ])('follows %s', (_, wishes, chosen) => {
    expect(choose([shop, work, many], wishes)).toBe(chosen);
  });

  it('takes the only window when nothing else decides, except against a strict choice', () => {
    expect(choose([shop], {})).toBe('shop');
    expect(choose([open('empty', [])], {})).toBe('empty');
    expect(choose([shop], { folder: '/none' })).toBeUndefined();
    expect(choose([shop], { roots: ['/none'] })).toBeUndefined();
    expect(choose([], {})).toBeUndefined();
  });

  it('names the reason, and what is missing when there is none', () => {
    const reason = (windows: readonly OpenWindow[], wishes: Partial<Wishes>): string | undefined =>
      chooseWindow(windows, { ...nothing, ...wishes })?.reason;
    expect(reason([shop], { workingDirectory: '/work/shop' })).toBe(
      'it has the folder /work/shop open, which holds the working directory',
    );
    expect(reason([shop], { folder: '/work/shop' })).toContain('holds the folder of --folder');
    expect(reason([shop], { roots: ['/work/shop/a'] })).toContain('holds the client\u0027s folder /work/shop/a');
    expect(reason([shop], { windowId: 'shop' })).toContain('DRAWBRIDGE_WINDOW');
    expect(reason([shop], {})).toBe('it is the only window that is open');
    expect(wantedFolder({ ...nothing, folder: '/x' })).toBe('the folder /x');
    expect(wantedFolder({ ...nothing, roots: ['/x', '/y'] })).toBe('the folder /x or /y');
    const thousands = Array.from({ length: 10_000 }, (_, index) => `/${index}`);
    expect(wantedFolder({ ...nothing, roots: thousands })).toBe('the folder /0 or /1 or /2 or /3 or one of 9996 more');
    expect(wantedFolder({ ...nothing, workingDirectory: '/x\n\u202ey' })).toBe('the folder /x\ufffd\ufffdy');
  });
});

describe('holds', () => {
  it.each([
    ['C:\\Work\\Shop', 'c:\\work\\shop\\SRC', true],
    ['c:\\work', 'D:\\work', false],
    ['C:\\', 'c:\\work', true],
    ['C:\\work', 'C:\\workshop', false],
    ['\\\\Server\\share\\a', '\\\\server\\Share\\A\\b', true],
    ['C:\\work', 'C:/work/..name', true],
    ['C:\\work\\a', 'C:\\work', false],
  ])('on Windows %s, %s: %s', (folder, path, expected) => {
    expect(contains(folder, path, 'win32')).toBe(expected);
  });

  it.each([
    ['/work', '/Work/shop', false],
    ['/', '/work', true],
    ['/work/', '/work', true],
    ['/work', '/work/..name', true],
    ['/work', '/', false],
    ['/work', 'work', false],
  ])('elsewhere %s, %s: %s', (folder, path, expected) => {
    expect(contains(folder, path, 'linux')).toBe(expected);
  });
});

describe('the laws of the choice', () => {
  const segment = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
  const windows = fc
    .array(fc.record({ folders: fc.array(path, { maxLength: 3 }), focusedAt: fc.nat(3) }), { maxLength: 6 })
    .map((list) => list.map(({ folders, focusedAt }, index) => open(`window-${index}`, folders, focusedAt)));
  const holds = ({ folders }: OpenWindow, place: string): boolean =>
    folders.some((folder) => contains(folder, place, 'linux'));
  const depth = (window: OpenWindow, place: string): number =>
    Math.max(
      ...window.folders
        .filter((folder) => contains(folder, place, 'linux'))
        .map((folder) => posix.resolve(folder).split('/').filter(Boolean).length),
    );

  it('never takes a window that does not hold a strict choice, and always takes one when some window does', () => {
    fc.assert(
      fc.property(windows, fc.option(path, { nil: undefined }), fc.array(path), path, (list, folder, roots, cwd) => {
        fc.pre(folder !== undefined || roots.length > 0);
        const wishes = { ...nothing, folder, roots, workingDirectory: cwd, windowId: 'window-0' };
        const chosen = chooseWindow(list, wishes)?.window;
        const asked = folder === undefined ? roots : [folder];
        expect(chosen !== undefined).toBe(list.some((window) => asked.some((place) => holds(window, place))));
        if (chosen !== undefined) expect(asked.some((place) => holds(chosen, place))).toBe(true);
      }),
    );
  });

  it('prefers the deepest folder, then the last focus, in any order of the files', () => {
    fc.assert(
      fc.property(windows, path, fc.infiniteStream(fc.nat()), (list, cwd, random) => {
        const wishes = { ...nothing, workingDirectory: cwd };
        const holders = list.filter((window) => holds(window, cwd));
        fc.pre(holders.length > 0);
        const chosen = chooseWindow(list, wishes)?.window;
        if (chosen === undefined) throw new Error('Nothing was chosen');
        const deepest = Math.max(...holders.map((window) => depth(window, cwd)));
        expect(depth(chosen, cwd)).toBe(deepest);
        const equals = holders.filter((window) => depth(window, cwd) === deepest);
        expect(chosen.record.focusedAt).toBe(Math.max(...equals.map(({ record }) => record.focusedAt)));
        const keyed = list.map((window) => ({ window, key: random.next().value }));
        const shuffled = keyed.toSorted((one, other) => one.key - other.key).map(({ window }) => window);
        expect(chooseWindow(shuffled, wishes)?.window).toBe(chosen);
      }),
    );
  });

  it('prefers an earlier root to a deeper folder', () => {
    fc.assert(
      fc.property(windows, fc.array(path, { minLength: 1 }), (list, roots) => {
        const chosen = chooseWindow(list, { ...nothing, roots })?.window;
        const first = roots.find((root) => list.some((window) => holds(window, root)));
        expect(chosen === undefined).toBe(first === undefined);
        if (chosen !== undefined && first !== undefined) expect(holds(chosen, first)).toBe(true);
      }),
    );
  });
});
