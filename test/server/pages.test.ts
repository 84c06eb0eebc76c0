import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../src/server/pages.ts';

describe('pages of a list in memory', () => {
  it('together are the list, in its order, and none but a last one is short', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), fc.nat(), (items, size, version) => {
        const pages: (readonly number[])[] = [];
        let cursor: string | undefined;
        do {
          const page = pageOf(items, { cursor, version, size });
          pages.push(page.items);
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(pages.flat()).toEqual(items);
        expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(items.length === 0 || (pages.at(-1)?.length ?? 0) > 0).toBe(true);
      }),
    );
  });

  it('no text but a cursor of this list opens one', () => {
    const items = [1, 2, 3];
    const { nextCursor } = pageOf(items, { cursor: undefined, version: 4, size: 1 });
    fc.assert(
      fc.property(fc.string(), fc.nat(9), (text, version) => {
        for (const cursor of [text, Buffer.from(text).toString('base64url'), `${nextCursor}${text}`]) {
          if (cursor === nextCursor && version === 4) continue;
          expect(() => pageOf(items, { cursor, version, size: 1 })).toThrow(/cursor/);
        }
      }),
    );
    expect(() => pageOf([1], { cursor: nextCursor, version: 4, size: 1 })).toThrow(/cursor/);
  });
});
