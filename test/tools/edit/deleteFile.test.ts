import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { deleteFile } from '#tools/edit/deleteFile.ts';
import { pipe } from '../../fakes/files.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { ProposeRun } from './proposeRun.ts';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('delete_file', () => {
  it('proposes one file with its bytes, its text and how to recover it', async () => {
    const run = new ProposeRun({ '/w/a.ts': 'one\n' });
    run.sourceControl.answer = 'committed';
    const { proposal, decision } = await run.judged(deleteFile, { path: 'a.ts' });
    expect(proposal.files).toMatchObject([
      {
        kind: 'delete',
        path: { path: 'a.ts' },
        isFolder: false,
        files: [{ relative: '', sha256: sha256('one\n'), size: 4, isLink: false, bytes: Buffer.from('one\n') }],
        base: { text: 'one\n', encoding: 'utf8' },
        toTrash: false,
        recovery: 'committed',
      },
    ]);
    expect(run.sourceControl.asked).toEqual([['/w/a.ts']]);
    expect(decision).toMatchObject({ effect: 'ask', risk: 'delete', protectedBy: [undefined] });
  });

  it('states whether the file goes to the trash', async () => {
    const run = new ProposeRun({ '/w/a': '' });
    run.files.trash = true;
    expect((await run.propose(deleteFile, { path: 'a' })).files).toMatchObject([{ toTrash: true }]);
  });

  it('lists all files of a folder in path order, hidden files too', async () => {
    const run = new ProposeRun({ '/w/d/z': 'z', '/w/d/.hidden': 'h', '/w/d/a/b': 'b', '/w/other': '' });
    const { files } = await run.propose(deleteFile, { path: 'd' });
    expect(files).toMatchObject([
      { isFolder: true, files: [{ relative: '.hidden' }, { relative: 'a/b' }, { relative: 'z' }] },
    ]);
    expect(files[0]).not.toHaveProperty('base');
    expect(run.sourceControl.asked).toEqual([['/w/d/.hidden', '/w/d/a/b', '/w/d/z']]);
  });

  it('deletes an empty folder', async () => {
    const run = new ProposeRun({ '/w/a': '' });
    run.files.folders.add('/w/empty');
    expect((await run.propose(deleteFile, { path: 'empty' })).files).toMatchObject([{ isFolder: true, files: [] }]);
  });

  it('deletes a binary file without showing it as text', async () => {
    const run = new ProposeRun({ '/w/a.png': new Uint8Array([137, 0, 1]) });
    const { files } = await run.propose(deleteFile, { path: 'a.png' });
    expect(files).toMatchObject([{ kind: 'delete', files: [{ size: 3 }] }]);
    expect(files[0]).not.toHaveProperty('base');
  });

  it('P4 deletes a link itself and keeps its target', async () => {
    const run = new ProposeRun({ '/w/link': { link: 'real' }, '/w/real': 'text' });
    const { files } = await run.propose(deleteFile, { path: 'link' });
    expect(files).toMatchObject([
      {
        path: { path: 'link', realPath: '/w/link', linked: false },
        isFolder: false,
        files: [{ relative: '', isLink: true, sha256: sha256('real') }],
      },
    ]);
    expect(files[0]).not.toHaveProperty('base');
    expect(run.files.reads).toEqual([]);
  });

  it('P4 deletes a link to a folder as one file and keeps the folder', async () => {
    const run = new ProposeRun({ '/w/link': { link: 'dir' }, '/w/dir/a': 'a' });
    expect((await run.propose(deleteFile, { path: 'link' })).files).toMatchObject([
      { path: { realPath: '/w/link' }, isFolder: false, files: [{ relative: '', isLink: true }] },
    ]);
  });

  it('P4 names the real file when the path is below a linked folder', async () => {
    const run = new ProposeRun({ '/w/link': { link: 'dir' }, '/w/dir/a': 'a', '/w/dir/inner': { link: 'a' } });
    expect((await run.propose(deleteFile, { path: 'link/a' })).files).toMatchObject([
      { path: { path: 'dir/a', realPath: '/w/dir/a', linked: false } },
    ]);
    expect((await run.propose(deleteFile, { path: 'link/inner' })).files).toMatchObject([
      { path: { path: 'dir/inner', realPath: '/w/dir/inner', linked: false }, files: [{ isLink: true }] },
    ]);
  });

  it('P3 deletes a link in a folder as a link, wherever it leads', async () => {
    const run = new ProposeRun({ '/w/d/a': 'a', '/w/d/out': { link: '/etc/passwd' } });
    expect((await run.propose(deleteFile, { path: 'd' })).files).toMatchObject([
      { files: [{ relative: 'a' }, { relative: 'out', isLink: true, sha256: sha256('/etc/passwd') }] },
    ]);
    expect(run.files.reads).toEqual(['/w/d/a']);
  });

  it('refuses a path that is missing, a pipe, or outside the workspace', async () => {
    const run = new ProposeRun({ '/w/p': pipe, '/w/d/p': pipe, '/w/out': { link: '/x' }, '/x': '' });
    expect(await run.codeOf(deleteFile, { path: 'none' })).toBe('not_found');
    expect(await run.codeOf(deleteFile, { path: 'p' })).toBe('unavailable');
    expect(await run.codeOf(deleteFile, { path: 'd' })).toBe('unavailable');
    expect(await run.codeOf(deleteFile, { path: 'out' })).toBe('outside_workspace');
    expect(await run.codeOf(deleteFile, { path: '../w2/a' })).toBe('outside_workspace');
  });

  it('refuses and names the file when an editor has unsaved changes to it', async () => {
    const run = new ProposeRun({ '/w/d/a': 'a', '/w/d/n.ipynb': '{}', '/w/other': '' });
    run.files.buffers.set('/w/other', 'unsaved');
    expect(await run.codeOf(deleteFile, { path: 'd' })).toBe('proposed');
    run.files.dirtyElsewhere.add('/w/d/n.ipynb');
    await expect(run.propose(deleteFile, { path: 'd' })).rejects.toThrow('d/n.ipynb');
    run.files.buffers.set('/w/d/a', 'unsaved');
    await expect(run.propose(deleteFile, { path: 'd' })).rejects.toThrow('d/a');
    await expect(run.propose(deleteFile, { path: 'd/a' })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuses a read-only file, also in a folder', async () => {
    const run = new ProposeRun({ '/w/d/a': 'a', '/w/d/link': { link: 'a' } });
    run.files.modes.set('/w/d/link', 0o444);
    expect(await run.codeOf(deleteFile, { path: 'd' })).toBe('proposed');
    run.files.modes.set('/w/d/a', 0o444);
    await expect(run.propose(deleteFile, { path: 'd' })).rejects.toThrow('d/a is read-only');
  });

  it('refuses more files than the user can review', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`/w/d/${at}`, '']));
    expect(await new ProposeRun(many).codeOf(deleteFile, { path: 'd' })).toBe('too_large');
    const { '/w/d/0': _one, ...fewer } = many;
    expect(await new ProposeRun(fewer).codeOf(deleteFile, { path: 'd' })).toBe('proposed');
    const big = { '/w/d/a': new Uint8Array(20 * 1024 * 1024), '/w/d/b': 'x' };
    expect(await new ProposeRun(big).codeOf(deleteFile, { path: 'd' })).toBe('too_large');
    expect(await new ProposeRun(big).codeOf(deleteFile, { path: 'd/a' })).toBe('proposed');
  });

  it('never deletes a workspace folder, nor a folder that contains a workspace folder', async () => {
    const run = new ProposeRun({ '/w/a': '', '/w/sub/inner/a': '' }, [folderAt('/w'), folderAt('/w/sub/inner')]);
    for (const path of ['w', 'inner', 'w/sub', '/w', '/w/sub/inner', 'w/sub/inner']) {
      expect(await run.codeOf(deleteFile, { path }), path).toBe('denied');
    }
    expect(run.files.reads).toEqual([]);
  });

  it.each(['.git', '.git/config', '.env', 'secrets', 'private'])('never deletes %s', async (path) => {
    const run = new ProposeRun({ '/w/.git/config': '', '/w/.env': '', '/w/secrets/a': '', '/w/private/a': '' });
    expect(await run.codeOf(deleteFile, { path })).toBe('denied');
  });

  it('never deletes a folder that holds secrets or a repository, and names none of its files', async () => {
    const run = new ProposeRun({ '/w/d/deep/prod.tfstate': 'secret', '/w/d/a': '', '/w/repo/.git/config': '' });
    const refusal = await run.propose(deleteFile, { path: 'd' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'denied', message: expect.stringContaining('**/*.tfstate*') });
    expect(String(refusal)).not.toContain('prod');
    expect(await run.codeOf(deleteFile, { path: 'repo' })).toBe('denied');
    expect(run.files.reads).toEqual([]);
  });

  it('P16 treats the delete as protected when the folder holds a protected file', async () => {
    const run = new ProposeRun({ '/w/d/.vscode/tasks.json': '{}', '/w/d/a': '' });
    const { decision } = await run.judged(deleteFile, { path: 'd' });
    expect(decision).toMatchObject({
      reason: expect.stringContaining('protected path'),
      protectedBy: ['**/.vscode'],
      risk: 'delete',
    });
  });

  it.each([[{}], [{ path: '' }], [{ path: 'a', recursive: true }], [{ path: ['a'] }]])(
    'refuses wrong arguments %#',
    (input) => {
      expect(() => deleteFile.input.parse(input)).toThrow(InvalidArgumentsError);
    },
  );
});
