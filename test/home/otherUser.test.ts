import { spawnSync } from 'node:child_process';
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownProcess } from '#home/hostIdentity.ts';
import { readOwnFile } from '#home/ownFile.ts';
import { makePrivateFolder } from '#home/stateFolder.ts';
import { writeWindowFile } from '#home/windowFiles.ts';
import { windowRecord } from '../bridge/windowRecord.ts';
import { temporaryState } from './temporaryState.ts';

const nobody = 65_534;
/** Only root can act as another user. */
const isRoot = process.getuid?.() === 0;

/** Runs a shell command as the user nobody, and returns what it printed. */
function asNobody(command: string): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    uid: nobody,
    gid: nobody,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Returns a state folder with a published window, whose parent every user may open. */
async function published() {
  const state = temporaryState();
  chmodSync(dirname(state.home), 0o755);
  const record = await windowRecord(await ownProcess());
  return { ...state, token: record.token, file: await writeWindowFile(state.home, record) };
}

/** Returns every path below a folder, with its mode. */
function modesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stats = lstatSync(join(folder, name));
    return `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`;
  });
}

describe.runIf(isRoot)('another user of the same machine', () => {
  test('H12: cannot list the state folder, read the token, or put a file there', async () => {
    const { home, windows, token, file } = await published();
    const tries = [
      `ls ${home}`,
      `ls ${windows}`,
      `cat ${file}`,
      `touch ${home}/rules.json`,
      `ln -s /etc ${home}/audit`,
    ];
    for (const command of tries) {
      const { status, output } = asNobody(command);
      expect([command, status === 0]).toEqual([command, false]);
      expect(output).not.toContain(token);
    }
  });

  test('H12: cannot read the token when the folders were opened by hand', async () => {
    const { home, windows, token, file } = await published();
    chmodSync(home, 0o755);
    chmodSync(windows, 0o755);
    const { output } = asNobody(`ls ${windows}; cat ${file}`);
    expect(output).toContain('.json');
    expect(output).not.toContain(token);
  });

  test('P23: owns a folder that is refused as the state folder', () => {
    const { home, windows } = temporaryState();
    mkdirSync(home, { recursive: true });
    lchownSync(home, nobody, nobody);
    expect(() => makePrivateFolder(home, windows)).toThrow('belongs to another user');
    expect(readdirSync(home)).toEqual([]);
  });

  test('P23: owns a file that is refused in the state folder', async () => {
    const { home } = await published();
    const path = join(home, 'rules.json');
    writeFileSync(path, '{}');
    lchownSync(path, nobody, nobody);
    expect(() => readOwnFile(path)).toThrow('belongs to another user');
  });
});

test.runIf(process.platform === 'linux')(
  'P23: a link of another user is refused as the state folder, although it leads to a folder of this user',
  async () => {
    const { home, windows } = temporaryState();
    const own = join(dirname(home), 'own');
    mkdirSync(own, { recursive: true, mode: 0o755 });
    symlinkSync(own, home);
    if (isRoot) lchownSync(home, nobody, nobody);
    // A link of root that leads to a folder of the user of this process.
    const link = isRoot ? home : '/dev/fd';
    expect(() => makePrivateFolder(link, windows)).toThrow('belongs to another user');
    await expect(
      ownProcess()
        .then(windowRecord)
        .then((record) => writeWindowFile(link, record)),
    ).rejects.toThrow('belongs to another user');
    expect(readdirSync(own)).toEqual([]);
    expect(lstatSync(own).mode & 0o777).toBe(0o755);
  },
);

test.runIf(process.platform !== 'win32')('H12: everything in the state folder is for this user only', async () => {
  const { home } = await published();
  expect(new Set(modesBelow(home))).toEqual(new Set(['folder 700', 'file 600']));
});

test.runIf(process.platform !== 'win32')('a link of this user may be the state folder', () => {
  const { home, windows } = temporaryState();
  const own = join(dirname(home), 'own');
  mkdirSync(own, { recursive: true });
  symlinkSync(own, home);
  makePrivateFolder(home, windows);
  expect(readdirSync(own)).toEqual(['windows']);
});
