import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '#audit/redactor.ts';
import { seededSecrets } from './seededSecrets.ts';

const bytes = randomBytes(32);
const token = bytes.toString('base64url');
const marker = /\[redacted:[a-z_]+:[0-9a-f]{8}\]/g;
const plain = (text: string): string => text.replaceAll(marker, '[redacted]');

describe('H13 redacts a token in every encoding', () => {
  const redactor = new Redactor();
  redactor.add(token);

  /** What stands around the token may stay, and at either seam a character that holds bits of both. */
  test.each([
    ['text', token, 0],
    ['header', `Bearer ${token}`, 7],
    ['hexadecimal of the text', Buffer.from(token).toString('hex'), 0],
    ['upper case hexadecimal', Buffer.from(token).toString('hex').toUpperCase(), 0],
    ['hexadecimal of the bytes', bytes.toString('hex'), 0],
    ['base64 of the text', Buffer.from(token).toString('base64'), 3],
    ['base64 of the bytes', bytes.toString('base64'), 3],
    ['base64 after one byte', Buffer.from(`x${token}`).toString('base64'), 2 + 3],
    ['base64 after two bytes', Buffer.from(`xy${token}`).toString('base64'), 3 + 3],
    ['base64 of a header', Buffer.from(`Bearer ${token}\r\n`).toString('base64'), 10 + 6],
    ['base64url of a header', Buffer.from(`Bearer: ${token}`).toString('base64url'), 11 + 2],
    [
      'URL in which every character is an escape',
      `?t=${Buffer.from(token).toString('hex').replaceAll(/../g, '%$&')}`,
      3,
    ],
    ['URL', `?t=${encodeURIComponent(bytes.toString('base64'))}`, 3 + 4],
  ])('%s', (_name, text, mayStay) => {
    const clean = redactor.redact(text);
    expect(clean).toMatch(/\[redacted:token:[0-9a-f]{8}\]/);
    expect(clean.length - '[redacted:token:12345678]'.length).toBeLessThanOrEqual(mayStay);
  });

  test('gives one fingerprint for all encodings, and another one with a fresh key', () => {
    const fingerprints = [token, `Bearer ${token}`, bytes.toString('hex'), `token=${token}`].map(
      (text) => redactor.redact(text).match(marker)?.[0],
    );
    expect(new Set(fingerprints).size).toBe(1);
    expect(redactor.withFreshKey().redact(token)).toMatch(marker);
    expect(redactor.withFreshKey().redact(token)).not.toBe(redactor.redact(token));
  });
});

test('H13 redacts a text that was clean before the secret was known', () => {
  const redactor = new Redactor();
  const text = `the word is ${token.slice(0, 20)}`;
  expect(redactor.redact(text)).toBe(text);
  redactor.add(token.slice(0, 20));
  expect(plain(redactor.redact(text))).toBe('the word is [redacted]');
});

test('A22: keeps words of the policy about secrets readable', () => {
  const { redact } = new Redactor();
  expect(redact('secret - does not apply')).toBe('secret - does not apply');
});

test('leaves text without secrets unchanged', () => {
  const redactor = new Redactor();
  expect(redactor.redact('nothing is secret yet')).toBe('nothing is secret yet');
  redactor.add(token);
  for (const text of [
    'src/a.ts {"a":1}',
    'src/vscode/approvalsView/approvalsViewTextAndItsTranslations/v2/index.ts',
    'approval.state | approvalId=a-0123456789abcdef01234567 | state=applied',
    '123e4567-e89b-12d3-a456-426614174000',
    'getUserNameFromIdentifierAndReturnItWhenFound2',
    'a-long-kebab-case-name-of-a-file-from-2024-and-2025',
    'secret: false, token: null, maxTokens=200, bypass=1, keyboard: qwerty',
    '{"token":{"len":3}}',
    '='.repeat(80),
    '12345678901234567890123456789012345678901234567890',
  ]) {
    expect(redactor.redact(text)).toBe(text);
  }
  expect(redactor.counts).toEqual(new Map());
});

test('redacts several secrets, also with special characters of regular expressions', () => {
  const redactor = new Redactor();
  redactor.add(token);
  redactor.add('a+b*c(d)e[f]g{h}^$.|');
  expect(plain(redactor.redact(`${token} a+b*c(d)e[f]g{h}^$.|`))).toBe('[redacted] [redacted]');
  expect(() => redactor.add('short')).toThrow(RangeError);
});

describe('A22: redacts a secret by the name before it', () => {
  const { redact } = new Redactor();
  test.each([
    ['Authorization: Bearer abc.def-ghi\r\nHost: x', 'Authorization: Bearer [redacted]\r\nHost: x'],
    ['proxy-authorization: Basic dXNlcjpwdw==', 'proxy-authorization: Basic [redacted]'],
    ['Cookie: a=1; b=two words', 'Cookie: [redacted]'],
    [String.raw`curl -H "X-Api-Key: k3y" https://x`, 'curl -H "X-Api-Key: [redacted]" https://x'],
    ['{"x-auth-token":"one two","path":"a"}', '{"x-auth-token":"[redacted]","path":"a"}'],
    ['password=hunter2&x=1', 'password=[redacted]&x=1'],
    ['DB_PASSWORD="pa ss\\"word" next', 'DB_PASSWORD="[redacted]" next'],
    ["clientSecret: 'a b'", "clientSecret: '[redacted]'"],
    [String.raw`"{\"apiKey\":\"abc\",\"b\":1}"`, String.raw`"{\"apiKey\":\"[redacted]\",\"b\":1}"`],
    ['--password hunter2 --verbose', '--password [redacted] --verbose'],
    ['?access_token=abc#x', '?access_token=[redacted]'],
    ['token == "abc"', 'token == "[redacted]"'],
    ['passphrase := abc', 'passphrase := [redacted]'],
    ['password="never closed', 'password="[redacted]'],
    ['secret=!!!', 'secret=[redacted]'],
  ])('%s', (text, clean) => {
    expect(plain(redact(text))).toBe(clean);
  });
});

describe('A22: redacts a secret by its shape or because it looks random', () => {
  test.each(seededSecrets.map(([name, secret, mayStay = '']) => ({ name, secret, mayStay })))(
    '$name',
    ({ secret, mayStay }) => {
      const clean = new Redactor().redact(`before ${secret} after`);
      expect(clean).toMatch(marker);
      for (let at = 0; at + 8 <= secret.length; at += 1) {
        const part = secret.slice(at, at + 8);
        if (!mayStay.includes(part)) expect(clean).not.toContain(part);
      }
    },
  );
});

test('keeps existing markers and counts them once', () => {
  const redactor = new Redactor();
  const text = `password=hunter2 and "token":"${token}" and Cookie: ${token}; x=1`;
  const once = redactor.redact(text);
  const counts = new Map(redactor.counts);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2);
  expect(redactor.redact(once)).toBe(once);
  expect(redactor.redact(redactor.replaceAll(once.match(marker)?.[0] ?? ''))).toBe(once.match(marker)?.[0]);
  expect(redactor.counts).toEqual(counts);
});

test('law: redacts a token in any surrounding text, and a second pass loses no marker', () => {
  const part = fc.constantFrom(
    'token',
    'password',
    '=',
    ': ',
    '"',
    "'",
    '\\',
    '\n',
    ' ',
    '[redacted:',
    token,
    'Cookie',
    'x'.repeat(40),
    'aB3'.repeat(12),
    '--secret ',
    '{',
    'é',
  );
  const redactor = new Redactor();
  redactor.add(token);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const once = redactor.redact(parts.join(''));
      expect(once).not.toContain(token);
      const twice = redactor.redact(once);
      for (const [each] of once.matchAll(marker)) expect(twice).toContain(each);
    }),
    { numRuns: 2000 },
  );
});

test('A22: finishes on half a million characters that repeat the beginning of a secret', () => {
  const redactor = new Redactor();
  redactor.add(token);
  for (const beginning of [
    'token="',
    'a-',
    '-',
    '--a-',
    '"password":',
    '\\',
    'Cookie:',
    'aB3',
    "secret='\\",
    ' ',
    '[redacted:',
  ]) {
    const text = beginning.repeat(500_000 / beginning.length);
    expect(redactor.redact(text).length).toBeGreaterThan(0);
  }
});
