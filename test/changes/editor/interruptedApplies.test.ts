import { existsSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { interruptedApplies, temporaryMark } from '#changes/editor/apply/interruptedApplies.ts';
import { readTree } from '#files/readTree.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
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

/** Makes a temporary file or folder as an apply of the record `r-1` leaves it. */
function leave(name: string, change = 0, kind: 'new' | 'old' = 'old') {
  const temporary = `.drawbridge-${temporaryMark('r-1', change)}-${kind}-0123456789ab.tmp`;
  w.put(name === '' ? temporary : `${temporary}/${name}`, 'kept\n');
  return { change, kind, realPath: w.at(temporary) };
}

it('opens every document although one cannot be opened, so that the editor loads its backups', async () => {
  w.put('a.txt');
  w.put('b.txt');
  editor.contentProviders.set('file', {
    provideTextDocumentContent: ({ fsPath }) => (fsPath === w.at('a.txt') ? undefined : 'unsaved'),
  });
  await interruptedApplies.loadUnsaved([await w.path('a.txt'), await w.path('b.txt')]);
  expect(editor.documents.map(({ uri }) => uri.fsPath)).toEqual([w.at('b.txt')]);
});

it('finds the temporary entries of the record alone, and none in a folder that is gone', async () => {
  const [set, written] = [leave(''), leave('', 12, 'new')];
  for (const name of ['r-12-0-old', 'r-2-0-old', 'r-1-x-old', 'r-1-1e1-old', 'r-1--old'])
    w.put(`.drawbridge-${name}-0123456789ab.tmp`);
  w.put('.drawbridge-r-1-0-old.tmp');
  w.put('a.txt');
  const found = await interruptedApplies.temporaries('r-1', [w.inside, w.at('gone')]);
  expect(found.toSorted((one, other) => one.change - other.change)).toEqual([set, written]);
});

describe('putting a temporary entry back', () => {
  it('gives it the unused name', async () => {
    const temporary = leave('deep/x.txt');
    expect(await interruptedApplies.putBack(temporary, w.at('src'))).toBe(true);
    expect(snapshot(w.inside)).toEqual({ src: 'folder', 'src/deep': 'folder', 'src/deep/x.txt': '644 kept\n' });
  });

  it('F14 leaves both as they are when the name is taken', async () => {
    const temporary = leave('');
    w.put('a.txt', 'mine\n');
    expect(await interruptedApplies.putBack(temporary, w.at('a.txt'))).toBe(false);
    expect(Object.values(snapshot(w.inside))).toEqual(['644 kept\n', '644 mine\n']);
  });

  it('reports that it cannot when the folder is gone', async () => {
    expect(await interruptedApplies.putBack(leave(''), w.at('gone/a.txt'))).toBe(false);
  });
});

describe('removing a temporary entry', () => {
  it('removes new content with all that is in it', async () => {
    expect(await interruptedApplies.remove(leave('deep/x.txt'))).toBe(true);
    expect(snapshot(w.inside)).toEqual({});
  });

  it('has nothing to do when it is gone', async () => {
    expect(await interruptedApplies.remove({ change: 0, kind: 'new', realPath: w.at('gone') })).toBe(true);
  });

  it('reports that it cannot when its folder is gone', async () => {
    expect(await interruptedApplies.remove({ change: 0, kind: 'new', realPath: w.at('no/such') })).toBe(false);
  });

  it('removes what the history holds', async () => {
    const temporary = leave('deep/x.txt');
    const known = await readTree(await w.path(basename(temporary.realPath)), everything);
    expect(await interruptedApplies.remove(temporary, known)).toBe(true);
    expect(snapshot(w.inside)).toEqual({});
  });

  it('F14 keeps files that the history does not hold, and says so', async () => {
    const temporary = leave('deep/x.txt');
    expect(await interruptedApplies.remove(temporary, [])).toBe(false);
    expect(Object.values(snapshot(w.inside))).toContain('644 kept\n');
  });
});

const everything = { maximumFiles: Infinity, maximumBytes: Infinity };

describe('the second name that an interrupted move left', () => {
  const removeSecond = (first = 'one', second = 'two'): Promise<void> =>
    interruptedApplies.removeSecondName(w.at(first), w.at(second));

  it.each<[kind: string, make: () => void]>([
    ['the same file', () => linkSync(w.put('one'), w.at('two'))],
    ['an equal link', () => ['one', 'two'].forEach((name) => symlinkSync('nowhere', w.at(name)))],
    ['an empty folder', () => (w.put('one/x'), mkdirSync(w.at('two')))],
  ])('is removed when it is %s', async (_kind, make) => {
    make();
    const { two: _two, ...others } = snapshot(w.inside);
    await removeSecond();
    expect(snapshot(w.inside)).toEqual(others);
  });

  it.each<[kind: string, make: () => void]>([
    ['another file with the same bytes', () => ['one', 'two'].forEach((name) => w.put(name, 'x\n'))],
    ['another file with several names', () => (w.put('one'), linkSync(w.put('two'), w.at('three')))],
    ['a link to something else', () => ['one', 'two'].forEach((name) => symlinkSync(name, w.at(name)))],
    ['a link, and the first a file', () => (w.put('one'), symlinkSync('one', w.at('two')))],
    ['a file, and the first a link', () => (symlinkSync('two', w.at('one')), w.put('two'))],
    ['an empty folder, and the first a file', () => (w.put('one'), mkdirSync(w.at('two')))],
    ['a file, and the first a folder', () => (mkdirSync(w.at('one')), w.put('two'))],
    ['there, and the first gone', () => w.put('two')],
    ['gone', () => w.put('one')],
  ])('F14 is left alone when it is %s', async (_kind, make) => {
    make();
    const before = snapshot(w.inside);
    await removeSecond();
    expect(snapshot(w.inside)).toEqual(before);
  });

  it('F14 is left alone when it is the first in another spelling, which may be the only name', async () => {
    linkSync(w.put('one'), w.at('ONE'));
    await removeSecond('one', 'ONE');
    expect([existsSync(w.at('one')), existsSync(w.at('ONE'))]).toEqual([true, true]);
  });
});
