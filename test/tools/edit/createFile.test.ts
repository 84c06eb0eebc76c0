import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { createFile } from '#tools/edit/createFile.ts';
import { pipe } from '../../fakes/files.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { ProposeRun } from './proposeRun.ts';

const create = (path: string, content = 'x\n', more: object = {}) => ({ path, content, ...more });

describe('create_file', () => {
  it('proposes exactly the given text at a vacant path', async () => {
    const run = new ProposeRun({ '/w/a.ts': 'a\n' });
    const { proposal, decision } = await run.judged(createFile, create('src/new.ts', 'one\ntwo'));
    expect(proposal.files).toMatchObject([
      {
        kind: 'create',
        path: { path: 'src/new.ts', realPath: '/w/src/new.ts', kind: 'missing' },
        result: { text: 'one\ntwo', encoding: 'utf8' },
      },
    ]);
    expect(decision).toMatchObject({ effect: 'ask', risk: 'edit', protectedBy: [undefined] });
  });

  it('creates an empty file when the content is empty', async () => {
    const { files } = await new ProposeRun({ '/w/a': '' }).propose(createFile, create('b', ''));
    expect(files).toMatchObject([{ kind: 'create', result: { text: '' } }]);
  });

  it.each([
    ['\u0430.ts', 'a.ts'],
    ['\uFF0Eenv', '.env'],
    ['cafe\u0301.ts', 'caf\u00E9.ts'],
    ['A.ts', 'a.ts'],
  ])('P8 creates %j as a file of its own beside %j, which it looks like', async (name, neighbour) => {
    const run = new ProposeRun({ [`/w/${neighbour}`]: 'of the user\n' });
    const { files } = await run.propose(createFile, create(name));
    expect(files).toMatchObject([{ kind: 'create', path: { path: name, realPath: `/w/${name}`, kind: 'missing' } }]);
  });

  it('uses the encoding and line end of the editor for new files', async () => {
    const run = new ProposeRun({ '/w/a': '' });
    run.files.newFiles = { encoding: 'utf16le', lineEnd: '\r\n' };
    const { files } = await run.propose(createFile, create('b', 'one\ntwo\n'));
    expect(files).toMatchObject([{ result: { text: 'one\r\ntwo\r\n', encoding: 'utf16le' } }]);
  });

  it('keeps the line ends of the text when it has CR', async () => {
    const run = new ProposeRun({ '/w/a': '' });
    const { files } = await run.propose(createFile, create('b.bat', 'one\r\ntwo\n'));
    expect(files).toMatchObject([{ result: { text: 'one\r\ntwo\n' } }]);
  });

  it('uses the encoding with byte-order mark when the text begins with one', async () => {
    const { files } = await new ProposeRun({ '/w/a': '' }).propose(createFile, create('b', '\uFEFFx'));
    expect(files).toMatchObject([{ result: { text: 'x', encoding: 'utf8bom' } }]);
  });

  it('refuses an existing file and says how to replace it', async () => {
    const run = new ProposeRun({ '/w/a': 'a\n', '/w/d/x': '' });
    await expect(run.propose(createFile, create('a'))).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('overwrite'),
    });
    await expect(run.propose(createFile, create('d', 'x', { overwrite: true }))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('folder'),
    });
  });

  it('refuses a path below a file', async () => {
    const run = new ProposeRun({ '/w/a': 'a\n' });
    await expect(run.propose(createFile, create('a/b/c.ts'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('A file lies where'),
    });
  });

  it('refuses a path when only an editor has text for it', async () => {
    const run = new ProposeRun({ '/w/a': 'a\n' });
    run.files.buffers.set('/w/gone.ts', 'unsaved');
    await expect(run.propose(createFile, create('gone.ts'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('unsaved text'),
    });
  });

  it('refuses text with characters that no text file can have', async () => {
    const run = new ProposeRun({ '/w/a': 'a\n' });
    expect(await run.codeOf(createFile, create('b', 'x\0y'))).toBe('binary_file');
    expect(await run.codeOf(createFile, create('b', '\uD800'))).toBe('undecodable');
    expect(await run.codeOf(createFile, create('a', '\uD800', { overwrite: true }))).toBe('undecodable');
  });

  it('overwrites a file as a whole, in its own encoding and line end, at the risk of a delete', async () => {
    const run = new ProposeRun({ '/w/a': 'one\r\ntwo\r\nthree\n' });
    run.files.facts.set('/w/a', { encoding: 'utf16le' });
    const { proposal, decision } = await run.judged(createFile, create('a', 'new\nlines\n', { overwrite: true }));
    expect(proposal.files).toMatchObject([
      {
        kind: 'edit',
        overwrites: true,
        base: { text: 'one\r\ntwo\r\nthree\n', encoding: 'utf16le' },
        result: { text: 'new\r\nlines\r\n', encoding: 'utf16le' },
      },
    ]);
    expect(decision).toMatchObject({ risk: 'delete', onceOnly: true });
  });

  it('overwrites the unsaved text instead of the text on disk', async () => {
    const run = new ProposeRun({ '/w/a': 'disk\n' });
    run.files.buffers.set('/w/a', 'unsaved\n');
    const { files } = await run.propose(createFile, create('a', 'new\n', { overwrite: true }));
    expect(files).toMatchObject([{ base: { text: 'unsaved\n', source: 'buffer' } }]);
  });

  it('refuses to overwrite a file that cannot be shown or changed', async () => {
    const run = new ProposeRun({ '/w/a': 'a\n', '/w/bin': new Uint8Array([0, 1]), '/w/p': pipe });
    const overwrite = { overwrite: true };
    expect(await run.codeOf(createFile, create('bin', 'x', overwrite))).toBe('binary_file');
    expect(await run.codeOf(createFile, create('p', 'x', overwrite))).toBe('unavailable');
    expect(await run.codeOf(createFile, create('a', 'a\n', overwrite))).toBe('no_match');
    run.files.facts.set('/w/a', { readonly: true });
    expect(await run.codeOf(createFile, create('a', 'b', overwrite))).toBe('unavailable');
    run.files.facts.set('/w/a', { unsavedElsewhere: true });
    expect(await run.codeOf(createFile, create('a', 'b', overwrite))).toBe('unavailable');
  });

  it('creates the file when overwrite is set and the path is vacant', async () => {
    const run = new ProposeRun({ '/w/a': '' });
    const { files } = await run.propose(createFile, create('b', 'x', { overwrite: true }));
    expect(files).toMatchObject([{ kind: 'create' }]);
  });

  it('P4 never creates through a dangling link, nor through one that leads out', async () => {
    const run = new ProposeRun({
      '/w/new.txt': { link: '/outside/new.txt' },
      '/w/dead': { link: 'nowhere' },
      '/w/out': { link: '/outside' },
      '/outside/x': '',
    });
    expect(await run.codeOf(createFile, create('new.txt'))).toBe('outside_workspace');
    expect(await run.codeOf(createFile, create('dead'))).toBe('not_found');
    expect(await run.codeOf(createFile, create('out/a.txt'))).toBe('outside_workspace');
    expect(run.files.nodes.has('/outside/new.txt')).toBe(false);
  });

  it('P4 names the real path when the file is below a linked folder', async () => {
    const run = new ProposeRun({ '/w/link': { link: 'real' }, '/w/real/x': '' });
    const { files } = await run.propose(createFile, create('link/new.ts'));
    expect(files).toMatchObject([{ path: { path: 'real/new.ts', realPath: '/w/real/new.ts', linked: false } }]);
  });

  it.each([
    ['.cursor/mcp.json', '**/.cursor'],
    ['.vscode/settings.json', '**/.vscode'],
    ['.github/workflows/a.yml', '**/.github/{workflows,actions}'],
    ['CLAUDE.md', '**/claude.md'],
  ])('P16 treats %s as protected before it exists', async (path, pattern) => {
    const { decision } = await new ProposeRun({ '/w/a': '' }).judged(createFile, create(path));
    expect(decision).toMatchObject({
      effect: 'ask',
      reason: expect.stringContaining('protected path'),
      protectedBy: [pattern],
    });
  });

  it.each(['.git/hooks/pre-push', '.env', 'secrets/a', 'private/x'])('P16 never creates %s', async (path) =>
    expect(await new ProposeRun({ '/w/a': '' }).codeOf(createFile, create(path))).toBe('denied'),
  );

  it('creates in the first folder when the window has several and the path names none', async () => {
    const run = new ProposeRun({ '/one/a': '', '/two/a': '' }, [folderAt('/one'), folderAt('/two')]);
    const { files } = await run.propose(createFile, create('two/new.ts'));
    expect(files).toMatchObject([{ path: { realPath: '/two/new.ts' } }]);
  });

  it('passes on the reason and the id of the approval that the call replaces', () => {
    const input = createFile.input.parse(create('a', 'x', { reason: 'why', replaces: 'a-1' }));
    expect(createFile.reason(input)).toBe('why');
    expect(createFile.replaces?.(input)).toBe('a-1');
  });

  it.each([
    [{ path: 'a' }],
    [{ content: 'a' }],
    [create('', 'x')],
    [create('a', 'x', { overwrite: 'yes' })],
    [create('a', 'x', { confirm: true })],
    [create('a', 'x', { replaces: '' })],
    [create('a', 'x'.repeat(4_000_001))],
  ])('refuses wrong arguments %#', (input) => {
    expect(() => createFile.input.parse(input)).toThrow(InvalidArgumentsError);
  });
});
