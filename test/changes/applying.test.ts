import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { FileChange } from '#base/proposal.ts';
import type { ProblemsChange } from '#language/problems.ts';
import { edit, judged, remove, setUp, settled } from './queueSetUp.ts';

type T = ReturnType<typeof setUp>;

const text = 'one\ntwo\nthree\nfour\n';
const changed = text.replace('one', 'ONE');
const worse: ProblemsChange = { new: [], newCount: 0, fixedCount: 1, freshness: 'fresh' };

/** Applies a change that is allowed without asking. Returns its id. */
async function apply(t: T, files: readonly FileChange[]): Promise<string> {
  const { approvalId, status } = await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  expect(status).toBe('applied');
  await t.queue.settled();
  return approvalId;
}

/** Deletes a folder and edits a file, which the user has edited since. */
async function folderAndEdit() {
  const t = setUp({ '/w/f/x': 'old\n', '/w/a': text });
  const { base: _base, ...noText } = remove('f', '');
  const inside = remove('f/x', 'old\n').files.map((file) => ({ ...file, relative: 'x' }));
  const id = await apply(t, [{ ...noText, isFolder: true, files: inside }, edit('a', text, changed)]);
  t.edits.texts.set('/w/a', `${changed}mine\n`);
  return { ...t, id };
}

describe('the problems of changed files', () => {
  it('delay an apply by at most one second when a language service hangs', async () => {
    const t = setUp();
    t.problems.snapshot = () => Promise.withResolvers<never>().promise;
    void t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.approve();
    await settled();
    t.clock.advance(999);
    await settled();
    expect(t.edits.writes).toEqual([]);
    t.clock.advance(1);
    await settled();
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
    expect(t.only().state).toBe('applied');
  });

  it('are recorded with the outcome, so that a later call gets them too', async () => {
    const t = setUp();
    t.problems.change = worse;
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const again = await t.reload();
    expect(again.queue.get(id)).toMatchObject({ state: 'applied', problems: worse });
  });

  it('B9: are compared for files that import a deleted one, too, and for no others', async () => {
    const usersOf = async (files: readonly FileChange[]): Promise<readonly string[]> =>
      files.some(({ kind }) => kind === 'delete') ? ['/w/b', '/w/user'] : [];
    const t = setUp(undefined, undefined, { usersOf });
    await apply(t, [remove('a', 'old\n'), edit('b', 'old\n', 'new\n')]);
    // The deleted file is named, so that its absence is noticed; a file of the change itself is named once.
    expect(t.problems.asked).toEqual([
      ['/w/b', '/w/a', '/w/user'],
      ['/w/b', '/w/a', '/w/user'],
    ]);
    t.problems.asked.length = 0;
    await apply(t, [edit('b', 'new\n', 'newer\n')]);
    expect(t.problems.asked).toEqual([['/w/b'], ['/w/b']]);
  });

  it('include those of the files that import an edited one, noted after those of the edit', async () => {
    const usersOf = async (): Promise<readonly string[]> => ['/w/a', '/w/user'];
    const t = setUp(undefined, undefined, { usersOf });
    t.problems.change = worse;
    const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
    await settled();
    expect(t.problems.asked).toEqual([['/w/a'], ['/w/user']]);
    t.show();
    t.approve();
    const { problems } = await outcome;
    expect(t.problems.asked.slice(2)).toEqual([['/w/a'], ['/w/user']]);
    expect(problems).toMatchObject({ newCount: worse.newCount * 2, freshness: worse.freshness });
  });

  it('leave out importers whose problems were not noted before the change was applied', async () => {
    const found = Promise.withResolvers<readonly string[]>();
    const t = setUp(undefined, undefined, { usersOf: () => found.promise });
    t.problems.change = worse;
    const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
    await settled();
    t.show();
    t.approve();
    found.resolve(['/w/user']);
    expect(await outcome).toMatchObject({ problems: worse });
    expect(t.problems.asked.slice(-1)).toEqual([['/w/a']]);
  });

  it('do not delay the outcome when they cannot be determined', async () => {
    const t = setUp();
    t.problems.snapshot = async () => ({
      changeSince: async () => {
        throw new Error('the language service has crashed');
      },
    });
    const outcome = await t.ask([edit('a', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    expect(outcome.status).toBe('applied');
    expect(outcome).not.toHaveProperty('problems');
    expect(t.only()).not.toHaveProperty('problems');
  });

  it('are left out when the user has undone the change meanwhile', async () => {
    const t = setUp();
    const compared = Promise.withResolvers<ProblemsChange>();
    t.problems.snapshot = async () => ({ changeSince: () => compared.promise });
    const outcome = t.ask([edit('a', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    await settled();
    expect(await t.queue.undo(t.only().id)).toEqual({ status: 'undone' });
    compared.resolve(worse);
    const { next, problems } = await outcome;
    expect(problems).toBeUndefined();
    expect(next).toContain('undid');
    await t.queue.settled();
    expect(t.only()).not.toHaveProperty('problems');
  });
});

describe('undo of some files of a change', () => {
  it('is not repeated by a later undo, and a redo applies all files again', async () => {
    const t = await folderAndEdit();
    expect(await t.queue.changes.revert([t.id])).toMatchObject({ asked: [t.id] });
    expect(t.edits.texts.get('/w/f/x')).toBe('old\n');
    t.queue.decline(t.waiting()[0]?.id ?? '');
    t.edits.texts.set('/w/f/x', 'mine\n');
    t.edits.texts.set('/w/a', changed);
    expect(t.queue.get(t.id)).toMatchObject({ state: 'applied', canUndo: true });
    expect(await t.queue.undo(t.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/f/x': 'mine\n', '/w/a': text });
    t.edits.texts.set('/w/f/x', 'old\n');
    expect(await t.queue.redo(t.id)).toEqual({ status: 'redone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': changed });
  });

  it('is remembered after a reload', async () => {
    const t = await folderAndEdit();
    await t.queue.changes.revert([t.id]);
    t.queue.withdraw(() => true, 'End.');
    t.edits.texts.set('/w/a', changed);
    const again = await t.reload();
    expect(again.queue.get(t.id)).toMatchObject({ state: 'applied', canUndo: true });
    expect(await again.queue.undo(t.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(again.edits.texts)).toEqual({ '/w/f/x': 'old\n', '/w/a': text });
  });

  it('reports a failure, and is tried again by the next undo', async () => {
    const t = await folderAndEdit();
    const carryOut = t.edits.apply.bind(t.edits);
    t.edits.apply = async (changes) =>
      changes.some(({ kind }) => kind === 'restore')
        ? { status: 'failed', reason: 'the disk failed', states: ['rolled_back'] }
        : carryOut(changes);
    expect(await t.queue.changes.revert([t.id])).toEqual({
      reverted: [],
      asked: [t.id],
      conflicts: [{ id: t.id, fileIndex: 0, path: 'f', reason: expect.stringContaining('the disk failed') }],
    });
    t.queue.withdraw(() => true, 'End.');
    t.edits.apply = carryOut;
    t.edits.texts.set('/w/a', changed);
    expect(await t.queue.undo(t.id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/f/x': 'old\n', '/w/a': text });
  });
});

describe('the result of an undo or a redo', () => {
  it('is recorded in the audit log', async () => {
    const events: AuditEvent[] = [];
    const t = setUp(undefined, undefined, { auditLog: { event: (event) => void events.push(event) } });
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    await t.queue.undo(id);
    await t.queue.redo(id);
    t.edits.texts.set('/w/a', 'mine\n');
    await t.queue.undo(id);
    expect(events.filter(({ event }) => event === 'revert')).toEqual([
      { event: 'revert', approvalId: id, direction: 'undo', outcome: 'undone' },
      { event: 'revert', approvalId: id, direction: 'redo', outcome: 'redone' },
      { event: 'revert', approvalId: id, direction: 'undo', outcome: 'changed_since' },
    ]);
  });

  it('is not started a second time while it runs', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const disk = Promise.withResolvers<void>();
    t.history.beforeWrite = disk.promise;
    const undo = t.queue.undo(id);
    expect(t.queue.get(id)).toMatchObject({ canUndo: false, canRedo: false });
    expect(await t.queue.undo(id)).toEqual({ status: 'not_possible' });
    disk.resolve();
    expect(await undo).toEqual({ status: 'undone' });
    expect(t.edits.writes).toHaveLength(2);
  });

  it('is awaited before the window ends', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    const disk = Promise.withResolvers<void>();
    t.history.beforeWrite = disk.promise;
    void t.queue.undo(id);
    const ending = t.queue.settled();
    await settled();
    disk.resolve();
    await ending;
    expect(t.edits.texts.get('/w/a')).toBe('old\n');
    expect(JSON.parse(t.history.kept.get(id) ?? '')).toMatchObject({ approval: { state: 'undone' } });
  });

  it('reports that saving changed the text, and drops the note of the undo', async () => {
    const t = setUp();
    const id = await apply(t, [edit('a', 'old\n', 'new\n')]);
    t.edits.onSave = (saved) => `${saved}\n`;
    await t.queue.undo(id);
    expect(t.queue.get(id)?.note).toContain('not exactly as before');
    t.edits.onSave = (saved) => saved;
    expect(await t.queue.redo(id)).toEqual({ status: 'redone' });
    expect(t.queue.get(id)).not.toHaveProperty('note');
    await t.queue.undo(id);
    expect(t.queue.get(id)).not.toHaveProperty('note');
    t.edits.onSave = (saved) => saved.toUpperCase();
    expect(await t.queue.redo(id)).toMatchObject({ status: 'redone', message: expect.stringContaining('a') });
    expect(t.queue.get(id)).toMatchObject({ state: 'applied', note: expect.stringContaining('not exactly as before') });
  });
});
