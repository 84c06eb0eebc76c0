import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { create, edit, judged, move, remove, setUp, settled } from './queueSetUp.ts';

type T = ReturnType<typeof setUp>;

const text = 'one\ntwo\nthree\nfour\n';

/** Applies a change that is allowed without asking. Returns its id. */
async function apply(t: T, files: readonly FileChange[], connectionId = 'c1'): Promise<string> {
  t.clock.advance(1000);
  const principal = { credential: 'window', connectionId };
  const { approvalId, status } = await t.ask(files, { judgement: judged({ effect: 'allow' }), principal });
  expect(status).toBe('applied');
  return approvalId;
}

async function approveCard(t: T): Promise<void> {
  const [card] = t.waiting();
  t.show(card?.id);
  t.queue.endReached(card?.id ?? '');
  expect(t.approve(card?.id)).toBe('accepted');
  await t.queue.settled();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ToolError ? error.code : String(error);
}

describe('redo', () => {
  it('applies an undone change again, and can be undone again', async () => {
    const t = setUp({ '/w/a': 'old\n', '/w/b': 'old\n', '/w/c': 'old\n' });
    const before = Object.fromEntries(t.edits.texts);
    const files = [edit('a', 'old\n', 'new\n'), create('n', 'x\n'), remove('b', 'old\n'), move('c', 'd', 'old\n')];
    const id = await apply(t, files);
    const after = Object.fromEntries(t.edits.texts);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
      expect(t.queue.get(id)).toMatchObject({ state: 'undone', canUndo: false, canRedo: true });
      expect(Object.fromEntries(t.edits.texts)).toEqual(before);
      expect(await t.queue.redo(id)).toEqual({ status: 'redone' });
      expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true, canRedo: false });
      expect(Object.fromEntries(t.edits.texts)).toEqual(after);
    }
  });

  it('never overwrites work done since the undo, and never redoes what was not undone', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    expect(await t.queue.redo(id)).toEqual({ status: 'not_possible' });
    await t.queue.undo(id);
    t.edits.texts.set('/w/a', 'mine\n');
    expect((await t.queue.redo(id)).status).toBe('changed_since');
    expect(t.edits.texts.get('/w/a')).toBe('mine\n');
    expect(t.queue.get(id)).toMatchObject({ state: 'undone', canRedo: true });
  });

  it('works after a reload', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    await t.queue.undo(id);
    const again = await t.reload();
    expect(await again.queue.redo(id)).toEqual({ status: 'redone' });
    expect(again.edits.texts.get('/w/a')).toBe('new\n');
  });

  it('moves and edits a file that the same change moved, there and back', async () => {
    const t = setUp({ '/w/a': 'old\n' });
    const id = await apply(t, [edit('a', 'old\n', 'new\n'), move('a', 'b', 'old\n')]);
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/b': 'new\n' });
    await t.queue.undo(id);
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': 'old\n' });
    await t.queue.redo(id);
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/b': 'new\n' });
  });
});

describe('undo of a creation', () => {
  it('F14: refuses when an editor holds unsaved changes, or shows the created text over another file', async () => {
    let unsaved = true;
    let disk = 'x\n';
    const t = setUp();
    const id = await apply(t, [create('n', 'x\n')]);
    const files = {
      readText: async () => ({ ...facts, text: 'x\n', unsaved }),
      readTree: async () => ({ files: treeOf(disk), unsaved: [], unsavedElsewhere: [] }),
      canEncode: async () => true,
    };
    const again = await t.reload({ files });
    expect(await again.queue.undo(id)).toMatchObject({ status: 'failed', message: expect.stringContaining('unsaved') });
    unsaved = false;
    disk = 'of another program\n';
    expect(await again.queue.undo(id)).toMatchObject({ status: 'failed', message: expect.stringContaining('changed') });
    expect(again.edits.texts.get('/w/n')).toBe('x\n');
    disk = 'x\n';
    expect(await again.queue.undo(id)).toEqual({ status: 'undone' });
  });

  const facts = {
    encoding: 'utf8',
    source: 'buffer' as const,
    unsavedElsewhere: false,
    readonly: false,
    unifiedLineEnds: 0,
    modified: 0,
  };
  const treeOf = (now: string) => remove('n', now).files;
});

describe('the list of changes', () => {
  it('names applied and undone changes, newest first, in earlier runs too', async () => {
    const t = setUp();
    const first = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const second = await apply(t, [move('b', 'c', 'old\n')], 'c2');
    void t.ask([create('declined', 'x\n')]);
    t.show();
    t.queue.decline(t.waiting()[0]?.id ?? '');
    await t.queue.undo(first);
    const { queue } = await t.reload();
    expect(queue.changes.list()).toMatchObject([
      {
        id: second,
        principal: { connectionId: 'c2' },
        state: 'applied',
        canRevert: true,
        files: [{ change: 'move', path: 'b', movedTo: { path: 'c' } }],
      },
      { id: first, state: 'reverted', canRevert: false, files: [{ change: 'edit', path: 'a', addedLines: 1 }] },
    ]);
  });

  it('returns the texts of a file before the change, after it, and now', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n'), remove('b', 'old\n')]);
    t.edits.texts.set('/w/a', 'mine\n');
    expect(await t.queue.changes.textsOfFile(id, 0)).toEqual({ before: 'old\n', after: 'new\n', now: 'mine\n' });
    expect(await t.queue.changes.textsOfFile(id, 1)).toEqual({ before: 'old\n' });
    expect(await t.queue.changes.textsOfFile(id, 7)).toBeUndefined();
  });
});

describe('the inverse of a change, for a model', () => {
  it('is exact when nothing was edited since', async () => {
    const t = setUp({ '/w/a': text, '/w/b': 'old\n', '/w/c': 'old\n' });
    const id = await apply(t, [
      edit('a', text, text.replace('two', 'TWO')),
      create('n', 'x\n'),
      remove('b', 'old\n'),
      move('c', 'd', 'old\n'),
    ]);
    expect(await t.queue.changes.inverse(id)).toMatchObject({
      reverts: id,
      files: [
        { kind: 'edit', path: { path: 'a' }, result: { text } },
        { kind: 'delete', path: { path: 'n' } },
        { kind: 'create', path: { path: 'b' }, result: { text: 'old\n' } },
        { kind: 'move', path: { path: 'd' }, to: { path: 'c' } },
      ],
    });
  });

  it('cursor#2436 zed#33234: keeps later edits beside and after the change', async () => {
    const t = setUp({ '/w/a': text });
    const id = await apply(t, [edit('a', text, text.replace('two', 'TWO'))]);
    t.edits.texts.set('/w/a', 'mine\none\nTWO\nthree\nfour\nmine too\n');
    const { files } = await t.queue.changes.inverse(id);
    expect(files).toMatchObject([{ result: { text: 'mine\none\ntwo\nthree\nfour\nmine too\n' } }]);
  });

  it('is refused, by name, when the same lines were edited since', async () => {
    const t = setUp({ '/w/a': text, '/w/b': 'old\n' });
    const id = await apply(t, [edit('a', text, text.replace('two', 'TWO')), edit('b', 'old\n', 'new\n')]);
    t.edits.texts.set('/w/a', text.replace('two', 'TWO, mine'));
    await expect(t.queue.changes.inverse(id)).rejects.toThrow('a (the same lines were edited since)');
    expect(await codeOf(t.queue.changes.inverse(id))).toBe('stale_version');
  });

  it('zed#30527: never deletes a file that was created and then edited', async () => {
    const t = setUp();
    const id = await apply(t, [create('n', 'theirs\n')]);
    t.edits.texts.set('/w/n', 'theirs\nmine\n');
    expect(await codeOf(t.queue.changes.inverse(id))).toBe('stale_version');
    const report = await t.queue.changes.revert([id]);
    expect(report).toMatchObject({ reverted: [], asked: [], conflicts: [{ id, path: 'n' }] });
    expect(t.edits.texts.get('/w/n')).toBe('theirs\nmine\n');
  });

  it('names the reason when it cannot undo a folder with a file that is not text, an unknown change or an undone change', async () => {
    const t = setUp({ '/w/f/x': 'old\0', '/w/a': 'old\n' });
    const folder = remove('f', '');
    const { base: _base, ...noText } = folder;
    const inside = remove('f/x', 'old\0').files.map((file) => ({ ...file, relative: 'x' }));
    const deleted = await apply(t, [{ ...noText, isFolder: true, files: inside }]);
    expect(await codeOf(t.queue.changes.inverse(deleted))).toBe('unavailable');
    expect(await codeOf(t.queue.changes.inverse('a-0'))).toBe('not_found');
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    await t.queue.undo(id);
    expect(await codeOf(t.queue.changes.inverse(id))).toBe('not_found');
  });

  it('marks the change as undone when it is applied, and as applied when that is undone', async () => {
    const t = setUp({ '/w/a': text });
    const id = await apply(t, [edit('a', text, text.replace('two', 'TWO'))]);
    t.edits.texts.set('/w/a', text.replace('two', 'TWO').replace('four', 'mine'));
    const proposal = await t.queue.changes.inverse(id);
    const asked = t.queue.request(t.request({ proposal, tool: 'revert_change' }));
    await approveCard(t);
    const { approvalId } = await asked;
    expect(t.edits.texts.get('/w/a')).toBe('one\ntwo\nthree\nmine\n');
    expect(t.queue.get(id)).toMatchObject({ state: 'undone', canUndo: false, canRedo: false });
    expect(await t.queue.undo(approvalId)).toEqual({ status: 'undone' });
    expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
    expect(t.edits.texts.get('/w/a')).toBe('one\nTWO\nthree\nmine\n');
  });
});

describe('reverting several changes, for the user', () => {
  it('vscode#292211 cline#4255: undoes unedited files, asks for the others, and touches nothing else', async () => {
    const t = setUp({ '/w/a': text, '/w/b': 'old\n', '/w/c': 'old\n', '/w/mine': 'mine\n' });
    const first = await apply(t, [edit('a', text, text.replace('one', 'ONE'))]);
    const second = await apply(t, [edit('b', 'old\n', 'new\n')]);
    const third = await apply(t, [edit('c', 'old\n', 'new\n')]);
    t.edits.texts.set('/w/a', `${text.replace('one', 'ONE')}mine\n`);
    t.edits.texts.set('/w/c', 'new, mine\n');
    t.edits.texts.set('/w/mine', 'mine, newer\n');
    const done: number[] = [];
    const report = await t.queue.changes.revert([first, second, third], (count) => done.push(count));
    expect(report).toEqual({
      reverted: [second],
      asked: [first],
      conflicts: [{ id: third, fileIndex: 0, path: 'c', reason: expect.stringContaining('same lines') }],
    });
    expect(done).toEqual([1, 2, 3]);
    expect(t.edits.texts.get('/w/b')).toBe('old\n');
    expect(t.waiting()).toMatchObject([{ tool: 'revert_change', principal: { connectionId: 'you' }, reverts: first }]);
    await approveCard(t);
    expect(t.edits.texts.get('/w/a')).toBe(`${text}mine\n`);
    expect(t.queue.get(first)?.state).toBe('undone');
    expect([t.edits.texts.get('/w/c'), t.edits.texts.get('/w/mine')]).toEqual(['new, mine\n', 'mine, newer\n']);
  });

  it('zed#33234: goes from the newest to the oldest, so that edits of one file are undone in turn', async () => {
    const t = setUp({ '/w/a': 'v0\n' });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await apply(t, [edit('a', `v${n}\n`, `v${n + 1}\n`)]));
    expect((await t.queue.changes.revert(ids.slice(1))).reverted).toEqual(ids.slice(1).toReversed());
    expect(t.edits.texts.get('/w/a')).toBe('v1\n');
    expect(t.queue.get(ids[0] ?? '')?.state).toBe('applied');
  });

  it('restores a folder though another file of the same change was edited since', async () => {
    const t = setUp({ '/w/f/x': 'old\0', '/w/a': text });
    const { base: _base, ...noText } = remove('f', '');
    const inside = remove('f/x', 'old\0').files.map((file) => ({ ...file, relative: 'x' }));
    const id = await apply(t, [
      { ...noText, isFolder: true, files: inside },
      edit('a', text, text.replace('one', 'ONE')),
    ]);
    t.edits.texts.set('/w/a', `${text.replace('one', 'ONE')}mine\n`);
    expect(await t.queue.changes.revert([id])).toEqual({ reverted: [], asked: [id], conflicts: [] });
    expect(t.edits.texts.get('/w/f/x')).toBe('old\0');
    await approveCard(t);
    expect(t.edits.texts.get('/w/a')).toBe(`${text}mine\n`);
    expect(t.queue.get(id)?.state).toBe('undone');
  });

  it('undoes a change and the change that had undone it', async () => {
    const t = setUp({ '/w/a': 'old\n' });
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    t.clock.advance(1000);
    const proposal = await t.queue.changes.inverse(id);
    const { approvalId } = await t.queue.request(t.request({ proposal, judgement: judged({ effect: 'allow' }) }));
    await t.queue.changes.revert([id, approvalId]);
    await settled();
    expect(t.edits.texts.get('/w/a')).toBe('old\n');
  });
});

describe('an approval that undoes a change', () => {
  it('does not count the change as undone when the user left out a file', async () => {
    const t = setUp({ '/w/a': text, '/w/b': text });
    const wanted = text.replace('two', 'TWO');
    const id = await apply(t, [edit('a', text, wanted), edit('b', text, wanted)]);
    const proposal = await t.queue.changes.inverse(id);
    void t.queue.request(t.request({ proposal, tool: 'revert_change' }));
    const [card] = t.waiting();
    t.queue.selectFile(card?.id ?? '', 1, false);
    await approveCard(t);
    expect([t.edits.texts.get('/w/a'), t.edits.texts.get('/w/b')]).toEqual([text, wanted]);
    expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
    await t.queue.changes.revert([id]);
    await approveCard(t);
    expect(t.edits.texts.get('/w/b')).toBe(text);
    expect(t.queue.get(id)).toMatchObject({ state: 'undone' });
  });

  it('F20: leaves the change as applied, once the files hold it again, when a crash interrupted its undo', async () => {
    const t = setUp({ '/w/a': 'old\n' });
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const proposal = await t.queue.changes.inverse(id);
    const { approvalId } = await t.queue.request(t.request({ proposal, judgement: judged({ effect: 'allow' }) }));
    await t.queue.settled();
    expect(t.queue.get(id)).toMatchObject({ state: 'undone', replacedBy: approvalId });
    t.edits.apply = () => Promise.withResolvers<never>().promise;
    void t.queue.undo(approvalId);
    await settled();
    const again = setUp({ '/w/a': 'new\n' }, t.history);
    expect(await again.queue.restore()).toEqual([]);
    expect(again.queue.get(approvalId)).toMatchObject({ state: 'undone' });
    expect(again.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
    expect(await again.queue.undo(id)).toEqual({ status: 'undone' });
    expect(again.edits.texts.get('/w/a')).toBe('old\n');
  });
});

it('reports an undo as done when its texts could not be kept', async () => {
  const t = setUp();
  const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
  await t.queue.settled();
  const carryOut = t.edits.apply.bind(t.edits);
  t.edits.apply = async (changes) => {
    const outcome = await carryOut(changes);
    t.history.failure = new Error('disk full');
    return outcome;
  };
  expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
  expect(t.edits.texts.get('/w/a')).toBe('old\n');
  expect(t.queue.get(id)).toMatchObject({ state: 'undone' });
});

it('names the unknown files when an undo failed half-way and could not be rolled back', async () => {
  const t = setUp();
  const id = await apply(t, [edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n')]);
  t.edits.failure = { status: 'failed', reason: 'b: the disk failed', states: ['unknown', 'not_applied'] };
  expect(await t.queue.undo(id)).toEqual({
    status: 'failed',
    message: 'b: the disk failed. Look at what these files hold now: a',
  });
});

it('F14: does not undo what the user typed while the change was saved', async () => {
  const t = setUp({ '/w/a': text, '/w/b': 'other\n' });
  const wanted = text.replace('two', 'TWO');
  const typed = `${wanted}mine\n`;
  const carryOut = t.edits.apply.bind(t.edits);
  t.edits.apply = async (changes) => {
    const outcome = await carryOut(changes);
    t.edits.texts.set('/w/a', typed);
    if (outcome.status !== 'applied') return outcome;
    const facts = { text: typed, changedOnSave: true, touchedOnSave: true as const };
    const files = outcome.files.map(({ written }) => ({ ...(written && { written: { ...written, ...facts } }) }));
    return { ...outcome, files };
  };
  const id = await apply(t, [edit('a', text, wanted)]);
  t.edits.apply = carryOut;
  expect(await t.queue.undo(id)).toMatchObject({ status: 'changed_since' });
  expect(t.edits.texts.get('/w/a')).toBe(typed);
  await t.queue.changes.revert([id]);
  await approveCard(t);
  expect(t.edits.texts.get('/w/a')).toBe(`${text}mine\n`);
});
