import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judged, create, edit, move, remove, setUp, settled } from './queueSetUp.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const base = lines(20);
const result = base.replace('line 3\n', 'three\n').replace('line 10\n', 'ten\n').replace('line 18\n', 'eighteen\n');
const texts = { '/w/a': base, '/w/b': 'old\n' };

describe('the selection of hunks and files', () => {
  it('applies the included hunks, and tells the model what was left out', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result)]);
    const { id } = t.only();
    t.queue.selectHunk(id, 0, 1, false);
    expect(t.only().files[0]).toMatchObject({ proposedHunks: 3, includedHunks: 2, edited: false, addedLines: 2 });
    t.show();
    expect(t.approve()).toBe('accepted');
    const answer = await outcome;
    expect(answer).toMatchObject({
      status: 'partially_applied',
      files: [{ state: 'applied', hunksApplied: 2, hunksProposed: 3 }],
    });
    expect(answer.files[0]?.differenceFromProposal).toContain('-ten\n+line 10\n');
    expect(t.edits.texts.get('/w/a')).toBe(result.replace('ten\n', 'line 10\n'));
  });

  it('applies exactly what the card showed, for every subset of hunks and files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), fc.boolean(), async (hunks, second) => {
        const t = setUp(texts);
        const outcome = t.ask([edit('a', base, result), edit('b', 'old\n', 'new\n')]);
        const { id } = t.only();
        for (const [index, included] of hunks.entries()) t.queue.selectHunk(id, 0, index, included);
        t.queue.selectFile(id, 1, second);
        const shown = await Promise.all([t.queue.texts(id, 0), t.queue.texts(id, 1)]);
        t.show();
        if (hunks.every((included) => !included) && !second) {
          expect(t.approve()).toBe('nothing_selected');
          return;
        }
        t.approve();
        const { status } = await outcome;
        expect(status).toBe(hunks.every(Boolean) && second ? 'applied' : 'partially_applied');
        expect([t.edits.texts.get('/w/a'), t.edits.texts.get('/w/b')]).toEqual(shown.map((text) => text?.current));
      }),
    );
  });

  it('binds the approval to the selection, and refuses a hash from before a toggle', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id, proposalHash } = t.only();
    t.queue.selectHunk(id, 0, 0, false);
    t.show();
    expect(t.queue.approve(id, proposalHash)).toBe('changed');
    t.queue.selectHunk(id, 0, 0, true);
    expect(t.queue.approve(id, proposalHash)).toBe('accepted');
  });

  it('leaves out a whole file and says so', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result), create('c', 'made\n'), remove('b', 'old\n')]);
    t.queue.selectFile(t.only().id, 2, false);
    t.show();
    t.approve();
    expect((await outcome).files).toMatchObject([
      { change: 'edit', state: 'applied' },
      { change: 'create', state: 'applied' },
      { change: 'delete', state: 'not_applied', reason: 'the user left it out' },
    ]);
    expect(t.edits.texts.get('/w/b')).toBe('old\n');
  });

  it('excludes nothing from an indivisible move with its import edits', () => {
    const t = setUp(texts);
    const files = [edit('a', base, result), move('b', 'd', 'old\n')];
    void t.queue.request(t.request({ proposal: { kind: 'changes', files, indivisible: true } }));
    const { id, proposalHash } = t.only();
    t.queue.selectFile(id, 1, false);
    t.queue.selectHunk(id, 0, 0, false);
    expect(t.queue.setText(id, 0, base)).toBe(false);
    expect(t.only().proposalHash).toBe(proposalHash);
  });

  it('includes the whole file again after all its hunks were excluded', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id, proposalHash } = t.only();
    for (const index of [0, 1, 2]) t.queue.selectHunk(id, 0, index, false);
    expect(t.only().files[0]).toMatchObject({ includedHunks: 0, addedLines: 0 });
    t.queue.selectFile(id, 0, true);
    expect(t.only().proposalHash).toBe(proposalHash);
  });
});

describe('an approval with edits', () => {
  it('claude-code#91294 applies what the user typed, and gives the model the difference', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result)]);
    const typed = result.replace('ten\n', 'zehn\n');
    expect(t.queue.setText(t.only().id, 0, typed)).toBe(true);
    expect(t.only().files[0]).toMatchObject({ edited: true });
    t.show();
    t.approve();
    const answer = await outcome;
    expect(answer.status).toBe('applied_modified');
    expect(answer.files[0]?.differenceFromProposal).toContain('-ten\n+zehn\n');
    expect(t.edits.texts.get('/w/a')).toBe(typed);
  });

  it('cline#12912 writes nothing when the user declines, edited or not', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result)]);
    t.queue.setText(t.only().id, 0, 'typed\n');
    t.show();
    t.queue.decline(t.only().id);
    expect((await outcome).status).toBe('declined');
    expect(t.edits.writes).toEqual([]);
    expect(t.queue.setText(t.only().id, 0, 'later\n')).toBe(false);
  });

  it('becomes the proposal again when the user types the proposed text back', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id, proposalHash } = t.only();
    t.queue.setText(id, 0, 'typed\n');
    expect(t.only().proposalHash).not.toBe(proposalHash);
    t.queue.setText(id, 0, result);
    expect(t.only()).toMatchObject({ proposalHash, files: [{ edited: false, includedHunks: 3 }] });
  });

  it('undoes the typed text too', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result), create('c', 'made\n')]);
    t.queue.setText(t.only().id, 0, 'typed\n');
    t.queue.setText(t.only().id, 1, 'typed too\n');
    t.show();
    t.approve();
    await outcome;
    await settled();
    expect(t.edits.texts.get('/w/c')).toBe('typed too\n');
    expect(await t.queue.undo(t.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(t.edits.texts)).toEqual(texts);
  });

  it('refuses text typed over a delete', () => {
    const t = setUp(texts);
    void t.ask([remove('b', 'old\n')], { judgement: judged({ risk: 'delete' }) });
    expect(t.queue.setText(t.only().id, 0, 'typed\n')).toBe(false);
    expect(t.only().mustReachEnd).toBe(true);
  });
});

describe('apply and undo of every kind of change', () => {
  it('reverse each other', async () => {
    const kinds = fc.subarray(['edit', 'create', 'delete', 'move'] as const, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(kinds, async (chosen) => {
        const before = { '/w/a': base, '/w/b': 'old\n', '/w/m/x': 'moves\n' };
        const t = setUp(before);
        const changes = {
          edit: edit('a', base, result),
          create: create('new/c', 'made\n'),
          delete: remove('b', 'old\n'),
          move: move('m/x', 'n/y', 'moves\n'),
        };
        const outcome = t.ask(chosen.map((kind) => changes[kind]));
        t.show();
        t.approve();
        expect((await outcome).status).toBe('applied');
        await settled();
        expect(await t.queue.undo(t.only().id)).toEqual({ status: 'undone' });
        expect(Object.fromEntries(t.edits.texts)).toEqual(before);
      }),
    );
  });

  it('leave a created file alone when it was changed since', async () => {
    const t = setUp(texts);
    const outcome = t.ask([create('c', 'made\n')]);
    t.show();
    t.approve();
    await outcome;
    await settled();
    t.edits.texts.set('/w/c', 'mine\n');
    expect((await t.queue.undo(t.only().id)).status).not.toBe('undone');
    expect(t.edits.texts.get('/w/c')).toBe('mine\n');
  });

  it('undo an edited and moved file where it is now', async () => {
    const t = setUp({ '/w/m': 'import x\n' });
    const files = [edit('m', 'import x\n', 'import y\n'), move('m', 'n/m', 'import x\n')];
    const outcome = t.queue.request(t.request({ proposal: { kind: 'changes', files, indivisible: true } }));
    t.show();
    t.approve();
    expect((await outcome).files).toMatchObject([
      { change: 'edit', path: 'n/m', movedFrom: 'm' },
      { change: 'move', path: 'n/m', movedFrom: 'm' },
    ]);
    await settled();
    expect(t.edits.texts).toEqual(new Map([['/w/n/m', 'import y\n']]));
    expect(await t.queue.undo(t.only().id)).toEqual({ status: 'undone' });
    expect(t.edits.texts).toEqual(new Map([['/w/m', 'import x\n']]));
  });
});

it('tells the model how the change affected the problems list', async () => {
  const t = setUp(texts);
  t.problems.change = {
    new: [{ path: 'a', line: 3, severity: 'error', message: 'No' }],
    newCount: 1,
    fixedCount: 2,
    freshness: 'fresh',
  };
  const outcome = t.ask([edit('a', base, result)]);
  t.show();
  t.approve();
  expect((await outcome).problems).toEqual(t.problems.change);
  expect(t.problems.asked).toEqual([['/w/a'], ['/w/a']]);
});
