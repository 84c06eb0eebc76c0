import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lookAt } from '#changes/outside/diskEntry.ts';
import { parseIndex, writeIndex } from '#changes/outside/gitIndex.ts';
import { findGit } from '#changes/outside/gitProgram.ts';
import { takeGitSnapshot, workTreeRootOf } from '#changes/outside/gitSnapshot.ts';
import { git, put, repository } from './repository.ts';
import { contentOf, differencesIn, snapshotOf, temporaryFolder } from './snapshots.ts';

/** Times of the past keep Git from comparing the content of each file again. */
function age(root: string, ...paths: readonly string[]): void {
  for (const path of paths) utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
  git(root, 'update-index', '--refresh');
}

function places() {
  const folder = temporaryFolder();
  return { root: join(folder, 'work'), own: join(folder, 'own') };
}

test('holds committed, changed, staged and new files as they were when it was taken', async () => {
  const { root, own } = places();
  repository(root, { 'same.txt': 'same', 'changed.txt': 'old', 'staged.txt': 'old', 'gone.txt': 'gone' });
  put(root, 'changed.txt', 'mine');
  put(root, 'staged.txt', 'staged');
  git(root, 'add', 'staged.txt');
  put(root, 'staged.txt', 'then changed');
  put(root, 'new file.txt', 'new');
  rmSync(join(root, 'gone.txt'));
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  for (const name of ['same.txt', 'changed.txt', 'staged.txt', 'new file.txt']) put(root, name, `outside ${name}`);
  put(root, 'gone.txt', 'back');
  expect(await contentOf(snapshot, join(root, 'same.txt'))).toBe('same');
  expect(await contentOf(snapshot, join(root, 'changed.txt'))).toBe('mine');
  expect(await contentOf(snapshot, join(root, 'staged.txt'))).toBe('then changed');
  expect(await contentOf(snapshot, join(root, 'new file.txt'))).toBe('new');
  expect(await contentOf(snapshot, join(root, 'gone.txt'))).toBeUndefined();
  expect(await differencesIn(root, snapshot)).toEqual([
    'changed.txt',
    'gone.txt',
    'new file.txt',
    'same.txt',
    'staged.txt',
  ]);
  expect(lstatSync(own).mode & 0o777).toBe(0o700);
});

test('finds edits, new files, deletes, moves, modes, binaries and links', async () => {
  const { root, own } = places();
  const binary = Buffer.from([0, 1, 2, 255]);
  repository(root, { 'a.txt': 'a', 'gone.txt': 'gone', 'moved.txt': 'moved', 'mode.sh': 'run', 'image.bin': binary });
  symlinkSync('a.txt', join(root, 'link'));
  const snapshot = await snapshotOf(root, own);
  put(root, 'a.txt', 'b');
  put(root, 'deep/new.txt', 'new');
  rmSync(join(root, 'gone.txt'));
  renameSync(join(root, 'moved.txt'), join(root, 'there.txt'));
  chmodSync(join(root, 'mode.sh'), 0o755);
  put(root, 'image.bin', Buffer.from([0, 9]));
  rmSync(join(root, 'link'));
  symlinkSync('gone.txt', join(root, 'link'));
  const found = ['a.txt', 'deep/new.txt', 'gone.txt', 'image.bin', 'link', 'mode.sh', 'moved.txt', 'there.txt'];
  expect(await differencesIn(root, snapshot)).toEqual(found);
  const link = await snapshot.read(join(root, 'link'));
  expect([link.kind, Buffer.from(await link.content()).toString()]).toEqual(['link', 'a.txt']);
  const image = await snapshot.read(join(root, 'image.bin'));
  expect(Buffer.from(await image.content())).toEqual(binary);
  const mode = await snapshot.read(join(root, 'mode.sh'));
  expect([mode.isExecutable, mode.isSame(await lookAt(join(root, 'mode.sh')))]).toEqual([false, false]);
});

test('finds files that the index calls unchanged, absent or only intended', async () => {
  const { root, own } = places();
  repository(root, { 'assumed.txt': 'a', 'skipped.txt': 's', 'plain.txt': 'p' });
  put(root, 'intended.txt', 'i');
  git(root, 'add', '--intent-to-add', 'intended.txt');
  git(root, 'update-index', '--assume-unchanged', 'assumed.txt');
  git(root, 'update-index', '--skip-worktree', 'skipped.txt');
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  for (const name of ['assumed.txt', 'skipped.txt', 'intended.txt']) put(root, name, 'outside');
  expect(await differencesIn(root, snapshot)).toEqual(['assumed.txt', 'intended.txt', 'skipped.txt']);
  expect(await contentOf(snapshot, join(root, 'intended.txt'))).toBe('i');
});

test('notices a change in the second in which the index was written', async () => {
  const { root, own } = places();
  // The test needs a second with enough time left.
  if (Date.now() % 1_000 > 700) await setTimeout(1_000 - (Date.now() % 1_000));
  repository(root, { 'a.txt': 'a' });
  put(root, 'a.txt', 'b');
  await setTimeout(1_010 - (Date.now() % 1_000));
  const snapshot = await snapshotOf(root, own);
  put(root, 'a.txt', 'outside');
  expect(await contentOf(snapshot, join(root, 'a.txt'))).toBe('b');
});

test('keeps CRLF and every other conversion of a check-out as it stands on disk', async () => {
  const { root, own } = places();
  repository(root, { 'crlf.txt': 'one\ntwo\n', 'wide.txt': 'wide', '.gitattributes': '' });
  git(root, 'config', 'core.autocrlf', 'true');
  put(root, '.gitattributes', 'wide.txt working-tree-encoding=UTF-16LE\n');
  git(root, 'add', '.gitattributes');
  rmSync(join(root, 'crlf.txt'));
  rmSync(join(root, 'wide.txt'));
  git(root, 'checkout', '--', 'crlf.txt', 'wide.txt');
  age(root, 'crlf.txt', 'wide.txt');
  const onDisk = readFileSync(join(root, 'wide.txt'));
  expect(onDisk).toEqual(Buffer.from('wide', 'utf16le'));
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  put(root, 'crlf.txt', 'one\ntwo\n');
  put(root, 'wide.txt', 'wide');
  expect(await differencesIn(root, snapshot)).toEqual(['crlf.txt', 'wide.txt']);
  expect(await contentOf(snapshot, join(root, 'crlf.txt'))).toBe('one\r\ntwo\r\n');
  expect(Buffer.from(await (await snapshot.read(join(root, 'wide.txt'))).content())).toEqual(onDisk);
});

test('keeps nothing of files in which a check-out made each LF a CRLF, and restores their bytes', async () => {
  const { root, own } = places();
  const onDisk = { 'moved.txt': 'm\r\n', 'same.txt': 's\r\n', 'text.txt': 'one\r\n\r\ntwo' };
  repository(root, { 'empty.txt': '' });
  git(root, 'config', 'core.autocrlf', 'true');
  for (const [name, text] of Object.entries(onDisk)) put(root, name, text);
  // Its lines end in different ways, so that the blob does not tell what is on disk.
  put(root, 'mixed.txt', 'one\r\ntwo\n');
  git(root, 'add', '-A');
  age(root, ...Object.keys(onDisk), 'mixed.txt');
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  const held = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    env: { GIT_DIR: join(own, 'trees/0.git') },
    encoding: 'latin1',
  });
  expect(held).toMatch(/^[0-9a-f]{40} blob 9\none\r\ntwo\n\n$/);

  const now = new Date();
  utimesSync(join(root, 'same.txt'), now, now);
  renameSync(join(root, 'moved.txt'), join(root, 'there.txt'));
  put(root, 'text.txt', 'one\n\ntwo');
  put(root, 'mixed.txt', 'outside');
  expect(await differencesIn(root, snapshot)).toEqual(['mixed.txt', 'moved.txt', 'same.txt', 'text.txt', 'there.txt']);
  for (const [name, text] of Object.entries({ ...onDisk, 'mixed.txt': 'one\r\ntwo\n' })) {
    expect(await contentOf(snapshot, join(root, name))).toBe(text);
  }
  const isSame = async (name: string, at = name): Promise<boolean> =>
    (await snapshot.read(join(root, name))).isSame(await lookAt(join(root, at)));
  expect(await isSame('same.txt')).toBe(true);
  expect(await isSame('text.txt')).toBe(false);
  expect(await isSame('moved.txt', 'there.txt')).toBe(true);
});

test('keeps what a filter made of a file, even when it has the same size', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'clean', '.gitattributes': 'a.txt filter=swap\n', 'b.txt': 'plain' });
  git(root, 'config', 'filter.swap.clean', "tr 'DIRTY' 'clean'");
  git(root, 'config', 'filter.swap.smudge', "tr 'clean' 'DIRTY'");
  rmSync(join(root, 'a.txt'));
  git(root, 'checkout', '--', 'a.txt');
  age(root, 'a.txt');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('DIRTY');
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  put(root, 'a.txt', 'outside');
  expect(await contentOf(snapshot, join(root, 'a.txt'))).toBe('DIRTY');
});

test.each([
  ['are more', { files: 2, bytes: 1000 }],
  ['are together larger', { files: 100, bytes: 8 }],
])(
  'keeps the smallest files, and compares the others, when new and converted files %s than the limits allow',
  async (_, limits) => {
    const { root, own } = places();
    repository(root, { 'same.txt': 'same' });
    git(root, 'config', 'core.autocrlf', 'true');
    put(root, 'mixed.txt', '1\r\n2\n3\r\n4\n5\r\n');
    git(root, 'add', 'mixed.txt');
    age(root, 'mixed.txt');
    put(root, 'two.txt', '22');
    put(root, 'five.txt', '55555');
    put(root, 'nine.txt', '999999999');
    const snapshot = await snapshotOf(root, own, { limits });
    expect(snapshot.gaps).toEqual([expect.stringMatching(/ 2 can be compared, but not restored:/)]);
    expect(await differencesIn(root, snapshot)).toEqual([]);
    const names = ['five.txt', 'mixed.txt', 'nine.txt', 'same.txt', 'two.txt'];
    for (const name of names) put(root, name, `outside ${name}`);
    expect(await differencesIn(root, snapshot)).toEqual(names);
    expect(await contentOf(snapshot, join(root, 'same.txt'))).toBe('same');
    expect(await contentOf(snapshot, join(root, 'two.txt'))).toBe('22');
    expect(await contentOf(snapshot, join(root, 'five.txt'))).toBe('55555');
    for (const name of ['nine.txt', 'mixed.txt']) expect((await snapshot.read(join(root, name))).kind).toBe('opaque');
  },
);

test.each(['split', 'sparse', 'unknown', 'version 4', 'missing', 'damaged'])(
  'reads a repository with a %s index',
  async (form) => {
    const { root, own } = places();
    repository(root, { 'a/one.txt': 'one', 'a/two.txt': 'two', 'b/three.txt': 'three' });
    const index = join(root, '.git/index');
    if (form === 'split') git(root, 'update-index', '--split-index');
    if (form === 'sparse') git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'a');
    if (form === 'version 4') git(root, 'update-index', '--index-version', '4');
    if (form === 'missing') rmSync(index);
    const bytes = form === 'missing' ? Buffer.alloc(0) : readFileSync(index);
    if (form === 'unknown') bytes.writeUInt32BE(9, 4);
    if (form === 'damaged') bytes.fill(1, 40, 60);
    if (form === 'unknown' || form === 'damaged') put(root, '.git/index', bytes);
    const snapshot = await snapshotOf(root, own);
    expect(await differencesIn(root, snapshot)).toEqual([]);
    put(root, 'a/two.txt', 'outside');
    rmSync(join(root, 'a/one.txt'));
    expect(await differencesIn(root, snapshot)).toEqual(['a/one.txt', 'a/two.txt']);
    expect(await contentOf(snapshot, join(root, 'a/one.txt'))).toBe('one');
    expect(await contentOf(snapshot, join(root, 'a/two.txt'))).toBe('two');
  },
);

test('takes the content of the disk in a conflict', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'base\n' });
  git(root, 'checkout', '-q', '-b', 'other');
  put(root, 'a.txt', 'other\n');
  git(root, 'commit', '-qam', 'other');
  git(root, 'checkout', '-q', 'main');
  put(root, 'a.txt', 'main\n');
  git(root, 'commit', '-qam', 'main');
  expect(() => git(root, 'merge', 'other')).toThrow();
  const conflict = readFileSync(join(root, 'a.txt'), 'utf8');
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  put(root, 'a.txt', 'outside');
  expect(await contentOf(snapshot, join(root, 'a.txt'))).toBe(conflict);
});

test('keeps no content of secret files, and still says that one changed', async () => {
  const { root, own } = places();
  repository(root, { '.env': 'TOKEN=committed', 'a.txt': 'a', '.gitignore': '.env.local\n' });
  put(root, '.env', 'TOKEN=uncommitted');
  put(root, 'deep/.env.new', 'TOKEN=untracked');
  put(root, '.env.local', 'TOKEN=ignored');
  const isSecret = (path: string): boolean => path.includes('/.env');
  const snapshot = await snapshotOf(root, own, { isSecret });
  const held = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    env: { GIT_DIR: join(own, 'trees/0.git') },
    encoding: 'latin1',
  });
  expect(held).not.toContain('TOKEN');
  expect(await differencesIn(root, snapshot)).toEqual([]);
  put(root, '.env', 'TOKEN=outside');
  rmSync(join(root, 'deep/.env.new'));
  put(root, '.env.local', 'TOKEN=outside, too');
  put(root, '.env.later', 'TOKEN=later');
  expect(await differencesIn(root, snapshot)).toEqual(['.env', '.env.later', '.env.local', 'deep/.env.new']);
  const baseline = await snapshot.read(join(root, '.env'));
  expect(baseline.kind).toBe('secret');
  await expect(baseline.content()).rejects.toThrow();
  put(root, '.env', 'TOKEN=uncommitted');
  expect(baseline.isSame(await lookAt(join(root, '.env')))).toBe(true);
});

test('names what is newly ignored, and calls nothing new that was ignored before', async () => {
  const { root, own } = places();
  repository(root, { '.gitignore': 'old/\nold.log\n' });
  put(root, 'old/a.txt', 'a');
  put(root, 'old.log', 'log');
  const snapshot = await snapshotOf(root, own);
  put(root, '.gitignore', 'hidden.sh\ndist/\n');
  put(root, 'hidden.sh', 'evil');
  put(root, 'dist/out.js', 'out');
  const { paths, ignored } = await snapshot.differences(new AbortController().signal);
  // What was ignored is not ignored any more, but it has not changed.
  expect(paths).toEqual([join(root, '.gitignore')]);
  expect(ignored.toSorted()).toEqual([join(root, 'dist/'), join(root, 'hidden.sh')]);
  put(root, 'old/a.txt', 'changed');
  expect(await differencesIn(root, snapshot)).toEqual(['.gitignore', 'old/a.txt']);
  expect((await snapshot.read(join(root, 'old/a.txt'))).kind).toBe('unknown');
  const asked = [join(root, 'dist/out.js'), join(root, 'old.log'), join(root, 'a.txt')];
  const roots = await snapshot.ignoredRoots(asked, new AbortController().signal);
  expect([...roots.values()]).toEqual([join(root, 'old.log'), join(root, 'dist/')]);
});

test('covers submodules, nested repositories and work trees, each by itself', async () => {
  const { root, own } = places();
  const library = join(root, '../library');
  repository(library, { 'lib.txt': 'lib' });
  repository(root, { 'a.txt': 'a' });
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'sub');
  git(root, 'commit', '-qm', 'with sub');
  repository(join(root, 'packages/nested'), { 'n.txt': 'n' });
  mkdirSync(join(root, 'empty'));
  git(join(root, 'empty'), 'init', '-q');
  put(root, 'empty/e.txt', 'e');
  git(root, 'worktree', 'add', '-q', 'trees/one', '-b', 'one');
  const snapshot = await snapshotOf(root, own);
  expect(snapshot.gaps).toEqual([]);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  for (const path of ['a.txt', 'sub/lib.txt', 'packages/nested/n.txt', 'empty/e.txt', 'trees/one/a.txt']) {
    put(root, path, `outside ${path}`);
  }
  const found = ['a.txt', 'empty/e.txt', 'packages/nested/n.txt', 'sub/lib.txt', 'trees/one/a.txt'];
  expect(await differencesIn(root, snapshot)).toEqual(found);
  expect(await contentOf(snapshot, join(root, 'sub/lib.txt'))).toBe('lib');
  expect(await contentOf(snapshot, join(root, 'packages/nested/n.txt'))).toBe('n');
  expect(await contentOf(snapshot, join(root, 'trees/one/a.txt'))).toBe('a');
  rmSync(join(root, 'packages/nested/.git'), { recursive: true });
  rmSync(join(root, 'sub'), { recursive: true });
  repository(join(root, 'later'), { 'l.txt': 'l' });
  expect(await differencesIn(root, snapshot)).toEqual([...found.slice(0, 2), 'later/l.txt', ...found.slice(2)]);
  expect(await workTreeRootOf(join(root, 'trees/one'))).toBe(join(root, 'trees/one'));
});

test('gives a snapshot to 20 nested repositories and names the others', { timeout: 60_000 }, async () => {
  const { root, own } = places();
  repository(root, {});
  for (let index = 0; index < 22; index += 1) {
    mkdirSync(join(root, `r${index}`));
    git(join(root, `r${index}`), 'init', '-q');
  }
  const snapshot = await snapshotOf(root, own);
  expect(snapshot.gaps).toHaveLength(2);
  expect(readdirSync(join(own, 'trees'))).toHaveLength(21);
});

test('reads alternates, a linked work tree and sha256 ids', async () => {
  const { root, own } = places();
  const origin = join(root, '../origin');
  repository(origin, { 'a.txt': 'a' });
  execFileSync('git', ['clone', '-q', '--shared', origin, root]);
  const linked = join(root, '../linked');
  git(root, 'worktree', 'add', '-q', linked, '-b', 'linked');
  const wide = join(root, '../wide');
  repository(wide, { 'a.txt': 'a' }, '--object-format=sha256');
  for (const [index, each] of [root, linked, wide].entries()) {
    const snapshot = await snapshotOf(each, join(own, String(index)));
    put(each, 'a.txt', 'outside');
    expect(await differencesIn(each, snapshot)).toEqual(['a.txt']);
    expect(await contentOf(snapshot, join(each, 'a.txt'))).toBe('a');
  }
});

test('does not call a file its baseline that changed before anybody waited for the snapshot', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'a', 'b.txt': 'b' });
  put(root, 'b.txt', 'mine, long ago');
  await setTimeout(20);
  const given = Date.now();
  await setTimeout(20);
  put(root, 'a.txt', 'written by the first command');
  put(root, 'new.txt', 'written by the first command');
  const snapshot = await snapshotOf(root, own);
  snapshot.doubtSince(given);
  expect(await differencesIn(root, snapshot)).toEqual(['a.txt', 'new.txt']);
  const [a, b] = await Promise.all(['a.txt', 'b.txt'].map((name) => snapshot.read(join(root, name))));
  expect([a?.source, b?.source]).toEqual(['commit', 'snapshot']);
  expect(Buffer.from((await a?.content()) ?? []).toString()).toBe('a');
  expect((await snapshot.read(join(root, 'new.txt'))).kind).toBe('unknown');
});

test('tells which files a check-out explains', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'a', 'only-main.txt': 'm', 'same.txt': 's' });
  git(root, 'checkout', '-q', '-b', 'other');
  put(root, 'a.txt', 'other');
  rmSync(join(root, 'only-main.txt'));
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'other');
  git(root, 'checkout', '-q', 'main');
  const snapshot = await snapshotOf(root, own);
  const { signal } = new AbortController();
  expect((await snapshot.heads(signal)).get(root)?.branch).toBe('main');
  git(root, 'checkout', '-q', 'other');
  put(root, 'same.txt', 'outside');
  const { paths } = await snapshot.differences(signal);
  const now = new Map(await Promise.all(paths.map(async (path) => [path, await lookAt(path)] as const)));
  const head = (await snapshot.heads(signal)).get(root);
  expect(head?.branch).toBe('other');
  const explained = await snapshot.checkedOut(root, head?.commit ?? '', now, signal);
  expect([...explained.keys()].toSorted()).toEqual([join(root, 'a.txt'), join(root, 'only-main.txt')]);
  expect(Buffer.from((await explained.get(join(root, 'a.txt'))?.content()) ?? []).toString()).toBe('other');
});

test('reads nothing outside the work tree for an index that was made by hand', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'a' });
  put(root, '../secret.txt', 'outside the work tree');
  const [entry] = (await parseIndex(readFileSync(join(root, '.git/index')), 'sha1')) ?? [];
  if (entry === undefined) throw new Error('The index has one entry.');
  const named = ['../secret.txt', '.git/config', 'a.txt'].map((path) => ({
    path,
    name: Buffer.from(path),
    mode: entry.mode,
    id: entry.id,
    size: entry.size,
    stage: 0,
    isIntended: false,
    stat: Buffer.alloc(40, 0).fill(entry.stat.subarray(24, 28), 24, 28),
  }));
  put(root, '.git/index', await writeIndex(named, 'sha1'));
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  const objects = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    env: { GIT_DIR: join(own, 'trees/0.git') },
    encoding: 'latin1',
  });
  expect(objects).not.toMatch(/outside the work tree|repositoryformatversion/);
});

test('H16: lets other calls run while the index of very many files is written and read', async () => {
  const entry = { mode: 0o100644, id: 'a'.repeat(40), size: 1, stage: 0, isIntended: false, stat: Buffer.alloc(40) };
  const entries = Array.from({ length: 1000 }, (_, index) => {
    const path = `src/${String(index).padStart(6, '0')}.ts`;
    return { ...entry, path, name: Buffer.from(path) };
  });
  // Each look at the clock finds a millisecond more, so that the work takes several time slices on a fast machine, too.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  onTestFinished(() => clock.mockRestore());
  const turnsDuring = async <T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly result: T }> => {
    let [turns, isOver] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const result = await work();
    isOver = true;
    return { turns, result };
  };
  const written = await turnsDuring(() => writeIndex(entries, 'sha1'));
  const read = await turnsDuring(() => parseIndex(written.result, 'sha1'));
  expect(read.result).toHaveLength(entries.length);
  expect([written.turns, read.turns].map((turns) => turns > 0)).toEqual([true, true]);
});

test('knows nothing of a file when the index of the snapshot was changed by another program', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'a' });
  const snapshot = await snapshotOf(root, own);
  expect((await snapshot.read(join(root, 'a.txt'))).kind).toBe('file');
  put(root, 'a.txt', 'outside');
  git(root, '--git-dir', join(own, 'trees/0.git'), '--work-tree', root, 'add', 'a.txt');
  expect((await snapshot.read(join(root, 'a.txt'))).kind).toBe('unknown');
});

test('says why there is no snapshot without Git, without a repository and with a broken one', async () => {
  const { root, own } = places();
  mkdirSync(root);
  const options = { isSecret: () => false, signal: new AbortController().signal };
  const program = await findGit({ path: process.env['PATH'], platform: process.platform, folders: [] });
  expect((await takeGitSnapshot(root, own, { ...options, program: undefined })).reason).toMatch(/not found/);
  expect((await takeGitSnapshot(root, own, { ...options, program })).reason).toMatch(/could not take/);
  repository(root, { 'a.txt': 'a' });
  put(root, '.git/config', '[core\n');
  expect((await takeGitSnapshot(root, own, { ...options, program })).reason).toMatch(/could not take/);
  expect(existsSync(join(own, 'trees'))).toBe(false);
});

test('ends when it is cancelled', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'a' });
  const abort = new AbortController();
  const taking = snapshotOf(root, own, { signal: abort.signal });
  abort.abort(new Error('the session ended'));
  await expect(taking).rejects.toThrow('the session ended');
  expect(existsSync(join(own, 'trees'))).toBe(false);
});

test('keeps a file that cannot be read apart, and one that is too large', async () => {
  const { root, own } = places();
  repository(root, { 'a.txt': 'a' });
  put(root, 'locked.txt', 'locked');
  put(root, 'large.bin', Buffer.alloc(21 * 1024 * 1024));
  chmodSync(join(root, 'locked.txt'), 0);
  const snapshot = await snapshotOf(root, own);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  put(root, 'large.bin', 'small now');
  expect(await differencesIn(root, snapshot)).toEqual(['large.bin']);
  expect((await snapshot.read(join(root, 'large.bin'))).kind).toBe('opaque');
});

test('takes Git from an absolute folder of PATH outside the workspace only', async () => {
  const { root } = places();
  put(root, 'bin/git', '#!/bin/sh\n');
  chmodSync(join(root, 'bin/git'), 0o755);
  const find = (path: string): Promise<string | undefined> => findGit({ path, platform: 'linux', folders: [root] });
  expect(await find(`${root}/bin:bin:.`)).toBeUndefined();
  const link = join(root, '../links');
  mkdirSync(link);
  symlinkSync(join(root, 'bin/git'), join(link, 'git'));
  expect(await find(link)).toBeUndefined();
  expect(await findGit({ path: '/usr/bin', platform: 'darwin', folders: [] })).toBeUndefined();
  expect(await find(`${root}/bin:${process.env['PATH'] ?? ''}`)).toBe(await find(process.env['PATH'] ?? ''));
});
