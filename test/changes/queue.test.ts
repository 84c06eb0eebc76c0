import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangesProposal, FileChange } from '#base/proposal.ts';
import type { ChangeOutcome } from '#changes/approver.ts';
import { shippedLimits, type QueueDependencies } from '#changes/queue.ts';
import { judged, create, edit, move, pathOf, remove, setUp, settled } from './queueSetUp.ts';

describe('approve', () => {
  it('applies exactly the bytes that were shown, and reports them to the model', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    expect(t.approve()).toBe('accepted');
    expect(await outcome).toMatchObject({
      status: 'applied',
      displayed: true,
      files: [{ path: 'a', state: 'applied', addedLines: 1, removedLines: 1, saved: true }],
    });
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
  });

  it('A3 refuses a proposal whose bytes changed after it was hashed', async () => {
    const t = setUp();
    const files = [edit('a', 'old\n', 'new\n')];
    const proposal: ChangesProposal = { kind: 'changes', files };
    const outcome = t.queue.request(t.request({ proposal }));
    t.show();
    files[0] = edit('a', 'old\n', 'evil\n');
    t.approve();
    expect(await outcome).toMatchObject({ status: 'failed', files: [{ state: 'not_applied' }] });
    expect(t.edits.writes).toEqual([]);
  });

  it('A3: reads every byte again at the apply, whatever was hashed before', async () => {
    const t = setUp();
    const change = edit('a', 'old\n', 'new\n');
    const result = { ...change.result };
    const outcome = t.ask([{ ...change, result }]);
    t.queue.selectFile(t.only().id, 0, false);
    t.queue.selectFile(t.only().id, 0, true);
    result.text = 'evil\n';
    t.show();
    t.approve();
    expect(await outcome).toMatchObject({ status: 'failed', files: [{ state: 'not_applied' }] });
    expect(t.edits.writes).toEqual([]);
  });

  it('A20: allows nothing but this change, so that the same change asks again', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    expect((await outcome).status).toBe('applied');
    t.edits.texts.set('/w/a', 'old\n');
    void t.queue.request(t.request());
    expect(t.queue.all.map(({ state }) => state)).toEqual(['waiting', 'applied']);
  });

  it('A3 refuses a decision made for another hash', () => {
    const t = setUp();
    void t.queue.request(t.request());
    t.show();
    expect(t.queue.approve(t.only().id, 'another')).toBe('changed');
    expect(t.only().state).toBe('waiting');
  });

  it('A17 ignores a click that comes before the card has been there for 500 ms', () => {
    const t = setUp();
    void t.queue.request(t.request());
    expect(t.approve()).toBe('not_displayed');
    t.queue.displayed(t.only().id);
    t.clock.advance(100);
    expect(t.approve()).toBe('too_fast');
    t.clock.advance(400);
    t.queue.displayed(t.only().id);
    expect(t.approve()).toBe('too_fast');
    t.clock.advance(500);
    expect(t.approve()).toBe('accepted');
  });

  it('A4: lets a move be approved without scrolling, and no move together with a delete', async () => {
    const judgement = judged({ risk: 'delete' });
    const ends = async (...files: FileChange[]): Promise<boolean> => {
      const t = setUp({ '/w/a': 'old\n', '/w/c': 'old\n' });
      void t.ask(files, { judgement });
      await settled();
      return t.only().mustReachEnd;
    };
    expect(await ends(move('a', 'b', 'old\n'))).toBe(false);
    expect(await ends(move('a', 'b', 'old\n'), edit('c', 'old\n', 'new\n'))).toBe(false);
    expect(await ends(move('a', 'b', 'old\n'), remove('c', 'old\n'))).toBe(true);
    expect(await ends(edit('c', 'old\n', 'new\n'))).toBe(true);
  });

  it('A4 arms a protected change only after its end has been on screen', () => {
    const t = setUp();
    void t.queue.request(t.request({ judgement: judged({ protectedBy: ['**/.vscode/**'] }) }));
    t.show();
    expect(t.approve()).toBe('end_not_reached');
    t.queue.endReached(t.only().id);
    expect(t.approve()).toBe('accepted');
  });

  it('judges policy and paths again right before the apply', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    t.refuse('a leads to another file than the one that was approved.');
    t.approve();
    expect(await outcome).toMatchObject({
      status: 'stale',
      files: [{ state: 'not_applied', reason: expect.stringContaining('another file') }],
    });
    expect(t.edits.writes).toEqual([]);
  });

  it('becomes stale when a base changed while it waited', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    t.edits.texts.set('/w/a', 'typed meanwhile\n');
    t.approve();
    expect((await outcome).status).toBe('stale');
    expect(t.edits.texts.get('/w/a')).toBe('typed meanwhile\n');
  });

  it('changes nothing when the text before the change cannot be kept', async () => {
    const t = setUp();
    t.history.failure = new Error('no space left');
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    expect(await outcome).toMatchObject({ status: 'failed', files: [{ state: 'not_applied' }] });
    expect(t.edits.writes).toEqual([]);
  });

  it('reports an applied change as applied when it cannot be kept for undo', async () => {
    const t = setUp();
    t.edits.onSave = (text) => {
      t.history.failure = new Error('no space left');
      return text.toUpperCase();
    };
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    expect(await outcome).toMatchObject({ status: 'applied', files: [{ state: 'applied' }] });
    expect(t.only()).toMatchObject({ state: 'applied', canUndo: false });
  });

  it('reports an applied change as applied when the problems or the views fail', async () => {
    const snapshot = async (): Promise<never> => {
      throw new Error('the language service has crashed');
    };
    const t = setUp(undefined, undefined, { problems: { snapshot } });
    t.queue.onDidChange(() => {
      throw new Error('the view has crashed');
    });
    const outcome = t.queue.request(t.request());
    t.show();
    expect(t.approve()).toBe('accepted');
    expect(await outcome).toMatchObject({ status: 'applied', files: [{ state: 'applied' }] });
    expect(t.events).toContain('approval.state not_shown');
  });

  it('reports the changes of save participants', async () => {
    const t = setUp();
    t.edits.onSave = (text) => text.toUpperCase();
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    const { files, next } = await outcome;
    expect(files[0]?.changedOnSave).toContain('+NEW');
    expect(next).toContain('changedOnSave');
    expect(next).not.toContain('exactly the approved text');
  });
});

describe('A15 first to act wins', () => {
  const acts = ['approve', 'decline', 'cancel', 'expire'] as const;
  const orders = permutations(acts);

  it.each(orders.map((order) => [order.join(', '), order] as const))('ends in one state after %s', async (_, order) => {
    const t = setUp();
    const outcome = t.queue.request(t.request({ waitMilliseconds: 2 * shippedLimits.expiryMilliseconds }));
    t.show();
    const { id } = t.only();
    for (const act of order) {
      if (act === 'approve') t.approve(id);
      if (act === 'decline') t.queue.decline(id);
      if (act === 'cancel') t.cancel.abort();
      if (act === 'expire') t.clock.advance(shippedLimits.expiryMilliseconds);
    }
    await outcome;
    await settled();
    const expected = { approve: 'applied', decline: 'declined', cancel: 'withdrawn', expire: 'expired' }[
      order[0] ?? 'approve'
    ];
    expect(t.queue.get(id)?.state).toBe(expected);
    expect(t.edits.writes.length).toBe(order[0] === 'approve' ? 1 : 0);
    expect(t.approve(id)).toBe('already_decided');
    expect(t.queue.decline(id)).toBe('already_decided');
  });

  it('ends in one state with at most one write after any sequence of acts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...acts, 'wait' as const), { maxLength: 12 }), async (sequence) => {
        const t = setUp();
        void t.queue.request(t.request());
        t.show();
        const { id } = t.only();
        const ends = new Set<string>();
        for (const act of sequence) {
          if (act === 'approve') t.approve(id);
          if (act === 'decline') t.queue.decline(id);
          if (act === 'cancel') t.cancel.abort();
          if (act === 'expire') t.clock.advance(shippedLimits.expiryMilliseconds);
          await settled();
          const state = t.queue.get(id)?.state;
          if (state !== undefined && state !== 'waiting' && state !== 'applying') ends.add(state);
        }
        expect(ends.size).toBeLessThanOrEqual(1);
        expect(t.edits.writes.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('P18: the check right before the apply', () => {
  it('passes to the policy whether the user approved the change', async () => {
    const asked: boolean[] = [];
    const recheck = async (...[, , , isApproved]: Parameters<QueueDependencies['recheck']>) =>
      void asked.push(isApproved);
    const t = setUp(undefined, undefined, { recheck });
    const first = t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.approve();
    await first;
    await t.ask([edit('b', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    expect(asked).toEqual([true, false]);
  });
});

describe('a call', () => {
  it('returns pending_approval at its deadline, and a later approve still applies', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.clock.advance(25_000);
    expect(await outcome).toMatchObject({
      status: 'pending_approval',
      displayed: false,
      expiresAt: expect.any(String),
    });
    t.show();
    t.approve();
    await settled();
    expect(t.edits.texts.get('/w/a')).toBe('new\n');
  });

  it('reports every ten seconds that it waits', () => {
    const t = setUp();
    const messages: string[] = [];
    void t.queue.request(t.request({ progress: (message) => void messages.push(message) }));
    t.clock.advance(20_000);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toContain('not seen');
  });

  it('withdraws its approval when it is cancelled, so that a click can no longer apply it', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    t.cancel.abort();
    expect((await outcome).status).toBe('withdrawn');
    expect(t.approve()).toBe('already_decided');
    expect(t.edits.writes).toEqual([]);
  });

  it('leaves an approval alone when it is cancelled after it returned', async () => {
    const t = setUp();
    void t.queue.request(t.request());
    t.clock.advance(25_000);
    await settled();
    t.cancel.abort();
    expect(t.only().state).toBe('waiting');
  });

  it('joins the approval of an identical proposal, and both calls get the outcome', async () => {
    const t = setUp();
    const first = t.queue.request(t.request());
    const second = t.queue.request(t.request());
    expect(t.queue.all).toHaveLength(1);
    t.show();
    t.approve();
    const outcomes = await Promise.all([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(t.edits.writes).toHaveLength(1);
  });

  it('never joins the approval of another principal, or without a connection of its own', () => {
    const t = setUp();
    void t.queue.request(t.request());
    void t.queue.request(t.request({ principal: { credential: 'window', connectionId: 'c2' } }));
    void t.queue.request(t.request({ principal: { credential: 'window' } }));
    void t.queue.request(t.request({ principal: { credential: 'window' } }));
    expect(t.queue.all).toHaveLength(4);
  });

  it('leaves no timer behind', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    await outcome;
    await settled();
    expect(t.clock.pendingTimers).toBe(0);
  });

  it('passes the message of a decline to the model', async () => {
    const t = setUp();
    const outcome = t.queue.request(t.request());
    t.show();
    t.queue.decline(t.only().id, { message: 'use the other file' });
    expect(await outcome).toMatchObject({ status: 'declined', userMessage: 'use the other file' });
  });
});

describe('undo', () => {
  async function applied(t: ReturnType<typeof setUp>): Promise<ChangeOutcome> {
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    return outcome;
  }

  it('undoes the change once', async () => {
    const t = setUp();
    await applied(t);
    expect(await t.queue.undo(t.only().id)).toEqual({ status: 'undone' });
    expect(t.edits.texts.get('/w/a')).toBe('old\n');
    expect((await t.queue.undo(t.only().id)).status).toBe('not_possible');
  });

  it('undoes a text that saving changed', async () => {
    const t = setUp();
    t.edits.onSave = (text) => text.replace('new', 'formatted');
    await applied(t);
    expect((await t.queue.undo(t.only().id)).status).toBe('undone');
    expect(t.edits.texts.get('/w/a')).toBe('old\n');
  });

  it('reports that saving changed the text again', async () => {
    const t = setUp();
    await applied(t);
    t.edits.onSave = (text) => `${text}\n`;
    expect(await t.queue.undo(t.only().id)).toMatchObject({ status: 'undone', message: expect.stringContaining('a') });
    expect(t.only()).toMatchObject({ state: 'undone', note: expect.stringContaining('not exactly as before') });
  });

  it('never overwrites later work', async () => {
    const t = setUp();
    await applied(t);
    t.edits.texts.set('/w/a', 'mine\n');
    expect((await t.queue.undo(t.only().id)).status).toBe('changed_since');
    expect(t.edits.texts.get('/w/a')).toBe('mine\n');
    expect(t.only().canUndo).toBe(true);
  });

  it('never overwrites text that was typed during the save', async () => {
    const t = setUp();
    const apply = t.edits.apply.bind(t.edits);
    t.edits.apply = async (changes) => {
      const outcome = await apply(changes);
      if (outcome.status !== 'applied') return outcome;
      t.edits.texts.set('/w/a', 'new\ntyped\n');
      const written = { text: 'new\ntyped\n', encoding: 'utf8', saved: false, dirty: true, changedOnSave: true };
      return { status: 'applied', files: [{ written: { ...written, size: 4, modified: 1 } }] };
    };
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    await outcome;
    t.edits.apply = apply;
    expect((await t.queue.undo(t.only().id)).status).toBe('changed_since');
    expect(t.edits.texts.get('/w/a')).toBe('new\ntyped\n');
  });

  it('P5: happens only where the change was made', async () => {
    let leadsTo = '/w/a';
    const resolve = async () => ({ ...pathOf('a'), realPath: leadsTo });
    const t = setUp({ '/w/a': 'old\n', '/w/.git/hooks/a': 'new\n' }, undefined, { resolve });
    const outcome = t.queue.request(t.request());
    t.show();
    t.approve();
    await outcome;
    leadsTo = '/w/.git/hooks/a';
    expect(await t.queue.undo(t.only().id)).toMatchObject({ status: 'failed', message: expect.stringContaining('a') });
    expect(t.edits.texts.get(leadsTo)).toBe('new\n');
  });

  it('works after a reload', async () => {
    const t = setUp();
    await applied(t);
    await settled();
    const reloaded = setUp(Object.fromEntries(t.edits.texts), t.history);
    await reloaded.queue.restore();
    expect(reloaded.only()).toMatchObject({ state: 'applied', canUndo: true });
    expect(await reloaded.queue.texts(reloaded.only().id, 0)).toEqual({
      base: 'old\n',
      proposed: 'new\n',
      current: 'new\n',
    });
    expect((await reloaded.queue.undo(reloaded.only().id)).status).toBe('undone');
    expect(reloaded.edits.texts.get('/w/a')).toBe('old\n');
  });
});

it('withdraws a waiting approval whose caller cannot ask again after a crash, so that nothing can apply it', async () => {
  const t = setUp();
  void t.queue.request(t.request({ principal: { credential: 'window', connectionId: 'session:1' } }));
  t.show();
  await settled();
  const reloaded = setUp(Object.fromEntries(t.edits.texts), t.history);
  await reloaded.queue.restore();
  expect(reloaded.only().state).toBe('withdrawn');
  expect(reloaded.approve()).toBe('already_decided');
  expect(reloaded.edits.writes).toEqual([]);
});

it('settles only when applies have ended and every record is written', async () => {
  const t = setUp();
  const disk = Promise.withResolvers<void>();
  t.history.beforeWrite = disk.promise;
  void t.queue.request(t.request());
  t.show();
  t.approve();
  let isSettled = false;
  const ending = t.queue.settled().then(() => (isSettled = true));
  await settled();
  expect(isSettled).toBe(false);
  disk.resolve();
  await ending;
  expect(t.edits.texts.get('/w/a')).toBe('new\n');
  expect(await t.history.records()).toEqual([expect.objectContaining({ version: 3 })]);
  expect([...t.history.kept.values()].join()).toContain('"state":"applied"');
});

it('P18: withdraws the approvals of a removed folder', async () => {
  const t = setUp();
  const outcome = t.queue.request(t.request());
  t.queue.withdraw(
    ({ files }) => files.some(({ uri }) => uri.startsWith('file:///w/')),
    'Its folder was removed from the workspace.',
  );
  expect(await outcome).toMatchObject({
    status: 'withdrawn',
    files: [{ reason: 'Its folder was removed from the workspace.' }],
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

it('finds an approval that was just decided, and can undo it, however long it waited', async () => {
  const t = setUp();
  const outcome = t.queue.request(t.request());
  const { id } = t.only();
  for (let index = 0; index < 201; index += 1) {
    void t.ask([create(`f${index}`, 'x\n')]);
    t.queue.decline(t.waiting()[1]?.id ?? '');
  }
  t.show(id);
  t.approve(id);
  await outcome;
  expect(t.queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
});
