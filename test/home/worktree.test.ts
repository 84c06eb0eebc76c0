import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { guardedWorkTree, guardsOfFiles } from '#home/worktree.ts';
import { addWorkTree, treesFolder, write } from './workTrees.ts';

let [parent, repo, common, tree] = ['', '', '', ''];

beforeEach(() => {
  parent = treesFolder();
  [repo, common, tree] = [join(parent, 'repo'), join(parent, 'repo', '.git'), join(parent, 'trees', 'feature-x')];
  mkdirSync(common, { recursive: true });
});

const found = (path = join(tree, 'src', 'new', 'a.ts'), folders: readonly string[] = [repo]) =>
  guardedWorkTree(path, folders);

describe('guardedWorkTree', () => {
  test('finds the work tree of a file that need not exist, and the tree that it belongs to', () => {
    addWorkTree(common, tree);
    expect(found()).toEqual({ root: tree, of: repo });
    expect(found(tree)).toEqual({ root: tree, of: repo });
    expect(found(join(parent, 'trees', 'a.ts'))).toBeUndefined();
    expect(found(undefined, [join(parent, 'other')])).toBeUndefined();
  });

  test('follows relative paths in the files of Git', () => {
    const claim = relative(tree, join(common, 'worktrees', 'tree'));
    addWorkTree(common, tree, { claim, back: relative(join(common, 'worktrees', 'tree'), join(tree, '.git')) });
    expect(found()).toEqual({ root: tree, of: repo });
  });

  test('agrees with Git itself', () => {
    const git = (...parameters: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...parameters], {
        cwd: repo,
        env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        stdio: 'pipe',
      });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'first');
    git('worktree', 'add', '--quiet', tree);
    expect(found()).toEqual({ root: tree, of: repo });
    git('worktree', 'remove', tree);
    expect(found()).toBeUndefined();
  });

  test('counts for a folder above the repository, for one in it, and for another work tree', () => {
    addWorkTree(common, tree);
    const [part, other] = [join(repo, 'packages', 'app'), join(parent, 'other')];
    mkdirSync(part, { recursive: true });
    addWorkTree(common, other, { id: 'other' });
    expect(found(join(tree, 'a'), [part])).toEqual({ root: tree, of: repo });
    expect(found(join(tree, 'a'), [other])).toEqual({ root: tree, of: other });
    expect(found(join(repo, 'a'), [other])).toEqual({ root: repo, of: other });
    // A parent of the repository that is no parent of the work tree.
    const far = join(treesFolder(), 'far');
    addWorkTree(common, far, { id: 'far' });
    expect(found(join(far, 'a'), [parent])).toEqual({ root: far, of: repo });
  });

  test('counts for a folder that holds a bare repository', () => {
    const bare = join(repo, '.bare');
    addWorkTree(bare, tree);
    expect(found()).toEqual({ root: tree, of: undefined });
  });

  test('finds nothing in the rest of a tree of which a part is open', () => {
    mkdirSync(join(repo, 'packages', 'app'), { recursive: true });
    expect(found(join(repo, 'packages', 'web', 'a'), [join(repo, 'packages', 'app')])).toBeUndefined();
    const nested = join(repo, '.trees', 'nested');
    addWorkTree(common, nested);
    expect(found(join(repo, 'a'), [nested])).toBeUndefined();
    expect(found(join(nested, 'a'), [join(repo, 'packages', 'app')])).toEqual({ root: nested, of: repo });
  });

  test('keeps a repository, a submodule and a broken claim in a work tree in it', () => {
    addWorkTree(common, tree);
    mkdirSync(join(tree, 'vendor', '.git'), { recursive: true });
    const modules = join(common, 'worktrees', 'tree', 'modules', 'sub');
    write(join(modules, 'config'), '[core]\n\tworktree = ../../../../../../trees/feature-x/sub\n');
    write(join(tree, 'sub', '.git'), `gitdir: ${relative(join(tree, 'sub'), modules)}\n`);
    write(join(tree, 'src', '.git'), 'gitdir: /nowhere\n');
    for (const name of ['vendor', 'sub', 'src']) expect(found(join(tree, name, 'a'))?.root).toBe(tree);
    const inner = join(tree, 'inner');
    addWorkTree(common, inner, { id: 'inner' });
    expect(found(join(inner, 'a'))?.root).toBe(inner);
  });

  test.each<[name: string, forge: () => void]>([
    ['a folder that no repository knows', () => write(join(tree, '.git'), `gitdir: ${common}\n`)],
    ['the entry of another work tree', () => addWorkTree(common, tree, { back: join(parent, 'other', '.git') })],
    ['a folder of its own', () => addWorkTree(join(parent, 'own'), tree, { upward: common })],
    [
      'a link to a folder of its own',
      () => {
        addWorkTree(join(parent, 'own'), tree, { upward: common, claim: join(common, 'worktrees', 'tree') });
        mkdirSync(join(common, 'worktrees'), { recursive: true });
        symlinkSync(join(parent, 'own', 'worktrees', 'tree'), join(common, 'worktrees', 'tree'));
      },
    ],
    [
      'a link in place of its file',
      () => {
        addWorkTree(common, tree);
        write(join(parent, 'claim'), `gitdir: ${join(common, 'worktrees', 'tree')}\n`);
        rmSync(join(tree, '.git'));
        symlinkSync(join(parent, 'claim'), join(tree, '.git'));
      },
    ],
    [
      'a link to a repository',
      () => {
        mkdirSync(tree, { recursive: true });
        symlinkSync(common, join(tree, '.git'));
      },
    ],
    [
      'more than a line',
      () => {
        addWorkTree(common, tree);
        truncateSync(join(tree, '.git'), 5000);
      },
    ],
    ['a second line', () => addWorkTree(common, tree, { claim: `${join(common, 'worktrees', 'tree')}\nx` })],
  ])('G12: finds no work tree in a folder that claims to be one by %s', (_name, forge) => {
    forge();
    expect(found()).toBeUndefined();
  });

  test('G12: believes no claim with any other texts in the three files of Git', () => {
    const texts = fc.constantFrom('', '.', '..', '../..', common, tree, join(common, 'worktrees', 'tree'), '\0');
    fc.assert(
      fc.property(texts, texts, texts, (claim, back, upward) => {
        addWorkTree(common, tree, { claim, back, upward });
        const isTrue = claim === join(common, 'worktrees', 'tree') && [common, '../..'].includes(upward);
        // None of the texts is the path of the `.git` file.
        expect(found()).toBeUndefined();
        addWorkTree(common, tree, { claim, upward });
        expect(found() !== undefined).toBe(isTrue);
      }),
      { numRuns: 100 },
    );
  });
});

describe('guardsOfFiles', () => {
  const guardOf = (windowId: string, folder: string, state: 'open' | 'closed' = 'open') =>
    ({ windowId, folders: [folder], state, changedAt: 0, hasEnded: false }) as const;
  const idsOf = (...asked: Parameters<typeof guardsOfFiles>) => guardsOfFiles(...asked).map(({ windowId }) => windowId);

  test('returns the guard of the repository for a file in a work tree that no window has open', () => {
    addWorkTree(common, tree);
    const guards = [guardOf('repo', repo), guardOf('other', join(parent, 'other'))];
    expect(idsOf(guards, [join(tree, 'a')])).toEqual(['repo']);
    expect(idsOf(guards, [join(parent, 'a')])).toEqual([]);
    const own = guardOf('own', tree);
    expect(idsOf([...guards, own], [join(tree, 'a')])).toEqual(['own']);
    expect(idsOf([...guards, own], [join(tree, 'a'), join(repo, 'b')])).toEqual(['repo', 'own']);
    expect(idsOf([...guards, guardOf('own', tree, 'closed')], [join(tree, 'a')])).toEqual(['repo', 'own']);
  });
});
