import { execFileSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { resolveAddress } from '#call/resolve.ts';
import { listDirectory, locate, readRegularFile } from '#files/disk.ts';
import { changedLineEnds } from '#files/lineEnds.ts';
import { relativeTo } from '#policy/paths.ts';
import { folderAt } from '../fakes/workspace.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-disk-')));
  root = join(base, 'w');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array = path): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function resolve(address: string): Promise<ResolvedPath> {
  const workspace = { folders: () => [folderAt(root)] };
  return resolveAddress(address, {
    files: { locate },
    workspace,
    pathRules: { home: '/nowhere', privateFolders: [] },
    purpose: 'change',
  });
}

async function refusal(promise: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ToolError) return error;
  throw new Error(`Not refused: ${String(error)}`);
}

describe('locating a path', () => {
  it('returns kind, size and identity of an existing path', async () => {
    write('a/b.txt', 'hello');
    linkSync(join(root, 'a/b.txt'), join(root, 'c.txt'));
    const found = await locate(join(root, 'a/b.txt'), 'change');
    const { ino, dev } = statSync(join(root, 'a/b.txt'), { bigint: true });
    const parent = statSync(join(root, 'a'), { bigint: true });
    expect(found).toMatchObject({
      realPath: join(root, 'a/b.txt'),
      kind: 'file',
      dangling: false,
      size: 5,
      linkCount: 2,
    });
    expect(found.identity).toEqual({ device: dev, inode: ino });
    expect(found.parent).toEqual({ device: parent.dev, inode: parent.ino });
    expect(await locate(root, 'change')).toMatchObject({ kind: 'directory' });
  });

  it('P3 follows links, also those of parent folders', async () => {
    write('real/x.txt');
    symlinkSync('real', join(root, 'link'));
    const found = await locate(join(root, 'link/x.txt'), 'change');
    expect(found.realPath).toBe(join(root, 'real/x.txt'));
    expect(found.parent?.inode).toBe(statSync(join(root, 'real'), { bigint: true }).ino);
  });

  it('P4 returns the future real path of a missing file', async () => {
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'link'));
    const found = await locate(join(root, 'link/new/x.txt'), 'change');
    expect(found).toMatchObject({ realPath: join(root, 'real/new/x.txt'), kind: 'missing', dangling: false, size: 0 });
    expect((await locate(join(root, 'link/x.txt'), 'change')).parent?.inode).toBe(
      statSync(join(root, 'real'), { bigint: true }).ino,
    );
  });

  it.each([
    ['outside/new.txt', 'outside_workspace'],
    ['w/gone.txt', 'not_found'],
    ['outside/gone/new.txt', 'outside_workspace'],
  ])('P4 refuses a link to the missing %s with %s and creates nothing', async (target, code) => {
    mkdirSync(join(base, 'outside'));
    symlinkSync(join(base, target), join(root, 'new.txt'));
    expect((await refusal(resolve('new.txt'))).code).toBe(code);
    expect(() => statSync(join(base, target))).toThrow('ENOENT');
  });

  it('P4 refuses links in a circle and links through a dangling link', async () => {
    symlinkSync(join(base, 'gone'), join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    symlinkSync('d', join(root, 'c'));
    symlinkSync('c', join(root, 'd'));
    expect((await refusal(resolve('b'))).code).toBe('outside_workspace');
    expect((await refusal(resolve('b/x'))).code).toBe('outside_workspace');
    expect((await refusal(resolve('c'))).code).toBe('not_found');
  });

  it('refuses a name that is too long without naming the folder of the workspace', async () => {
    const workspace = { folders: () => [folderAt(root)] };
    const pathRules = { home: '/nowhere', privateFolders: [] };
    const resolved = resolveAddress('a'.repeat(300), {
      workspace,
      files: { locate },
      pathRules,
      purpose: 'read',
    });
    const error: unknown = await resolved.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^"a+…" cannot be reached: ENAMETOOLONG/),
    });
    expect(error instanceof Error ? error.message : root).not.toContain(root);
  });

  it('reports a name below a file as missing', async () => {
    write('a.txt');
    expect(await locate(join(root, 'a.txt/b'), 'change')).toMatchObject({ kind: 'missing' });
  });

  it('P3 returns only paths whose opened inode lies below the root, for any tree of links', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const target = fc.constantFrom('a', 'b', '../b', '.', '..', '../..', '../../out', '/', 'c/a', '../w-evil');
    const link = fc.record({ at: fc.array(name, { minLength: 1, maxLength: 2 }), target });
    const address = fc.array(fc.oneof(name, fc.constant('..'), fc.constant('x.txt')), { minLength: 1, maxLength: 4 });
    mkdirSync(join(base, 'out'));
    mkdirSync(join(base, 'w-evil'));
    for (const folder of ['out', 'w-evil']) writeFileSync(join(base, folder, 'x.txt'), 'outside');
    await fc.assert(
      fc.asyncProperty(
        fc.array(link, { maxLength: 5 }),
        fc.array(address, { minLength: 1, maxLength: 6 }),
        async (links, addresses) => {
          rmSync(root, { recursive: true });
          mkdirSync(root);
          for (const folder of ['a', 'b/c']) write(`${folder}/x.txt`, 'inside');
          for (const { at, target: to } of links) {
            try {
              symlinkSync(to, join(root, ...at));
            } catch {
              // The path is taken, or its parent is not a directory.
            }
          }
          for (const path of addresses) {
            const resolved = await resolve(path.join('/')).catch((error: unknown) => {
              if (error instanceof ToolError) return undefined;
              throw error;
            });
            if (resolved?.kind !== 'file') continue;
            const { bytes } = await readRegularFile(resolved, 100);
            const opened = openSync(resolved.realPath, 'r');
            const truth = realpathSync(`/proc/self/fd/${opened}`);
            closeSync(opened);
            expect(relativeTo(root, truth)).toBeDefined();
            expect(bytes.toString()).toBe('inside');
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('reading a file', () => {
  it('returns bytes, time and mode', async () => {
    write('a.txt', 'hello');
    const { bytes, readonly, modified } = await readRegularFile(await resolve('a.txt'), 5);
    expect(bytes.toString()).toBe('hello');
    expect(readonly).toBe(false);
    expect(modified).toBe(Math.floor(statSync(join(root, 'a.txt')).mtimeMs));
  });

  it('P5 refuses a file that was swapped after it was resolved', async () => {
    write('a.txt', 'mine');
    write('b.txt', 'other');
    const path = await resolve('a.txt');
    renameSync(join(root, 'b.txt'), join(root, 'a.txt'));
    expect((await refusal(readRegularFile(path, 100))).code).toBe('unavailable');
  });

  it('P5 refuses a parent that was swapped for a link to the outside', async () => {
    write('src/a.txt', 'mine');
    const path = await resolve('src/a.txt');
    mkdirSync(join(base, 'out'));
    writeFileSync(join(base, 'out/a.txt'), 'secret');
    renameSync(join(root, 'src'), join(root, 'old'));
    symlinkSync(join(base, 'out'), join(root, 'src'));
    expect((await refusal(readRegularFile(path, 100))).code).toBe('unavailable');
    expect((await refusal(resolve('src/a.txt'))).code).toBe('outside_workspace');
  });

  it('P5 does not follow a file that became a link', async () => {
    write('a.txt', 'mine');
    const path = await resolve('a.txt');
    writeFileSync(join(base, 'secret'), 'secret');
    rmSync(join(root, 'a.txt'));
    symlinkSync(join(base, 'secret'), join(root, 'a.txt'));
    expect((await refusal(readRegularFile(path, 100))).code).toBe('unavailable');
  });

  it.runIf(process.platform === 'linux')(
    'P11 refuses a pipe without waiting for a writer, even when the pipe replaced a file',
    async () => {
      execFileSync('mkfifo', [join(root, 'p')]);
      write('a.txt');
      const path = await resolve('a.txt');
      rmSync(join(root, 'a.txt'));
      execFileSync('mkfifo', [join(root, 'a.txt')]);
      expect((await refusal(resolve('p'))).code).toBe('unavailable');
      expect((await refusal(readRegularFile(path, 100))).code).toBe('unavailable');
    },
  );

  it('P11 refuses a socket', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(root, 's'), done));
    expect((await refusal(resolve('s'))).code).toBe('unavailable');
    await new Promise((done) => server.close(done));
  });

  it.runIf(process.platform === 'linux')('P11 refuses a link into /proc', async () => {
    symlinkSync('/proc/self/environ', join(root, 'x'));
    expect((await refusal(resolve('x'))).code).toBe('outside_workspace');
  });

  it('P13 reads nothing of a file above the limit', async () => {
    write('big.log', '');
    truncateSync(join(root, 'big.log'), 200 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    const error = await refusal(readRegularFile(await resolve('big.log'), 5 * 1024 * 1024));
    expect(error.code).toBe('too_large');
    expect(error.message).toContain('can be handled whole');
    expect(error.hint).toContain('search_code');
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  it("explains how paths begin when a missing path begins with the only folder's name", async () => {
    const error = await refusal(readRegularFile(await resolve('w/src/a.txt'), 100));
    expect(error.hint).toBe('Paths start without the name of the folder: src/a.txt.');
    expect((await refusal(readRegularFile(await resolve('v/a.txt'), 100))).hint).toContain('find_files');
  });

  it('explains that a path is a directory or missing', async () => {
    write('d/a.txt');
    expect((await refusal(readRegularFile(await resolve('d'), 100))).code).toBe('unavailable');
    expect((await refusal(readRegularFile(await resolve('gone'), 100))).code).toBe('not_found');
    expect((await refusal(listDirectory(await resolve('d/a.txt')))).code).toBe('unavailable');
    expect((await refusal(listDirectory(await resolve('gone')))).code).toBe('not_found');
  });

  it('lists a directory without following links', async () => {
    write('d/a.txt');
    mkdirSync(join(root, 'd/e'));
    symlinkSync('/etc', join(root, 'd/l'));
    const entries = await listDirectory(await resolve('d'));
    expect(new Map(entries.map(({ name, kind }) => [name, kind]))).toEqual(
      new Map([
        ['a.txt', 'file'],
        ['e', 'directory'],
        ['l', 'link'],
      ]),
    );
  });

  it('closes every descriptor', async () => {
    write('a.txt');
    const path = await resolve('a.txt');
    for (let time = 0; time < 50; time += 1) await readRegularFile(path, 100);
    for (let time = 0; time < 50; time += 1) await refusal(readRegularFile(path, 1));
    const open = (): string[] =>
      readdirSync('/proc/self/fd').map((descriptor) => {
        try {
          return readlinkSync(join('/proc/self/fd', descriptor));
        } catch {
          return ''; // the descriptor of this very listing
        }
      });
    await vi.waitFor(() => expect(open().filter((target) => target.startsWith(base))).toEqual([]));
  });
});

it.each([
  ['a\nb\r\nc\r\n', 'utf8', '\n', 2],
  ['a\nb\r\nc\r\n', 'utf8', '\r\n', 1],
  ['a\rb\n', 'utf8', '\n', 1],
  ['a\n', 'utf8', '\n', 0],
  ['a\r\n', 'utf8', '\r\n', 0],
  ['a\n', 'utf8', '\r\n', 1],
  ['', 'utf8', '\n', 0],
] as const)('a save of %j (%s) with the line end %j changes %i line ends', (text, encoding, eol, count) => {
  expect(changedLineEnds(Buffer.from(text), encoding, eol)).toBe(count);
  expect(changedLineEnds(Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf16le', eol)).toBe(count);
});
