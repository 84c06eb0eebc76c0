import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { FakeEdits } from '../fakes/edits.ts';
import { create, edit, judged, move, remove, setUp, settled } from './queueSetUp.ts';

const files: readonly FileChange[] = [
  edit('a', 'old\n', 'new\n'),
  create('n', 'x\n'),
  remove('b', 'old\n'),
  move('c', 'd', 'old\n'),
];
const before = { '/w/a': 'old\n', '/w/b': 'old\n', '/w/c': 'old\n' };
const after = { '/w/a': 'new\n', '/w/n': 'x\n', '/w/d': 'old\n' };

/** An apply that never ends: what stands in the files then is what a crash left. */
async function crashed(left: Readonly<Record<string, string>>, act: 'apply' | 'undo' | 'redo' = 'apply') {
  const t = setUp(before);
  const hang = (edits: FakeEdits): void => void (edits.apply = () => Promise.withResolvers<never>().promise);
  if (act === 'apply') hang(t.edits);
  void t.ask(files, { judgement: judged({ effect: 'allow' }) });
  await settled();
  const { id } = t.only();
  if (act === 'redo') await t.queue.undo(id);
  if (act !== 'apply') {
    hang(t.edits);
    void (act === 'undo' ? t.queue.undo(id) : t.queue.redo(id));
    await settled();
  }
  const again = setUp(left, t.history);
  const notices = await again.queue.restore();
  await again.queue.settled();
  return { ...again, id, notices };
}

describe('an apply that a crash interrupted', () => {
  it('ends as not applied when nothing was changed', async () => {
    const t = await crashed(before);
    expect(t.notices).toEqual([]);
    expect(t.only()).toMatchObject({ state: 'withdrawn', canUndo: false });
  });

  it('ends as applied and can be undone when everything was changed', async () => {
    const t = await crashed(after);
    expect(t.notices).toEqual([]);
    expect(t.only()).toMatchObject({
      state: 'applied',
      canUndo: true,
      outcomes: [{ state: 'applied', version: expect.any(String) }, { state: 'applied' }, {}, { path: 'd' }],
    });
    expect(await t.queue.undo(t.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual(before);
  });

  it('is reported file by file when it was half done, and its changed files can be undone', async () => {
    const t = await crashed({ '/w/a': 'new\n', '/w/n': 'x\n', '/w/b': 'old\n', '/w/c': 'old\n' });
    const states = ['applied', 'applied', 'not_applied', 'not_applied'];
    expect(t.notices).toEqual([
      { id: t.id, interrupted: 'apply', files: ['a', 'n', 'b', 'd'].map((path, at) => ({ path, state: states[at] })) },
    ]);
    expect(t.only()).toMatchObject({ state: 'partly_applied', canUndo: true });
    expect(await t.queue.undo(t.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual(before);
  });

  it('leaves alone and reports a file that holds neither text', async () => {
    const t = await crashed({ ...after, '/w/a': 'mine\n' });
    expect(t.notices[0]?.files[0]).toEqual({ path: 'a', state: 'unknown' });
    expect(await t.queue.undo(t.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ ...before, '/w/a': 'mine\n' });
  });

  it('reads the text that the editor restored as well as the file', async () => {
    const t = setUp();
    t.edits.apply = () => Promise.withResolvers<never>().promise;
    void t.ask([edit('a', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    await settled();
    const loaded: string[] = [];
    const restored = {
      text: 'new\n',
      encoding: 'utf8',
      source: 'buffer' as const,
      unsaved: true,
      unsavedElsewhere: false,
      readonly: false,
      unifiedLineEnds: 0,
      modified: 0,
    };
    const again = setUp({ '/w/a': 'old\n' }, t.history, {
      files: {
        readText: async () => restored,
        readTree: async () => ({ files: [], unsaved: [], unsavedElsewhere: [] }),
        canEncode: async () => true,
      },
      interrupted: {
        loadUnsaved: async (paths) => void loaded.push(...paths.map(({ path }) => path)),
        temporaries: async () => [],
        putBack: async () => false,
        remove: async () => false,
        removeSecondName: async () => undefined,
        removeEmptyFolder: async () => undefined,
      },
    });
    expect(await again.queue.restore()).toEqual([]);
    expect(loaded).toEqual(['a']);
    expect(again.only()).toMatchObject({ state: 'applied', outcomes: [{ saved: false, dirty: true }] });
  });

  it('is ignored when its record was damaged', async () => {
    const t = await crashed(before);
    t.history.kept.set('a-2', '{"version":3,"approval":{}}');
    expect(await setUp({}, t.history).queue.restore()).toEqual([]);
  });
});

describe('an undo that a crash interrupted', () => {
  it('is undone or still applied, as far as it got', async () => {
    const notDone = await crashed(after, 'undo');
    expect(notDone.only()).toMatchObject({ state: 'applied', canUndo: true });
    const done = await crashed(before, 'undo');
    expect(done.only()).toMatchObject({ state: 'undone', canRedo: true });
    expect(await done.queue.redo(done.id)).toEqual({ status: 'redone' });
    const half = await crashed({ ...after, '/w/a': 'old\n' }, 'undo');
    expect(half.notices).toMatchObject([{ id: half.id, interrupted: 'undo' }]);
    expect(await half.queue.undo(half.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(half.edits.texts)).toEqual(before);
  });

  it('is redone or still undone, as far as it got, when it was a redo', async () => {
    expect((await crashed(after, 'redo')).only()).toMatchObject({ state: 'applied', canUndo: true });
    expect((await crashed(before, 'redo')).only()).toMatchObject({ state: 'undone', canRedo: true });
    expect((await crashed({ ...before, '/w/a': 'new\n' }, 'redo')).notices).toMatchObject([{ interrupted: 'redo' }]);
  });
});

it('reads a record of an earlier version', async () => {
  const t = setUp();
  void t.ask([edit('a', 'old\n', 'new\n')]);
  t.show();
  t.approve();
  await t.queue.settled();
  const { id } = t.only();
  const { judgement: _judgement, canRedo: _canRedo, ...approval } = JSON.parse(t.history.kept.get(id) ?? '').approval;
  const earlier = { ...JSON.parse(t.history.kept.get(id) ?? ''), version: 2, approval };
  t.history.kept.set(id, JSON.stringify(earlier));
  const again = await t.reload();
  expect(again.only()).toMatchObject({
    state: 'applied',
    canRedo: false,
    judgement: { effect: 'ask', reason: 'made by an earlier version of Drawbridge' },
  });
  expect(await again.queue.undo(id)).toEqual({ status: 'undone' });
});
