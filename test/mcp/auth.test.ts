import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authenticate, FailureGuard, isConnectionSecret } from '#mcp/auth.ts';
import { FakeClock } from '../fakes/clock.ts';

describe('H1 the header of a credential', () => {
  const credentials = [{ name: 'ci', sha256: createHash('sha256').update('secret').digest() }];

  it.each([
    ['Bearer secret', 'ci'],
    ['bearer secret', 'ci'],
    ['xBearer secret', undefined],
    ['Basic Bearer secret', undefined],
    ['Bearer secret more', undefined],
    ['Bearer secret,', undefined],
    ['Bearer  secret', undefined],
    ['Bearer ', undefined],
    [`Bearer ${'s'.repeat(513)}`, undefined],
    [undefined, undefined],
  ])('%s proves %s', (header, name) => {
    expect(authenticate(header, credentials)?.name).toBe(name);
  });
});

it('accepts a connection secret only when it is 128 bits or more of hex or base64url', () => {
  expect(isConnectionSecret('a'.repeat(22))).toBe(true);
  expect(isConnectionSecret('a'.repeat(128))).toBe(true);
  for (const header of [
    'a'.repeat(21),
    'a'.repeat(129),
    ` ${'a'.repeat(22)}`,
    `${'a'.repeat(22)} `,
    `${'a'.repeat(22)}=`,
  ]) {
    expect(isConnectionSecret(header), header).toBe(false);
  }
});

it('counts wrong credentials anew after the lock, and drops old ones', () => {
  const clock = new FakeClock();
  const guard = new FailureGuard(clock, { failures: 2, windowMilliseconds: 1000, lockMilliseconds: 500 });
  expect([guard.fail(), guard.fail(), guard.fail(), guard.fail()]).toEqual([false, false, true, true]);
  clock.advance(500);
  expect([guard.fail(), guard.fail()]).toEqual([false, false]);
  clock.advance(1000);
  expect([guard.fail(), guard.fail(), guard.fail()]).toEqual([false, false, true]);
});
