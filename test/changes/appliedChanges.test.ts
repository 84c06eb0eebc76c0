import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { shippedLimits, type QueueDependencies } from '#changes/queue.ts';
import { create, edit, judged, move, remove, setUp, settled } from './queueSetUp.ts';

type T = ReturnType<typeof setUp>;

const text = 'one\ntwo\nthree\nfour\n';
const changed = text.replace('one', 'ONE');
const judgement = judged({ effect: 'allow' });

/** Applies a change that is allowed without asking. Returns its id. */
async function apply(t: T, files: readonly FileChange[]): Promise<string> {
  const { approvalId, status } = await t.ask(files, { judgement });
  expect(status).toBe('applied');
  await t.queue.settled();
  return approvalId;
}

async function approveCard(t: T): Promise<void> {
  const [card] = t.waiting();
  t.show(card?.id);
  t.queue.endReached(card?.id ?? '');
  expect(t.approve(card?.id)).toBe('accepted');
  await t.queue.settled();
}

/** Applies a change whose former texts cannot be kept, because the disk fills up during the apply. */
async function applyUnkept(t: T, files: readonly FileChange[]): Promise<string> {
  const carryOut = t.edits.apply.bind(t.edits);
  t.edits.apply = async (changes) => {
    t.history.failure = new Error('disk full');
    return carryOut(changes);
  };
  const id = await apply(t, files);
  t.edits.apply = carryOut;
  t.history.failure = undefined;
  return id;
}

function folderDelete(name: string): FileChange {
  const { base: _base, ...noText } = remove(name, '');
  const inside = remove(`${name}/x`, 'old\n').files.map((file) => ({ ...file, relative: 'x' }));
  return { ...noText, isFolder: true, files: inside };
}

describe('the list of changes', () => {
  it('has a stable order for changes that were applied at the same time', async () => {
    const t = setUp();
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await apply(t, [create(`n${index}`, 'x\n')]));
    expect(t.queue.changes.list().map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
  });

  it('reports applied, undone and forgotten changes, and no waiting approval', async () => {
    const t = setUp();
    const fired: string[][] = [];
    t.queue.changes.onDidChange((ids) => void fired.push([...ids]));
    void t.ask([create('waiting', 'x\n')]);
    t.show();
    expect(fired).toEqual([]);
    const one = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const other = await apply(t, [edit('b', 'old\n', 'new\n')]);
    expect(fired.splice(0).map(([id, ...more]) => [id, more.length])).toEqual(
      expect.arrayContaining([
        [one, 0],
        [other, 0],
      ]),
    );
    await t.queue.undo(one);
    expect(new Set(fired.splice(0).flat())).toEqual(new Set([one]));
    t.queue.forgetFinished();
    expect(fired).toEqual([[one, other]]);
  });

  it('keeps the time of the apply after an undo', async () => {
    const t = setUp();
    const appliedAt = t.clock.now();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    t.clock.advance(1000);
    await t.queue.undo(id);
    expect(t.queue.changes.list()).toMatchObject([{ id, appliedAt, state: 'reverted', canRevert: false }]);
    t.clock.advance(1000);
    await t.queue.redo(id);
    expect(t.queue.changes.list()).toMatchObject([{ id, appliedAt: appliedAt + 2000, state: 'applied' }]);
  });

  it('leaves out files that were not applied, and approvals that wait, were declined or failed', async () => {
    const t = setUp();
    const outcome = t.ask([edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n')]);
    t.queue.selectFile(t.only().id, 0, false);
    t.show();
    t.approve();
    const { approvalId } = await outcome;
    void t.ask([create('waits', 'x\n')]);
    void t.ask([create('declined', 'x\n')]);
    t.queue.decline(t.waiting().at(-1)?.id ?? '');
    t.edits.failure = { status: 'failed', reason: 'the disk failed', states: ['rolled_back'] };
    await t.ask([create('failed', 'x\n')], { judgement });
    const list = t.queue.changes.list();
    expect(list).toMatchObject([{ id: approvalId, canRevert: true }]);
    expect(list[0]?.files.map(({ index, path }) => [index, path])).toEqual([[1, 'b']]);
  });

  it('says that a change cannot be undone when its texts could not be kept', async () => {
    const t = setUp();
    const id = await applyUnkept(t, [edit('a', 'old\n', 'new\n')]);
    expect(t.queue.changes.list()).toMatchObject([{ id, state: 'applied', canRevert: false }]);
    expect(await t.queue.undo(id)).toEqual({ status: 'not_possible' });
    await expect(t.queue.changes.inverse(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await t.queue.changes.revert([id])).toEqual({
      reverted: [],
      asked: [],
      conflicts: [{ id, path: 'a', reason: expect.stringContaining('were not kept') }],
    });
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
  });

  it('F20: has the changed files of a change that a crash left half applied', async () => {
    const t = setUp();
    const carryOut = t.edits.apply.bind(t.edits);
    t.edits.apply = async (changes) => {
      await carryOut(changes.slice(0, 1));
      return Promise.withResolvers<never>().promise;
    };
    void t.ask([edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n')], { judgement });
    await settled();
    const again = setUp(Object.fromEntries(t.edits.texts), t.history);
    expect(await again.queue.restore()).toHaveLength(1);
    const list = again.queue.changes.list();
    expect(list).toMatchObject([{ state: 'applied', canRevert: true }]);
    expect(list[0]?.files.map(({ path }) => path)).toEqual(['a']);
    expect(await again.queue.undo(list[0]?.id ?? '')).toEqual({ status: 'undone' });
    expect(again.edits.texts.get('/w/a')).toBe('old\n');
  });
});

describe('undo and redo', () => {
  it('are not possible when there is nothing to undo or redo', async () => {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    const nothing = { status: 'not_possible' };
    for (const id of ['a-0', t.only().id]) {
      expect(await t.queue.undo(id)).toEqual(nothing);
      expect(await t.queue.redo(id)).toEqual(nothing);
      expect(await t.queue.changes.redo(id)).toEqual(nothing);
    }
    expect(t.edits.writes).toEqual([]);
  });

  it('can be tried again after a failure, and after a crash', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    t.edits.texts.set('/w/a', 'mine\n');
    expect((await t.queue.undo(id)).status).toBe('changed_since');
    await t.queue.settled();
    const again = setUp({ '/w/a': 'new\n' }, t.history);
    expect(await again.queue.restore()).toEqual([]);
    expect(again.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
  });

  it('of a revert mark the reverted change as applied again or as undone again', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const proposal = await t.queue.changes.inverse(id);
    const { approvalId } = await t.queue.request(t.request({ proposal, judgement }));
    const stateOf = (): unknown => [t.queue.get(id)?.state, t.queue.get(id)?.replacedBy, t.edits.texts.get('/w/a')];
    expect(stateOf()).toEqual(['undone', approvalId, 'old\n']);
    expect(await t.queue.redo(id)).toEqual({ status: 'not_possible' });
    await t.queue.undo(approvalId);
    expect(stateOf()).toEqual(['applied', undefined, 'new\n']);
    await t.queue.redo(approvalId);
    expect(stateOf()).toEqual(['undone', approvalId, 'old\n']);
    await t.queue.settled();
    expect(JSON.parse(t.history.kept.get(id) ?? '')).toMatchObject({ approval: { state: 'undone', canUndo: false } });
  });
});

describe('the inverse of a change', () => {
  it('is not found when the change was never applied', async () => {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    t.queue.decline(t.only().id);
    await expect(t.queue.changes.inverse(t.only().id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is empty when the user undid the change by hand', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    t.edits.texts.set('/w/a', 'old\n');
    await expect(t.queue.changes.inverse(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('reverting changes', () => {
  const nothing = { reverted: [], asked: [], conflicts: [] };

  it('undoes exactly, can be redone, and leaves undone changes alone', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    expect(await t.queue.changes.revert([id, 'a-0'])).toEqual({ ...nothing, reverted: [id] });
    expect(t.queue.get(id)).toMatchObject({ state: 'undone', canRedo: true });
    expect(await t.queue.changes.revert([id])).toEqual(nothing);
    expect(await t.queue.changes.redo(id)).toEqual({ status: 'redone' });
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
  });

  it('counts a change that the user undid by hand, without an approval and without a redo', async () => {
    const t = setUp({ '/w/a': text });
    const id = await apply(t, [edit('a', text, changed)]);
    t.edits.texts.set('/w/a', `${text}mine\n`);
    expect(await t.queue.changes.revert([id])).toEqual({ ...nothing, reverted: [id] });
    expect(t.queue.get(id)).toMatchObject({ state: 'undone', canUndo: false, canRedo: false });
    expect(t.waiting()).toEqual([]);
    expect(t.edits.texts.get('/w/a')).toBe(`${text}mine\n`);
  });

  it('creates an approval in the name of the user that names the change', async () => {
    const t = setUp({ '/w/a': text });
    const id = await apply(t, [edit('a', text, changed)]);
    t.edits.texts.set('/w/a', `${changed}mine\n`);
    await t.queue.changes.revert([id]);
    expect(t.waiting()).toMatchObject([
      {
        tool: 'revert_change',
        arguments: { approvalId: id },
        client: { name: 'You' },
        reverts: id,
        callReturned: true,
      },
    ]);
    t.clock.advance(shippedLimits.expiryMilliseconds);
    expect(t.waiting()).toEqual([]);
  });

  it('A16: creates no approval that is too large to read, and no more approvals than may wait', async () => {
    const over = async (limits: Partial<typeof shippedLimits>) => {
      const given: Partial<QueueDependencies> = { limits: { ...shippedLimits, ...limits } };
      const t = setUp({ '/w/a': text }, undefined, given);
      const id = await apply(t, [edit('a', text, changed)]);
      void t.ask([create('n', 'x\n')]);
      t.edits.texts.set('/w/a', `${changed}${'mine\n'.repeat(100)}`);
      const report = await t.queue.changes.revert([id]);
      expect(t.waiting().map(({ tool }) => tool)).toEqual(['apply_edit']);
      expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
      return { report, id };
    };
    const long = await over({ textLength: 200 });
    expect(long.report).toEqual({
      ...nothing,
      conflicts: [{ id: long.id, path: 'a', reason: expect.stringContaining('too much text') }],
    });
    const many = await over({ pending: 1 });
    expect(many.report).toEqual({
      ...nothing,
      conflicts: [{ id: many.id, path: 'a', reason: expect.stringContaining('wait for the user') }],
    });
  });

  it('does not count a change as undone when one of its files must stay', async () => {
    const t = setUp({ '/w/a': text, '/w/c': 'old\n' });
    const id = await apply(t, [edit('a', text, changed), edit('c', 'old\n', 'new\n')]);
    t.edits.texts.set('/w/a', `${changed}mine\n`);
    t.edits.texts.set('/w/c', 'new, mine\n');
    expect(await t.queue.changes.revert([id])).toMatchObject({ asked: [id], conflicts: [{ fileIndex: 1, path: 'c' }] });
    expect(t.waiting()[0]).not.toHaveProperty('reverts');
    await approveCard(t);
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': `${text}mine\n`, '/w/c': 'new, mine\n' });
    expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
  });

  it('restores each folder by itself, and names the one whose path is taken', async () => {
    const t = setUp({ '/w/a': text, '/w/f/x': 'old\n', '/w/g/x': 'old\n' });
    const id = await apply(t, [edit('a', text, changed), folderDelete('f'), folderDelete('g')]);
    t.edits.texts.set('/w/a', changed.replace('ONE', 'mine'));
    t.edits.texts.set('/w/g', 'mine\n');
    expect(await t.queue.changes.revert([id])).toMatchObject({
      reverted: [],
      asked: [],
      conflicts: [
        { id, fileIndex: 0, path: 'a' },
        { id, fileIndex: 2, path: 'g' },
      ],
    });
    expect(t.edits.texts.get('/w/f/x')).toBe('old\n');
    expect([t.edits.texts.get('/w/a'), t.edits.texts.get('/w/g')]).toEqual([changed.replace('ONE', 'mine'), 'mine\n']);
  });
});

describe('the texts of a file', () => {
  it('are the texts that exist for each kind of change', async () => {
    const t = setUp({ '/w/a': 'old\n', '/w/b': 'old\n', '/w/c': 'old\n' });
    const id = await apply(t, [
      edit('a', 'old\n', 'new\n'),
      create('n', 'x\n'),
      remove('b', 'old\n'),
      move('c', 'd', 'old\n'),
    ]);
    t.edits.texts.set('/w/c', 'another\n');
    const textsOf = (index: number) => t.queue.changes.textsOfFile(id, index);
    expect(await textsOf(0)).toStrictEqual({ before: 'old\n', after: 'new\n', now: 'new\n' });
    expect(await textsOf(1)).toStrictEqual({ after: 'x\n', now: 'x\n' });
    expect(await textsOf(2)).toStrictEqual({ before: 'old\n' });
    expect(await textsOf(3)).toStrictEqual({ now: 'old\n' });
    expect(await t.queue.changes.textsOfFile('a-0', 0)).toBeUndefined();
  });

  it.each([
    ['is binary now', new ToolError('unavailable', 'a is no text.', 'Go on.'), undefined],
    ['cannot be read', new Error('the disk failed'), 'the disk failed'],
  ])('have no present text, or fail, when the file %s', async (_name, error, thrown) => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const again = await t.reload({
      resolve: async () => {
        throw error;
      },
    });
    const texts = again.queue.changes.textsOfFile(id, 0);
    if (thrown === undefined) expect(await texts).toStrictEqual({ before: 'old\n', after: 'new\n' });
    else await expect(texts).rejects.toThrow(thrown);
  });
});
