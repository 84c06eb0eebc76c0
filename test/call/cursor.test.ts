import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { InvalidArgumentsError } from '#base/toolError.ts';

const position = z.tuple([z.string(), z.int()]);

describe('a cursor', () => {
  it('is short, however long the path of its position is', () => {
    const long: z.infer<typeof position> = [`${'a/'.repeat(500)}b.ts`, 12];
    const cursor = encodeCursor({ query: 'x' }, long);
    expect(cursor.length).toBeLessThanOrEqual(60);
    expect(decodeCursor(cursor, { query: 'x' }, position)).toEqual(long);
    expect(encodeCursor({ query: 'x' }, long)).toBe(cursor);
  });

  it('is refused with words when it comes with another query', () => {
    const cursor = encodeCursor({ query: 'x' }, ['a.ts', 1]);
    expect(() => decodeCursor(cursor, { query: 'y' }, position)).toThrow(/does not belong to these arguments/);
    expect(() => decodeCursor(cursor, { query: 'x' }, z.int())).toThrow(InvalidArgumentsError);
  });

  it('is refused with words when this window did not give it, or gave many since', () => {
    expect(() => decodeCursor('made-up', { query: 'x' }, position)).toThrow(/leave the cursor out to start again/);
    const first = encodeCursor({ query: 'x' }, ['first.ts', 1]);
    for (let at = 0; at < 5000; at += 1) encodeCursor({ query: 'x' }, ['a.ts', at]);
    expect(() => decodeCursor(first, { query: 'x' }, position)).toThrow(/this window does not know it/);
  });
});
