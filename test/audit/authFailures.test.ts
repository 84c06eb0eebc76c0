import { expect, it } from 'vitest';
import { authFailureRecorder } from '#audit/authFailures.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeClock } from '../fakes/clock.ts';

it('records ten failures per minute, counts the rest, and notifies the user once in ten minutes', () => {
  const clock = new FakeClock();
  const auditLog = new FakeAuditLog();
  let notices = 0;
  const fail = authFailureRecorder({ clock, auditLog, notify: () => (notices += 1) });
  for (let count = 0; count < 1000; count += 1) fail();
  expect(auditLog.events).toHaveLength(10);
  clock.advance(60_000);
  expect(auditLog.events.at(-1)).toEqual({ event: 'auth.failure', more: 990 });
  fail();
  expect(auditLog.events).toHaveLength(12);
  expect(notices).toBe(1);
  clock.advance(600_000);
  fail();
  expect(notices).toBe(2);
});
