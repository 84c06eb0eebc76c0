import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IsClosed } from '#base/files.ts';
import { locate } from '#files/disk.ts';
import { OtherNames } from '#files/otherNames.ts';
import { isReadable } from '#policy/protectedPaths.ts';
import { folderAt } from '../fakes/workspace.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-names-')));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

function write(name: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, name);
  return path;
}

function link(from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  linkSync(join(root, from), join(root, to));
}

const isClosed: IsClosed = (file) => !isReadable(file, { home: '/nowhere', privateFolders: [] });

async function leadsToClosed(name: string, names = new OtherNames()): Promise<boolean> {
  const folder = folderAt(root);
  const fsPath = join(root, name);
  const path = {
    ...(await locate(fsPath, 'read')),
    folder,
    fsPath,
    path: name,
    uri: `file://${fsPath}`,
    linked: false,
  };
  return names.leadsToClosed(path, isClosed);
}

describe('P21 a hard link to a closed file', () => {
  it.each([
    ['.env', 'notes.txt'],
    ['deep/down/server.key', 'a.txt'],
    ['secrets/plain.txt', 'src/a.ts'],
    ['.git/config', 'a.txt'],
  ])('%s is found under the name %s', async (secret, name) => {
    write(secret);
    link(secret, name);
    expect(await leadsToClosed(name)).toBe(true);
    const found = { folder: folderAt(root), fsPath: join(root, name) };
    expect(await new OtherNames().leadsToClosed(found, isClosed)).toBe(true);
  });

  it('is not looked for when what was found is gone, or is a folder', async () => {
    write('sub/.env');
    for (const name of ['gone.txt', 'sub']) {
      const found = { folder: folderAt(root), fsPath: join(root, name) };
      expect(await new OtherNames().leadsToClosed(found, isClosed)).toBe(false);
    }
  });

  it('is suspected in what cannot be looked at', async () => {
    symlinkSync('loop', join(root, 'loop'));
    const found = { folder: folderAt(root), fsPath: join(root, 'loop') };
    expect(await new OtherNames().leadsToClosed(found, isClosed)).toBe(true);
  });

  it('is found when the secret file came to the folder after the link', async () => {
    write('notes.txt');
    link('notes.txt', 'sub/.env');
    expect(await leadsToClosed('notes.txt')).toBe(true);
  });

  it.each([
    ['has one name', () => void write('.env')],
    [
      'is linked to an open file',
      () => {
        write('.env');
        write('b.txt');
        link('b.txt', 'c.txt');
        rmSync(join(root, 'notes.txt'));
        link('b.txt', 'notes.txt');
      },
    ],
    [
      'is in the folder of a link that the search does not follow',
      () => {
        write('.env');
        symlinkSync(join(root, '.env'), join(root, 'link'));
        link('notes.txt', 'other.txt');
      },
    ],
  ])('is not taken for one when it %s', async (_, arrange) => {
    write('notes.txt');
    arrange();
    expect(await leadsToClosed('notes.txt')).toBe(false);
  });

  it('is exempt in node_modules, whose files package managers link', async () => {
    write('.env');
    link('.env', 'node_modules/a/index.js');
    expect(await leadsToClosed('node_modules/a/index.js')).toBe(false);
  });

  it('is looked for once in ten seconds in a folder, and again after that', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const names = new OtherNames();
    write('b.txt');
    link('b.txt', 'c.txt');
    expect(await leadsToClosed('b.txt', names)).toBe(false);
    link('b.txt', '.env');
    expect(await leadsToClosed('b.txt', names)).toBe(false);
    vi.advanceTimersByTime(10_001);
    expect(await leadsToClosed('b.txt', names)).toBe(true);
  });
});
