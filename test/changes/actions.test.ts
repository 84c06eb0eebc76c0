import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { Media } from '#base/media.ts';
import type { ActionProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import type { Act } from '#changes/applying.ts';
import type { ApprovalRequest } from '#changes/approver.ts';
import { shippedLimits, type QueueDependencies } from '#changes/queue.ts';
import { FakeHistory } from '../fakes/history.ts';
import { edit, judged, pathOf, setUp, settled } from './queueSetUp.ts';

const claude = { credential: 'window', connectionId: 'c1' };
const image: Media = { kind: 'image', mimeType: 'image/png', data: 'AAAA' };

function action(given: Partial<ActionProposal> = {}): ActionProposal {
  return {
    kind: 'action',
    files: [],
    title: 'Run command: Fix All',
    definition: 'editor.action.fixAll',
    arguments: [{ path: 'a' }],
    places: [pathOf('a')],
    remarks: [],
    ...given,
  };
}

/** Stands for the tools of actions, and records what they were asked to do. */
class Doing {
  readonly done: { readonly tool: string; readonly proposal: ActionProposal; readonly signal: AbortSignal }[] = [];
  result: () => Promise<ActionResult> = async () => ({ text: 'fixed 2 problems' });

  readonly act: Act = (tool, proposal, signal) => {
    this.done.push({ tool, proposal, signal });
    return this.result();
  };
}

function acting(given: Partial<QueueDependencies> = {}, history = new FakeHistory()) {
  const doing = new Doing();
  const t = setUp(undefined, history, { act: doing.act, ...given });
  const ask = (proposal: ActionProposal = action(), more: Partial<ApprovalRequest> = {}) =>
    t.queue.request(t.request({ proposal, tool: 'run_command', judgement: judged({ risk: 'execute' }), ...more }));
  /** Displays the card to the end of the arguments, without which nothing runs (threat row A4). */
  const show = (id = t.only().id): void => {
    t.show(id);
    t.queue.endReached(id);
  };
  return { ...t, doing, askFor: ask, show };
}

const allowed = judged({ risk: 'execute', effect: 'allow' });

describe('an action', () => {
  it('shows the action as it is, carries it out once after approval, and returns its output', async () => {
    const t = acting();
    const outcome = t.askFor();
    expect(t.only()).toMatchObject({
      files: [],
      risk: 'execute',
      action: { definition: 'editor.action.fixAll', arguments: [{ path: 'a' }], paths: ['a'] },
    });
    t.show();
    expect(t.queue.answer(t.only().id, t.only().proposalHash, 'yes')).toBe('already_decided');
    expect(t.approve()).toBe('accepted');
    expect(await outcome).toMatchObject({ status: 'applied', files: [], output: 'fixed 2 problems' });
    expect(t.doing.done.map(({ tool, proposal }) => [tool, proposal])).toEqual([['run_command', action()]]);
    expect(t.only()).toMatchObject({ state: 'applied', output: 'fixed 2 problems', canUndo: false });
    expect(await t.queue.undo(t.only().id)).toEqual({ status: 'not_possible' });
    expect(t.edits.writes).toEqual([]);
  });

  it('leaves an action out of the changes, and cannot undo it', async () => {
    const t = acting();
    await t.askFor(action(), { judgement: allowed });
    expect(t.queue.changes.list()).toEqual([]);
    await expect(t.queue.changes.inverse(t.only().id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says that a rule did an action that nobody looked at, and not that the user approved it', async () => {
    expect((await acting().askFor(action(), { judgement: allowed })).next).toMatch(/^Done by rule/);
  });

  it('counts an action that reports a failure as carried out', async () => {
    const t = acting();
    t.doing.result = async () => ({ text: 'no such branch', isError: true });
    const outcome = await t.askFor(action(), { judgement: allowed });
    expect(outcome).toMatchObject({ status: 'applied', output: 'no such branch', outputIsError: true });
    expect(outcome.next).toContain('failure');
  });

  it('fails, and tells the assistant why, when the action cannot be carried out', async () => {
    const t = acting();
    t.doing.result = () => Promise.reject(new ToolError('unavailable', 'It is gone.', 'Go on without it.'));
    expect(await t.askFor(action(), { judgement: allowed })).toMatchObject({
      status: 'failed',
      output: 'It is gone. Go on without it.',
      outputIsError: true,
    });
    expect(t.only()).toMatchObject({ state: 'failed', note: 'It is gone.' });
  });

  it('P18: does not begin an action that is no longer allowed, and tells the assistant why', async () => {
    const t = acting();
    const outcome = t.askFor();
    t.show();
    t.refuse('A rule denies this.');
    t.approve();
    const { status, next } = await outcome;
    expect([status, next]).toEqual(['failed', expect.stringContaining('A rule denies this. Nothing was done.')]);
    expect(t.doing.done).toEqual([]);
  });

  it('P18: withdraws an action with the folder of a file that it works on', async () => {
    const t = acting();
    const outcome = t.askFor();
    t.queue.withdraw((_approval, places) => places.some((uri) => uri.startsWith('file:///w/')), 'Its folder is gone.');
    expect((await outcome).status).toBe('withdrawn');
    expect(t.waiting()).toEqual([]);
  });

  it('refuses to carry out an action that differs from the one that was shown', async () => {
    const t = acting();
    const args = [{ path: 'a' }];
    const outcome = t.askFor(action({ arguments: args }));
    t.show();
    args[0] = { path: 'b' };
    t.approve();
    expect((await outcome).status).toBe('failed');
    expect(t.doing.done).toEqual([]);
  });

  it('A4: passes the JSON that was shown to the action, whatever the arguments were', async () => {
    const t = acting();
    const given: unknown = JSON.parse('[1e999, -0, {"b": 1e0, "a": 1}]');
    const outcome = t.askFor(action({ arguments: given }));
    t.show();
    t.approve();
    expect((await outcome).status).toBe('applied');
    expect(t.doing.done.map(({ proposal }) => proposal.arguments)).toEqual([[null, 0, { a: 1, b: 1 }]]);
  });

  it('does not carry out an action whose record cannot be written', async () => {
    const t = acting();
    t.history.putRecord = () => Promise.reject(new Error('disk full'));
    expect(await t.askFor(action(), { judgement: allowed })).toMatchObject({ status: 'failed' });
    expect(t.only().note).toContain('nothing was done');
    expect(t.doing.done).toEqual([]);
  });

  it('records that an action is being carried out before it is', async () => {
    const history = new FakeHistory();
    const states: unknown[] = [];
    const t = acting({}, history);
    t.doing.result = async () => {
      states.push((await history.records()).map((record) => JSON.stringify(record).includes('"applying"')));
      return { text: '' };
    };
    await t.askFor(action(), { judgement: allowed });
    expect(states).toEqual([[true]]);
    expect(t.only().output).toBeUndefined();
  });

  it('names the action in the audit log without its arguments', async () => {
    const audited: AuditEvent[] = [];
    const t = acting({ auditLog: { event: (event) => void audited.push(event) } });
    await t.askFor(action({ arguments: ['the secret'] }), { judgement: allowed });
    expect(audited).toMatchObject([
      { event: 'approval.state', state: 'applying', definition: 'editor.action.fixAll' },
      { event: 'approval.state', state: 'applied', definition: 'editor.action.fixAll' },
    ]);
    expect(JSON.stringify(audited)).not.toContain('the secret');
  });

  it('refuses an action with more arguments than a user can read', async () => {
    const t = acting();
    await expect(t.askFor(action({ arguments: ['x'.repeat(300_000)] }))).rejects.toMatchObject({ code: 'too_large' });
    expect(t.queue.all).toEqual([]);
  });

  it('binds the approval to the definition, the arguments and the files of the action', () => {
    const t = acting();
    const others = [
      action(),
      action({ definition: 'other' }),
      action({ arguments: [] }),
      action({ places: [] }),
      action({ places: [pathOf('b')] }),
    ];
    for (const each of others) void t.askFor(each);
    expect(new Set(t.waiting().map(({ proposalHash }) => proposalHash)).size).toBe(others.length);
  });

  it('shares the approval of an identical action, and neither replaces nor groups different ones', () => {
    const t = acting();
    void t.askFor();
    void t.askFor(action({ title: 'Named otherwise', arguments: [{ path: 'a' }] }));
    expect(t.waiting()).toHaveLength(1);
    void t.askFor(action({ arguments: ['other'] }));
    void t.ask([edit('a', 'old\n', 'new\n')]);
    expect(t.waiting().map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(new Set(t.waiting().map(({ groupId }) => groupId)).size).toBe(3);
    void t.askFor(action({ arguments: ['in its place'] }), { replaces: t.waiting()[0]?.id });
    expect(t.queue.all.filter(({ state }) => state === 'superseded')).toHaveLength(1);
  });

  it('ignores a change of the files of an action', async () => {
    const t = acting();
    void t.askFor();
    t.edits.texts.set('/w/a', 'other\n');
    t.edits.fire();
    await t.ask([edit('b', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    await settled();
    expect(t.waiting()).toHaveLength(1);
    expect(t.edits.watched).toBe(0);
  });
});

describe('an action that is being carried out', () => {
  /** Runs until the test ends it. */
  function running() {
    const t = acting();
    const end = Promise.withResolvers<ActionResult>();
    t.doing.result = () => end.promise;
    return { ...t, end };
  }

  it('reports progress while it runs, and gives its result to a later call', async () => {
    const t = running();
    const messages: string[] = [];
    const media: Media[] = [];
    const outcome = t.askFor(action(), { judgement: allowed, progress: (message) => void messages.push(message) });
    await settled();
    t.clock.advance(10_000);
    expect(messages).toEqual(['Being done for 10 s']);
    t.clock.advance(15_000);
    const { status, approvalId, next } = await outcome;
    expect([status, next]).toEqual(['pending_approval', expect.stringContaining('being done now')]);
    const later = t.queue.outcome(approvalId, { ...t.request(), attach: (each) => void media.push(each) });
    t.end.resolve({ text: 'done', media: [image] });
    expect(await later).toMatchObject({ status: 'applied', output: 'done' });
    expect(media).toEqual([image]);
  });

  it('does not delay the apply of a change', async () => {
    const t = running();
    void t.askFor(action(), { judgement: allowed });
    expect(await t.ask([edit('a', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) })).toMatchObject({
      status: 'applied',
    });
  });

  it.each(['the caller cancels', 'the user pauses the assistant', 'the window closes'])(
    'is cancelled when %s',
    async (who) => {
      const t = running();
      void t.askFor();
      t.show();
      t.approve();
      await settled();
      expect(t.doing.done[0]?.signal.aborted).toBe(false);
      if (who === 'the caller cancels') t.cancel.abort();
      else if (who === 'the user pauses the assistant') t.queue.pause(claude, undefined);
      else t.queue.suspend();
      expect(t.doing.done[0]?.signal.aborted).toBe(true);
    },
  );

  it('A15: is joined by an identical call, and carried out once', async () => {
    const t = running();
    const first = t.askFor(action(), { judgement: allowed });
    await settled();
    const second = t.askFor(action(), { judgement: allowed });
    t.end.resolve({ text: 'done' });
    expect([(await first).output, (await second).output]).toEqual(['done', 'done']);
    expect(t.doing.done).toHaveLength(1);
  });
});

describe('images and sounds of an action', () => {
  it('are returned with the outcome, are not written to disk, and are forgotten after ten minutes', async () => {
    const t = acting();
    t.doing.result = async () => ({ text: 'drawn', media: [image] });
    const media: Media[] = [];
    const attach = (each: Media): void => void media.push(each);
    const { approvalId } = await t.askFor(action(), { judgement: allowed, attach });
    expect(media).toEqual([image]);
    await t.queue.settled();
    expect(JSON.stringify(await t.history.records())).not.toContain('AAAA');
    await t.queue.outcome(approvalId, { ...t.request(), attach });
    expect(media).toEqual([image, image]);
    t.clock.advance(10 * 60_000);
    await t.queue.outcome(approvalId, { ...t.request(), attach });
    expect(media).toHaveLength(2);
  });
});

describe('A15: the first to act wins', () => {
  const acts = ['approve', 'decline', 'cancel', 'expire', 'pause', 'answer', 'again', 'wait'] as const;

  it('ends an action in one state, carried out at most once, after any sequence of acts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...acts), { maxLength: 12 }), async (sequence) => {
        const t = acting();
        void t.askFor();
        t.show();
        const { id, proposalHash } = t.only();
        const ends = new Set<string>();
        for (const act of sequence) {
          if (act === 'approve') t.approve(id);
          if (act === 'decline') t.queue.decline(id);
          if (act === 'cancel') t.cancel.abort();
          if (act === 'expire') t.clock.advance(shippedLimits.expiryMilliseconds);
          if (act === 'pause') t.queue.pause(claude, undefined);
          if (act === 'answer') t.queue.answer(id, proposalHash, 'yes');
          if (act === 'again' && t.queue.get(id)?.state === 'waiting') void t.askFor().catch(() => undefined);
          if (act === 'wait') await settled();
          const state = t.queue.get(id)?.state;
          if (state !== undefined && state !== 'waiting' && state !== 'applying') ends.add(state);
        }
        await settled();
        const isDone = t.queue.get(id)?.state === 'applied';
        expect(ends.size).toBeLessThanOrEqual(1);
        expect(t.doing.done).toHaveLength(isDone ? 1 : 0);
        expect(t.queue.all).toHaveLength(1);
      }),
    );
  });
});

describe('A4: the end of the card of an action', () => {
  it('must be on screen before a command runs, but not before a file is saved', () => {
    const t = acting();
    void t.askFor();
    t.queue.displayed(t.only().id);
    t.clock.advance(shippedLimits.armMilliseconds);
    expect(t.approve()).toBe('end_not_reached');
    t.queue.endReached(t.only().id);
    expect(t.approve()).toBe('accepted');
    const saving = acting();
    void saving.askFor(action(), { tool: 'save_files', judgement: judged({ risk: 'edit' }) });
    expect(saving.only().mustReachEnd).toBe(false);
  });
});

describe('an action after a reload', () => {
  it('can still be decided, and is carried out as it was shown', async () => {
    const t = acting();
    void t.askFor();
    t.clock.advance(25_000);
    await settled();
    const doing = new Doing();
    const next = await t.reload({ act: doing.act });
    expect(next.only()).toMatchObject({ state: 'waiting', action: t.only().action });
    next.show();
    next.queue.endReached(next.only().id);
    expect(next.approve()).toBe('accepted');
    await next.queue.settled();
    expect(next.only()).toMatchObject({ state: 'applied', output: 'fixed 2 problems' });
    expect(doing.done.map(({ proposal }) => proposal)).toEqual([action()]);
  });

  it('can be decided without arguments too', async () => {
    const t = acting();
    void t.askFor(action({ arguments: undefined, places: [] }));
    t.clock.advance(25_000);
    await settled();
    expect((await t.reload()).only().state).toBe('waiting');
  });

  it('is withdrawn when its file is at another place, or its record was changed', async () => {
    const t = acting();
    void t.askFor();
    t.clock.advance(25_000);
    await settled();
    const moved = await t.reload({ resolve: async () => pathOf('b') });
    expect(moved.only()).toMatchObject({ state: 'withdrawn' });
    await expect(t.reload({ resolve: () => Promise.reject(new Error('gone')) })).resolves.toBeDefined();
  });

  it('is reported, and not repeated, when a crash interrupted it', async () => {
    const t = acting();
    t.doing.result = () => new Promise(() => undefined);
    void t.askFor(action(), { judgement: allowed });
    await settled();
    const { history } = t;
    const doing = new Doing();
    const next = setUp(undefined, history, { act: doing.act });
    const notices = await next.queue.restore();
    expect(notices).toEqual([{ id: next.only().id, interrupted: 'apply', files: [] }]);
    expect(next.only()).toMatchObject({
      state: 'failed',
      note: expect.stringContaining('does not know whether it finished'),
    });
    expect(doing.done).toEqual([]);
    await next.queue.settled();
    const again = setUp(undefined, history, { act: doing.act });
    expect(await again.queue.restore()).toEqual([]);
    expect(again.only().state).toBe('failed');
  });
});

describe('two declines of one action', () => {
  function declining() {
    const t = acting();
    const decide = (decision: 'approve' | 'decline', proposal = action()): void => {
      void t.askFor(proposal);
      const id = t.waiting()[0]?.id ?? '';
      t.show(id);
      expect(decision === 'approve' ? t.approve(id) : t.queue.decline(id)).toBe('accepted');
    };
    return { ...t, decide };
  }

  it('decline it automatically for ten minutes, with any arguments, and no other action', async () => {
    const t = declining();
    t.decide('decline');
    t.decide('decline', action({ arguments: ['other'] }));
    await expect(t.askFor(action({ arguments: ['third'] }))).rejects.toMatchObject({ code: 'denied' });
    await expect(t.askFor(action(), { judgement: allowed })).rejects.toMatchObject({ code: 'denied' });
    expect(t.queue.restrictions).toMatchObject([{ kind: 'declined_repeatedly', action: 'editor.action.fixAll' }]);
    void t.askFor(action({ definition: 'other' }));
    void t.askFor(action(), { principal: { credential: 'window', connectionId: 'c2' } });
    expect(t.waiting()).toHaveLength(2);
    t.clock.advance(10 * 60_000);
    expect(t.queue.restrictions).toEqual([]);
    void t.askFor();
    expect(t.waiting()).toHaveLength(3);
  });

  it('is declined automatically for one command line, not for all commands of the tool', async () => {
    const t = acting();
    const shell = (text: string): ActionProposal =>
      action({
        definition: 'Bash',
        arguments: { command: text },
        command: { text, class: 'writes', parts: [], scripts: [] },
      });
    for (const text of ['rm a', 'rm b', 'rm a']) {
      void t.askFor(shell(text)).catch(() => undefined);
      t.show();
      t.queue.decline(t.only().id);
    }
    await expect(t.askFor(shell('rm a'))).rejects.toThrow('The user has declined this 2 times (rm a)');
    void t.askFor(shell('rm c')).catch(() => undefined);
    expect(t.waiting()).toHaveLength(1);
    expect(t.queue.restrictions).toMatchObject([{ kind: 'declined_repeatedly', action: 'rm a' }]);
  });

  it('count only without an approval between them', async () => {
    const t = declining();
    t.decide('decline');
    t.decide('approve');
    await t.queue.settled();
    t.decide('decline');
    expect(t.queue.restrictions).toEqual([]);
  });

  it('refuses the action of a paused assistant', async () => {
    const t = declining();
    t.queue.pause(claude, undefined);
    await expect(t.askFor(action(), { judgement: allowed })).rejects.toMatchObject({ code: 'denied' });
    expect(t.doing.done).toEqual([]);
  });
});
