import { describe, expect, it } from 'vitest';
import { keepChange } from '#changes/keep.ts';
import type { KeptChange } from '#changes/record.ts';
import { appliedParts, resolveInPlace } from '#changes/undo.ts';
import { applied, removeFolder, setUpEditor, treeFile } from './editorSetUp.ts';
import { create, edit, move, pathOf, remove, settled } from './queueSetUp.ts';

const noLimits = { maximumFiles: Infinity, maximumBytes: Infinity };

describe('F14 a refused undo', () => {
  it('changes nothing and says why when a created file was edited', async () => {
    const t = setUpEditor({});
    const id = await applied(t, [create('n', 'x\n')]);
    t.edits.texts.set('/w/n', 'mine\n');
    expect(await t.queue.undo(id)).toEqual({ status: 'failed', message: 'n: the text was changed' });
    expect(t.edits.texts.get('/w/n')).toBe('mine\n');
    expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
  });

  it('changes nothing when a custom editor holds unsaved changes of a created file', async () => {
    const t = setUpEditor({});
    const id = await applied(t, [create('n', 'x\n')]);
    t.shown.facts.set('n', { unsavedElsewhere: true });
    expect(await t.queue.undo(id)).toEqual({
      status: 'failed',
      message: 'n: an editor holds unsaved changes of it',
    });
  });

  it('changes nothing when a created file is gone from the disk and still open', async () => {
    const t = setUpEditor({});
    const id = await applied(t, [create('n', 'x\n')]);
    t.shown.trees.set('n', { files: [] });
    expect(await t.queue.undo(id)).toEqual({ status: 'failed', message: 'n: the file was changed' });
  });

  it('P4 changes nothing when a link on the path leads elsewhere now', async () => {
    const t = setUpEditor({ '/w/a': 'old\n', '/w/b': 'new\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
    t.shown.places.set('a', '/w/b');
    const result = await t.queue.undo(id);
    expect(result.message).toMatch(/^a leads to another place/);
    expect(t.edits.texts.get('/w/b')).toBe('new\n');
  });

  it('changes nothing when the disk failed and everything was put back', async () => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
    t.edits.failure = { status: 'failed', reason: 'a: the disk failed', states: ['rolled_back'] };
    expect(await t.queue.undo(id)).toEqual({ status: 'failed', message: 'a: the disk failed' });
  });
});

describe('the changes of an undo', () => {
  it('delete a created file permanently, whatever its size, with the folders made for it', async () => {
    const t = setUpEditor({});
    const id = await applied(t, [create('d/e/n', 'x\n')]);
    await t.queue.undo(id);
    expect(t.edits.writes.at(-1)).toMatchObject([
      { kind: 'delete', isFolder: false, toTrash: false, emptiedFolders: ['/w/d/e', '/w/d'] },
    ]);
    expect(t.shown.limits).toEqual([noLimits]);
  });

  it('remove no folders when none were made', async () => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [create('n', 'x\n'), move('a', 'b', 'old\n')]);
    await t.queue.undo(id);
    expect(t.edits.writes.at(-1)).toMatchObject([{ emptiedFolders: [] }, { emptiedFolders: [] }]);
  });

  it('move a folder back with all its present files, and redo it', async () => {
    const t = setUpEditor({ '/w/f/x': 'old\n' });
    const { bytes: _bytes, ...file } = treeFile('x', 'old\n');
    const id = await applied(t, [{ ...move('f', 'd/g', ''), isFolder: true, files: [file] }]);
    t.edits.texts.set('/w/d/g/mine', 'mine\n');
    expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
    expect(t.edits.writes.at(-1)).toMatchObject([{ isFolder: true, emptiedFolders: ['/w/d'] }]);
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/f/x': 'old\n', '/w/f/mine': 'mine\n' });
    expect(await t.queue.redo(id)).toEqual({ status: 'redone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/d/g/x': 'old\n', '/w/d/g/mine': 'mine\n' });
    expect(t.shown.limits).toEqual([noLimits, noLimits]);
  });

  it('expect the text on the disk, never unsaved text', async () => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
    await t.queue.undo(id);
    const base = { text: 'new\n', encoding: 'utf8', source: 'disk', unsaved: false, unifiedLineEnds: 0 };
    expect(t.edits.writes.at(-1)).toMatchObject([{ base }]);
  });

  it('remove only the folders that the redo made, when the user made some meanwhile', async () => {
    const t = setUpEditor({});
    const id = await applied(t, [create('d/e/n', 'x\n')]);
    await t.queue.undo(id);
    t.edits.texts.set('/w/d/mine', 'mine\n');
    expect(await t.queue.redo(id)).toEqual({ status: 'redone' });
    await t.queue.undo(id);
    expect(t.edits.writes.at(-1)).toMatchObject([{ emptiedFolders: ['/w/d/e'] }]);
  });

  it('remove no folder when the user made all of them meanwhile, nor one that an undo made', async () => {
    const t = setUpEditor({ '/w/d/a': 'old\n' });
    const id = await applied(t, [move('d/a', 'e/a', 'old\n')]);
    await t.queue.undo(id);
    t.edits.texts.set('/w/e/mine', 'mine\n');
    await t.queue.redo(id);
    await t.queue.undo(id);
    expect(t.edits.writes.at(-1)).toMatchObject([{ emptiedFolders: [] }]);
  });
});

describe('a text that the editor changes as it saves', () => {
  const withLine = (text: string): string => `${text}saved\n`;
  const again = 'The editor changed these files again when it saved them, so they are not exactly as before: a';

  it('is reported by the undo, and expected by the redo', async () => {
    const t = setUpEditor({ '/w/a': 'old\n', '/w/b': 'old\n' });
    const id = await applied(t, [remove('b', 'old\n'), edit('a', 'old\n', 'new\n')]);
    t.edits.onSave = withLine;
    expect(await t.queue.undo(id)).toEqual({ status: 'undone', message: again });
    expect(t.queue.get(id)?.note).toBe(again);
    t.edits.onSave = (text) => text;
    expect(t.edits.texts.get('/w/a')).toBe('old\nsaved\n');
    expect(await t.queue.redo(id)).toEqual({ status: 'redone' });
    expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': 'old\n', '/w/b': 'old\n' });
  });

  it('is reported by the redo, and expected by the undo', async () => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n'), create('n', 'x\n')]);
    await t.queue.undo(id);
    t.edits.onSave = withLine;
    expect(await t.queue.redo(id)).toEqual({ status: 'redone', message: `${again}, n` });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': 'new\nsaved\n', '/w/n': 'x\nsaved\n' });
    t.edits.onSave = (text) => text;
    expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': 'old\n' });
  });

  it('F20 is not compared with the text that an earlier undo left, after a crash', async () => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
    t.edits.onSave = withLine;
    await t.queue.undo(id);
    t.edits.onSave = (text) => text;
    await t.queue.redo(id);
    t.edits.apply = () => Promise.withResolvers<never>().promise;
    void t.queue.undo(id);
    await settled();
    const next = setUpEditor({ '/w/a': 'old\n' }, t.history);
    expect(await next.queue.restore()).toEqual([]);
    expect(next.queue.get(id)).toMatchObject({ state: 'undone', canRedo: true });
  });

  it('F14 refuses the redo when the user typed while the undo was saved', async () => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
    const carryOut = t.edits.apply.bind(t.edits);
    t.edits.apply = async (changes) => {
      const outcome = await carryOut(changes);
      t.edits.texts.set('/w/a', 'old\nmine\n');
      if (outcome.status !== 'applied') return outcome;
      const facts = { text: 'old\nmine\n', changedOnSave: true, touchedOnSave: true as const };
      const files = outcome.files.map(({ written }) => ({ ...(written && { written: { ...written, ...facts } }) }));
      return { ...outcome, files };
    };
    await t.queue.undo(id);
    t.edits.apply = carryOut;
    expect(await t.queue.redo(id)).toMatchObject({ status: 'changed_since' });
    expect(t.edits.texts.get('/w/a')).toBe('old\nmine\n');
  });
});

it('keeps the record of the other files when one file is undone', async () => {
  const text = 'one\ntwo\n';
  const t = setUpEditor({ '/w/a': text, '/w/f/x': 'old\n', '/w/b': 'old\n' });
  const id = await applied(t, [
    edit('a', text, 'ONE\ntwo\n'),
    removeFolder('f', { x: 'old\n' }),
    edit('b', 'old\n', 'new\n'),
  ]);
  t.edits.texts.set('/w/a', 'mine\n');
  t.edits.texts.set('/w/b', 'mine\n');
  await t.queue.changes.revert([id]);
  expect(t.edits.texts.get('/w/f/x')).toBe('old\n');
  t.edits.texts.set('/w/a', 'ONE\ntwo\n');
  t.edits.texts.set('/w/b', 'new\n');
  const next = await t.reload();
  expect(await next.queue.undo(id)).toEqual({ status: 'undone' });
  expect(Object.fromEntries(next.edits.texts)).toEqual({ '/w/a': text, '/w/f/x': 'old\n', '/w/b': 'old\n' });
});

it('offers to undo only files that hold the change and were not undone alone', async () => {
  const t = setUpEditor({ '/w/a': 'old\n' });
  const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
  const { outcomes: _outcomes, ...approval } = t.queue.get(id) ?? fail();
  const whole = { included: true };
  const kept = await Promise.all([
    keepChange(edit('a', 'old\n', 'new\n'), whole, t.history),
    keepChange(create('n', 'x\n'), whole, t.history),
    keepChange(remove('b', 'old\n'), whole, t.history),
    keepChange(move('c', 'd', 'old\n'), whole, t.history),
    keepChange(remove('e', 'old\n'), { included: false }, t.history),
  ]);
  const indexes = (now: readonly KeptChange[]): number[] =>
    appliedParts({ approval, kept: now }).map(({ index }) => index);
  expect(indexes(kept)).toEqual([2, 3]);
  const after = { sha256: 'of what was written', encoding: 'utf8' };
  expect(indexes(kept.map((each) => ({ ...each, after })))).toEqual([0, 1, 2, 3]);
  expect(indexes(kept.map((each) => ({ ...each, takenBack: true })))).toEqual([]);
});

it('P4 refuses an address that was never part of the change', async () => {
  const t = setUpEditor({ '/w/a': 'old\n' });
  const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
  const resolve = resolveInPlace(t.queue.get(id) ?? fail(), [], async () => pathOf('b'));
  await expect(resolve('file:///w/b', 'change')).rejects.toThrow('another place');
});

it('finds a move that changed only the spelling on a case-insensitive disk', async () => {
  const t = setUpEditor({ '/w/a': 'old\n' });
  const id = await applied(t, [move('a', 'A', 'old\n')]);
  const resolve = resolveInPlace(t.queue.get(id) ?? fail(), [], async () => pathOf('A'));
  expect(await resolve('file:///w/a', 'entry')).toMatchObject({ realPath: '/w/A' });
});

function fail(): never {
  throw new Error('There is no such change');
}
