import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  commands,
  type NotebookDocument,
  TabInputCustom,
  TabInputText,
  TextEditorSelectionChangeKind,
  Uri,
} from 'vscode';
import type { FileChange, FileRestore } from '#base/proposal.ts';
import { edits } from '#changes/editor/edits.ts';
import { FakeDocument, letGo, openFile } from '../../fakes/editor/documents.ts';
import { editor, partOf, resetEditor } from '../../fakes/editor/editor.ts';
import { allTabs, openTab } from '../../fakes/editor/tabs.ts';
import { size } from '../../size.ts';
import { EditsFixture, snapshot } from './editsFixture.ts';

let w: EditsFixture;

beforeEach(() => {
  w = new EditsFixture();
  resetEditor();
});
afterEach(() => {
  w.requireClosed();
  w.remove();
});

/** Returns the reason why both `findStale` and `apply` refuse the change; expects that nothing was changed. */
async function staleReason(changes: readonly FileChange[]): Promise<string> {
  const before = snapshot(w.root);
  const found = await edits.findStale(changes);
  expect(await edits.apply(changes)).toEqual({ status: 'stale', ...found });
  expect(snapshot(w.root)).toEqual(before);
  return found?.reason ?? 'not stale';
}

async function expectApplied(changes: readonly (FileChange | FileRestore)[]) {
  const outcome = await edits.apply(changes);
  if (outcome.status !== 'applied') throw new Error(`${outcome.status}: ${outcome.reason}`);
  return outcome.files;
}

describe('a creation', () => {
  it('makes the file and its folders, and reports the folders', async () => {
    const [file] = await expectApplied([await w.create('a/b/c.txt', 'é\r\n', 'utf16le')]);
    expect(readFileSync(w.at('a/b/c.txt')).toString('hex')).toBe(Buffer.from('\uFEFFé\r\n', 'utf16le').toString('hex'));
    expect(file).toEqual({
      createdFolders: [w.at('a'), w.at('a/b')],
      written: {
        text: 'é\r\n',
        encoding: 'utf16le',
        saved: true,
        dirty: false,
        changedOnSave: false,
        size: 8,
        sha256: createHash('sha256')
          .update(readFileSync(w.at('a/b/c.txt')))
          .digest('hex'),
        modified: statSync(w.at('a/b/c.txt')).mtimeMs,
      },
    });
    expect(statSync(w.at('a/b/c.txt')).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(Object.keys(snapshot(w.inside))).toEqual(['a', 'a/b', 'a/b/c.txt']);
  });

  it('makes a new folder once for two files', async () => {
    const files = await expectApplied([await w.create('a/one'), await w.create('a/two')]);
    expect(files.map(({ createdFolders }) => createdFolders)).toEqual([[w.at('a')], undefined]);
  });

  it('never replaces a file that appeared meanwhile', async () => {
    const change = await w.create('new.txt');
    w.put('new.txt', 'mine');
    expect(await staleReason([change])).toMatch('something else has its name now');
  });

  it('P4 makes nothing through a dangling link, at the name or above it', async () => {
    const [file, below] = [await w.create('new.txt'), await w.create('folder/new.txt')];
    symlinkSync(join(w.outside, 'new.txt'), w.at('new.txt'));
    symlinkSync(join(w.outside, 'folder'), w.at('folder'));
    expect(await staleReason([file])).toMatch('something else has its name now');
    expect(await staleReason([below])).toMatch('its folder was replaced by something else');
    expect(snapshot(w.outside)).toEqual({});
  });

  it('P5 is refused when its folder was replaced, by a link or another folder', async () => {
    mkdirSync(w.at('src'));
    const change = await w.create('src/new.txt');
    renameSync(w.at('src'), w.at('old'));
    symlinkSync(w.outside, w.at('src'));
    expect(await staleReason([change])).toMatch('its folder was replaced by something else');
    unlinkSync(w.at('src'));
    mkdirSync(w.at('src'));
    expect(await staleReason([change])).toMatch('its folder was replaced by another one');
    rmSync(w.at('src'), { recursive: true });
    expect(await staleReason([change])).toMatch('its folder is gone');
  });

  it.each(['untitled', 'file'])('is refused when an editor holds unsaved text (%s)', async (scheme) => {
    const document = new FakeDocument(Uri.file(w.at('new.txt')).with({ scheme }), 'mine');
    document.isDirty = true;
    expect(await staleReason([await w.create('new.txt')])).toMatch('an editor holds unsaved changes of it');
  });

  it('is refused when its text does not fit its encoding', async () => {
    expect(await staleReason([await w.create('new.txt', '\u{1F600}', 'iso88591')])).toMatch(
      'does not fit the encoding iso88591',
    );
  });
});

describe('a delete', () => {
  beforeEach(() => {
    w.put('src/a.txt');
    w.put('src/deep/b.txt');
    mkdirSync(w.at('src/empty/too'), { recursive: true });
    symlinkSync('a.txt', w.at('src/link'));
    w.put('other.txt');
  });

  it('removes a folder with everything in it, links as links', async () => {
    w.put('target/kept.txt');
    symlinkSync('../target', w.at('src/folder-link'));
    expect(await expectApplied([await w.delete('src')])).toEqual([{}]);
    expect(Object.keys(snapshot(w.inside))).toEqual(['other.txt', 'target', 'target/kept.txt']);
  });

  it('removes a link, not its target', async () => {
    await expectApplied([await w.delete('src/link')]);
    expect(Object.keys(snapshot(w.at('src')))).toEqual(['a.txt', 'deep', 'deep/b.txt', 'empty', 'empty/too']);
  });

  it.each([
    ['src/deep/b.txt was changed', () => w.put('src/deep/b.txt', 'text of src/deep/c.txt')],
    ['src/deep/b.txt was changed', () => w.put('src/deep/b.txt', `text of src/deep/B.txt\n`)],
    ['src/deep/new was added to it', () => w.put('src/deep/new')],
    ['src/a.txt is gone', () => unlinkSync(w.at('src/a.txt'))],
    ['link was changed', () => (unlinkSync(w.at('src/link')), symlinkSync('deep/b.txt', w.at('src/link')))],
    ['a.txt was changed', () => (unlinkSync(w.at('src/a.txt')), symlinkSync(w.at('other.txt'), w.at('src/a.txt')))],
    ['replaced by another one', () => (renameSync(w.at('src'), w.at('old')), mkdirSync(w.at('src')))],
    ['replaced by something else', () => (rmSync(w.at('src'), { recursive: true }), w.put('src'))],
    ['it no longer exists', () => rmSync(w.at('src'), { recursive: true })],
    ['deep/b.txt is read-only', () => chmodSync(w.at('src/deep/b.txt'), 0o444)],
    ['an editor holds unsaved changes', () => openFile(w.at('src/deep/b.txt')).replaceAll('mine')],
    [
      'an editor holds unsaved changes',
      () => openTab(new TabInputCustom(Uri.file(w.at('src/a.txt')), 'toy.picture'), { isDirty: true }),
    ],
  ])('is refused with the reason "%s"', async (reason, happen) => {
    const change = await w.delete('src');
    happen();
    expect(await staleReason([change])).toMatch(reason.replace(/^src\//, ''));
    expect(await staleReason([{ ...change, toTrash: true }])).toMatch(reason.replace(/^src\//, ''));
  });

  it('closes only the tabs of the deleted files', async () => {
    openFile(w.at('src/deep/b.txt'));
    openFile(w.at('other.txt'));
    await expectApplied([await w.delete('src')]);
    expect(allTabs().map(({ input }) => input instanceof TabInputText && input.uri.fsPath)).toEqual([
      w.at('other.txt'),
    ]);
  });

  it('goes to the trash when the approved card said so', async () => {
    editor.trash = w.outside;
    await expectApplied([await w.delete('src', { toTrash: true })]);
    expect(existsSync(w.at('src'))).toBe(false);
    expect(Object.keys(snapshot(w.outside)).some((path) => path.endsWith('src/deep/b.txt'))).toBe(true);
  });

  it('changes nothing, and never deletes permanently, when the trash refuses', async () => {
    const before = snapshot(w.root);
    const outcome = await edits.apply([await w.create('new/new.txt'), await w.delete('src', { toTrash: true })]);
    expect(outcome).toEqual({
      status: 'failed',
      reason: expect.stringMatching(/^src: the editor could not move it to the trash: .*does not support it/),
      states: ['rolled_back', 'not_applied'],
    });
    expect(snapshot(w.root)).toEqual(before);
  });

  it('is put back with everything when the trash refuses a later delete', async () => {
    const before = snapshot(w.root);
    const changes = [await w.delete('other.txt', { toTrash: true }), await w.delete('src')];
    expect(await edits.apply(changes)).toMatchObject({ status: 'failed', states: ['not_applied', 'rolled_back'] });
    expect(snapshot(w.root)).toEqual(before);
  });

  it('is put back from the trash when a later change fails', async () => {
    editor.trash = w.outside;
    chmodSync(w.at('src/a.txt'), 0o755);
    const before = snapshot(w.inside);
    const changes = [await w.delete('src', { toTrash: true }), await w.delete('other.txt', { toTrash: true })];
    let count = 0;
    editor.beforeDelete = () => {
      if ((count += 1) === 2) throw new Error('full');
    };
    expect(await edits.apply(changes)).toMatchObject({ status: 'failed', states: ['rolled_back', 'not_applied'] });
    // Folders without files are no part of a delete.
    expect(snapshot(w.inside)).toEqual(
      Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith('src/empty'))),
    );
  });

  it('P5 is reported when the trash took another file', async () => {
    editor.trash = w.outside;
    const change = await w.delete('src/a.txt', { toTrash: true });
    const inside = { old: w.at('src'), away: w.at('away') };
    editor.beforeDelete = () => {
      renameSync(inside.old, inside.away);
      w.put('src/a.txt', 'a double');
    };
    expect(await edits.apply([change])).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('is in the system trash'),
      states: ['unknown'],
    });
    expect(w.text('away/a.txt')).toBe('text of src/a.txt\n');
  });
});

describe('a move', () => {
  beforeEach(() => {
    w.put('src/a.txt');
    w.put('src/deep/b.txt');
  });

  it('keeps mode, inode and hard links of a file, and makes folders', async () => {
    chmodSync(w.at('src/a.txt'), 0o755);
    linkSync(w.at('src/a.txt'), w.at('other-name'));
    const { ino } = statSync(w.at('src/a.txt'));
    const files = await expectApplied([await w.move('src/a.txt', 'lib/x/a.txt')]);
    expect(files).toEqual([{ createdFolders: [w.at('lib'), w.at('lib/x')] }]);
    expect(snapshot(w.inside)).toEqual({
      lib: 'folder',
      'lib/x': 'folder',
      'lib/x/a.txt': '755 text of src/a.txt\n',
      'other-name': '755 text of src/a.txt\n',
      src: 'folder',
      'src/deep': 'folder',
      'src/deep/b.txt': '644 text of src/deep/b.txt\n',
    });
    expect(statSync(w.at('lib/x/a.txt')).ino).toBe(ino);
  });

  it('moves everything in a folder, empty folders too', async () => {
    mkdirSync(w.at('src/empty'));
    const before = snapshot(w.at('src'));
    await expectApplied([await w.move('src', 'lib/src')]);
    expect(snapshot(w.at('lib/src'))).toEqual(before);
    expect(existsSync(w.at('src'))).toBe(false);
  });

  it('moves a link itself', async () => {
    symlinkSync('deep/b.txt', w.at('src/link'));
    expect(await expectApplied([await w.move('src/link', 'src/other')])).toEqual([{}]);
    expect(readlinkSync(w.at('src/other'))).toBe('deep/b.txt');
    expect(w.text('src/deep/b.txt')).toBe('text of src/deep/b.txt\n');
  });

  it.each([
    ['it was changed', () => w.put('src/a.txt', 'mine')],
    ['it no longer exists', () => unlinkSync(w.at('src/a.txt'))],
    ['replaced by another one', () => (renameSync(w.at('src/a.txt'), w.at('x')), w.put('src/a.txt'))],
    ['something else has its name', () => w.put('to.txt', 'mine')],
    ['something else has its name', () => symlinkSync(join(w.outside, 'x'), w.at('to.txt'))],
    ['something else has its name', () => mkdirSync(w.at('to.txt'))],
    ['something else has its name', () => linkSync(w.at('src/a.txt'), w.at('to.txt'))],
    ['unsaved changes', () => dirtyDocument('to.txt')],
  ])('is refused with the reason "%s"', async (reason, happen) => {
    const change = await w.move('src/a.txt', 'to.txt');
    happen();
    expect(await staleReason([change])).toMatch(reason);
  });

  it('F14 is refused when unsaved text appears at its destination while a file of the change is edited', async () => {
    openFile(w.put('b.txt'));
    const changes = [await w.edit('b.txt', 'new b'), await w.move('src/a.txt', 'to.txt')];
    editor.beforeEdit = () => {
      dirtyDocument('to.txt');
      return true;
    };
    expect(await edits.apply(changes)).toEqual({
      status: 'stale',
      path: 'src/a.txt',
      reason: 'an editor holds unsaved changes of it',
    });
    expect([existsSync(w.at('to.txt')), w.text('src/a.txt')]).toEqual([false, 'text of src/a.txt\n']);
  });

  it('is refused into itself', async () => {
    expect(await staleReason([await w.move('src', 'src/deep/src')])).toMatch('it cannot be moved into itself');
  });

  it('is refused onto another file that differs in case, on a case-sensitive disk', async () => {
    await expectApplied([await w.move('src/a.txt', 'src/A.txt')]);
    expect(Object.keys(snapshot(w.at('src')))).toEqual(['A.txt', 'deep', 'deep/b.txt']);
    linkSync(w.at('src/A.txt'), w.at('src/a.txt'));
    const path = await w.path('src/a.txt');
    const onto = await w.move('src/A.txt', 'src/a.txt', { to: { ...path, kind: 'missing' } });
    expect(await staleReason([onto])).toMatch('something else has its name now');
  });

  it('moves an open file through the editor, with its tab and unsaved text', async () => {
    const document = openFile(w.at('src/deep/b.txt'));
    document.replaceAll('unsaved');
    await expectApplied([await w.move('src', 'lib')]);
    expect(document.isClosed).toBe(true);
    const [moved] = editor.documents;
    expect(moved).toMatchObject({ isDirty: true, uri: { fsPath: w.at('lib/deep/b.txt') } });
    expect(moved?.getText()).toBe('unsaved');
    expect(w.text('lib/deep/b.txt')).toBe('text of src/deep/b.txt\n');
  });

  it('changes nothing, and asks for nothing else, when the editor refuses', async () => {
    openFile(w.at('src/a.txt'));
    const before = snapshot(w.root);
    let asked = 0;
    editor.beforeEdit = () => {
      asked += 1;
      return false;
    };
    expect(await edits.apply([await w.move('src', 'lib/src')])).toEqual({
      status: 'failed',
      reason: 'src: the editor could not move it',
      states: ['rolled_back'],
    });
    expect([snapshot(w.root), asked]).toEqual([before, 1]);
  });

  it('changes nothing when the editor fails', async () => {
    openFile(w.at('src/a.txt'));
    const before = snapshot(w.root);
    editor.beforeEdit = () => {
      throw new Error('the window is closing');
    };
    expect(await edits.apply([await w.move('src', 'lib')])).toMatchObject({
      status: 'failed',
      states: ['rolled_back'],
    });
    expect(snapshot(w.root)).toEqual(before);
  });

  it('is put back when the editor moved it and reports that it could not', async () => {
    openFile(w.at('src/a.txt'));
    const before = snapshot(w.root);
    const refusals = [false];
    editor.beforeEdit = () => {
      const answer = refusals.pop() ?? true;
      if (!answer) renameSync(w.at('src'), w.at('lib'));
      return answer;
    };
    expect(await edits.apply([await w.move('src', 'lib')])).toMatchObject({
      status: 'failed',
      states: ['rolled_back'],
    });
    expect(snapshot(w.root)).toEqual(before);
  });

  it('F14 replaces nothing that appears at its destination while the editor moves it', async () => {
    openFile(w.at('src/a.txt'));
    editor.beforeEdit = () => {
      w.put('to.txt', 'mine\n');
      return true;
    };
    expect(await edits.apply([await w.move('src/a.txt', 'to.txt')])).toMatchObject({ states: ['rolled_back'] });
    expect([w.text('to.txt'), w.text('src/a.txt')]).toEqual(['mine\n', 'text of src/a.txt\n']);
  });

  it('F14 does not take back what replaced it when a later change fails', async () => {
    w.put('b.txt');
    const changes = [await w.move('src/a.txt', 'to.txt'), await w.delete('b.txt', { toTrash: true })];
    editor.beforeDelete = () => {
      renameSync(w.at('to.txt'), w.at('away.txt'));
      w.put('to.txt', 'mine\n');
      throw new Error('no trash');
    };
    expect(await edits.apply(changes)).toMatchObject({ status: 'failed', states: ['unknown', 'not_applied'] });
    expect([w.text('to.txt'), w.text('away.txt'), existsSync(w.at('src/a.txt'))]).toEqual([
      'mine\n',
      'text of src/a.txt\n',
      false,
    ]);
  });

  it('F14 is refused when an editor holds unsaved text of it under another name', async () => {
    symlinkSync('src', w.at('link'));
    const change = await w.move('src/a.txt', 'to.txt');
    const throughLink = { ...change, path: { ...change.path, fsPath: w.at('link/a.txt') } };
    dirtyDocument('src/a.txt');
    expect(await staleReason([throughLink])).toBe('an editor holds unsaved changes of it under another name');
  });

  it('moves an open file to the real path when its new name leads through a link', async () => {
    symlinkSync('deep', w.at('src/link'));
    openFile(w.at('src/a.txt'));
    const change = await w.move('src/a.txt', 'src/deep/to.txt');
    await expectApplied([{ ...change, to: { ...change.to, fsPath: w.at('src/link/to.txt'), linked: true } }]);
    expect(editor.documents.map(({ uri }) => uri.fsPath)).toEqual([w.at('src/deep/to.txt')]);
  });

  it('moves a file by itself with its edit, which gave it other bytes', async () => {
    await expectApplied([await w.move('src/a.txt', 'lib/a.txt'), await w.edit('src/a.txt', 'new\n')]);
    expect([w.text('lib/a.txt'), existsSync(w.at('src/a.txt'))]).toEqual(['new\n', false]);
  });

  it('asks no language service when no editor holds a file of it', async () => {
    w.put('c.txt');
    await expectApplied([await w.move('src/a.txt', 'lib/a.txt'), await w.edit('c.txt', 'new\n')]);
    expect(editor.executed).toEqual([]);
  });

  it('P5 is put back and reported when the editor moved another file', async () => {
    openFile(w.at('src/a.txt'));
    const change = await w.move('src/a.txt', 'b.txt');
    writeFileSync(join(w.outside, 'a.txt'), 'outside');
    const before = snapshot(w.outside);
    editor.beforeEdit = () => {
      if (!existsSync(w.at('away'))) {
        renameSync(w.at('src'), w.at('away'));
        symlinkSync(w.outside, w.at('src'));
      }
      return true;
    };
    expect(await edits.apply([change])).toMatchObject({ status: 'failed', states: ['unknown'] });
    expect(snapshot(w.outside)).toEqual(before);
    expect(w.text('away/a.txt')).toBe('text of src/a.txt\n');
  });

  it.each(['open', 'not open'])('edits the file (%s) at its old path and saves it at the new one', async (how) => {
    chmodSync(w.at('src/a.txt'), 0o755);
    if (how === 'open') openFile(w.at('src/a.txt'));
    const changes = [await w.move('src', 'lib'), await w.edit('src/a.txt', 'new\n')];
    const files = await expectApplied(changes);
    expect(files[1]?.written).toMatchObject({ text: 'new\n', saved: true, dirty: false, size: 4 });
    expect(snapshot(w.inside)).toEqual({
      lib: 'folder',
      'lib/a.txt': '755 new\n',
      'lib/deep': 'folder',
      'lib/deep/b.txt': '644 text of src/deep/b.txt\n',
    });
  });
});

describe('a move of an open file with edits for a language service', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it.each(['fails', 'never answers'])('continues when the service %s', async (how) => {
    openFile(w.put('a.ts'));
    w.put('b.ts');
    const changes = [await w.move('a.ts', 'lib/a.ts'), await w.edit('b.ts', 'new')];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const ask = vi.spyOn(commands, 'executeCommand').mockImplementation(() => {
      if (how === 'fails') throw new Error('no such command');
      queueMicrotask(() => vi.advanceTimersToNextTimer());
      return new Promise(() => undefined);
    });
    await expectApplied(changes);
    expect(ask).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
    expect([w.text('lib/a.ts'), w.text('b.ts')]).toEqual(['text of a.ts\n', 'new']);
  });
});

function dirtyDocument(name: string): FakeDocument {
  const document = new FakeDocument(Uri.file(w.at(name)), '');
  document.isDirty = true;
  return document;
}

describe('an edit', () => {
  it('is applied when the editor closes a document that only a language service had open', async () => {
    const applyWhileLettingGo = async (moments: number): Promise<boolean> => {
      w.put('a.txt', 'a\n');
      w.put('b.txt', 'b\n');
      const document = openFile(w.at('a.txt'));
      const progress = { isOver: false };
      const applied = expectApplied([await w.edit('a.txt', 'new a\n'), await w.edit('b.txt', 'new b\n')]);
      void applied.then(() => (progress.isOver = true));
      for (let moment = 0; moment < moments; moment += 1) await setImmediate();
      const cameInTime = !progress.isOver;
      if (cameInTime) letGo(document);
      const written = (await applied).map((file) => file.written);
      expect(written).toMatchObject([{ saved: true, dirty: false }, { saved: true }]);
      expect([w.text('a.txt'), w.text('b.txt')]).toEqual(['new a\n', 'new b\n']);
      resetEditor();
      return cameInTime;
    };
    let moments = 0;
    while (await applyWhileLettingGo(moments)) moments += size({ quick: 8, full: 1 });
    expect(moments).toBeGreaterThan(3);
  });

  it('is applied in the new document when the editor closes the old one while editing', async () => {
    w.put('a.txt', 'a\n');
    const document = openFile(w.at('a.txt'));
    editor.beforeEdit = () => {
      letGo(document);
      return true;
    };
    expect(await expectApplied([await w.edit('a.txt', 'new a\n')])).toMatchObject([{ written: { saved: true } }]);
    expect(w.text('a.txt')).toBe('new a\n');
  });

  it.each(['open', 'not open'])('is refused for a read-only file (%s)', async (how) => {
    w.put('a.txt');
    if (how === 'open') openFile(w.at('a.txt'));
    chmodSync(w.at('a.txt'), 0o444);
    expect(await staleReason([await w.edit('a.txt', 'new')])).toMatch('it is read-only');
  });

  it('A24 is refused when the file is a notebook with unsaved changes, before and while it is applied', async () => {
    w.put('b.txt');
    w.put('n.ipynb', '{"cells": []}');
    const change = await w.edit('n.ipynb', '{"cells": [{}]}');
    const notebook = partOf<NotebookDocument>({ isDirty: true, uri: Uri.file(w.at('n.ipynb')) });
    editor.notebooks.push(notebook);
    expect(await staleReason([change])).toMatch('an editor holds unsaved changes of it');
    editor.notebooks.length = 0;
    openFile(w.at('b.txt'));
    const changes = [await w.edit('b.txt', 'new'), change];
    editor.beforeEdit = () => {
      editor.notebooks.push(notebook);
      return true;
    };
    expect(await edits.apply(changes)).toMatchObject({ status: 'stale', path: 'n.ipynb' });
    expect(w.text('n.ipynb')).toBe('{"cells": []}');
  });

  it('F6 vscode#279589 notices a changed open document in the same turn as the edit', async () => {
    w.put('a.txt');
    w.put('b.txt');
    const change = await w.edit('a.txt', 'new');
    const document = openFile(w.at('a.txt'));
    document.replaceAll('mine');
    expect(await staleReason([await w.edit('b.txt', 'new'), change])).toMatch('the text was changed in the editor');
    expect(document.getText()).toBe('mine');
  });

  it('F6 waits for another apply of the same file, and notices its change', async () => {
    w.put('a.txt', 'one\ntwo\nthree\n');
    const both = [await w.edit('a.txt', 'ONE\ntwo\nthree\n'), await w.edit('a.txt', 'one\ntwo\nTHREE\n')];
    const outcomes = await Promise.all(both.map((change) => edits.apply([change])));
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'stale']);
    expect(w.text('a.txt')).toBe('ONE\ntwo\nthree\n');
  });

  it('never saves text that was typed after it', async () => {
    w.put('a.txt', 'old');
    const document = openFile(w.at('a.txt'));
    const change = await w.edit('a.txt', 'new');
    editor.beforeEdit = () => {
      // Right after it was compared with what was approved.
      document.getText = function getText() {
        delete (this as Partial<FakeDocument>).getText;
        queueMicrotask(() => document.replaceAll('new, typed'));
        return document.getText();
      };
      return true;
    };
    const [file] = await expectApplied([change]);
    expect(file?.written).toMatchObject({ text: 'new, typed', saved: false, dirty: true });
    expect(w.text('a.txt')).toBe('old');
  });

  it('P5 is taken back when the file of the open document is replaced while it is edited', async () => {
    const document = openFile(w.put('a.txt', 'old'));
    const change = await w.edit('a.txt', 'new');
    editor.beforeEdit = () => {
      if (!existsSync(w.at('away'))) {
        renameSync(w.at('a.txt'), w.at('away'));
        w.put('a.txt', 'other');
      }
      return true;
    };
    expect(await edits.apply([change])).toEqual({
      status: 'failed',
      reason: 'a.txt: the file was replaced by another one meanwhile',
      states: ['rolled_back'],
    });
    expect([document.getText(), w.text('a.txt'), w.text('away')]).toEqual(['old', 'other', 'old']);
  });

  it('stays in the document, unsaved, when the editor cannot save it', async () => {
    const document = openFile(w.put('a.txt', 'old'));
    document.write = () => Promise.reject(new Error('the disk is full'));
    const [file] = await expectApplied([await w.edit('a.txt', 'new')]);
    expect(file?.written).toMatchObject({ text: 'new', saved: false, dirty: true });
    expect(file?.written).not.toHaveProperty('touchedOnSave');
    expect([document.getText(), w.text('a.txt')]).toEqual(['new', 'old']);
  });

  it('leaves a document unsaved that was unsaved before', async () => {
    const document = openFile(w.put('a.txt', 'old'));
    document.replaceAll('typed');
    const change = await w.edit('a.txt', 'typed and new');
    const [file] = await expectApplied([{ ...change, base: { ...change.base, text: 'typed', unsaved: true } }]);
    expect(file?.written).toMatchObject({ text: 'typed and new', saved: false, dirty: true });
    expect([document.getText(), w.text('a.txt')]).toEqual(['typed and new', 'old']);
  });

  it('F14 is put back when something later fails, but never over text typed meanwhile', async () => {
    w.put('a.txt');
    w.put('b.txt');
    const [one, other] = [openFile(w.at('a.txt')), openFile(w.at('b.txt'))];
    const changes = [
      await w.edit('a.txt', 'new a'),
      await w.edit('b.txt', 'new b'),
      await w.create('c.txt', 'c', 'utf8'),
      { ...(await w.delete('a.txt')), path: await w.path('gone'), toTrash: true },
    ];
    w.put('gone', 'text of a.txt\n');
    changes[3] = { ...(await w.delete('gone')), toTrash: true };
    editor.beforeDelete = () => {
      other.replaceAll('typed meanwhile');
      throw new Error('no trash');
    };
    expect(await edits.apply(changes)).toEqual({
      status: 'failed',
      reason: 'gone: the editor could not move it to the trash: no trash',
      states: ['rolled_back', 'unknown', 'rolled_back', 'not_applied'],
    });
    expect([one.getText(), other.getText()]).toEqual(['text of a.txt\n', 'typed meanwhile']);
    expect(existsSync(w.at('c.txt'))).toBe(false);
  });
});

describe('an undo', () => {
  it('restores bytes, modes, links and folders of a delete', async () => {
    w.put('src/a.bin', Buffer.from([0, 255, 13, 10]));
    w.put('src/deep/run.sh', '#!/bin/sh\n');
    chmodSync(w.at('src/deep/run.sh'), 0o755);
    symlinkSync('../nowhere', w.at('src/link'));
    const before = snapshot(w.inside);
    const change = await w.delete('src');
    await expectApplied([change]);
    await expectApplied([await w.restore(change)]);
    expect(snapshot(w.inside)).toEqual(before);
  });

  it('makes missing parent folders of a deleted file, and replaces nothing', async () => {
    w.put('src/a.txt');
    const change = await w.delete('src/a.txt');
    await expectApplied([change]);
    rmSync(w.at('src'), { recursive: true });
    expect(await expectApplied([await w.restore(change)])).toEqual([{ createdFolders: [w.at('src')] }]);
    const again = await w.restore(change);
    expect(await edits.apply([again])).toMatchObject({ status: 'stale' });
  });

  it('removes empty folders that creations and moves had made', async () => {
    w.put('old.txt');
    const before = snapshot(w.inside);
    const files = await expectApplied([
      await w.create('a/one.txt'),
      await w.create('a/b/two.txt'),
      await w.move('old.txt', 'c/d/old.txt'),
      await w.create('kept/three.txt'),
    ]);
    const emptiedFolders = (index: number) => ({ emptiedFolders: files[index]?.createdFolders?.toReversed() ?? [] });
    w.put('kept/mine.txt');
    await expectApplied([
      await w.delete('a/one.txt', emptiedFolders(0)),
      await w.delete('a/b/two.txt', emptiedFolders(1)),
      await w.move('c/d/old.txt', 'old.txt', emptiedFolders(2)),
      await w.delete('kept/three.txt', emptiedFolders(3)),
    ]);
    expect(snapshot(w.inside)).toEqual({ ...before, kept: 'folder', 'kept/mine.txt': '644 text of kept/mine.txt\n' });
  });

  it('removes no folder outside the workspace', async () => {
    w.put('a.txt');
    await expectApplied([await w.delete('a.txt', { emptiedFolders: [w.outside, w.inside] })]);
    expect([lstatSync(w.outside).isDirectory(), lstatSync(w.inside).isDirectory()]).toEqual([true, true]);
  });
});

describe('watching changes', () => {
  /** Resolves when the listener was called. */
  async function heard(changes: readonly FileChange[], happen: () => unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watch = edits.watch(changes, resolve);
    try {
      happen();
      await promise;
    } finally {
      watch.dispose();
    }
  }

  it.each([
    ['the file is written', () => w.put('src/a.txt', 'mine')],
    ['the file is deleted', () => unlinkSync(w.at('src/a.txt'))],
    ['the folder is replaced', () => renameSync(w.at('src'), w.at('old'))],
    ['the text is changed in an editor', () => openFile(w.at('src/a.txt')).replaceAll('mine')],
    ['a file comes into a folder that is deleted', () => w.put('gone/new.txt')],
    ['a file comes into a folder below that', () => w.put('gone/deep/er/new.txt')],
    ['the name of a new file is taken', () => w.put('src/new.txt')],
    ['a folder of a new file is made', () => w.put('no/such/new.txt')],
    ['the name is taken to which a file moves', () => w.put('src/moved.txt')],
    ['an editor holds unsaved text of that name', () => dirtyDocument('src/moved.txt')],
  ])('notifies the listener when %s', async (_what, happen) => {
    w.put('src/a.txt');
    w.put('gone/b.txt');
    w.put('gone/deep/er/c.txt');
    const changes = [
      await w.edit('src/a.txt', 'new'),
      await w.delete('gone'),
      await w.create('src/new.txt'),
      await w.create('no/such/new.txt'),
      await w.move('src/a.txt', 'src/moved.txt'),
    ];
    await expect(heard(changes, happen)).resolves.toBeUndefined();
  });

  it('notifies the listener once for many events, and never for other files or after disposal', async () => {
    w.put('a.txt');
    const document = openFile(w.put('b.txt'));
    let count = 0;
    const watch = edits.watch([await w.edit('b.txt', 'new')], () => (count += 1));
    const other = edits.watch([await w.edit('a.txt', 'new')], () => (count += 100));
    await heard([await w.edit('b.txt', 'new')], () => {
      for (let index = 0; index < 20; index += 1) document.replaceAll(`mine ${index}`);
    });
    expect(count).toBe(1);
    watch.dispose();
    other.dispose();
    await heard([await w.edit('b.txt', 'new'), await w.edit('a.txt', 'new')], () => {
      document.replaceAll('more');
      w.put('a.txt', 'more');
    });
    expect(count).toBe(1);
  });
});

it.each([
  ['the user typed', true],
  ['a formatter changed', false],
])('F14 reports what %s during the save apart from the approved text', async (_name, byHuman) => {
  const document = openFile(w.put('a.txt'));
  const other = openFile(w.put('b.txt'));
  editor.onSave = (text) => {
    other.moveCursor(TextEditorSelectionChangeKind.Keyboard);
    document.moveCursor(byHuman ? TextEditorSelectionChangeKind.Keyboard : undefined);
    return `${text}more\n`;
  };
  const [file] = await expectApplied([await w.edit('a.txt', 'new\n')]);
  expect(file?.written).toMatchObject({ text: 'new\nmore\n', saved: true, dirty: false, changedOnSave: true });
  expect(file?.written?.touchedOnSave).toBe(byHuman ? true : undefined);
});
