import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { QuestionProposal } from '#base/proposal.ts';
import { shippedLimits, type QueueDependencies } from '#changes/queue.ts';
import { judged, setUp, settled } from './queueSetUp.ts';

function question(given: Partial<QuestionProposal> = {}): QuestionProposal {
  return {
    kind: 'question',
    files: [],
    question: 'Tabs or spaces?',
    choices: ['tabs', 'spaces'],
    allowsText: false,
    ...given,
  };
}

function asking(proposal: QuestionProposal = question(), given: Partial<QueueDependencies> = {}) {
  const t = setUp(undefined, undefined, given);
  const ask = () =>
    t.queue.request(t.request({ proposal, tool: 'ask_user', judgement: judged({ risk: 'ui', onceOnly: true }) }));
  const outcome = ask();
  const answer = (text: string, hash = t.only().proposalHash) => t.queue.answer(t.only().id, hash, text);
  return { ...t, again: ask, outcome, answer };
}

describe('a question', () => {
  it('is answered with one of its choices', async () => {
    const t = asking();
    expect(t.only()).toMatchObject({ files: [], question: { text: 'Tabs or spaces?', choices: ['tabs', 'spaces'] } });
    expect(t.answer('tabs')).toBe('not_displayed');
    t.queue.displayed(t.only().id);
    expect(t.answer('tabs')).toBe('too_fast');
    t.show();
    expect(t.answer('tabs', 'another')).toBe('changed');
    expect(t.answer('both')).toBe('changed');
    expect(t.answer('tabs')).toBe('accepted');
    expect(await t.outcome).toMatchObject({ status: 'answered', answer: 'tabs', displayed: true, files: [] });
    expect(t.answer('spaces')).toBe('already_decided');
    expect(t.only()).toMatchObject({ state: 'applied', answer: 'tabs', canUndo: false });
  });

  it('takes the words of the user where it allows that, up to 2,000 characters', async () => {
    const t = asking(question({ allowsText: true }));
    t.show();
    expect(t.answer(' ')).toBe('changed');
    expect(t.answer('x'.repeat(2001))).toBe('changed');
    expect(t.answer('x'.repeat(2000))).toBe('accepted');
    expect((await t.outcome).answer).toHaveLength(2000);
  });

  it('cannot be approved, so that an answer is never consent', async () => {
    const t = asking();
    t.show();
    expect(t.approve()).toBe('already_decided');
    expect(t.queue.approvable(t.only().id, t.only().proposalHash)).toBe('already_decided');
    expect(t.only().state).toBe('waiting');
    t.answer('tabs');
    const { next } = await t.outcome;
    expect(next).toContain('does not approve any change');
  });

  it('is dismissed by a decline, also in the audit log, and may be asked again', async () => {
    const audited: AuditEvent[] = [];
    const t = asking(question(), { auditLog: { event: (event) => void audited.push(event) } });
    for (let time = 0; time < 4; time += 1) {
      const outcome = time === 0 ? t.outcome : t.again();
      const id = t.waiting()[0]?.id ?? '';
      t.show(id);
      expect(t.queue.decline(id, { message: 'later' })).toBe('accepted');
      expect(await outcome).toMatchObject({ status: 'dismissed', userMessage: 'later' });
    }
    expect(audited.filter(({ state, choice }) => state === 'declined' && choice === 'dismiss')).toHaveLength(4);
  });

  it('is asked even where the policy allows everything, expires, and is bound to its words and choices', async () => {
    const t = asking();
    void t.queue.request(
      t.request({ proposal: question({ choices: ['no'] }), tool: 'ask_user', judgement: judged({ effect: 'allow' }) }),
    );
    void t.queue.request(t.request({ proposal: question({ question: 'Why?' }), tool: 'ask_user' }));
    void t.queue.request(t.request({ proposal: question({ allowsText: true }), tool: 'ask_user' }));
    void t.again();
    expect(new Set(t.waiting().map(({ proposalHash }) => proposalHash)).size).toBe(4);
    expect(new Set(t.waiting().map(({ groupId }) => groupId)).size).toBe(4);
    t.clock.advance(25_000);
    expect(await t.outcome).toMatchObject({
      status: 'pending_approval',
      next: expect.stringContaining('not answered'),
    });
    t.clock.advance(shippedLimits.expiryMilliseconds);
    expect(t.only().state).toBe('expired');
  });

  it('is recorded without its answer', async () => {
    const audited: AuditEvent[] = [];
    const t = asking(question(), { auditLog: { event: (event) => void audited.push(event) } });
    t.show();
    t.answer('tabs');
    await t.outcome;
    expect(audited.map(({ event, state, choice }) => [event, state, choice])).toEqual([
      ['approval.state', 'waiting', undefined],
      ['approval.state', 'displayed', undefined],
      ['approval.state', 'applied', 'answer'],
    ]);
    expect(JSON.stringify(audited)).not.toContain('tabs');
  });

  it('is refused when it is too long to read', async () => {
    const t = asking(question({ question: 'x'.repeat(300_000) }));
    await expect(t.outcome).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is refused to a paused assistant', async () => {
    const t = asking();
    t.queue.pause({ credential: 'window', connectionId: 'c1' }, undefined);
    expect((await t.outcome).status).toBe('withdrawn');
    await expect(t.again()).rejects.toMatchObject({ code: 'denied' });
  });

  it('reports every ten seconds that it waits for an answer', () => {
    const t = setUp();
    const messages: string[] = [];
    const progress = (message: string): void => void messages.push(message);
    void t.queue.request(t.request({ proposal: question(), tool: 'ask_user', progress }));
    t.clock.advance(10_000);
    expect(messages).toEqual(["Waiting for the user's answer for 10 s; they have not seen it yet"]);
  });

  it('waits on after a reload, and keeps its answer', async () => {
    const t = asking();
    t.clock.advance(25_000);
    await settled();
    const next = await t.reload();
    next.show();
    expect(next.queue.answer(next.only().id, next.only().proposalHash, 'spaces')).toBe('accepted');
    const last = await next.reload();
    const outcome = await last.queue.outcome(last.only().id, last.request());
    expect(outcome).toMatchObject({ status: 'answered', answer: 'spaces' });
  });
});

it('A15: ends a question in one state, with at most one answer, after any sequence of acts', async () => {
  const acts = ['tabs', 'spaces', 'approve', 'decline', 'cancel', 'expire', 'wait'] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...acts), { maxLength: 12 }), async (sequence) => {
      const t = asking();
      t.show();
      const { id } = t.only();
      const ends = new Set<string>();
      for (const act of sequence) {
        if (act === 'tabs' || act === 'spaces') t.answer(act);
        if (act === 'approve') expect(t.approve()).toBe('already_decided');
        if (act === 'decline') t.queue.decline(id);
        if (act === 'cancel') t.cancel.abort();
        if (act === 'expire') t.clock.advance(shippedLimits.expiryMilliseconds);
        if (act === 'wait') await settled();
        const { state, answer } = t.only();
        if (state !== 'waiting') ends.add(`${state} ${answer ?? ''}`);
      }
      expect(ends.size).toBeLessThanOrEqual(1);
      expect(t.edits.writes).toEqual([]);
    }),
  );
});
