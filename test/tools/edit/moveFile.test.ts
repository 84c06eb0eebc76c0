import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { moveFile } from '#tools/edit/moveFile.ts';
import { pipe } from '../../fakes/files.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { ProposeRun } from './proposeRun.ts';

const move = (path: string, to: string, more: object = {}) => ({ path, to, ...more });

describe('move_file', () => {
  it('proposes both paths and the files that move, without their bytes', async () => {
    const run = new ProposeRun({ '/w/a.ts': 'a\n' });
    const { proposal, decision } = await run.judged(moveFile, move('a.ts', 'lib/b.ts'));
    expect(proposal).toMatchObject({
      files: [
        {
          kind: 'move',
          path: { path: 'a.ts' },
          to: { path: 'lib/b.ts', kind: 'missing' },
          isFolder: false,
          files: [{ relative: '', size: 2, isLink: false }],
        },
      ],
    });
    expect(proposal).not.toHaveProperty('indivisible');
    expect(JSON.stringify(proposal, bigintAsText)).not.toContain('bytes');
    expect(decision).toMatchObject({ effect: 'ask', protectedBy: [undefined] });
  });

  it('moves a folder with all its files', async () => {
    const run = new ProposeRun({ '/w/d/b/c': 'c', '/w/d/a': 'a' });
    expect((await run.propose(moveFile, move('d', 'e/f'))).files).toMatchObject([
      { isFolder: true, to: { path: 'e/f' }, files: [{ relative: 'a' }, { relative: 'b/c' }] },
    ]);
  });

  it('edits imports, addressed by the paths before the move, in the same change', async () => {
    const run = new ProposeRun({
      '/w/src/cart.ts': "import { tax } from './tax';\n",
      '/w/src/app.ts': "import a from './cart';\nimport b from './cart';\n",
    });
    run.files.buffers.set('/w/src/app.ts', "import a from './cart';\nimport b from './cart';\n// unsaved\n");
    run.imports.edits = [
      { fsPath: '/w/src/app.ts', offset: 39, length: 6, newText: './shop/cart' },
      { fsPath: '/w/src/app.ts', offset: 15, length: 6, newText: './shop/cart' },
      { fsPath: '/w/src/cart.ts', offset: 21, length: 5, newText: '../tax' },
    ];
    const { proposal, decision } = await run.judged(moveFile, move('src/cart.ts', 'src/shop/cart.ts'));
    expect(proposal).toMatchObject({
      indivisible: true,
      files: [
        {
          kind: 'edit',
          path: { path: 'src/app.ts' },
          base: { source: 'buffer' },
          result: { text: "import a from './shop/cart';\nimport b from './shop/cart';\n// unsaved\n" },
        },
        { kind: 'edit', path: { path: 'src/cart.ts' }, result: { text: "import { tax } from '../tax';\n" } },
        { kind: 'move', path: { path: 'src/cart.ts' } },
      ],
    });
    expect(decision.protectedBy).toEqual([undefined, undefined, undefined]);
    expect(run.imports.asked).toEqual(['src/cart.ts -> src/shop/cart.ts']);
  });

  it('leaves imports unchanged when updateImports is false', async () => {
    const run = new ProposeRun({ '/w/a.ts': '' });
    await run.propose(moveFile, move('a.ts', 'b.ts', { updateImports: false }));
    expect(run.imports.asked).toEqual([]);
  });

  it('P17 leaves imports alone in files that no assistant may change', async () => {
    const run = new ProposeRun({ '/w/a.ts': '', '/w/.env': 'a.ts', '/w/.git/x': 'a.ts' });
    run.imports.edits = ['/w/.env', '/w/.git/x', '/etc/passwd', '/home/u/.bashrc'].map((fsPath) => ({
      fsPath,
      offset: 0,
      length: 1,
      newText: 'b',
    }));
    const { files } = await run.propose(moveFile, move('a.ts', 'b.ts'));
    expect(files).toMatchObject([{ kind: 'move' }]);
    expect(run.files.reads).not.toEqual(expect.arrayContaining([expect.stringMatching(/env|git/)]));
  });

  it('refuses the move and says what to do next when an import cannot be changed', async () => {
    const run = new ProposeRun({ '/w/a.ts': '', '/w/b.ts': "from './a'" });
    run.imports.edits = [{ fsPath: '/w/b.ts', offset: 6, length: 3, newText: './c' }];
    const refused = { code: 'unavailable', hint: expect.stringContaining('updateImports false') };
    run.files.facts.set('/w/b.ts', { readonly: true });
    await expect(run.propose(moveFile, move('a.ts', 'c.ts'))).rejects.toMatchObject(refused);
    run.files.facts.set('/w/b.ts', { unsavedElsewhere: true });
    await expect(run.propose(moveFile, move('a.ts', 'c.ts'))).rejects.toMatchObject(refused);
    run.files.facts.clear();
    run.imports.edits = [{ fsPath: '/w/b.ts', offset: 9, length: 3, newText: './c' }];
    await expect(run.propose(moveFile, move('a.ts', 'c.ts'))).rejects.toMatchObject(refused);
    run.imports.edits = [{ fsPath: '/w/gone.ts', offset: 0, length: 0, newText: './c' }];
    await expect(run.propose(moveFile, move('a.ts', 'c.ts'))).rejects.toMatchObject(refused);
  });

  it('treats the move as protected when an import edit changes a protected file', async () => {
    const run = new ProposeRun({ '/w/a.ts': '', '/w/.vscode/x.ts': "from '../a'" });
    run.imports.edits = [{ fsPath: '/w/.vscode/x.ts', offset: 6, length: 4, newText: '../c' }];
    const { decision } = await run.judged(moveFile, move('a.ts', 'c.ts'));
    expect(decision).toMatchObject({
      reason: expect.stringContaining('protected path'),
      protectedBy: ['**/.vscode', undefined],
    });
  });

  it('refuses an existing destination and says which path to give', async () => {
    const run = new ProposeRun({ '/w/a': '', '/w/b': '', '/w/d/x': '' });
    expect(await run.codeOf(moveFile, move('a', 'b'))).toBe('unavailable');
    expect(await run.codeOf(moveFile, move('a', 'a'))).toBe('unavailable');
    await expect(run.propose(moveFile, move('a', 'd'))).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('full new path'),
    });
    expect(await run.codeOf(moveFile, move('a', 'b/c'))).toBe('unavailable');
    run.files.buffers.set('/w/unsaved', 'x');
    expect(await run.codeOf(moveFile, move('a', 'unsaved'))).toBe('unavailable');
  });

  it('P6 changes the letter case of the same name on a disk that ignores case, and of no other name', async () => {
    const run = new ProposeRun({ '/w/Cart.ts': '', '/w/Dir/x': '', '/w/other': '' });
    run.files.ignoresCase = true;
    expect((await run.propose(moveFile, move('Cart.ts', 'cart.ts'))).files).toMatchObject([
      { path: { realPath: '/w/Cart.ts' }, to: { path: 'cart.ts', fsPath: '/w/cart.ts', realPath: '/w/Cart.ts' } },
    ]);
    expect((await run.propose(moveFile, move('dir', 'DIR'))).files).toMatchObject([
      { path: { path: 'Dir', realPath: '/w/Dir' }, to: { path: 'DIR', realPath: '/w/Dir' }, isFolder: true },
    ]);
    expect(await run.codeOf(moveFile, move('Cart.ts', 'Cart.ts'))).toBe('unavailable');
    expect(await run.codeOf(moveFile, move('cart.ts', 'Cart.ts'))).toBe('unavailable');
    expect(await run.codeOf(moveFile, move('Cart.ts', 'OTHER'))).toBe('unavailable');
    const sensitive = new ProposeRun({ '/w/a': '', '/w/A': { link: 'a' } });
    expect(await sensitive.codeOf(moveFile, move('a', 'A'))).toBe('unavailable');
  });

  it('refuses to move a folder into itself', async () => {
    const run = new ProposeRun({ '/w/d/x': '', '/w/link': { link: 'd' } });
    await expect(run.propose(moveFile, move('d', 'd/e'))).rejects.toThrow('itself');
    await expect(run.propose(moveFile, move('d', 'link/e/f'))).rejects.toThrow('itself');
    expect(await run.codeOf(moveFile, move('d', 'd2'))).toBe('proposed');
    expect(await run.codeOf(moveFile, move('d', '..d'))).toBe('proposed');
  });

  it('moves between workspace folders only when they are on the same disk', async () => {
    const run = new ProposeRun({ '/one/a': '', '/two/b': '' }, [folderAt('/one'), folderAt('/two')]);
    expect(await run.codeOf(moveFile, move('one/a', 'two/new/a'))).toBe('proposed');
    run.files.devices.set('/two', 2n);
    await expect(run.propose(moveFile, move('one/a', 'two/new/a'))).rejects.toThrow('another disk');
  });

  it('moves unsaved text along, and refuses a notebook with unsaved changes', async () => {
    const run = new ProposeRun({ '/w/d/a': '', '/w/d/n.ipynb': '' });
    run.files.buffers.set('/w/d/a', 'unsaved');
    expect(await run.codeOf(moveFile, move('d', 'e'))).toBe('proposed');
    run.files.dirtyElsewhere.add('/w/d/n.ipynb');
    await expect(run.propose(moveFile, move('d', 'e'))).rejects.toThrow('d/n.ipynb');
  });

  it('P4 moves a link as a link', async () => {
    const run = new ProposeRun({ '/w/link': { link: 'real' }, '/w/real': 'text' });
    expect((await run.propose(moveFile, move('link', 'other'))).files).toMatchObject([
      { path: { realPath: '/w/link', linked: false }, files: [{ isLink: true }] },
    ]);
  });

  it('P4 names the real destination when the path is below a linked folder', async () => {
    const run = new ProposeRun({ '/w/a': '', '/w/link': { link: 'real' }, '/w/real/x': '' });
    expect((await run.propose(moveFile, move('a', 'link/n/a'))).files).toMatchObject([
      { to: { path: 'real/n/a', realPath: '/w/real/n/a', linked: false } },
    ]);
  });

  it.each([
    ['payload.txt', '.vscode/tasks.json', '**/.vscode'],
    ['payload.txt', 'Makefile', '**/makefile'],
    ['.vscode/tasks.json', 'notes.txt', '**/.vscode'],
    ['payload.txt', 'package.json', '**/package.json'],
    ['folder', '.vscode', '**/.vscode'],
    ['folder', '.github', '**/.github/{workflows,actions}'],
    ['hooks', 'lib', '*.{ps1,psm1'],
  ])('P15 treats the move %s -> %s as protected by %s', async (path, to, pattern) => {
    const nodes = { '/w/payload.txt': '{}', '/w/folder/workflows/ci.yml': '', '/w/hooks/x.sh': '' };
    const run = new ProposeRun(to === 'notes.txt' ? { '/w/.vscode/tasks.json': '' } : nodes);
    const { decision } = await run.judged(moveFile, move(path, to));
    expect(decision).toMatchObject({
      effect: 'ask',
      reason: expect.stringContaining('protected path'),
      risk: 'delete',
    });
    expect(decision.protectedBy[0]).toContain(pattern);
  });

  it.each([
    ['.env', 'notes.txt'],
    ['notes.txt', '.env'],
    ['notes.txt', '.git/hooks/pre-commit'],
    ['.git', 'git'],
    ['folder', '.git'],
    ['folder', 'secrets'],
    ['keys', 'lib'],
    ['.', 'lib'],
  ])('P15 refuses the move %s -> %s', async (path, to) => {
    const run = new ProposeRun({
      '/w/.env': '',
      '/w/notes.txt': '',
      '/w/folder/a': '',
      '/w/keys/id_rsa': '',
    });
    run.files.nodes.set('/w/.git/config', '');
    if (to.startsWith('.git') || to === 'secrets') run.files.nodes.delete('/w/.git/config');
    expect(await run.codeOf(moveFile, move(path, to))).toBe('denied');
  });

  it('refuses a path that is missing, a pipe, or too large', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`/w/d/${at}`, '']));
    const run = new ProposeRun({ ...many, '/w/p/pipe': pipe });
    expect(await run.codeOf(moveFile, move('none', 'b'))).toBe('not_found');
    expect(await run.codeOf(moveFile, move('p', 'b'))).toBe('unavailable');
    expect(await run.codeOf(moveFile, move('d', 'b'))).toBe('too_large');
  });

  it.each([[{}], [{ path: 'a' }], [{ to: 'a' }], [move('a', '')], [move('a', 'b', { overwrite: true })]])(
    'refuses wrong arguments %#',
    (input) => {
      expect(() => moveFile.input.parse(input)).toThrow(InvalidArgumentsError);
    },
  );
});

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
