import { describe, expect, it } from 'vitest';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { createFile } from '#tools/edit/createFile.ts';
import { deleteFile } from '#tools/edit/deleteFile.ts';
import { moveFile } from '#tools/edit/moveFile.ts';
import { findFiles } from '#tools/workspace/findFiles.ts';
import { getWorkspace } from '#tools/workspace/getWorkspace.ts';
import { listDirectory } from '#tools/workspace/listDirectory.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import type { FakeNode } from '../fakes/files.ts';
import { ProposeRun } from './edit/proposeRun.ts';
import { ToolRun } from './workspace/toolRun.ts';

/** A path for every row of the list of secret files, some in other spellings. */
const secrets = [
  '.env',
  '.ENV.production',
  'deep/down/.env.local',
  'tls.pem',
  'server.key',
  'store.JKS',
  'id_ed25519',
  'id_rsa.old',
  'gcp-credentials.json',
  'service-account-prod.json',
  'secrets/plain.txt',
  '.netrc',
  '.git-credentials',
  'prod.tfstate.backup',
  '.htpasswd',
  '.zsh_history',
  'prod.env',
  '.env copy',
  'kubeconfig',
  '.docker/config.json',
  'deep/secrets.toml',
  'credentials',
  'serviceAccountKey.json',
];
const needle = 'needle-hunter2';
const nodes: Readonly<Record<string, FakeNode>> = {
  ...Object.fromEntries(secrets.map((path) => [`/w/${path}`, `PASSWORD=${needle}\n`])),
  '/w/open.ts': 'const open = 1;\n',
  '/w/.env.example': 'PASSWORD=\n',
};
const link: Readonly<Record<string, FakeNode>> = { ...nodes, '/w/notes.txt': { link: '/w/.env' } };

describe.each([...secrets, 'notes.txt'])('A8: %s', (path) => {
  const read = () => new ToolRun(link);
  const edit = () => new ProposeRun(link);
  const denied = { code: 'denied' };

  it('is not read', async () => {
    const run = read();
    await expect(run.data(readFile, { path })).rejects.toMatchObject(denied);
    run.files.buffers.set(`/w/${path}`, `unsaved ${needle}`);
    await expect(run.data(readFile, { path })).rejects.toMatchObject(denied);
    const several = await run.data(readFiles, { files: [{ path: 'open.ts' }, { path }] });
    expect(several).toMatchObject({ files: [{ path: 'open.ts' }], failed: [{ path, code: 'denied' }] });
    expect(JSON.stringify(several)).not.toContain(needle);
    expect(run.files.reads).toEqual(['/w/open.ts']);
  });

  it('is not searched', async () => {
    await expect(read().data(searchCode, { query: needle, path })).rejects.toMatchObject(denied);
    expect(await read().data(searchCode, { query: needle, include: [path] })).toMatchObject({ totalCount: 0 });
    expect(await read().data(searchCode, { query: 'o' })).toMatchObject({ totalCount: 1, fileCount: 1 });
  });

  it('is neither found by name nor listed', async () => {
    const found = await read().data(findFiles, { query: '**', includeIgnored: true });
    const names = found.files.map((file) => file.path);
    expect(names).toContain('open.ts');
    expect(names.filter((name) => secrets.includes(name))).toEqual([]);
    const listed = JSON.stringify(await read().data(listDirectory, { path: '.' }));
    expect(listed).toContain('open.ts');
    for (const secret of ['.env"', '.netrc', 'id_rsa', 'secrets']) expect(listed).not.toContain(secret);
  });

  it('is not changed, and no refusal shows its content', async () => {
    const run = edit();
    const calls = [
      run.propose(applyEdit, { edits: [{ path, oldText: needle, newText: 'x' }] }),
      run.propose(applyEdit, { edits: [{ path, oldText: 'no such text', newText: 'x' }] }),
      run.propose(applyEdit, { edits: [{ path, firstLine: 1, lastLine: 1, newText: 'x', version: '0' }] }),
      run.propose(applyEdit, { patch: `--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,1 @@\n-no such line\n+x\n` }),
      run.propose(applyEdit, { patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }),
      run.propose(createFile, { path, content: 'x', overwrite: true }),
    ];
    // A link may be moved or deleted itself: what it leads to stays.
    if (path !== 'notes.txt')
      calls.push(run.propose(deleteFile, { path }), run.propose(moveFile, { path, to: 'a.txt' }));
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: denied });
      expect(String(outcome.status === 'rejected' && outcome.reason)).not.toContain(needle);
    }
    expect(run.files.reads).toEqual([]);
  });

  it('is not created from another file', async () => {
    if (path === 'notes.txt') return;
    expect(await new ProposeRun({ '/w/open.ts': 'x' }).codeOf(moveFile, { path: 'open.ts', to: path })).toBe('denied');
    expect(await new ProposeRun({}).codeOf(createFile, { path, content: 'x' })).toBe('denied');
  });
});

describe('A8: tools that meet secret files', () => {
  it('return nothing of secret files in get_workspace', async () => {
    expect(JSON.stringify(await new ToolRun(nodes).data(getWorkspace, {}))).not.toMatch(/\.env|needle/);
  });

  it('leave imports in secret files alone when a file moves', async () => {
    const run = new ProposeRun(nodes);
    run.imports.edits = secrets.map((path) => ({ fsPath: `/w/${path}`, offset: 0, length: 1, newText: 'x' }));
    expect((await run.propose(moveFile, { path: 'open.ts', to: 'moved.ts' })).files).toMatchObject([{ kind: 'move' }]);
    const isSecret = (read: string): boolean => secrets.some((path) => read === `/w/${path}`);
    expect(run.files.reads.filter(isSecret)).toEqual([]);
  });

  it('neither move nor delete a folder that holds a secret file', async () => {
    for (const folder of ['deep', 'secrets']) {
      expect(await new ProposeRun(nodes).codeOf(deleteFile, { path: folder })).toBe('denied');
      expect(await new ProposeRun(nodes).codeOf(moveFile, { path: folder, to: 'other' })).toBe('denied');
    }
  });

  it('read samples such as .env.example like any file', async () => {
    expect(await new ToolRun(nodes).data(readFile, { path: '.env.example' })).toMatchObject({ text: 'PASSWORD=\n' });
  });
});
