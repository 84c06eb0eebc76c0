import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileIdentity, ResolvedPath } from '#base/files.ts';
import { ChangedSinceApproval } from '#files/changedSinceApproval.ts';
import { type StagedWrite, stageWrite } from '#files/checkedWrite.ts';
import { size } from '../size.ts';

let root: string;
/** The folder of the workspace, and one outside it, with a file of the same name and bytes. */
let inside: string;
let outside: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-write-')));
  [inside, outside] = [join(root, 'inside'), join(root, 'outside')];
  for (const folder of [inside, outside]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), 'base');
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function identityOf(path: string): FileIdentity {
  const { dev, ino } = statSync(path, { bigint: true });
  return { device: dev, inode: ino };
}

/** Returns `file` as it was approved. */
function approvedPath(): ResolvedPath {
  const fsPath = join(inside, 'file');
  return {
    path: 'file',
    uri: `file://${fsPath}`,
    fsPath,
    realPath: fsPath,
    linked: false,
    folder: { name: 'inside', uri: `file://${inside}`, fsPath: inside, realPath: inside },
    kind: 'file',
    dangling: false,
    identity: identityOf(fsPath),
    parent: identityOf(inside),
    size: 4,
    modified: 0,
    linkCount: 1,
  };
}

/** Returns `stale`, `failed` or `written`; `between` runs between stage and commit. */
async function write(
  path: ResolvedPath,
  isBase: (bytes: Uint8Array) => Promise<boolean>,
  between: (staged: StagedWrite) => unknown = () => undefined,
): Promise<string> {
  try {
    const staged = await stageWrite(path, isBase, Buffer.from('new'), 'a-1-0');
    await between(staged);
    if (!(await staged.stillBase())) {
      await staged.discard();
      return 'changed meanwhile';
    }
    await staged.commit();
    return 'written';
  } catch (error) {
    return error instanceof ChangedSinceApproval ? error.message : `failed: ${String(error)}`;
  }
}

const isBase = async (bytes: Uint8Array): Promise<boolean> => Buffer.from(bytes).toString() === 'base';
const away = (): string => join(root, 'away');

function swap(): void {
  renameSync(inside, away());
  symlinkSync(outside, inside);
}

function swapBack(): void {
  if (!lstatSync(inside).isSymbolicLink()) return;
  unlinkSync(inside);
  renameSync(away(), inside);
}

/** Expects the file with its bytes, and nothing else in the folder. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

describe('a write', () => {
  it('replaces the bytes, keeps the mode, and P10 leaves other names of the file alone', async () => {
    linkSync(join(inside, 'file'), join(outside, 'other-name'));
    chmodSync(join(inside, 'file'), 0o4750);
    expect(await write(approvedPath(), isBase)).toBe('written');
    expect(statSync(join(inside, 'file')).mode & 0o7777).toBe(0o4750);
    expect(contentOf(inside)).toEqual({ file: 'new' });
    expect(contentOf(outside)).toEqual({ file: 'base', 'other-name': 'base' });
  });

  it('refuses a file that changed before or after staging', async () => {
    const path = approvedPath();
    writeFileSync(path.fsPath, 'mine');
    expect(await write(path, isBase)).toBe('the file was changed');
    writeFileSync(path.fsPath, 'base');
    expect(await write(path, isBase, () => writeFileSync(path.fsPath, 'mine'))).toBe('changed meanwhile');
    expect(contentOf(inside)).toEqual({ file: 'mine' });
  });

  it('refuses a file that is gone, a folder in its place, and a read-only file', async () => {
    const path = approvedPath();
    chmodSync(path.fsPath, 0o444);
    expect(await write(path, isBase)).toBe('it is read-only');
    unlinkSync(path.fsPath);
    expect(await write(path, isBase)).toBe('the file is gone');
    mkdirSync(path.fsPath);
    expect(await write({ ...path, identity: identityOf(path.fsPath) }, isBase)).toMatch('replaced by another one');
    expect(readdirSync(inside)).toEqual(['file']);
  });

  it('leaves no temporary file when it is discarded, and none when it is refused after staging', async () => {
    const staged = await stageWrite(approvedPath(), isBase, Buffer.from('new'), 'a-1-0');
    expect(readdirSync(inside)).toHaveLength(2);
    await staged.discard();
    await staged.discard();
    expect(contentOf(inside)).toEqual({ file: 'base' });
    const gone = await stageWrite(approvedPath(), isBase, Buffer.from('new'), 'a-1-0');
    unlinkSync(join(inside, 'file'));
    expect(await gone.stillBase()).toBe(false);
    await gone.discard();
    expect(readdirSync(inside)).toEqual([]);
  });

  it.each(['file', 'folder'])('P5 refuses when the %s was replaced by a copy', async (what) => {
    const path = approvedPath();
    const replaced = what === 'file' ? path.fsPath : dirname(path.fsPath);
    renameSync(replaced, join(root, 'old'));
    if (what === 'folder') mkdirSync(inside);
    writeFileSync(path.fsPath, 'base');
    expect(await write(path, isBase)).toMatch(/replaced by another one$/);
    expect(contentOf(inside)).toEqual({ file: 'base' });
  });
});

// On other systems, `commit` detects a swap only after the write.
describe.runIf(process.platform === 'linux')('P5 a write while its folder is swapped for a link to the outside', () => {
  const moments = ['before', 'while the base is compared', 'before the commit', 'never'] as const;

  it.each(moments)('stays inside when the folder is swapped: %s', async (moment) => {
    const path = approvedPath();
    if (moment === 'before') swap();
    const comparing = async (bytes: Uint8Array): Promise<boolean> => {
      if (moment === 'while the base is compared' && !lstatSync(inside).isSymbolicLink()) swap();
      return isBase(bytes);
    };
    const result = await write(path, comparing, () => moment === 'before the commit' && swap());
    const expected = {
      before: 'its folder is gone',
      'while the base is compared': 'failed: Error: Its folder was moved while the file was written.',
      'before the commit': 'failed: Error: Its folder was moved while the file was written.',
      never: 'written',
    };
    expect(result).toBe(expected[moment]);
    expect(contentOf(outside)).toEqual({ file: 'base' });
    // The write went into the approved folder, whatever its name is now.
    swapBack();
    expect(contentOf(inside)).toEqual({ file: moment === 'before' ? 'base' : 'new' });
  });

  it('stays inside in many writes while another thread swaps the folder continuously', async () => {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const swapper = new Worker(
      `const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
       const { workerData: { stop, inside, outside, away } } = require('node:worker_threads');
       while (Atomics.load(stop, 0) === 0) {
         renameSync(inside, away);
         symlinkSync(outside, inside);
         Atomics.wait(stop, 0, 0, 0.2);
         unlinkSync(inside);
         renameSync(away, inside);
         Atomics.wait(stop, 0, 0, 0.2);
       }`,
      { eval: true, workerData: { stop, inside, outside, away: away() } },
    );
    const path = approvedPath();
    const least = size({ quick: 200, full: 1000 });
    const race = { written: 0, refused: 0 };
    // The race must happen: some writes must meet the folder, and others the link.
    while (race.written + race.refused < least || race.written <= 10 || race.refused <= 10) {
      // Each round begins with a fresh base.
      const now = await currentFile();
      const result = await write({ ...path, identity: now }, async () => true);
      race[result === 'written' ? 'written' : 'refused'] += 1;
    }
    Atomics.store(stop, 0, 1);
    Atomics.notify(stop, 0);
    await new Promise((resolve) => swapper.once('exit', resolve));
    expect(contentOf(outside)).toEqual({ file: 'base' });
    expect(contentOf(inside)).toEqual({ file: 'new' });
  });
});

/** Returns the identity of the approved file under the current name of its folder. */
async function currentFile(): Promise<FileIdentity> {
  while (existsSync(root)) {
    for (const folder of [away(), inside]) {
      try {
        if (!lstatSync(folder).isSymbolicLink()) return identityOf(join(folder, 'file'));
      } catch {
        // The folder is being renamed.
      }
    }
    await Promise.resolve();
  }
  throw new Error('The test is over.');
}
