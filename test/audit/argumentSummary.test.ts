import { describe, expect, test } from 'vitest';
import { argumentsDigest, argumentsPreview } from '#audit/argumentSummary.ts';
import { Redactor } from '#audit/redactor.ts';

const plain = { redact: (text: string): string => text, replaceAll: (text: string): string => text };

describe('argumentsDigest', () => {
  test('ignores the order of keys at any depth', () => {
    expect(argumentsDigest({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toBe(
      argumentsDigest({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
    );
  });

  test('differs when any value differs', () => {
    const digests = [{ a: 1 }, { a: '1' }, { a: [1] }, { a: { 0: 1 } }, {}, [], null, undefined].map(argumentsDigest);
    expect(new Set(digests).size).toBe(digests.length - 1);
    expect(argumentsDigest(undefined)).toBe(argumentsDigest(null));
    expect(argumentsDigest(JSON.parse('{"__proto__":{"a":1}}'))).not.toBe(argumentsDigest({}));
  });
});

describe('argumentsPreview', () => {
  test('shows small arguments unchanged', () => {
    expect(argumentsPreview({ path: 'src/a.ts', firstLine: 3 }, plain)).toBe('{"path":"src/a.ts","firstLine":3}');
    expect(argumentsPreview(undefined, plain)).toBe('null');
  });

  test('A22 never shows the text of files, whatever the name of the argument', () => {
    const secret = 'const key = "hunter2"';
    const preview = argumentsPreview(
      {
        edits: [{ path: 'a.ts', oldText: secret, newText: secret }],
        patch: secret,
        content: secret,
        new_string: secret,
        newLines: [secret],
        unknown: `${secret}\nsecond line`.repeat(9),
      },
      plain,
    );
    expect(preview).not.toContain('hunter2');
    expect(preview).toContain(`"oldText":{"len":${secret.length},"sha256":"`);
  });

  test('shows length, hash and first characters of a long string', () => {
    const preview = argumentsPreview({ reason: 'because '.repeat(50) }, plain);
    expect(JSON.parse(preview)).toEqual({
      reason: { len: 400, sha256: expect.stringMatching(/^[0-9a-f]{16}$/), head: 'because '.repeat(5) },
    });
  });

  test('is at most 512 characters long, also when arguments are hostile', () => {
    const deep: unknown = JSON.parse('['.repeat(500) + ']'.repeat(500));
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`.repeat(40), index]));
    const long = Array.from({ length: 5000 }, () => 'x');
    for (const value of [deep, wide, long, 'y'.repeat(1e6)]) {
      expect(argumentsPreview(value, plain).length).toBeLessThanOrEqual(512);
    }
  });

  test('H13 redacts a token before it cuts, so that no part of the token stays', () => {
    const token = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6';
    const redactor = new Redactor();
    redactor.add(token);
    for (let before = 0; before < 600; before += 7) {
      const inValue = argumentsPreview({ query: 'q'.repeat(before) + token }, redactor);
      const inKey = argumentsPreview({ ['k'.repeat(before) + token]: 1 }, redactor);
      const atEnd = argumentsPreview([...Array.from({ length: before / 5 }, () => 'x'), token], redactor);
      expect(inValue + inKey + atEnd).not.toContain(token.slice(0, 8));
    }
  });
});
