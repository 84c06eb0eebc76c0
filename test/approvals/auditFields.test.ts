import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/ports/auditLog.ts';
import { edit, setUp } from './queueSetUp.ts';

function recorded() {
  const events: AuditEvent[] = [];
  const t = setUp(undefined, undefined, { auditLog: { event: (event) => void events.push(event) } });
  const of = (event: AuditEvent['event'], state?: string): AuditEvent | undefined =>
    events.find((each) => each.event === event && (state === undefined || each['state'] === state));
  return { ...t, of };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the record of an approval', () => {
  test('says what was chosen, how long it took and how much of it was taken, and none of the words', async () => {
    const t = recorded();
    const answer = t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.clock.advance(1000);
    t.approve();
    await answer;
    const { displayedAt = 0, decidedAt } = t.only();
    expect(t.of('approval.state', 'waiting')).not.toHaveProperty('choice');
    expect(t.of('approval.state', 'approved')).toMatchObject({
      choice: 'approve',
      displayedAt,
      decidedAt,
      latencyMs: (decidedAt ?? 0) - displayedAt,
      hunks: { total: 1, accepted: 1 },
      edited: false,
      feedbackLen: 0,
    });
  });

  test('of a decline counts the characters of what the human said', async () => {
    const t = recorded();
    const answer = t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.queue.decline(t.only().id, { message: 'not so' });
    await answer;
    const declined = t.of('approval.state', 'declined');
    expect(declined).toMatchObject({ choice: 'decline', hunks: { total: 1, accepted: 0 }, feedbackLen: 6 });
    expect(JSON.stringify(declined)).not.toContain('not so');
  });

  test('of an apply has the hashes of each text before and after, never the texts', async () => {
    const t = recorded();
    const answer = t.ask([edit('a', 'old\n', 'new\nmore\n')]);
    t.show();
    t.approve();
    await answer;
    const apply = t.of('apply');
    expect(apply).toMatchObject({
      approvalId: t.only().id,
      files: [
        {
          path: 'a',
          change: 'edit',
          state: 'applied',
          before: { sha256: sha256('old\n') },
          after: { sha256: sha256('new\nmore\n') },
          linesAdded: 2,
          linesRemoved: 1,
          dirtyBefore: false,
        },
      ],
    });
    expect(JSON.stringify(apply)).not.toContain('more');
  });
});
