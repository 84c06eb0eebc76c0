import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { FileChange } from '#base/proposal.ts';
import type { AppliedText } from '#changes/edits.ts';
import { create, edit, judged, move, remove, setUp } from './queueSetUp.ts';

const texts = { '/w/a': 'old\n', '/w/b': 'old\n', '/w/c': 'old\n' };
const three = ['a', 'b', 'c'].map((name) => edit(name, 'old\n', 'new\n'));

function recorded() {
  const events: AuditEvent[] = [];
  return { ...setUp(texts, undefined, { auditLog: { event: (event) => void events.push(event) } }), audited: events };
}

async function allowed(t: ReturnType<typeof setUp>, files: readonly FileChange[]) {
  const outcome = await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  await t.queue.settled();
  return outcome;
}

describe('an apply that failed half-way', () => {
  it('F4 reports the state of every file, including those the user left out', async () => {
    const t = recorded();
    t.edits.failure = { status: 'failed', reason: 'c: the disk failed', states: ['unknown', 'rolled_back'] };
    const outcome = t.ask(three);
    t.queue.selectFile(t.only().id, 0, false);
    t.show();
    t.approve();
    const reason = 'c: the disk failed';
    expect(await outcome).toMatchObject({
      status: 'failed',
      files: [
        { path: 'a', change: 'edit', state: 'not_applied', reason },
        { path: 'b', change: 'edit', state: 'unknown', reason },
        { path: 'c', change: 'edit', state: 'rolled_back', reason },
      ],
    });
    await t.queue.settled();
    expect(t.only()).toMatchObject({ state: 'failed', note: reason, canUndo: false, canRebase: false });
    const apply = t.audited.find(({ event }) => event === 'apply');
    expect(apply).toMatchObject({ files: [{ state: 'not_applied' }, { state: 'unknown' }, { state: 'rolled_back' }] });
  });

  it('records no apply when the apply never began', async () => {
    const t = recorded();
    t.history.failure = new Error('no space left');
    const { status, files } = await allowed(t, three);
    expect([status, files[0]?.reason]).toEqual(['failed', expect.stringContaining('no space left')]);
    t.history.failure = undefined;
    t.edits.texts.set('/w/a', 'mine\n');
    expect((await allowed(t, three)).status).toBe('stale');
    expect(t.audited.filter(({ event }) => event === 'apply')).toEqual([]);
  });
});

it('does not record an undo as a second apply', async () => {
  const t = recorded();
  const { approvalId } = await allowed(t, three);
  await t.queue.undo(approvalId);
  expect(t.audited.filter(({ event }) => event === 'apply')).toHaveLength(1);
  await t.queue.redo(approvalId);
  expect(t.audited.filter(({ event }) => event === 'apply')).toHaveLength(2);
});

describe('the outcome of each file', () => {
  it('reports an edit as not applied when the user left it out', async () => {
    const t = setUp(texts);
    const outcome = t.ask(three);
    t.queue.selectFile(t.only().id, 0, false);
    t.show();
    t.approve();
    const { files } = await outcome;
    expect(files).toMatchObject([
      { path: 'a', state: 'not_applied', reason: 'the user left it out' },
      { path: 'b', state: 'applied', size: 4 },
      { path: 'c', state: 'applied', size: 4 },
    ]);
    expect(t.edits.texts.get('/w/a')).toBe('old\n');
  });

  it('reports the move alone when the user left out the edit of the moved file', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', 'old\n', 'new\n'), move('a', 'n', 'old\n')]);
    t.queue.selectFile(t.only().id, 0, false);
    t.show();
    t.approve();
    expect((await outcome).files).toMatchObject([
      { change: 'edit', state: 'not_applied' },
      { change: 'move', state: 'applied', path: 'n', movedFrom: 'a' },
    ]);
    expect(t.edits.texts.get('/w/n')).toBe('old\n');
  });

  it('names a difference, formatter or move only when there was one', async () => {
    const { files } = await allowed(setUp(texts), three);
    for (const fact of ['differenceFromProposal', 'hunksApplied', 'changedOnSave', 'movedFrom', 'reason']) {
      expect(files[0]).not.toHaveProperty(fact);
    }
  });

  it('has the size of a moved file, but none for a folder or a deleted file', async () => {
    const t = setUp({ ...texts, '/w/f/x': 'old\n', '/w/f/y': 'old\n' });
    const inFolder = ['x', 'y'].flatMap((relative) =>
      move(`f/${relative}`, 'n', 'old\n').files.map((file) => ({ ...file, relative })),
    );
    const { files } = await allowed(t, [
      move('a', 'n', 'old\n'),
      { ...move('f', 'g', ''), isFolder: true, files: inFolder },
      remove('b', 'old\n'),
    ]);
    expect(files.map(({ size }) => size)).toEqual([4, undefined, undefined]);
  });
});

it('removes the folders that the change had made when it is undone', async () => {
  const t = setUp(texts);
  const { approvalId } = await allowed(t, [create('new/deep/n', 'x\n'), move('a', 'other/a', 'old\n')]);
  expect(await t.queue.undo(approvalId)).toEqual({ status: 'undone' });
  expect(t.edits.writes.at(-1)).toMatchObject([
    { kind: 'delete', emptiedFolders: ['/w/new/deep', '/w/new'] },
    { kind: 'move', emptiedFolders: ['/w/other'] },
  ]);
});

it.each([
  ['has held other unsaved work since', { saved: true, dirty: true }],
  ['could not be saved', { saved: false, dirty: false }],
])('F14 does not undo the text of an editor that %s', async (_name, facts: Partial<AppliedText>) => {
  const t = setUp(texts);
  const carryOut = t.edits.apply.bind(t.edits);
  t.edits.apply = async (changes) => {
    const outcome = await carryOut(changes);
    if (outcome.status !== 'applied') return outcome;
    t.edits.texts.set('/w/a', 'new\nmine\n');
    const written = {
      encoding: 'utf8',
      saved: true,
      dirty: false,
      changedOnSave: true,
      size: 9,
      modified: 1,
      ...facts,
    };
    return { status: 'applied', files: [{ written: { ...written, text: 'new\nmine\n' } }] };
  };
  const { approvalId } = await allowed(t, [edit('a', 'old\n', 'new\n')]);
  t.edits.apply = carryOut;
  expect((await t.queue.undo(approvalId)).status).toBe('changed_since');
  expect(t.edits.texts.get('/w/a')).toBe('new\nmine\n');
});
