import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { crlfToLf, lfCount, lfToCrlf } from '#changes/outside/lineEnds.ts';

const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xff), { maxLength: 12 }).map((values) => Buffer.from(values));

test('law: a blob is longer by its LF when it is checked out with CRLF, and can be told from its bytes on disk', () => {
  fc.assert(
    fc.property(bytes, (blob) => {
      const count = lfCount(blob);
      fc.pre(count !== undefined);
      const onDisk = lfToCrlf(blob);
      expect(onDisk).toHaveLength(blob.length + count);
      expect(crlfToLf(onDisk)).toEqual(count === 0 ? undefined : blob);
    }),
  );
});

test('law: bytes on disk that are taken for those of a blob are the bytes of its check-out', () => {
  fc.assert(
    fc.property(bytes, (onDisk) => {
      const blob = crlfToLf(onDisk);
      fc.pre(blob !== undefined && lfCount(blob) !== undefined);
      expect(lfToCrlf(blob)).toEqual(onDisk);
    }),
  );
});

test('counts no LF of a blob with CRLF, which Git converts in other ways', () => {
  expect([lfCount(Buffer.from('a\n\nb')), lfCount(Buffer.from('a\r\n')), lfCount(Buffer.from('a\rb'))]).toEqual([
    2,
    undefined,
    0,
  ]);
});
