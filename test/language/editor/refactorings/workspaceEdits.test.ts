import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Position, Uri, type WorkspaceEdit } from 'vscode';
import { languageEditsOf, textOfSnippet } from '#language/editor/refactorings/workspaceEdits.ts';
import { FakeDocument } from '../../../fakes/editor/documents.ts';
import { resetEditor } from '../../../fakes/editor/editor.ts';
import { folderAt } from '../../../fakes/workspace.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'edits-')));
const folder = join(root, 'w');
mkdirSync(join(folder, 'd'), { recursive: true });
const folders = [folderAt(folder)];
const at = (name: string): string => join(folder, name);

beforeEach(() => resetEditor());
afterAll(() => rmSync(root, { recursive: true }));

function range(line: number, from: number, to: number) {
  return { start: new Position(line, from), end: new Position(line, to) };
}

/** The editor's own class, as it is inside. */
function edited(...entries: readonly object[]): WorkspaceEdit {
  const edit: object = { _allEntries: () => entries };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fake of the same class
  return edit as WorkspaceEdit;
}

const replaced = (fsPath: string, place: object, newText: string | null) => ({
  _type: 2,
  uri: Uri.file(fsPath),
  edit: { range: place, newText },
});

describe('a `WorkspaceEdit` as data', () => {
  it('has offsets in the text as it is on the disk, or unsaved in an editor', async () => {
    writeFileSync(at('a.txt'), 'one\r\ntwo\nthree');
    const open = new FakeDocument(Uri.file(at('b.txt')), 'unsaved\none');
    expect(open.isClosed).toBe(false);
    const edit = edited(
      replaced(at('a.txt'), range(1, 0, 3), 'x'),
      replaced(at('a.txt'), range(2, 1, 99), null),
      replaced(at('b.txt'), range(1, 0, 1), 'y'),
      replaced(at('b.txt'), range(9, 0, 0), 'z'),
    );
    expect(await languageEditsOf(edit, folders)).toEqual({
      texts: [
        { address: at('a.txt'), offset: 5, length: 3, newText: 'x' },
        { address: at('a.txt'), offset: 10, length: 4, newText: '' },
        { address: at('b.txt'), offset: 8, length: 1, newText: 'y' },
        { address: at('b.txt'), offset: 11, length: 0, newText: 'z' },
      ],
      resources: [],
    });
  });

  it('names outside files and other URIs without reading them', async () => {
    writeFileSync(join(root, 'outside.txt'), 'abc');
    const { texts } = await languageEditsOf(
      edited(replaced(join(root, 'outside.txt'), range(0, 1, 2), 'x'), {
        _type: 2,
        uri: Uri.parse('untitled:x'),
        edit: { range: range(0, 1, 2), newText: '' },
      }),
      folders,
    );
    expect(texts.map(({ address, offset }) => [address, offset])).toEqual([
      [join(root, 'outside.txt'), 0],
      ['untitled:x', 0],
    ]);
  });

  it('keeps file operations with their options for existing files', async () => {
    const uri = (name: string) => Uri.file(at(name));
    const { resources } = await languageEditsOf(
      edited(
        { _type: 1, to: uri('new'), options: { ignoreIfExists: true } },
        { _type: 1, to: uri('over'), options: { overwrite: true, ignoreIfExists: true } },
        { _type: 1, from: uri('old'), to: uri('moved') },
        { _type: 1, from: uri('gone'), options: { recursive: true, ignoreIfNotExists: true } },
      ),
      folders,
    );
    expect(resources).toEqual([
      { kind: 'create', address: at('new'), ifExists: 'ignore' },
      { kind: 'create', address: at('over'), ifExists: 'overwrite' },
      { kind: 'rename', address: at('old'), to: at('moved'), ifExists: 'fail' },
      { kind: 'delete', address: at('gone'), isRecursive: true, ifMissing: 'ignore' },
    ]);
  });

  it('has offsets in a moved file by either of its paths, and 0 in a created file', async () => {
    writeFileSync(at('d/from.txt'), 'one\ntwo');
    writeFileSync(at('over.txt'), 'one\ntwo');
    const { texts } = await languageEditsOf(
      edited(
        { _type: 1, from: Uri.file(at('d')), to: Uri.file(at('e')) },
        { _type: 1, to: Uri.file(at('over.txt')), options: { overwrite: true } },
        replaced(at('e/from.txt'), range(1, 0, 3), 'x'),
        replaced(at('over.txt'), range(1, 0, 3), 'x'),
      ),
      folders,
    );
    expect(texts.map(({ offset, length }) => [offset, length])).toEqual([
      [4, 3],
      [0, 0],
    ]);
  });

  it('P17: is refused as a whole when a part is unknown or cannot be shown', async () => {
    const refused = { code: 'unavailable', message: expect.stringContaining('nothing was changed') };
    const text = replaced(at('a.txt'), range(0, 0, 0), 'x');
    for (const other of [
      { _type: 3, uri: Uri.file(at('n.ipynb')), edit: {} },
      { _type: 5, uri: Uri.file(at('n.ipynb')), index: 0, count: 1, cells: [] },
      { _type: 1, to: Uri.file(at('made')), options: { contents: {} } },
      {},
    ]) {
      await expect(languageEditsOf(edited(text, other), folders)).rejects.toMatchObject(refused);
    }
    const hidden = Object.assign(edited(text), { _allEntries: undefined });
    await expect(languageEditsOf(hidden, folders)).rejects.toMatchObject(refused);
  });

  it('contains the text of snippets', async () => {
    const { texts } = await languageEditsOf(
      edited({ _type: 6, uri: Uri.file(at('a.txt')), range: range(0, 0, 0), edit: { value: 'f(${1:x})$0' } }),
      folders,
    );
    expect(texts).toMatchObject([{ newText: 'f(x)' }]);
  });
});

it.each([
  ['plain', 'plain'],
  ['$1 and ${2} and $TM_FILENAME', ' and  and '],
  ['${1:a ${2:b} c}', 'a b c'],
  ['${1|one,two|} ${TM_X:default}', 'one default'],
  ['\\$1 costs \\\\ \\}', '$1 costs \\ }'],
  ['${1:{\\}}', '{}'],
  ['a { b } c', 'a { b } c'],
])('the snippet %s leaves %s', (snippet, text) => {
  expect(textOfSnippet(snippet)).toBe(text);
});
