import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/vscode/record/redaction.ts';

const bytes = randomBytes(32);
const token = bytes.toString('base64url');

describe('H13 a token does not come through, in whatever encoding', () => {
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
    ['URL', `?t=${encodeURIComponent(bytes.toString('base64'))}`, 3 + 4],
  ])('%s', (_name, text, mayStay) => {
    const clean = redactor.redact(text);
    expect(clean).toContain('[redacted:token]');
    expect(clean.length - '[redacted:token]'.length).toBeLessThanOrEqual(mayStay);
  });
});

test('everything else stays as it is', () => {
  const redactor = new Redactor();
  expect(redactor.redact('nothing is secret yet')).toBe('nothing is secret yet');
  redactor.add(token);
  expect(redactor.redact('src/a.ts {"a":1}')).toBe('src/a.ts {"a":1}');
});

test('several secrets, and characters that mean something in a pattern', () => {
  const redactor = new Redactor();
  redactor.add(token);
  redactor.add('a+b*c(d)e[f]g{h}^$.|');
  expect(redactor.redact(`${token} a+b*c(d)e[f]g{h}^$.|`)).toBe('[redacted:token] [redacted:token]');
  expect(() => redactor.add('short')).toThrow(RangeError);
});
