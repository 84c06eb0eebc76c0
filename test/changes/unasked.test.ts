import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { ApprovalRequest } from '#changes/approver.ts';
import { create, edit, judged, remove, setUp, settled } from './queueSetUp.ts';

const rule = { id: 'r-7f3a', scope: 'session' } as const;
const judgement = judged({ effect: 'allow', reason: 'allow rule r-7f3a (session)', rule });

function allowed(t: ReturnType<typeof setUp>, files: readonly FileChange[], given: Partial<ApprovalRequest> = {}) {
  return t.ask(files, { judgement, ...given });
}

describe('a change that is allowed without asking', () => {
  it('is applied at once, names its rule, and can be undone', async () => {
    const t = setUp();
    const outcome = await allowed(t, [edit('a', 'old\n', 'new\n')]);
    expect(outcome).toMatchObject({ status: 'applied', displayed: false, files: [{ state: 'applied' }] });
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
    expect(t.only()).toMatchObject({ state: 'applied', canUndo: true, judgement: { effect: 'allow', rule } });
    expect(t.waiting()).toEqual([]);
    expect(await t.queue.undo(t.only().id)).toEqual({ status: 'undone' });
    expect(t.edits.texts.get('/w/a')).toBe('old\n');
  });

  it('is written only after its record and its texts are on disk', async () => {
    const t = setUp();
    const disk = Promise.withResolvers<void>();
    t.history.beforeWrite = disk.promise;
    const outcome = allowed(t, [edit('a', 'old\n', 'new\n')]);
    await settled();
    expect(t.edits.writes).toEqual([]);
    disk.resolve();
    await outcome;
    expect(t.edits.writes).toHaveLength(1);

    t.history.failure = new Error('disk full');
    expect(await allowed(t, [edit('b', 'old\n', 'new\n')])).toMatchObject({ status: 'failed' });
    expect(t.edits.texts.get('/w/b')).toBe('old\n');
  });

  it('is answered at once when its record cannot be written', async () => {
    const t = setUp();
    t.history.failure = new Error('disk full');
    let answer: unknown;
    void allowed(t, [edit('a', 'old\n', 'new\n')]).then(({ status }) => (answer = status));
    await settled();
    expect(answer).toBe('failed');
  });

  it('A3: is applied only as it was judged, so that a refusal at the last moment wins', async () => {
    const t = setUp();
    t.refuse('A rule denies this.');
    expect(await allowed(t, [edit('a', 'old\n', 'new\n')])).toMatchObject({
      status: 'stale',
      files: [{ state: 'not_applied', reason: 'A rule denies this.' }],
    });
    expect(t.edits.writes).toEqual([]);
  });

  it('joins the waiting approval of the same caller for the same change', async () => {
    const t = setUp();
    const files = [edit('a', 'old\n', 'new\n')];
    const first = t.ask(files);
    const second = allowed(t, files);
    expect(t.waiting()).toHaveLength(1);
    t.show();
    t.approve();
    expect((await first).approvalId).toBe((await second).approvalId);
    expect(t.edits.writes).toHaveLength(1);
  });

  it('replaces an approval for the same lines, and checks others of its file', async () => {
    const t = setUp({ '/w/a': 'one\ntwo\nthree\n' });
    const replaced = t.ask([edit('a', 'one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')]);
    const principal = { credential: 'window', connectionId: 'c2' };
    void t.ask([edit('a', 'one\ntwo\nthree\n', 'one\ntwo\nTHREE\n')], { principal });
    const { approvalId } = await allowed(t, [edit('a', 'one\ntwo\nthree\n', 'uno\ntwo\nthree\n')]);
    expect(await replaced).toMatchObject({ status: 'superseded', replacedBy: approvalId });
    await t.queue.settled();
    await settled();
    expect(t.queue.all.find((each) => each.principal.connectionId === 'c2')).toMatchObject({
      state: 'stale',
      canRebase: true,
    });
  });

  it('is refused to an assistant that the user paused', async () => {
    const t = setUp();
    void t.ask([edit('b', 'old\n', 'new\n')]);
    t.show();
    t.queue.decline(t.only().id, { pause: true });
    await expect(allowed(t, [edit('a', 'old\n', 'new\n')])).rejects.toThrow('paused');
    expect(t.edits.writes).toEqual([]);
  });

  it('is applied after the previous change, to the text that the previous change wrote', async () => {
    const t = setUp({ '/w/a': 'one\ntwo\n' }, undefined, {
      repropose: async ({ arguments: word }) => {
        const now = t.edits.texts.get('/w/a') ?? '';
        const files = [edit('a', now, now.replace(String(word), String(word).toUpperCase()))];
        return { proposal: { kind: 'changes', files }, judgement };
      },
    });
    const outcomes = await Promise.all([
      allowed(t, [edit('a', 'one\ntwo\n', 'ONE\ntwo\n')], { arguments: 'one' }),
      allowed(t, [edit('a', 'one\ntwo\n', 'one\nTWO\n')], { arguments: 'two' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(t.edits.texts.get('/w/a')).toBe('ONE\nTWO\n');
  });

  it('asks when the change for the files as they are now is no longer allowed', async () => {
    const t = setUp({ '/w/a': 'now\n' }, undefined, {
      repropose: async () => ({
        proposal: { kind: 'changes', files: [edit('a', 'now\n', 'new\n')] },
        judgement: judged({ reason: 'protected' }),
      }),
    });
    let waitsFor = '';
    const outcome = allowed(t, [edit('a', 'old\n', 'new\n')], { onWaiting: (id) => void (waitsFor = id) });
    await settled();
    expect(t.only()).toMatchObject({ id: waitsFor, state: 'waiting', judgement: { reason: 'protected' } });
    t.show();
    t.approve();
    expect(await outcome).toMatchObject({ status: 'applied' });
  });

  it('changes nothing when its call was cancelled before its turn', async () => {
    const t = setUp();
    t.cancel.abort();
    expect(await allowed(t, [create('n', 'x\n')])).toMatchObject({ status: 'withdrawn' });
    expect(t.edits.writes).toEqual([]);
  });

  it.each([
    [
      'the assistant was paused',
      (t: ReturnType<typeof setUp>) => t.queue.decline(t.waiting()[0]?.id ?? '', { pause: true }),
    ],
    ['the window was closed', (t: ReturnType<typeof setUp>) => t.queue.suspend()],
  ])('changes nothing when %s before it began, though the problems took their time', async (_name, end) => {
    const t = setUp();
    void t.ask([edit('b', 'old\n', 'new\n')]);
    t.show(t.waiting()[0]?.id);
    const told = Promise.withResolvers<void>();
    const snapshot = t.problems.snapshot.bind(t.problems);
    t.problems.snapshot = async (paths) => {
      await told.promise;
      return snapshot(paths);
    };
    const outcome = allowed(t, [edit('a', 'old\n', 'new\n')]);
    await settled();
    end(t);
    told.resolve();
    expect(await outcome).toMatchObject({ status: 'withdrawn' });
    expect(t.edits.writes).toEqual([]);
  });
});

it('A4 approves a change that deletes many files only with their number', async () => {
  const t = setUp();
  void t.ask([remove('a', 'old\n'), remove('b', 'old\n')], { judgement: judged({ risk: 'delete', confirmCount: 2 }) });
  t.show();
  const { id, proposalHash } = t.only();
  t.queue.endReached(id);
  for (const count of [undefined, 0, 1, 3]) {
    expect(t.queue.approve(id, proposalHash, count)).toBe('count_not_confirmed');
  }
  expect(t.edits.texts.size).toBe(2);
  expect(t.queue.approve(id, proposalHash, 2)).toBe('accepted');
  await settled();
  expect(t.edits.texts.size).toBe(0);
});

describe('an edit that waits while the user widens the mode', () => {
  const byMode = (t: ReturnType<typeof setUp>, id = t.only().id, hash = t.queue.get(id)?.proposalHash ?? '') =>
    t.queue.applyByMode(id, hash, 'acceptEdits');

  it('is applied by the mode when the user asks for it, although its card was never on screen', async () => {
    const t = setUp();
    const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
    expect(await byMode(t)).toBe('accepted');
    expect(await outcome).toMatchObject({ status: 'applied', next: expect.stringContaining('Applied by rule') });
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
    const reason = 'default for edit in Accept edits mode';
    expect(t.only().judgement).toMatchObject({ effect: 'allow', mode: 'acceptEdits', reason });
    expect(t.events).toContain('approval.state allowed');
    expect(t.events).not.toContain('approval.state approved');
  });

  it('keeps waiting when the policy does not allow it now, or the proposal is another one', async () => {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    expect(await byMode(t, t.only().id, 'f'.repeat(64))).toBe('changed');
    t.refuse('It now needs the approval of the user.');
    expect(await byMode(t)).toBe('not_allowed');
    expect(t.only().state).toBe('waiting');
    expect(t.edits.writes).toEqual([]);
  });

  it.each([
    ['deletes a file', [remove('a', 'old\n')], { risk: 'delete' }],
    ['changes a protected file', [edit('a', 'old\n', 'new\n')], { protectedBy: ['**/.vscode'] }],
    ['counts for this change only', [edit('a', 'old\n', 'new\n')], { onceOnly: true }],
    ['asks for a number', [edit('a', 'old\n', 'new\n')], { confirmCount: 21 }],
  ] as const)('keeps waiting when it %s', async (_, files, facts) => {
    const t = setUp();
    void t.ask(files, { judgement: judged(facts) });
    expect(await byMode(t)).toBe('not_allowed');
    expect(t.only().state).toBe('waiting');
  });

  it('stays declined when the user declines it before the mode applies it', async () => {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    const applied = byMode(t);
    t.queue.decline(t.only().id);
    expect(await applied).toBe('already_decided');
    expect(t.only().state).toBe('declined');
    expect(await byMode(t)).toBe('already_decided');
    expect(t.edits.writes).toEqual([]);
  });
});
