import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NotebookDocument, TabInputCustom, UIKind, Uri } from 'vscode';
import { resolveAddress } from '#call/resolve.ts';
import { locate } from '#files/disk.ts';
import { files } from '#files/editor/files.ts';
import { FakeDocument } from '../../fakes/editor/documents.ts';
import { editor, partOf, resetEditor } from '../../fakes/editor/editor.ts';
import { openTab } from '../../fakes/editor/tabs.ts';
import { folderAt } from '../../fakes/workspace.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-files-')));
  resetEditor();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function resolve(address: string) {
  const workspace = { folders: () => [folderAt(root)] };
  return resolveAddress(address, {
    files: { locate },
    workspace,
    pathRules: { home: '/nowhere', privateFolders: [] },
    purpose: 'change',
  });
}

async function read(name: string, content?: string | Uint8Array, maxBytes = 1000) {
  if (content !== undefined) writeFileSync(join(root, name), content);
  return files.readText(await resolve(name), maxBytes);
}

function open(name: string, text: string, facts: Partial<FakeDocument> = {}): void {
  Object.assign(new FakeDocument(Uri.file(join(root, name)), text), facts);
}

const unsavedNotebook = (name: string): NotebookDocument =>
  partOf<NotebookDocument>({ isDirty: true, uri: Uri.file(join(root, name)) });

describe('the text of a file on disk', () => {
  it.each([
    ['utf8', Buffer.from('é\r\n'), 'é\r\n'],
    ['utf8bom', Buffer.from('\uFEFFé'), 'é'],
    ['utf16le', Buffer.from('\uFEFFé', 'utf16le'), 'é'],
    ['utf16be', Buffer.from('\uFEFFé', 'utf16le').swap16(), 'é'],
    ['utf8', Buffer.from(''), ''],
  ])('is read with its line ends when it is %s', async (encoding, bytes, text) => {
    expect(await read('a.txt', bytes)).toMatchObject({
      text,
      encoding,
      source: 'disk',
      unsaved: false,
      unifiedLineEnds: 0,
    });
  });

  it('is read in the configured encoding, and marked as guessed when it fits neither that encoding nor Unicode', async () => {
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    expect(await read('a.txt', latin)).toMatchObject({
      text: 'café\n',
      encoding: 'windows1252',
      encodingDoubt: 'guessed',
    });
    editor.settings.set('files.encoding', 'windows1252');
    expect(await read('a.txt')).toEqual(expect.not.objectContaining({ encodingDoubt: 'guessed' }));
    expect(await read('a.txt')).toMatchObject({ text: 'café\n', encoding: 'windows1252' });
  });

  it('is read as UTF-8 when the setting is not an encoding', async () => {
    editor.settings.set('files.encoding', null);
    expect(await read('ascii.txt', 'abc\n')).toMatchObject({ text: 'abc\n', encoding: 'utf8' });
  });

  it('P13 is refused when it is binary, also in an encoding where every byte is a character', async () => {
    const image = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const packed = Buffer.from('1f8b08031f8b0203e9e9e9e9e9e9', 'hex');
    await expect(read('a.png', image)).rejects.toMatchObject({ code: 'binary_file' });
    editor.settings.set('files.encoding', 'windows1252');
    await expect(read('a.png')).rejects.toMatchObject({ code: 'binary_file' });
    await expect(read('a.gz', packed)).rejects.toMatchObject({ code: 'binary_file' });
    await expect(read('late.txt', `${'a'.repeat(900)}\0`)).rejects.toMatchObject({ code: 'binary_file' });
    await expect(read('big.txt', 'a'.repeat(1001))).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('the text of an open document', () => {
  it('is read as the editor holds it, saved or not', async () => {
    open('a.txt', 'buffer', { isDirty: true, encoding: 'utf16le' });
    expect(await read('a.txt', 'disk')).toMatchObject({
      text: 'buffer',
      source: 'buffer',
      unsaved: true,
      encoding: 'utf16le',
    });
  });

  it('is found by its path and by the path of a link', async () => {
    writeFileSync(join(root, 'real.txt'), 'disk');
    symlinkSync('real.txt', join(root, 'link.txt'));
    open('link.txt', 'through the link');
    expect((await read('link.txt')).text).toBe('through the link');
    open('real.txt', 'by its name', { isDirty: true });
    expect((await read('link.txt')).text).toBe('by its name');
    expect((await read('real.txt')).text).toBe('by its name');
  });

  it('reports how many line ends change on save', async () => {
    open('a.txt', 'a\nb\nc\n');
    expect((await read('a.txt', 'a\nb\r\nc\r\n')).unifiedLineEnds).toBe(2);
    expect((await read('a.txt')).unifiedLineEnds).toBe(2);
    expect((await read('a.txt', 'a\nb\nc\n!')).unifiedLineEnds).toBe(0);
  });

  it('P13 is refused when it is above the limit', async () => {
    open('a.txt', 'a'.repeat(1001));
    await expect(read('a.txt', '')).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('unsaved changes outside of text documents', () => {
  it('are reported for notebooks and custom editors', async () => {
    expect((await read('a.txt', 'x')).unsavedElsewhere).toBe(false);
    editor.notebooks.push(unsavedNotebook('a.txt'));
    expect((await read('a.txt')).unsavedElsewhere).toBe(true);
    editor.notebooks.length = 0;
    const input = new TabInputCustom(Uri.file(join(root, 'a.txt')), 'toy.picture');
    openTab(input);
    expect((await read('a.txt')).unsavedElsewhere).toBe(false);
    openTab(input, { isDirty: true });
    expect((await read('a.txt')).unsavedElsewhere).toBe(true);
  });
});

it('lists a directory without the entries that the editor hides', async () => {
  for (const name of ['a.txt', '.DS_Store', 'b.log']) writeFileSync(join(root, name), '');
  editor.settings.set('files.exclude', { '**/.DS_Store': true, '*.log': true, 'a.txt': false });
  expect((await files.list(await resolve('.'))).map(({ path, uri }) => [path, uri])).toEqual([
    ['a.txt', `file://${root}/a.txt`],
  ]);
});

it.each([null, true, 'x', { '[': true, '': true, '../x': true, '{a': true }])(
  'lists all entries when files.exclude is not valid: %j',
  async (exclude) => {
    writeFileSync(join(root, 'a.txt'), '');
    editor.settings.set('files.exclude', exclude);
    expect(await files.list(await resolve('.'))).toHaveLength(1);
  },
);

it('H16: lists a directory when the excludes of the workspace are slow globs for its names', async () => {
  const name = 'a'.repeat(250);
  for (let at = 0; at < 20; at += 1) writeFileSync(join(root, `${name}${at}`), '');
  editor.settings.set('files.exclude', { [`${'*a'.repeat(15)}*b`]: true, [`**/${'*a'.repeat(200)}*b`]: true });
  expect(await files.list(await resolve('.'))).toHaveLength(20);
});

describe('a file or folder tree', () => {
  it('reports its files with unsaved changes, also those that are not on disk', async () => {
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'disk');
    open('d/a', 'unsaved', { isDirty: true });
    open('d/clean', 'clean');
    open('d/gone', 'unsaved', { isDirty: true });
    open('d2', 'unsaved', { isDirty: true });
    open('d/closed', 'x', { isDirty: true, isClosed: true });
    editor.notebooks.push(unsavedNotebook('d/n.ipynb'));
    const limits = { maximumFiles: 10, maximumBytes: 100 };
    expect(await files.readTree(await resolve('d'), limits)).toMatchObject({
      files: [{ relative: 'a', size: 4 }],
      unsaved: ['a', 'gone'],
      unsavedElsewhere: ['n.ipynb'],
    });
    expect(await files.readTree(await resolve('d/a'), limits)).toMatchObject({
      files: [{ relative: '' }],
      unsaved: [''],
    });
  });

  it('P4 is the link itself when it is located as an entry', async () => {
    writeFileSync(join(root, 'real'), '');
    symlinkSync('real', join(root, 'link'));
    expect((await files.locate(join(root, 'link'), 'entry')).realPath).toBe(join(root, 'link'));
    expect((await files.locate(join(root, 'link'), 'change')).realPath).toBe(join(root, 'real'));
  });
});

describe('a new file', () => {
  it('gets the encoding and line end of the settings, never the line end of the operating system', async () => {
    const path = await resolve('new.txt');
    expect(files.newFileFormat(path)).toEqual({ encoding: 'utf8', lineEnd: '\n' });
    editor.settings.set('files.encoding', 'utf16le');
    editor.settings.set('files.eol', '\r\n');
    expect(files.newFileFormat(path)).toEqual({ encoding: 'utf16le', lineEnd: '\r\n' });
  });
});

it('has a trash only in a local desktop window', () => {
  expect(files.hasTrash()).toBe(true);
  editor.remoteName = 'ssh-remote';
  expect(files.hasTrash()).toBe(false);
  Object.assign(editor, { remoteName: undefined, uiKind: UIKind.Web });
  expect(files.hasTrash()).toBe(false);
});
