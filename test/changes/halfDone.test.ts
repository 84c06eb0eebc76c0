import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { FakeHistory } from '../fakes/history.ts';
import { applied, killDuring, killDuringApply, removeFolder, setUpEditor } from './editorSetUp.ts';
import { create, edit, judged, move, remove } from './queueSetUp.ts';

const old = { '/w/a': 'old\n', '/w/b': 'old\n', '/w/c': 'old\n', '/w/d': 'old\n' };
const all = { '/w/a': 'new\n', '/w/b': 'new\n', '/w/c': 'new\n', '/w/n': 'x\n' };
const files: readonly FileChange[] = [
  ...['a', 'b', 'c'].map((name) => edit(name, 'old\n', 'new\n')),
  create('n', 'x\n'),
  remove('d', 'old\n'),
];
/** What a kill left: a and n are written. */
const half = { ...old, '/w/a': 'new\n', '/w/n': 'x\n' };

/** Starts the next run of the window over these files. */
async function nextRun(history: FakeHistory, now: Record<string, string>) {
  const recorded: Record<string, unknown>[] = [];
  const auditLog = { event: (event: Record<string, unknown>) => void recorded.push(event) };
  const next = setUpEditor(now, history, { auditLog });
  const notices = await next.queue.restore();
  await next.queue.settled();
  return { ...next, notices, recorded, texts: () => Object.fromEntries(next.edits.texts) };
}

async function halfDone(now: Record<string, string> = half, changes = files, before: Record<string, string> = old) {
  const t = await nextRun((await killDuringApply(before, changes)).history, now);
  return { ...t, id: t.only().id };
}

const conflict = (name: string): string =>
  `These files hold neither the text from before the change nor the approved one, so they were left alone: ${name}`;

describe('F21: a change that a kill left half done', () => {
  it('waits for the user after every start, and is not forgotten', async () => {
    const first = await halfDone();
    const { id } = first;
    const { history } = await nextRun(first.history, half);
    const again = await nextRun(history, half);
    again.clock.advance(100 * 24 * 60 * 60_000);
    void again.ask([edit('b', 'old\n', 'other\n')]);
    again.queue.forgetFinished();
    expect(again.queue.get(id)).toMatchObject({ state: 'partly_applied', canUndo: true, canRedo: false });
    expect(again.queue.all[0]?.id).toBe(id);
    expect(again.notices).toMatchObject([{ id, interrupted: 'apply' }]);
    const states = again.queue.get(id)?.outcomes?.map(({ path, state }) => `${path} ${state}`);
    expect(states).toEqual(['a applied', 'b not_applied', 'c not_applied', 'n applied', 'd not_applied']);
  });

  it('ends at the next start when its files were completed, or restored, meanwhile', async () => {
    const t = await halfDone();
    expect((await nextRun(t.history, all)).only()).toMatchObject({ state: 'applied', canUndo: true });
    expect((await nextRun((await halfDone()).history, old)).only()).toMatchObject({ state: 'withdrawn' });
  });

  it('is told as partly applied by the outcome, the list of changes and the record', async () => {
    const { queue, id, recorded, request } = await halfDone();
    expect(await queue.outcome(id, request())).toMatchObject({
      status: 'partly_applied',
      next: expect.stringContaining('can finish it or take it back'),
    });
    expect(queue.changes.list()).toMatchObject([
      { id, state: 'applied', proposedFiles: 5, canRevert: true, files: [{ path: 'a' }, { path: 'n' }] },
    ]);
    expect(recorded).toMatchObject([
      {
        event: 'approval.state',
        state: 'partly_applied',
        written: { done: 2, all: 5 },
        argsDigest: expect.any(String),
      },
      { event: 'apply', files: [{ state: 'applied' }, { state: 'not_applied' }, {}, {}, {}] },
    ]);
  });

  it('does not count files that the user left out', async () => {
    const t = setUpEditor(old);
    void t.ask([edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n'), edit('c', 'old\n', 'new\n')]);
    t.show();
    t.queue.selectFile(t.only().id, 1, false);
    await killDuring(t, async () => t.approve());
    const next = await nextRun(t.history, { ...old, '/w/a': 'new\n' });
    expect(next.queue.changes.list()).toMatchObject([{ proposedFiles: 2, files: [{ path: 'a' }] }]);
    expect(await next.queue.settle(next.only().id, 'finish')).toEqual({ status: 'redone' });
    expect(next.texts()).toEqual({ ...old, '/w/a': 'new\n', '/w/c': 'new\n' });
    expect(next.queue.changes.list()).toMatchObject([{ state: 'applied' }]);
    expect(next.queue.changes.list()[0]).not.toHaveProperty('proposedFiles');
  });

  it('is approved and declined by neither of the usual decisions', async () => {
    const { queue, id, only, texts } = await halfDone();
    queue.displayed(id);
    expect(queue.approve(id, only().proposalHash)).toBe('already_decided');
    expect(queue.decline(id)).toBe('already_decided');
    expect(only().state).toBe('partly_applied');
    expect(texts()).toEqual(half);
  });
});

describe('F21: Finish', () => {
  it('writes the files that are not changed, and the whole can be undone', async () => {
    const { queue, id, only, texts, edits } = await halfDone();
    expect(await queue.settle(id, 'finish')).toEqual({ status: 'redone' });
    expect(texts()).toEqual(all);
    expect(edits.writes.flat().map(({ path }) => path.path)).toEqual(['b', 'c', 'd']);
    expect(only()).toMatchObject({ state: 'applied', canUndo: true });
    expect(only()).not.toHaveProperty('note');
    expect(await queue.undo(id)).toEqual({ status: 'undone' });
    expect(texts()).toEqual(old);
  });

  it('leaves alone and names a file that was edited since, and Undo still takes back the others', async () => {
    const { queue, id, only, texts, edits } = await halfDone();
    edits.texts.set('/w/b', 'mine\n');
    expect(await queue.settle(id, 'finish')).toEqual({ status: 'redone' });
    expect(texts()).toEqual({ ...all, '/w/b': 'mine\n' });
    expect(only()).toMatchObject({ state: 'failed', canUndo: true, note: conflict('b') });
    expect(queue.changes.list()).toMatchObject([{ proposedFiles: 5, files: { length: 4 } }]);
    expect(await queue.undo(id)).toEqual({ status: 'undone' });
    expect(texts()).toEqual({ ...old, '/w/b': 'mine\n' });
  });

  it('only ends the card when every other file was edited since', async () => {
    const { queue, id, only, edits } = await halfDone();
    for (const path of ['/w/b', '/w/c', '/w/d']) edits.texts.set(path, 'mine\n');
    expect(await queue.settle(id, 'finish')).toEqual({ status: 'redone' });
    expect(edits.writes).toEqual([]);
    expect(only()).toMatchObject({ state: 'failed', canUndo: true, note: conflict('b, c, d') });
  });

  it('edits a file at its new place when it was moved before the kill', async () => {
    const changes = [edit('a', 'old\n', 'new\n'), move('a', 'z', 'old\n'), edit('b', 'old\n', 'new\n')];
    const texts = { '/w/a': 'old\n', '/w/b': 'old\n' };
    const t = await halfDone({ '/w/z': 'old\n', '/w/b': 'new\n' }, changes, texts);
    expect(await t.queue.settle(t.id, 'finish')).toEqual({ status: 'redone' });
    expect(t.texts()).toEqual({ '/w/z': 'new\n', '/w/b': 'new\n' });
  });
});

it('F21: leaves a folder alone that the user had restored by itself', async () => {
  const t = setUpEditor({ '/w/a': 'old\n', '/w/f/x': 'old\n', '/w/g/x': 'old\n' });
  const folders = ['f', 'g'].map((name) => removeFolder(name, { x: 'old\n' }));
  const id = await applied(t, [edit('a', 'old\n', 'new\n'), ...folders]);
  t.edits.texts.set('/w/a', 'mine\n');
  const carryOut = t.edits.apply.bind(t.edits);
  const killed = Promise.withResolvers<undefined>();
  t.edits.apply = (changes) => {
    if (changes.some(({ path }) => path.path !== 'g')) return carryOut(changes);
    killed.resolve(undefined);
    return Promise.withResolvers<never>().promise;
  };
  void t.queue.changes.revert([id]);
  await killed.promise;
  const left = { '/w/a': 'mine\n', '/w/f/x': 'old\n', '/w/g/other': 'mine\n' };
  const next = await nextRun(t.history, left);
  expect(next.only()).toMatchObject({ state: 'partly_applied' });
  await next.queue.settle(id, 'finish');
  expect(next.texts()).toEqual(left);
});

describe('F21: Take back', () => {
  it('restores the files that are changed', async () => {
    const { queue, id, only, texts, edits } = await halfDone();
    expect(await queue.settle(id, 'takeBack')).toEqual({ status: 'undone' });
    expect(texts()).toEqual(old);
    expect(edits.writes.flat().map(({ path }) => path.path)).toEqual(['a', 'n']);
    expect(only()).toMatchObject({ state: 'undone', canUndo: false, canRedo: false });
  });

  it('leaves alone and names a file that was edited since', async () => {
    const { queue, id, only, texts, edits } = await halfDone();
    edits.texts.set('/w/a', 'mine\n');
    expect(await queue.settle(id, 'takeBack')).toEqual({ status: 'undone' });
    expect(texts()).toEqual({ ...old, '/w/a': 'mine\n' });
    expect(only()).toMatchObject({ state: 'undone', note: conflict('a') });
  });
});

describe('F21: a decision about a half-done change', () => {
  it.each(['finish', 'takeBack'] as const)('to %s leaves the card when the files could not be written', async (way) => {
    const { queue, id, only, texts, edits } = await halfDone();
    edits.failure = { status: 'failed', reason: 'The disk is full.', states: [] };
    expect(await queue.settle(id, way)).toEqual({ status: 'failed', message: 'The disk is full.' });
    expect(only()).toMatchObject({ state: 'partly_applied', canUndo: true });
    expect(texts()).toEqual(half);
    edits.failure = undefined;
    expect(await queue.settle(id, 'finish')).toEqual({ status: 'redone' });
  });

  it('counts once', async () => {
    const { queue, id, texts } = await halfDone();
    const results = await Promise.all([queue.settle(id, 'finish'), queue.settle(id, 'takeBack')]);
    expect(results.map(({ status }) => status)).toEqual(['redone', 'not_possible']);
    expect(texts()).toEqual(all);
    expect(await queue.settle(id, 'takeBack')).toEqual({ status: 'not_possible' });
  });

  it.each([
    ['finish', { ...half, '/w/b': 'new\n' }],
    ['takeBack', { ...half, '/w/a': 'old\n' }],
  ] as const)('is asked for again when the window was killed in the middle of %s', async (way, left) => {
    const t = await halfDone();
    await killDuring(t, () => t.queue.settle(t.id, way));
    const next = await nextRun(t.history, left);
    expect(next.only()).toMatchObject({ state: 'partly_applied' });
    expect(await next.queue.settle(t.id, 'finish')).toEqual({ status: 'redone' });
    expect(next.texts()).toEqual(all);
  });

  it('is recorded', async () => {
    const { queue, id, recorded } = await halfDone();
    recorded.length = 0;
    await queue.settle(id, 'finish');
    expect(recorded).toMatchObject([
      { event: 'revert', approvalId: id, direction: 'redo', outcome: 'redone' },
      { event: 'approval.state', state: 'applied' },
      { event: 'apply' },
    ]);
  });
});

describe('the undo of a half-done change by an assistant', () => {
  it('takes back what was written alone, and leaves it half done when it is undone itself', async () => {
    const t = await halfDone();
    const inverse = await t.queue.changes.inverse(t.id);
    expect(inverse.files.map(({ kind, path }) => `${kind} ${path.path}`)).toEqual(['edit a', 'delete n']);
    const { approvalId } = await t.ask(inverse.files, {
      proposal: inverse,
      tool: 'revert_change',
      judgement: judged({ effect: 'allow' }),
    });
    expect(t.texts()).toEqual(old);
    expect(t.queue.get(t.id)).toMatchObject({ state: 'undone', replacedBy: approvalId });
    expect(await t.queue.undo(approvalId)).toEqual({ status: 'undone' });
    expect(t.queue.get(t.id)).toMatchObject({ state: 'partly_applied', canUndo: true });
  });

  it('does the same as Take back when the user undoes it in the History view', async () => {
    const t = await halfDone();
    expect(await t.queue.changes.revert([t.id])).toEqual({ reverted: [t.id], asked: [], conflicts: [] });
    expect(t.texts()).toEqual(old);
  });
});
