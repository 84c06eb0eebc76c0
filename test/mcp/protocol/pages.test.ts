import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf } from '#mcp/protocol/pages.ts';

describe('pages of a list in memory', () => {
  it('hold the whole list in its order, and only the last page is short', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), fc.string(), (items, size, list) => {
        const pages: (readonly number[])[] = [];
        let cursor: string | undefined;
        do {
          const page = pageOf(items, { cursor, list, size });
          pages.push(page.items);
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(pages.flat()).toEqual(items);
        expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(items.length === 0 || (pages.at(-1)?.length ?? 0) > 0).toBe(true);
      }),
    );
  });

  it('are refused for any text but a cursor of this list', () => {
    const items = [1, 2, 3];
    const { nextCursor } = pageOf(items, { cursor: undefined, list: 'tools 4', size: 1 });
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('tools 3', 'prompts 4', 'tools 4'), (text, list) => {
        for (const cursor of [text, Buffer.from(text).toString('base64url'), `${nextCursor}${text}`]) {
          if (cursor === nextCursor && list === 'tools 4') continue;
          expect(() => pageOf(items, { cursor, list, size: 1 })).toThrow(/cursor/);
        }
      }),
    );
    expect(() => pageOf([1], { cursor: nextCursor, list: 'tools 4', size: 1 })).toThrow(/cursor/);
    // A list on one page has no cursor.
    expect(() => pageOf(items, { cursor: nextCursor, list: 'tools 4', size: 1000 })).toThrow(/cursor/);
  });
});
