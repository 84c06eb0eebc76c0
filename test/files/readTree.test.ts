import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Purpose, ResolvedPath } from '#base/files.ts';
import { resolveAddress } from '#call/resolve.ts';
import { locate } from '#files/disk.ts';
import { locateEntry, readTree } from '#files/readTree.ts';
import { folderAt } from '../fakes/workspace.ts';

const limits = { maximumFiles: 10, maximumBytes: 1000 };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-tree-')));
  root = join(base, 'w');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, content = path): string {
  const fsPath = join(root, path);
  mkdirSync(dirname(fsPath), { recursive: true });
  writeFileSync(fsPath, content);
  return fsPath;
}

function resolve(address: string, purpose: Purpose = 'entry'): Promise<ResolvedPath> {
  return resolveAddress(address, {
    files: { locate: (fsPath, why) => (why === 'entry' ? locateEntry(fsPath) : locate(fsPath, why)) },
    workspace: { folders: () => [folderAt(root)] },
    pathRules: { home: '/nowhere', privateFolders: [] },
    purpose,
  });
}

describe('readTree', () => {
  it('lists every file of a folder in path order, with its bytes, digest and mode', async () => {
    write('d/z');
    write('d/a/b');
    write('d/a-b');
    chmodSync(write('d/.hidden.sh'), 0o755);
    mkdirSync(join(root, 'd/empty'));
    const files = await readTree(await resolve('d'), limits);
    expect(files.map(({ relative }) => relative)).toEqual(['.hidden.sh', 'a/b', 'a-b', 'z']);
    expect(files[0]).toMatchObject({ mode: 0o755, isLink: false });
    expect(files[1]).toMatchObject({ sha256: sha256('d/a/b'), size: 5, bytes: Buffer.from('d/a/b') });
  });

  it('reads a single file with an empty relative path', async () => {
    write('a', 'text');
    expect(await readTree(await resolve('a'), limits)).toMatchObject([{ relative: '', sha256: sha256('text') }]);
  });

  it('returns no files for an empty folder', async () => {
    mkdirSync(join(root, 'd'));
    expect(await readTree(await resolve('d'), limits)).toEqual([]);
  });

  it('P4 reads links as links, wherever they lead', async () => {
    write('d/a');
    symlinkSync('/etc', join(root, 'd/out'));
    symlinkSync('nowhere', join(root, 'd/dead'));
    const files = await readTree(await resolve('d'), limits);
    expect(files).toMatchObject([
      { relative: 'a', isLink: false },
      { relative: 'dead', isLink: true, sha256: sha256('nowhere') },
      { relative: 'out', isLink: true, sha256: sha256('/etc') },
    ]);
  });

  it('P4 locates an entry that is a link as the link itself', async () => {
    write('real/a');
    symlinkSync('real', join(root, 'link'));
    const path = await resolve('link');
    expect(path).toMatchObject({ realPath: join(root, 'link'), kind: 'file', linked: false });
    expect(await readTree(path, limits)).toMatchObject([{ relative: '', isLink: true, sha256: sha256('real') }]);
    expect(await resolve('link/a')).toMatchObject({ realPath: join(root, 'real/a'), linked: true });
    expect(await resolve('none')).toMatchObject({ kind: 'missing' });
  });

  it('calls admit for files and folders before it reads them', async () => {
    write('d/a');
    write('d/deep/er/b');
    const asked: string[] = [];
    await readTree(await resolve('d'), limits, (relative) => asked.push(relative));
    expect(asked.toSorted()).toEqual(['a', 'deep', 'deep/er', 'deep/er/b']);
    const refuse = (relative: string): void => {
      if (relative === 'deep') throw new Error('refused');
    };
    await expect(readTree(await resolve('d'), limits, refuse)).rejects.toThrow('refused');
  });

  it('refuses more files, folders or bytes than the limits', async () => {
    for (let at = 0; at < 11; at += 1) write(`many/${at}`);
    for (let at = 0; at < 30; at += 1) mkdirSync(join(root, `folders/${at}`), { recursive: true });
    write('big/a', 'x'.repeat(600));
    write('big/b', 'x'.repeat(600));
    for (const path of ['many', 'folders', 'big']) {
      await expect(readTree(await resolve(path), limits), path).rejects.toMatchObject({ code: 'too_large' });
    }
    rmSync(join(root, 'many/0'));
    expect(await readTree(await resolve('many'), limits)).toHaveLength(10);
  });

  it('P11 refuses a pipe without waiting for it', async () => {
    write('d/a');
    execFileSync('mkfifo', [join(root, 'd/p')]);
    await expect(readTree(await resolve('d'), limits)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuses a path that was replaced or removed after it was resolved', async () => {
    write('d/a');
    const folder = await resolve('d');
    renameSync(join(root, 'd'), join(root, 'e'));
    await expect(readTree(folder, limits)).rejects.toMatchObject({ code: 'not_found' });
    write('d/b');
    await expect(readTree(folder, limits)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('P5 refuses when a folder inside becomes a link to the outside', async () => {
    write('d/sub/a', 'inside');
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside/a'), 'outside');
    const folder = await resolve('d');
    const swap = (relative: string): void => {
      if (relative !== 'sub' || !existsSync(join(root, 'd/sub/a'))) return;
      renameSync(join(root, 'd/sub'), join(root, 'd/moved'));
      symlinkSync(join(base, 'outside'), join(root, 'd/sub'));
    };
    const files = await readTree(folder, limits, swap);
    // The link existed before the walk looked at it, so it is read as a link.
    expect(files).toMatchObject([{ relative: 'sub', isLink: true }]);
  });

  it('P5 refuses when a folder inside becomes a link while it is listed', async () => {
    write('d/sub/a', 'inside');
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside/a'), 'outside');
    const folder = await resolve('d');
    const swap = (relative: string): void => {
      if (relative !== 'sub/a') return;
      renameSync(join(root, 'd/sub'), join(root, 'd/moved'));
      symlinkSync(join(base, 'outside'), join(root, 'd/sub'));
    };
    await expect(readTree(folder, limits, swap)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
