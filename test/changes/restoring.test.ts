import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import {
  applied,
  killDuring,
  killDuringApply,
  removeFolder,
  setUpEditor,
  treeFile,
  type EditorSetUp,
} from './editorSetUp.ts';
import { create, edit, judged, move, remove, settled } from './queueSetUp.ts';

const old = { '/w/a': 'old\n', '/w/b': 'old\n' };
const twoEdits = [edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n')];

/** Starts the next run of the window over the files that a kill left. */
async function nextRun(
  t: EditorSetUp,
  now: Record<string, string>,
  prepare: (next: EditorSetUp) => void = () => undefined,
) {
  const next = setUpEditor(now, t.history);
  prepare(next);
  next.clock.advance(100_000);
  const notices = await next.queue.restore();
  await next.queue.settled();
  return { ...next, notices };
}

/** Returns the state of each file of an apply that a kill interrupted. */
async function statesAfterKill(
  texts: Record<string, string>,
  files: readonly FileChange[],
  now: Record<string, string>,
  prepare?: (next: EditorSetUp) => void,
) {
  const next = await nextRun(await killDuringApply(texts, files), now, prepare);
  return next.notices.flatMap((notice) => notice.files.map(({ path, state }) => `${path} ${state}`));
}

describe('F20 the state of a file after a kill', () => {
  const { bytes: _bytes, ...inFolder } = treeFile('x', 'old\n');
  const folder = { '/w/f/x': 'old\n', '/w/f/y': 'old\n' };
  const deletion = removeFolder('f', { x: 'old\n', y: 'old\n' });

  it.each([
    ['whole', folder, ['f not_applied', 'b applied']],
    ['without one of its files', { '/w/f/x': 'old\n' }, ['f unknown', 'b applied']],
    ['with one more file', { ...folder, '/w/f/z': 'mine\n' }, ['f unknown', 'b applied']],
    ['with one file changed', { ...folder, '/w/f/x': 'mine\n' }, ['f unknown', 'b applied']],
    ['with one file renamed', { '/w/f/x': 'old\n', '/w/f/z': 'old\n' }, ['f unknown', 'b applied']],
  ])('is reported for a folder that was to be deleted and is %s', async (_name, now, states) => {
    const files = [deletion, edit('b', 'old\n', 'new\n')];
    expect(await statesAfterKill({ ...folder, ...old }, files, { ...now, '/w/b': 'new\n' })).toEqual(states);
  });

  it.each([
    ['in its old place alone', ['/w/f/x'], 'g not_applied'],
    ['in both', ['/w/f/x', '/w/g/x'], 'g unknown'],
    ['in neither', [], 'g unknown'],
  ])('is reported for a folder that was to be moved and is %s', async (_name, places, state) => {
    const files: FileChange[] = [
      { ...move('f', 'g', ''), isFolder: true, files: [inFolder] },
      edit('b', 'old\n', 'new\n'),
    ];
    const now = Object.fromEntries([['/w/b', 'new\n'], ...places.map((path) => [path, 'old\n'])]);
    expect(await statesAfterKill({ '/w/f/x': 'old\n', ...old }, files, now)).toEqual([state, 'b applied']);
  });

  it('is unknown when a file that was to be created holds another text', async () => {
    const files = [create('n', 'x\n'), edit('a', 'old\n', 'new\n')];
    expect(await statesAfterKill(old, files, { ...old, '/w/n': 'mine\n' })).toEqual(['n unknown', 'a not_applied']);
    expect(await statesAfterKill(old, files, { '/w/a': 'new\n' })).toEqual(['n not_applied', 'a applied']);
  });

  it('is unknown for a file that cannot be read, while the others are read', async () => {
    const close = (next: EditorSetUp): void => void next.shown.closed.add('a');
    expect(await statesAfterKill(old, twoEdits, { ...old, '/w/b': 'new\n' }, close)).toEqual([
      'a unknown',
      'b applied',
    ]);
  });

  it('is unknown when the file is gone', async () => {
    expect(await statesAfterKill(old, twoEdits, { '/w/b': 'new\n' })).toEqual(['a unknown', 'b applied']);
  });

  it('allows no undo when no file is known to be changed', async () => {
    const next = await nextRun(await killDuringApply(old, twoEdits), { ...old, '/w/a': 'mine\n' });
    expect(next.only()).toMatchObject({ state: 'failed', canUndo: false, canRedo: false });
    const lost = await nextRun(await killDuringApply(old, twoEdits), { '/w/a': 'mine\n', '/w/b': 'mine\n' });
    expect(lost.notices).toMatchObject([{ files: [{ state: 'unknown' }, { state: 'unknown' }] }]);
  });
});

describe('F20 an edit of a file that the same change moves', () => {
  const files = [edit('a', 'old\n', 'new\n'), move('a', 'c', 'old\n')];

  it('is found and undone at the moved path', async () => {
    const next = await nextRun(await killDuringApply(old, files), { '/w/c': 'new\n', '/w/b': 'old\n' });
    expect(next.notices).toEqual([]);
    expect(next.only()).toMatchObject({
      state: 'applied',
      outcomes: [
        { change: 'edit', state: 'applied', path: 'c', uri: 'file:///w/c', movedFrom: 'a', saved: true, dirty: false },
        { change: 'move', state: 'applied', path: 'c', movedFrom: 'a' },
      ],
    });
    expect(await next.queue.undo(next.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(next.edits.texts)).toEqual(old);
  });

  it('is named at the old path when the move was not made', async () => {
    expect(await statesAfterKill(old, files, { '/w/a': 'new\n' })).toEqual(['a applied', 'c not_applied']);
  });
});

it('undoes a recovered creation only while the disk holds its bytes', async () => {
  const next = await nextRun(await killDuringApply(old, [create('n', 'x\n')]), { ...old, '/w/n': 'x\n' });
  const { id } = next.only();
  expect(next.only()).toMatchObject({ state: 'applied', canUndo: true });
  next.shown.trees.set('n', { files: [treeFile('', 'of another program\n')] });
  expect(await next.queue.undo(id)).toEqual({ status: 'failed', message: 'n: the file was changed' });
  next.shown.trees.delete('n');
  expect(await next.queue.undo(id)).toEqual({ status: 'undone' });
});

it('undoes a recovered edit and delete whatever the bytes on the disk are', async () => {
  const files = [edit('a', 'old\n', 'new\n'), remove('b', 'old\n')];
  const next = await nextRun(await killDuringApply(old, files), { '/w/a': 'new\n' });
  expect(await next.queue.undo(next.only().id)).toEqual({ status: 'undone' });
  expect(Object.fromEntries(next.edits.texts)).toEqual(old);
});

describe('F20 a part that the user left out of a killed change', () => {
  const approveWith = async (choose: (t: EditorSetUp, id: string) => void): Promise<EditorSetUp> => {
    const t = setUpEditor(old);
    void t.ask(twoEdits);
    const { id } = t.only();
    choose(t, id);
    t.show();
    await killDuring(t, async () => t.approve());
    return t;
  };

  it.each([
    ['a file', (t: EditorSetUp, id: string) => t.queue.selectFile(id, 0, false)],
    ['every hunk of a file', (t: EditorSetUp, id: string) => t.queue.selectHunk(id, 0, 0, false)],
  ])('is not expected in the files: %s', async (_name, choose) => {
    const next = await nextRun(await approveWith(choose), { ...old, '/w/b': 'new\n' });
    expect(next.notices).toEqual([]);
    expect(next.only()).toMatchObject({
      state: 'applied',
      outcomes: [
        { path: 'a', state: 'not_applied' },
        { path: 'b', state: 'applied' },
      ],
    });
    expect(await next.queue.undo(next.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(next.edits.texts)).toEqual(old);
  });

  it('is not named in the recovery notice', async () => {
    const t = setUpEditor({ ...old, '/w/c': 'old\n' });
    void t.ask([...twoEdits, edit('c', 'old\n', 'new\n')]);
    t.queue.selectFile(t.only().id, 0, false);
    t.show();
    await killDuring(t, async () => t.approve());
    const { notices } = await nextRun(t, { ...old, '/w/b': 'new\n', '/w/c': 'old\n' });
    expect(notices.flatMap(({ files }) => files.map(({ path }) => path))).toEqual(['b', 'c']);
  });
});

describe('the note and times of a killed act', () => {
  it('say that nothing was changed when it was killed before', async () => {
    const t = await killDuringApply(old, twoEdits);
    const next = await nextRun(t, old);
    expect(next.only().note).toBe('The window closed before this was applied; nothing was changed.');
    expect(next.only().appliedAt).toBeUndefined();
    expect(next.only().decidedAt).toEqual(expect.any(Number));
  });

  it('keep the time of the decision when everything was changed', async () => {
    const t = setUpEditor(old);
    void t.ask(twoEdits);
    t.show();
    await killDuring(t, async () => t.approve());
    const { decidedAt } = t.only();
    expect(decidedAt).toEqual(expect.any(Number));
    const next = await nextRun(t, { '/w/a': 'new\n', '/w/b': 'new\n' });
    expect(next.only()).toMatchObject({ state: 'applied', decidedAt, appliedAt: decidedAt });
  });

  it('keep the time of the change when an undo was killed before it changed anything', async () => {
    const t = setUpEditor(old);
    const id = await applied(t, twoEdits);
    const { decidedAt, appliedAt } = t.only();
    t.clock.advance(1000);
    await killDuring(t, () => t.queue.undo(id));
    const next = await nextRun(t, { '/w/a': 'new\n', '/w/b': 'new\n' });
    expect(next.only()).toMatchObject({ state: 'applied', decidedAt, appliedAt });
  });

  it('allow no second undo when the killed undo was complete', async () => {
    const t = setUpEditor(old);
    const id = await applied(t, twoEdits);
    await killDuring(t, () => t.queue.undo(id));
    const next = await nextRun(t, old);
    expect(next.only()).toMatchObject({ state: 'undone', canUndo: false, canRedo: true });
    expect(await next.queue.undo(id)).toEqual({ status: 'not_possible' });
  });

  it.each([
    ['apply', 'being applied'],
    ['undo', 'being undone'],
    ['redo', 'being made again'],
  ] as const)('say what was interrupted when it was killed half-way in %s', async (act, words) => {
    let t: EditorSetUp;
    if (act === 'apply') t = await killDuringApply(old, twoEdits);
    else {
      t = setUpEditor(old);
      const id = await applied(t, twoEdits);
      if (act === 'redo') await t.queue.undo(id);
      await t.queue.settled();
      await killDuring(t, () => (act === 'undo' ? t.queue.undo(id) : t.queue.redo(id)));
    }
    const next = await nextRun(t, { ...old, '/w/a': 'new\n' });
    expect(next.notices).toMatchObject([{ interrupted: act }]);
    const note = expect.stringContaining(words);
    expect(next.only()).toMatchObject({ state: 'partly_applied', note, canRedo: false });
    expect(await next.queue.undo(next.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(next.edits.texts)).toEqual(old);
  });

  it('say again that the apply is half done when its undo was killed before it changed anything', async () => {
    const half = await nextRun(await killDuringApply(old, twoEdits), { ...old, '/w/a': 'new\n' });
    const { id } = half.only();
    await killDuring(half, () => half.queue.undo(id));
    const next = await nextRun(half, { ...old, '/w/a': 'new\n' });
    expect(next.notices).toMatchObject([{ id, interrupted: 'undo' }]);
    expect(next.only()).toMatchObject({ state: 'partly_applied', canUndo: true });
    expect(await next.queue.undo(id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(next.edits.texts)).toEqual(old);
  });
});

describe('F20 a killed undo of one file of a change', () => {
  const texts = { '/w/a': 'old\n', '/w/f/x': 'old\n' };
  const files = [edit('a', 'old\n', 'new\n'), removeFolder('f', { x: 'old\n' })];

  /** The edited file cannot be undone, so that only the folder is. */
  async function killDuringPart(): Promise<EditorSetUp> {
    const t = setUpEditor(texts);
    const id = await applied(t, files);
    t.edits.texts.set('/w/a', 'mine\n');
    const carryOut = t.edits.apply.bind(t.edits);
    t.edits.apply = async (changes) =>
      changes.length === 1 ? Promise.withResolvers<never>().promise : carryOut(changes);
    void t.queue.changes.revert([id]);
    await settled();
    return t;
  }

  it('leaves the other files to be undone when it was complete', async () => {
    const next = await nextRun(await killDuringPart(), { '/w/a': 'mine\n', '/w/f/x': 'old\n' });
    expect(next.notices).toEqual([]);
    expect(next.only()).toMatchObject({ state: 'applied', canUndo: true });
    next.edits.texts.set('/w/a', 'new\n');
    next.edits.texts.set('/w/f/x', 'mine\n');
    expect(await next.queue.undo(next.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(next.edits.texts)).toEqual({ '/w/a': 'old\n', '/w/f/x': 'mine\n' });
  });

  it('leaves all files to be undone when it changed nothing', async () => {
    const next = await nextRun(await killDuringPart(), { '/w/a': 'new\n' });
    expect(next.notices).toEqual([]);
    expect(next.only()).toMatchObject({ state: 'applied', canUndo: true });
    expect(await next.queue.undo(next.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(next.edits.texts)).toEqual(texts);
  });

  it('reports that file alone when it was partly done', async () => {
    const next = await nextRun(await killDuringPart(), { '/w/a': 'mine\n', '/w/f/other': 'mine\n' });
    expect(next.notices).toMatchObject([{ interrupted: 'undo', files: [{ path: 'f', state: 'unknown' }] }]);
    expect(next.notices[0]?.files).toHaveLength(1);
    expect(next.only().outcomes).toMatchObject([
      { path: 'a', state: 'applied' },
      { path: 'f', state: 'unknown' },
    ]);
  });
});

/** A card whose caller got a ticket waits in the next run. */
async function waitingCard(
  t: EditorSetUp,
  files: readonly FileChange[],
  given: Parameters<EditorSetUp['ask']>[1] = {},
) {
  void t.ask(files, { waitMilliseconds: 0, ...given });
  t.clock.advance(1);
  await t.queue.settled();
  const { id } = t.only();
  t.queue.suspend();
  await t.queue.settled();
  return id;
}

describe('an approval of an earlier run', () => {
  it('waits once, however often the records are read', async () => {
    const t = setUpEditor(old);
    void t.ask(twoEdits);
    await t.queue.settled();
    expect(await t.queue.restore()).toEqual([]);
    expect(t.queue.all).toMatchObject([{ state: 'waiting' }]);
  });

  it('waits on after a crash when its caller can ask again, and the same call waits for it', async () => {
    const t = setUpEditor(old);
    void t.ask(twoEdits);
    await t.queue.settled();
    const { id } = t.only();
    const next = await nextRun(t, old);
    expect(next.only()).toMatchObject({ id, state: 'waiting', callReturned: true });
    const asked = next.ask(twoEdits);
    await next.queue.settled();
    expect(next.waiting().map((approval) => approval.id)).toEqual([id]);
    next.show();
    expect(next.approve()).toBe('accepted');
    expect(await asked).toMatchObject({ approvalId: id, status: 'applied' });
  });

  it('ends with a reason after a crash when its caller cannot ask again', async () => {
    const t = setUpEditor(old);
    void t.ask(twoEdits, { principal: { credential: 'window', connectionId: 'session:1' } });
    await t.queue.settled();
    const next = await nextRun(t, old);
    const note = 'The window was reloaded while this waited; nothing was changed.';
    expect(next.only()).toMatchObject({ state: 'withdrawn', note });
  });

  it('expires at its time, to the millisecond', async () => {
    const t = setUpEditor(old);
    const id = await waitingCard(t, twoEdits);
    const expiresAt = t.queue.get(id)?.expiresAt ?? 0;
    for (const [early, state] of [
      [1, 'waiting'],
      [0, 'expired'],
    ] as const) {
      const next = setUpEditor(old, t.history);
      next.clock.advance(expiresAt - early - next.clock.now());
      await next.queue.restore();
      expect(next.only().state).toBe(state);
    }
  });

  it('expires, and becomes stale when one of its files changes', async () => {
    const t = setUpEditor(old);
    const id = await waitingCard(t, twoEdits);
    const next = setUpEditor(old, t.history);
    await next.queue.restore();
    next.clock.advance((next.only().expiresAt - next.clock.now()) / 2);
    expect(next.only().state).toBe('waiting');
    next.clock.advance(next.only().expiresAt - next.clock.now());
    expect(next.only()).toMatchObject({ id, state: 'expired' });
    const other = setUpEditor(old, t.history);
    await other.queue.restore();
    expect(other.edits.watched).toBe(1);
    other.edits.texts.set('/w/a', 'mine\n');
    other.edits.fire();
    await settled();
    expect(other.only().state).toBe('stale');
  });

  it('A8 is not shown when its record was damaged', async () => {
    const t = setUpEditor(old);
    const id = await waitingCard(t, twoEdits);
    const kept = t.history.kept.get(id) ?? '';
    const { proposalHash } = JSON.parse(kept).approval;
    t.history.kept.set(id, kept.replace(proposalHash, 'another'));
    const next = setUpEditor(old, t.history);
    await next.queue.restore();
    expect(next.only()).toMatchObject({ state: 'stale', note: 'its record: it was damaged' });
  });

  it('F5 names its changed file, and offers a rebase', async () => {
    const t = setUpEditor({ '/w/a': 'one\ntwo\nthree\n' });
    await waitingCard(t, [edit('a', 'one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')]);
    const next = setUpEditor({ '/w/a': 'one\ntwo\nthree\nmine\n' }, t.history);
    await next.queue.restore();
    await settled();
    expect(next.only()).toMatchObject({ state: 'stale', note: 'a: the file was changed', canRebase: true });
  });

  it('stays decided when it was decided while its files were checked', async () => {
    const t = setUpEditor(old);
    const id = await waitingCard(t, twoEdits);
    const next = setUpEditor(old, t.history);
    const looking = Promise.withResolvers<undefined>();
    next.edits.findStale = () => looking.promise;
    const restored = next.queue.restore();
    await settled();
    expect(next.queue.decline(id)).toBe('accepted');
    looking.resolve(undefined);
    await restored;
    expect(next.only().state).toBe('declined');
    expect(next.edits.watched).toBe(0);
  });

  it('A4 stays protected, whatever the user toggles', async () => {
    const t = setUpEditor(old);
    const id = await waitingCard(t, twoEdits, { judgement: judged({ protectedBy: ['**/a', undefined] }) });
    const next = setUpEditor(old, t.history);
    await next.queue.restore();
    next.queue.selectFile(id, 0, false);
    next.queue.selectFile(id, 0, true);
    next.queue.selectFile(id, 1, false);
    expect(next.only().files.map(({ protectedBy }) => protectedBy)).toEqual(['**/a', undefined]);
  });

  it('notifies its listeners once all approvals are restored', async () => {
    const t = setUpEditor(old);
    await applied(t, twoEdits);
    await t.queue.settled();
    const next = setUpEditor(old, t.history);
    let states: readonly string[] = [];
    next.queue.onDidChange(() => (states = next.queue.all.map(({ state }) => state)));
    await next.queue.restore();
    expect(states).toEqual(['applied']);
  });
});
