import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { ReadRequest } from '#changes/approver.ts';
import { shippedLimits, type QueueDependencies } from '#changes/queue.ts';
import { create, edit, judged, setUp, settled } from './queueSetUp.ts';

const files = [edit('a', 'old\n', 'new\n')];
const claude = { credential: 'window', connectionId: 'c1' };
const codex = { credential: 'window', connectionId: 'c2' };

function recorded(given: Partial<QueueDependencies> = {}) {
  const audited: AuditEvent[] = [];
  const t = setUp(undefined, undefined, { auditLog: { event: (event) => void audited.push(event) }, ...given });
  let fired = 0;
  t.queue.onDidChange(() => void (fired += 1));
  /** Returns how often the event fired since the last call. */
  const firings = (): number => [fired, (fired = 0)][0] ?? 0;
  return { ...t, audited, firings };
}

/** Returns "read", or the code of the error. */
function read(t: ReturnType<typeof setUp>, given: Partial<ReadRequest> = {}): Promise<string> {
  const request: ReadRequest = {
    principal: claude,
    client: undefined,
    tool: 'read_file',
    paths: ['.env'],
    realPaths: ['/w/.env'],
    reason: 'a rule of yours asks',
    explain: [],
    waitMilliseconds: 25_000,
    signal: t.cancel.signal,
    progress: () => undefined,
    ...given,
  };
  return t.queue.permitRead(request).then(
    () => 'read',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

describe('a decision', () => {
  it('reports the id to the caller, and records the wait and the first display', () => {
    const t = recorded();
    const ids: string[] = [];
    void t.ask(files, { onWaiting: (id) => void ids.push(id) });
    expect(ids).toEqual([t.only().id]);
    expect(t.firings()).toBeGreaterThan(0);
    const first = t.clock.now();
    t.queue.displayed(t.only().id);
    expect(t.firings()).toBe(1);
    t.clock.advance(1000);
    t.queue.displayed(t.only().id);
    expect(t.only().displayedAt).toBe(first);
    expect(t.audited.map(({ state }) => state)).toEqual(['waiting', 'displayed']);
  });

  it('is refused for an approval that does not exist', () => {
    const t = setUp();
    expect(t.queue.get('a-0')).toBeUndefined();
    t.queue.displayed('a-0');
    t.queue.endReached('a-0');
    expect(t.queue.approve('a-0', '')).toBe('already_decided');
    expect(t.queue.decline('a-0')).toBe('already_decided');
  });

  it('needs no number of files when none is required', () => {
    const t = setUp();
    void t.ask(files);
    t.show();
    expect(t.queue.approve(t.only().id, t.only().proposalHash, 7)).toBe('accepted');
  });

  it('A17: refuses a decline within 500 ms after the card appeared', () => {
    const t = setUp();
    void t.ask(files);
    const { id } = t.only();
    t.queue.displayed(id);
    t.clock.advance(499);
    expect(t.queue.decline(id)).toBe('too_fast');
    t.clock.advance(1);
    expect(t.queue.decline(id)).toBe('accepted');
  });

  it('A17: reports armed at the moment from which a decision counts, and not for a display before the card moved', () => {
    const t = setUp();
    void t.ask(files);
    const { id, proposalHash } = t.only();
    const armed: string[] = [];
    t.queue.displayed(id, () => armed.push('before'));
    t.clock.advance(499);
    t.queue.displayed(id, () => armed.push(t.queue.approvable(id, proposalHash)));
    t.clock.advance(499);
    expect([armed, t.queue.approvable(id, proposalHash)]).toEqual([[], 'too_fast']);
    t.clock.advance(1);
    expect(armed).toEqual(['accepted']);
  });

  it('A17: needs a new display after the proposal was computed again', async () => {
    const again = { kind: 'changes', files: [edit('a', 'now\n', 'new\n')] } as const;
    const t = setUp(undefined, undefined, { repropose: async () => ({ proposal: again, judgement: judged() }) });
    void t.ask(files);
    await settled();
    const armed: string[] = [];
    const card = t.only().id;
    t.queue.displayed(card, () => armed.push('before'));
    t.clock.advance(499);
    t.edits.texts.set('/w/a', 'now\n');
    await t.ask([edit('a', 'now\n', 'now\n')], { judgement: judged({ effect: 'allow' }), principal: codex });
    await settled();
    expect(t.queue.get(card)).toMatchObject({ state: 'waiting', moved: true });
    t.clock.advance(500);
    expect([armed, t.approve(card)]).toEqual([[], 'too_fast']);
    t.show(card);
    expect(t.approve(card)).toBe('accepted');
  });

  it('is no longer armed after its end', () => {
    const t = setUp();
    void t.ask(files);
    const armed: string[] = [];
    t.queue.displayed(t.only().id, () => armed.push('after its end'));
    t.queue.withdraw(() => true, 'gone');
    t.clock.advance(500);
    expect(armed).toEqual([]);
  });

  it('has no message for the model when the user declined without one', async () => {
    const t = setUp();
    const outcome = t.ask(files);
    t.queue.decline(t.only().id, { message: '' });
    expect(await outcome).not.toHaveProperty('userMessage');
    void t.ask(files);
    t.queue.decline(t.waiting()[0]?.id ?? '');
    for (const approval of t.queue.all) expect(approval).not.toHaveProperty('userMessage');
  });

  it('A15: cannot be changed by expiry or another decision while a slow disk delays the apply', async () => {
    const t = setUp();
    const disk = Promise.withResolvers<void>();
    t.history.beforeWrite = disk.promise;
    const outcome = t.ask(files, { waitMilliseconds: 10 * shippedLimits.expiryMilliseconds });
    t.show();
    t.approve();
    t.clock.advance(2 * shippedLimits.expiryMilliseconds);
    expect(t.only().state).toBe('applying');
    disk.resolve();
    expect((await outcome).status).toBe('applied');
  });

  it('expires after a reload when it was due', async () => {
    const t = setUp();
    const outcome = t.ask(files);
    t.clock.advance(25_000);
    await outcome;
    const again = await t.reload();
    again.clock.advance(shippedLimits.expiryMilliseconds);
    expect(again.only().state).toBe('expired');
  });
});

describe('F20: the write-ahead record', () => {
  it('says that the change is being applied, and with which text, before a file is written', async () => {
    const t = setUp();
    void t.ask(files);
    await settled();
    t.show();
    await settled();
    t.queue.setText(t.only().id, 0, 'typed\n');
    let record = '';
    t.edits.apply = async (changes) => {
      record = t.history.kept.get(t.only().id) ?? '';
      for (const change of changes) if (change.kind === 'edit') t.edits.texts.set('/w/a', change.result.text);
      return Promise.withResolvers<never>().promise;
    };
    t.approve();
    await settled();
    expect(JSON.parse(record)).toMatchObject({ approval: { state: 'applying' } });
    const again = setUp(Object.fromEntries(t.edits.texts), t.history);
    expect(await again.queue.restore()).toEqual([]);
    expect(again.only()).toMatchObject({ state: 'applied', canUndo: true });
    expect(await again.queue.undo(again.only().id)).toEqual({ status: 'undone' });
    expect(again.edits.texts.get('/w/a')).toBe('old\n');
  });
});

it('leaves no timer and no watch behind, and writes the last selection, when the window ends', async () => {
  const t = setUp();
  const outcome = t.ask(files);
  t.clock.advance(25_000);
  await outcome;
  t.queue.setText(t.only().id, 0, 'typed\n');
  void read(t);
  t.queue.suspend();
  // The connections of the window close.
  t.cancel.abort();
  await t.queue.settled();
  await settled();
  expect([t.clock.pendingTimers, t.edits.watched]).toEqual([0, 0]);
  const again = await t.reload();
  expect(again.only()).toMatchObject({ state: 'waiting', files: [{ edited: true }] });
});

describe('a change that is allowed without asking', () => {
  const judgement = judged({ effect: 'allow' });

  it('is recorded before it is applied, and with the reason when it was not', async () => {
    const t = recorded();
    await t.ask(files, { judgement });
    expect(t.audited.map(({ event, state }) => [event, state])).toEqual([
      ['approval.state', 'applying'],
      ['approval.state', 'applied'],
      ['apply', undefined],
    ]);
    t.cancel.abort();
    const { files: outcomes } = await t.ask([create('n', 'x\n')], { judgement });
    expect(outcomes).toMatchObject([{ state: 'not_applied', reason: expect.stringContaining('cancelled') }]);
  });

  it('A20: is refused when the assistant was paused while it was computed again', async () => {
    const again = Promise.withResolvers<void>();
    const t = setUp({ '/w/a': 'now\n', '/w/b': 'old\n' }, undefined, {
      repropose: async () => {
        await again.promise;
        return { proposal: { kind: 'changes', files: [edit('a', 'now\n', 'new\n')] }, judgement: judged() };
      },
    });
    void t.ask([edit('b', 'old\n', 'new\n')]);
    const outcome = t.ask(files, { judgement });
    await settled();
    t.queue.decline(t.only().id, { pause: true });
    again.resolve();
    await expect(outcome).rejects.toMatchObject({ code: 'denied' });
    expect(t.waiting()).toEqual([]);
  });
});

describe('a pause', () => {
  it('is recorded with the assistant, reported to the views, and so is its end', () => {
    const t = recorded();
    for (const [client, name] of [
      [{ name: 'Codex', version: '1' }, 'Codex'],
      [undefined, ''],
    ] as const) {
      void t.ask(files, { client });
      t.queue.decline(t.waiting()[0]?.id ?? '', { pause: true });
      expect(t.audited.at(-1)).toEqual({ event: 'restriction', state: 'paused', client: name });
      t.firings();
      const id = t.queue.restrictions[0]?.id ?? '';
      t.queue.lift(id);
      expect(t.audited.at(-1)).toEqual({ event: 'restriction', restrictionId: id, state: 'lifted' });
      expect(t.firings()).toBe(1);
    }
  });

  it('A8: ends the reads of this assistant alone, and refuses new ones until it is resumed', async () => {
    const t = setUp();
    const [mine, other] = [read(t), read(t, { principal: codex })];
    void t.ask(files);
    t.queue.decline(t.only().id, { pause: true });
    expect(await mine).toBe('denied');
    expect(t.queue.waitingReads).toMatchObject([{ principal: codex }]);
    expect(await read(t)).toBe('denied');
    expect(t.queue.waitingReads).toHaveLength(1);
    const id = t.queue.waitingReads[0]?.id ?? '';
    t.queue.readDisplayed(id);
    t.clock.advance(500);
    expect(t.queue.answerRead(id, true)).toBe('accepted');
    expect(await other).toBe('read');
    t.queue.lift(t.queue.restrictions[0]?.id ?? '');
    void read(t);
    expect(t.queue.waitingReads).toHaveLength(1);
  });
});

describe('a read that waits for permission', () => {
  it('A8: is reported to the views, is recorded, and ends with the window', async () => {
    const t = recorded();
    const answer = read(t);
    expect(t.firings()).toBe(1);
    expect(t.audited.map(({ state }) => state)).toEqual(['waiting']);
    t.queue.suspend();
    expect(t.queue.waitingReads).toEqual([]);
    expect(t.audited.map(({ state }) => state)).toEqual(['waiting', 'withdrawn']);
    t.cancel.abort();
    expect(await answer).toBe('cancelled');
  });
});

describe('the audit entry of a decision', () => {
  it('has no display times when the card was never on screen', () => {
    const t = recorded();
    void t.ask(files);
    const { id } = t.only();
    t.queue.decline(id);
    const { proposalHash, decidedAt } = t.only();
    const common = { event: 'approval.state', approvalId: id, tool: 'apply_edit', proposalHash };
    expect(t.audited).toStrictEqual([
      { ...common, state: 'waiting' },
      {
        ...common,
        state: 'declined',
        choice: 'decline',
        decidedAt,
        hunks: { total: 1, accepted: 0 },
        edited: false,
        feedbackLen: 0,
      },
    ]);
  });

  it('says that the user edited the change when they edited one of its files', () => {
    const t = recorded();
    void t.ask([...files, create('n', 'x\n')]);
    t.queue.setText(t.only().id, 1, 'typed\n');
    t.show();
    t.approve();
    expect(t.audited.find(({ state }) => state === 'approved')).toMatchObject({ edited: true });
  });
});
