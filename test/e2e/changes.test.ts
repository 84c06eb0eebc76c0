import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { snapshot } from '../changes/editor/editsFixture.ts';
import { clickButton, decide, openApprovals, readToEnd } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome } from './assistant.ts';
import { bufferOf, closeAll, openFile, setSetting, tabsOf, typeInto } from './editor.ts';
import { type Drawbridge, tempWorkspace } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

/** Bytes that are no text in any encoding. */
const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe, 0x0d, 0x0a, 0]);

let drawbridge: Drawbridge;
let assistant: Assistant;
let page: Frame;
let folder: string;
let outside: string;

beforeAll(async () => {
  outside = tempWorkspace({ 'target.txt': 'outside\n' }, 'outside');
  drawbridge = await sharedDrawbridge({ 'a.txt': 'a\n' });
  folder = drawbridge.folder ?? '';
  assistant = await connectAssistant(await drawbridge.record());
  page = await openApprovals(drawbridge.window);
});

const at = (name: string): string => join(folder, name);
const bytesOf = (name: string): Buffer => readFileSync(at(name));
const textOnDisk = (name: string): string => bytesOf(name).toString();
const card = (): Locator => page.locator('article.owns');

function put(name: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  chmodSync(at(name), mode);
}

/** Everything in the workspace below a path: its kind, mode and bytes. */
function treeOf(name: string): Record<string, string> {
  const below = Object.entries(snapshot(folder)).filter(([path]) => path === name || path.startsWith(`${name}/`));
  return Object.fromEntries(below);
}

/** Proposes, and approves by the button whose name says so, after the card was read to its end. */
async function approved(tool: string, args: Record<string, unknown>, action: string): Promise<Outcome> {
  const name = buttonName('Approve( once:)?', action);
  const changed = assistant.change(tool, args);
  await Promise.race([page.getByRole('button', { name }).waitFor(), changed]);
  await readToEnd(page, name);
  await decide(page, name);
  return changed;
}

/** Proposes, runs `meanwhile` while the card waits, and returns the outcome of the call, which ends without a click. */
async function outcomeAfter(
  tool: string,
  args: Record<string, unknown>,
  action: string,
  meanwhile: () => unknown,
): Promise<Outcome> {
  const changed = assistant.change(tool, args);
  await Promise.race([page.getByRole('button', { name: buttonName('Approve', action) }).waitFor(), changed]);
  await meanwhile();
  return changed;
}

/** Declines the card of a protected file. */
async function declined(changed: Promise<Outcome>, action: string): Promise<void> {
  await clickButton(page, buttonName('Decline…', action));
  await decide(page, buttonName('Decline', action));
  expect((await changed).status).toBe('declined');
}

/** @param short the action as a headline names it */
async function undone(
  action: string,
  short = action.replace(/ of (?:\S*\/)?(\S+)(?: to \S+)?$/, ' of $1'),
): Promise<void> {
  await clickButton(page, buttonName('Undo', action));
  const headline = page.getByRole('heading', { name: `Undone: ${short}`, exact: true });
  await headline.first().waitFor();
}

/** Clicks Undo, and waits for the reason why the undo is refused. */
async function refusedUndo(action: string, why: string): Promise<void> {
  await clickButton(page, buttonName('Undo', action));
  await page.getByText(why).first().waitFor();
}

function buttonName(verb: string, action: string): RegExp {
  return new RegExp(`^${verb} ${action.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}

describe('create_file', () => {
  afterEach(async () => {
    await setSetting(drawbridge.window, 'files.encoding');
    await setSetting(drawbridge.window, 'files.eol');
  });

  it('creates the folders and the file byte for byte, and Undo removes both', async () => {
    const content = 'grüß\n日本 \u{1F600}\n\tno end';
    put('src/kept.txt', 'kept\n');
    const outcome = await approved(
      'create_file',
      { path: 'src/new/deep/über.txt', content },
      'creation of src/new/deep/über.txt',
    );
    expect(outcome).toMatchObject({
      status: 'applied',
      files: [{ path: 'src/new/deep/über.txt', change: 'create', state: 'applied', saved: true, dirty: false }],
    });
    expect(bytesOf('src/new/deep/über.txt')).toEqual(Buffer.from(content));
    expect(statSync(at('src/new/deep/über.txt')).mode & 0o111).toBe(0);
    expect(await bufferOf(drawbridge.window, at('src/new/deep/über.txt'))).toEqual({ text: content, dirty: false });
    await drawbridge.window.evaluate(
      async (vscode, path) => vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(path)),
      at('src/new/deep/über.txt'),
    );
    await drawbridge.window.page.getByRole('treeitem', { name: 'über.txt' }).waitFor();
    page = await openApprovals(drawbridge.window);
    await undone('creation of src/new/deep/über.txt');
    expect(Object.keys(treeOf('src'))).toEqual(['src', 'src/kept.txt']);
  });

  it('follows files.encoding and files.eol, unless the text has line endings of its own', async () => {
    await setSetting(drawbridge.window, 'files.eol', '\r\n');
    await approved('create_file', { path: 'crlf.txt', content: 'a\nb\n' }, 'creation of crlf.txt');
    expect(bytesOf('crlf.txt')).toEqual(Buffer.from('a\r\nb\r\n'));
    await setSetting(drawbridge.window, 'files.encoding', 'utf16le');
    await approved('create_file', { path: 'own.txt', content: 'ä\rb\nc\r\n' }, 'creation of own.txt');
    expect(bytesOf('own.txt')).toEqual(Buffer.from('\uFEFFä\rb\nc\r\n', 'utf16le'));
    await setSetting(drawbridge.window, 'files.encoding', 'iso88591');
    const unfit = assistant.change('create_file', { path: 'unfit.txt', content: '茶\n' });
    await expect(unfit).rejects.toThrow('[undecodable]');
    expect(existsSync(at('unfit.txt'))).toBe(false);
  });

  it('replaces a file only with overwrite, asks as for a delete, keeps encoding and line endings, and Undo restores the file', async () => {
    const before = Buffer.from('\uFEFFone\r\ntwo\r\n');
    put('whole.txt', before);
    const args = { path: 'whole.txt', content: 'eins\nzwei\ndrei' };
    await expect(assistant.change('create_file', args)).rejects.toThrow(/exists already.*\[unavailable\]/s);
    const changed = assistant.change('create_file', { ...args, overwrite: true });
    await card().getByText('replaces the whole file').waitFor();
    expect(await card().locator('header .chip').innerText()).toBe('Delete');
    await readToEnd(page, /^Approve replacement of whole\.txt/);
    await decide(page, /^Approve replacement of whole\.txt/);
    expect(await changed).toMatchObject({ status: 'applied', files: [{ change: 'edit', state: 'applied' }] });
    expect(bytesOf('whole.txt')).toEqual(Buffer.from('\uFEFFeins\r\nzwei\r\ndrei'));
    await undone('replacement of whole.txt');
    expect(bytesOf('whole.txt')).toEqual(before);
  });

  it('P4: creates nothing through a link that leads out of the workspace or is broken, nor through a link that appears while the card waits', async () => {
    symlinkSync(join(outside, 'absent.txt'), at('out.txt'));
    symlinkSync(outside, at('out'));
    symlinkSync('absent.txt', at('nowhere.txt'));
    const create = (path: string, more = {}) => assistant.change('create_file', { path, content: 'x', ...more });
    for (const more of [{}, { overwrite: true }]) {
      await expect(create('out.txt', more)).rejects.toThrow('[outside_workspace]');
      await expect(create('out/new.txt', more)).rejects.toThrow('[outside_workspace]');
      await expect(create('nowhere.txt', more)).rejects.toThrow('[not_found]');
    }
    const late = { path: 'late/new.txt', content: 'x' };
    const linked = await outcomeAfter('create_file', late, 'creation of late/new.txt', () =>
      symlinkSync(outside, at('late')),
    );
    expect(linked).toMatchObject({ status: 'stale', files: [{ state: 'not_applied' }] });
    const name = await outcomeAfter('create_file', { path: 'late.txt', content: 'x' }, 'creation of late.txt', () =>
      symlinkSync(join(outside, 'absent.txt'), at('late.txt')),
    );
    expect(name.status).toBe('stale');
  });

  it('never overwrites a file that appeared while the card waited', async () => {
    const args = { path: 'taken/by/me.txt', content: 'theirs\n' };
    const outcome = await outcomeAfter('create_file', args, 'creation of taken/by/me.txt', () =>
      put('taken/by/me.txt', 'mine\n'),
    );
    expect(outcome).toMatchObject({ status: 'stale', files: [{ path: 'taken/by/me.txt', state: 'not_applied' }] });
    expect(textOnDisk('taken/by/me.txt')).toBe('mine\n');
  });

  it('P16: asks for a new file with a protected name as for a protected file, and refuses private files', async () => {
    const hook = assistant.change('create_file', { path: '.git/hooks/pre-push', content: '#!/bin/sh\n' });
    await expect(hook).rejects.toThrow('[denied]');
    for (const path of ['.cursor/mcp.json', '.vscode/settings.json']) {
      const changed = assistant.change('create_file', { path, content: '{}\n' });
      const action = `creation of protected ${path}`;
      await page.getByRole('button', { name: `Approve once: ${action}` }).waitFor();
      expect(await card().locator('header .chip').innerText()).toBe('Protected');
      await declined(changed, action);
      expect(existsSync(dirname(at(path)))).toBe(false);
    }
  });

  it('F14, cursor#2436, zed#30527: keeps on Undo what the user has since written in the new file or next to it', async () => {
    const create = (path: string) => approved('create_file', { path, content: 'theirs\n' }, `creation of ${path}`);
    await create('saved/by-me.txt');
    put('saved/by-me.txt', 'theirs\nmine\n');
    await refusedUndo('creation of saved/by-me.txt', 'saved/by-me.txt: the text was changed');
    expect(textOnDisk('saved/by-me.txt')).toBe('theirs\nmine\n');

    await create('unsaved.txt');
    await openFile(drawbridge.window, at('unsaved.txt'));
    await typeInto(drawbridge.window, at('unsaved.txt'), 'mine\n');
    await refusedUndo('creation of unsaved.txt', 'unsaved.txt: the text was changed');
    expect(await bufferOf(drawbridge.window, at('unsaved.txt'))).toEqual({ text: 'mine\ntheirs\n', dirty: true });
    expect(textOnDisk('unsaved.txt')).toBe('theirs\n');
    await closeAll(drawbridge.window);

    await create('shared/deep/theirs.txt');
    put('shared/mine.txt', 'mine\n');
    await undone('creation of shared/deep/theirs.txt');
    expect(treeOf('shared')).toEqual({ shared: 'folder', 'shared/mine.txt': '644 mine\n' });
  });
});

describe('delete_file', () => {
  it('deletes a folder with all kinds of files, and Undo restores every byte and mode, even after a reload', async () => {
    put('tree/text.txt', 'text\r\n');
    put('tree/binary.bin', binary);
    put('tree/run.py', 'print(1)\n', 0o755);
    put('tree/deep/er/private.txt', '', 0o600);
    symlinkSync('text.txt', at('tree/link'));
    symlinkSync(outside, at('tree/out'));
    symlinkSync('nowhere', at('tree/dangling'));
    const before = treeOf('tree');
    await openFile(drawbridge.window, at('tree/text.txt'));
    const outcome = await approved('delete_file', { path: 'tree' }, 'delete of tree');
    expect(outcome).toMatchObject({ status: 'applied', files: [{ path: 'tree', change: 'delete', state: 'applied' }] });
    expect(treeOf('tree')).toEqual({});
    expect(await tabsOf(drawbridge.window)).not.toContain(at('tree/text.txt'));
    await drawbridge.window.reload();
    assistant = await connectAssistant(await drawbridge.record());
    page = await openApprovals(drawbridge.window);
    await undone('delete of tree');
    expect(treeOf('tree')).toEqual(before);
    await closeAll(drawbridge.window);
  });

  it('deletes single files and links, closes their tabs, keeps the targets of links, and Undo restores the files and links', async () => {
    put('one/text.txt', 'text');
    put('one/binary.bin', binary, 0o640);
    put('one/run.py', 'print(1)\n', 0o755);
    symlinkSync('text.txt', at('one/link'));
    const before = treeOf('one');
    await openFile(drawbridge.window, at('one/run.py'));
    for (const path of ['one/link', 'one/binary.bin', 'one/run.py']) {
      const outcome = await approved('delete_file', { path }, `delete of ${path}`);
      expect(outcome).toMatchObject({ status: 'applied', files: [{ path, state: 'applied' }] });
      expect(Object.keys(treeOf('one'))).not.toContain(path);
      expect(Object.keys(treeOf('one'))).toContain('one/text.txt');
    }
    expect(await tabsOf(drawbridge.window)).not.toContain(at('one/run.py'));
    for (const path of ['one/run.py', 'one/binary.bin', 'one/link']) await undone(`delete of ${path}`);
    expect(treeOf('one')).toEqual(before);
  });

  it.each([
    ['changed', 'a file changed', () => put('changed/deep/b.txt', 'mine\n')],
    ['added', 'a file was added', () => put('added/deep/mine.txt', 'mine\n')],
    ['replaced', 'it was replaced', () => (renameSync(at('replaced'), at('away')), put('replaced/a.txt', 'a\n'))],
  ])('%s: deletes nothing of a folder when %s while the card waited', async (path, _what, meanwhile) => {
    put(`${path}/a.txt`, 'a\n');
    put(`${path}/deep/b.txt`, 'b\n');
    let after = {};
    const outcome = await outcomeAfter('delete_file', { path }, `delete of ${path}`, () => {
      meanwhile();
      after = snapshot(folder);
    });
    expect(outcome).toMatchObject({ status: 'stale', files: [{ path, state: 'not_applied' }] });
    expect(snapshot(folder)).toEqual(after);
  });

  it('refuses a file with unsaved text, and makes the card stale when the user types while the card waits', async () => {
    put('unsaved/below/a.txt', 'a\n');
    await openFile(drawbridge.window, at('unsaved/below/a.txt'));
    const outcome = await outcomeAfter('delete_file', { path: 'unsaved' }, 'delete of unsaved', () =>
      typeInto(drawbridge.window, at('unsaved/below/a.txt'), 'mine\n'),
    );
    expect(outcome).toMatchObject({ status: 'stale', files: [{ state: 'not_applied' }] });
    for (const path of ['unsaved', 'unsaved/below/a.txt']) {
      await expect(assistant.change('delete_file', { path })).rejects.toThrow(/unsaved changes of.*\[unavailable\]/s);
    }
    expect(await bufferOf(drawbridge.window, at('unsaved/below/a.txt'))).toEqual({ text: 'mine\na\n', dirty: true });
    expect(textOnDisk('unsaved/below/a.txt')).toBe('a\n');
    await closeAll(drawbridge.window);
  });
});

describe('move_file', () => {
  const move = (path: string, to: string) => approved('move_file', { path, to }, `move of ${path} to ${to}`);

  it('moves a file with its unsaved text, which stays unsaved, and Undo moves both back', async () => {
    put('draft.txt', 'saved\r\n', 0o755);
    await openFile(drawbridge.window, at('draft.txt'));
    await typeInto(drawbridge.window, at('draft.txt'), 'unsaved\r\n');
    const outcome = await move('draft.txt', 'made/for/it.txt');
    expect(outcome).toMatchObject({
      status: 'applied',
      files: [{ path: 'made/for/it.txt', movedFrom: 'draft.txt', change: 'move', state: 'applied' }],
    });
    expect(treeOf('draft.txt')).toEqual({});
    expect(treeOf('made')['made/for/it.txt']).toBe('755 saved\r\n');
    expect(await tabsOf(drawbridge.window)).toEqual([`${at('made/for/it.txt')}*`]);
    const unsaved = { text: 'unsaved\r\nsaved\r\n', dirty: true };
    expect(await bufferOf(drawbridge.window, at('made/for/it.txt'))).toEqual(unsaved);
    await undone('move of draft.txt to made/for/it.txt');
    expect(treeOf('made')).toEqual({});
    expect(treeOf('draft.txt')).toEqual({ 'draft.txt': '755 saved\r\n' });
    expect(await bufferOf(drawbridge.window, at('draft.txt'))).toEqual(unsaved);
    await closeAll(drawbridge.window);
  });

  it('moves a folder with all kinds of files, and its open files stay open and saved', async () => {
    put('from/text.txt', 'one\r\ntwo\n');
    put('from/binary.bin', binary, 0o640);
    put('from/deep/run.py', 'print(1)\n', 0o755);
    symlinkSync('text.txt', at('from/link'));
    symlinkSync(outside, at('from/out'));
    const before = treeOf('from');
    const moved = Object.fromEntries(
      Object.entries(before).map(([path, what]) => [path.replace('from', 'to/there'), what]),
    );
    await openFile(drawbridge.window, at('from/text.txt'));
    expect((await move('from', 'to/there')).status).toBe('applied');
    expect(treeOf('from')).toEqual({});
    expect(treeOf('to')).toEqual({ to: 'folder', ...moved });
    expect(await tabsOf(drawbridge.window)).toEqual([at('to/there/text.txt')]);
    await closeAll(drawbridge.window);
    await undone('move of from to to/there');
    expect(treeOf('to')).toEqual({});
    expect(treeOf('from')).toEqual(before);
  });

  it('changes the case of a name, and never replaces a file', async () => {
    put('Readme.txt', 'readme\n');
    expect((await move('Readme.txt', 'README.txt')).status).toBe('applied');
    expect(readdirSync(folder).filter((name) => /^readme\.txt$/i.test(name))).toEqual(['README.txt']);
    put('here.txt', 'here\n');
    put('there.txt', 'there\n');
    const onto = (to: string) => assistant.change('move_file', { path: 'here.txt', to });
    await expect(onto('there.txt')).rejects.toThrow('[unavailable]');
    const outcome = await outcomeAfter(
      'move_file',
      { path: 'here.txt', to: 'free.txt' },
      'move of here.txt to free.txt',
      () => put('free.txt', 'mine\n'),
    );
    expect(outcome.status).toBe('stale');
    expect(['here.txt', 'there.txt', 'free.txt'].map(textOnDisk)).toEqual(['here\n', 'there\n', 'mine\n']);
  });

  it('P15: judges both the source and the target', async () => {
    put('payload.txt', '{}\n');
    put('.env', 'KEY=1\n');
    put('holds/deep/.env', 'KEY=1\n');
    const changed = assistant.change('move_file', { path: 'payload.txt', to: '.vscode/tasks.json' });
    const action = 'move of protected payload.txt to .vscode/tasks.json';
    await page.getByRole('button', { name: `Approve once: ${action}` }).waitFor();
    expect(await card().getByRole('heading').allInnerTexts()).toEqual([
      'Move payload.txt to .vscode/tasks.json (protected)',
    ]);
    expect(await card().locator('header .chip').innerText()).toBe('Protected');
    await declined(changed, action);
    expect(existsSync(at('.vscode'))).toBe(false);
    for (const [path, to] of [
      ['.env', 'notes.txt'],
      ['holds', 'elsewhere'],
      ['payload.txt', '.git/hooks/pre-push'],
      ['payload.txt', 'secrets/new.txt'],
    ]) {
      await expect(assistant.change('move_file', { path, to })).rejects.toThrow('[denied]');
    }
    expect(await card().count()).toBe(0);
    expect(textOnDisk('payload.txt')).toBe('{}\n');
  });
});

describe('apply_edit with a patch', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

  it('edits, creates, renames and deletes files of every encoding in one card, byte for byte, when the patch has the git format', async () => {
    await setSetting(drawbridge.window, 'files.encoding', 'iso88591');
    put('git/crlf.txt', 'a\r\nb\r\nc\r\n');
    put('git/mixed.txt', 'a\r\nb\nc\rd\n');
    put('git/bom.txt', '\uFEFFä\nb\n');
    put('git/utf16.txt', utf16('ä\r\nb\r\n'));
    put('git/latin1.txt', latin1('café\nthé\n'));
    put('git/open-end.txt', 'a\nb');
    put('git/run.py', 'print(1)\n', 0o755);
    put('git/shown.txt', 'one\r\ntwo\r\n');
    put('git/as-is.bin', binary, 0o600);
    put('git/gone.txt', 'gone\n');
    const before = treeOf('git');
    await openFile(drawbridge.window, at('git/shown.txt'));
    const edit = (name: string, ...lines: string[]): string[] => [
      `diff --git a/git/${name} b/git/${name}`,
      'index 0123456..789abcd 100644',
      `--- a/git/${name}`,
      `+++ b/git/${name}`,
      ...lines,
    ];
    const patch = [
      ...edit('crlf.txt', '@@ -1,3 +1,4 @@', ' a', '-b', '+B', '+BB', ' c'),
      ...edit('mixed.txt', '@@ -1,4 +1,6 @@', ' a', '+after a', ' b', '-c', '+C', '+CC', ' d'),
      ...edit('bom.txt', '@@ -1,2 +1,2 @@', '-ä', '+ö', ' b'),
      ...edit('utf16.txt', '@@ -1,2 +1,3 @@', ' ä', '-b', '+\u{1F600}', '+b'),
      ...edit('latin1.txt', '@@ -1,2 +1,2 @@', ' café', '-thé', '+Thé'),
      ...edit(
        'open-end.txt',
        '@@ -1,2 +1,2 @@',
        ' a',
        '-b',
        '\\ No newline at end of file',
        '+B',
        '\\ No newline at end of file',
      ),
      ...edit('run.py', '@@ -1 +1 @@', '-print(1)', '+print(2)'),
      'diff --git a/git/shown.txt b/git/deep/renamed.txt',
      'similarity index 50%',
      'rename from git/shown.txt',
      'rename to git/deep/renamed.txt',
      '--- a/git/shown.txt',
      '+++ b/git/deep/renamed.txt',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+TWO',
      'diff --git a/git/as-is.bin b/git/deep/as-is.bin',
      'similarity index 100%',
      'rename from git/as-is.bin',
      'rename to git/deep/as-is.bin',
      'diff --git a/git/gone.txt b/git/gone.txt',
      'deleted file mode 100644',
      '--- a/git/gone.txt',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
      'diff --git a/git/made/new.txt b/git/made/new.txt',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/git/made/new.txt',
      '@@ -0,0 +1,2 @@',
      '+crème',
      '+brûlée',
      '',
    ].join('\n');
    const outcome = await approved('apply_edit', { patch }, 'change of 12 files: git');
    expect(outcome.status).toBe('applied');
    expect(outcome.files.map(({ path, change, state }) => `${state} ${String(change)} ${path}`)).toEqual([
      ...['crlf', 'mixed', 'bom', 'utf16', 'latin1', 'open-end'].map((name) => `applied edit git/${name}.txt`),
      'applied edit git/run.py',
      'applied edit git/deep/renamed.txt',
      'applied move git/deep/renamed.txt',
      'applied move git/deep/as-is.bin',
      'applied delete git/gone.txt',
      'applied create git/made/new.txt',
    ]);
    const text = (content: string | Buffer): string => `644 ${Buffer.from(content).toString('latin1')}`;
    expect(treeOf('git')).toEqual({
      git: 'folder',
      'git/crlf.txt': text('a\r\nB\r\nBB\r\nc\r\n'),
      'git/mixed.txt': text('a\r\nafter a\nb\nC\rCC\rd\n'),
      'git/bom.txt': text('\uFEFFö\nb\n'),
      'git/utf16.txt': text(utf16('ä\r\n\u{1F600}\r\nb\r\n')),
      'git/latin1.txt': text(latin1('café\nThé\n')),
      'git/open-end.txt': text('a\nB'),
      'git/run.py': '755 print(2)\n',
      'git/deep': 'folder',
      'git/deep/renamed.txt': text('one\r\nTWO\r\n'),
      'git/deep/as-is.bin': `600 ${binary.toString('latin1')}`,
      'git/made': 'folder',
      'git/made/new.txt': text(latin1('crème\nbrûlée\n')),
    });
    expect(await tabsOf(drawbridge.window)).toContain(at('git/deep/renamed.txt'));
    await undone('change of 12 files: git', 'change of 12 files');
    expect(treeOf('git')).toEqual(before);
    await closeAll(drawbridge.window);
    await setSetting(drawbridge.window, 'files.encoding');
  });

  it('changes all files of a patch in the Codex format, or none when one of the files changed while the card waited', async () => {
    put('codex/edit.txt', 'top\r\n\r\nclass A:\r\n  one\r\nclass B:\r\n  one\r\n');
    put('codex/old.txt', 'a\nb');
    put('codex/gone.txt', 'gone\n');
    const before = treeOf('codex');
    const patch = [
      '*** Begin Patch',
      '*** Update File: codex/edit.txt',
      '@@ class B:',
      '-  one',
      '+  two',
      '*** Update File: codex/old.txt',
      '*** Move to: codex/made/new.txt',
      '@@',
      ' a',
      '-b',
      '+B',
      '*** End of File',
      '*** Delete File: codex/gone.txt',
      '*** Add File: codex/made/added.txt',
      '+added',
      '*** End Patch',
    ].join('\n');
    const outcome = await outcomeAfter('apply_edit', { patch }, 'change of 5 files: codex', () =>
      put('codex/gone.txt', 'mine\n'),
    );
    expect(outcome.status).toBe('stale');
    expect(treeOf('codex')).toEqual({ ...before, 'codex/gone.txt': '644 mine\n' });
    await page.getByRole('button', { name: /^Approve/ }).waitFor({ state: 'detached' });
    expect((await approved('apply_edit', { patch }, 'change of 5 files: codex')).status).toBe('applied');
    expect(treeOf('codex')).toEqual({
      codex: 'folder',
      'codex/edit.txt': '644 top\r\n\r\nclass A:\r\n  one\r\nclass B:\r\n  two\r\n',
      'codex/made': 'folder',
      'codex/made/new.txt': '644 a\nB',
      'codex/made/added.txt': '644 added\n',
    });
  });
});

it('the changes of all tests above leave the files outside alone, no temporary files, no open dialog and no card', async () => {
  expect(snapshot(outside)).toEqual({ 'target.txt': '644 outside\n' });
  expect(Object.keys(snapshot(folder)).filter((name) => name.includes('.drawbridge-'))).toEqual([]);
  expect(await drawbridge.window.page.locator('.monaco-dialog-box').count()).toBe(0);
  expect(await card().count()).toBe(0);
});
