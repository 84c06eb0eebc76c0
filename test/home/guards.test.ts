import { mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guardsOf, holds, readGuards } from '#home/guards.ts';
import { removeGuard, writeGuard } from '#home/windowGuard.ts';
import { temporaryState } from './temporaryState.ts';

const record = { windowId: 'window-1', state: 'open', folders: ['/w/one', '/w/two'] } as const;

describe('guard records', () => {
  test('are private, are read back, and are removed', async () => {
    const { home } = temporaryState();
    await writeGuard(home, record);
    const path = join(home, 'guards', 'window-1');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').split('\n').toSpliced(1, 1)).toEqual(['open', '/w/one', '/w/two', '']);
    expect(await readGuards(home)).toMatchObject([{ ...record, hasEnded: false }]);
    await removeGuard(home, 'window-1');
    expect(await readGuards(home)).toEqual([]);
  });

  test('leave out a folder whose path has a line break', async () => {
    const { home } = temporaryState();
    await writeGuard(home, { ...record, folders: ['/w/a\nopen', '/w/b'] });
    expect(await readGuards(home)).toMatchObject([{ folders: ['/w/b'] }]);
  });

  test('count no more after a day, after another boot, as a link, or when malformed', async () => {
    const { home } = temporaryState();
    for (const windowId of ['old', 'boot', 'good']) await writeGuard(home, { ...record, windowId });
    const folder = join(home, 'guards');
    const yesterday = Date.now() / 1000 - 25 * 3600;
    const old = join(folder, 'old');
    writeFileSync(old, readFileSync(old, 'utf8').replace(/"pid":\d+/, '"pid":4194303'));
    utimesSync(old, yesterday, yesterday);
    const text = readFileSync(join(folder, 'boot'), 'utf8');
    writeFileSync(join(folder, 'boot'), text.replace(/"bootId":"[^"]*"/, '"bootId":"before"'));
    symlinkSync('good', join(folder, 'link'));
    // A record that is being written has a name of its own.
    writeFileSync(join(folder, 'good.1981624626'), readFileSync(join(folder, 'good'), 'utf8'));
    writeFileSync(join(folder, 'bad'), 'open\nnot JSON\n/w\n');
    mkdirSync(join(folder, 'folder'));
    expect((await readGuards(home)).map(({ windowId }) => windowId)).toEqual(['good']);
  });

  test('count after a day while their process lives, because the machine may have slept', async () => {
    const { home } = temporaryState();
    await writeGuard(home, record);
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(join(home, 'guards', 'window-1'), yesterday, yesterday);
    expect(await readGuards(home)).toMatchObject([{ ...record, hasEnded: false }]);
  });

  test('tell that the process of the window has ended', async () => {
    const { home } = temporaryState();
    await writeGuard(home, record);
    const path = join(home, 'guards', 'window-1');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"pid":\d+/, '"pid":4194303'));
    expect(await readGuards(home)).toMatchObject([{ hasEnded: true }]);
  });

  test('are refused for an id that is no file name', async () => {
    await expect(writeGuard(temporaryState().home, { ...record, windowId: '../x' })).rejects.toThrow('not the id');
  });
});

test('guardsOf returns the guards with a folder that holds one of the paths', () => {
  const guard = { ...record, changedAt: 0, hasEnded: false };
  expect(guardsOf([guard], ['/w/two/a.ts'], 'linux')).toEqual([guard]);
  expect(guardsOf([guard], ['/w/twofold/a.ts', '/w'], 'linux')).toEqual([]);
});

test.each([
  ['/w', '/w', 'linux', true],
  ['/w', '/w/..x', 'linux', true],
  ['/w', '/W/a', 'linux', false],
  ['C:\\w', 'c:\\W\\a', 'win32', true],
  ['C:\\w', 'D:\\w\\a', 'win32', false],
  ['w', 'w/a', 'linux', false],
] as const)('holds: %s holds %s on %s: %s', (folder, path, platform, expected) => {
  expect(holds(folder, path, platform)).toBe(expected);
});
