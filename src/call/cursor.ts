import { createHash } from 'node:crypto';
import * as z from 'zod';
import { InvalidArgumentsError } from '#base/toolError.ts';

/** Returns an opaque cursor for the position where a page of this query ended. */
export function encodeCursor(query: unknown, position: unknown): string {
  return Buffer.from(JSON.stringify([hashOf(query), position])).toString('base64url');
}

/**
 * Returns the position in a cursor.
 * @throws InvalidArgumentsError when the cursor belongs to another query or is not one of ours
 */
export function decodeCursor<Position>(cursor: string, query: unknown, position: z.ZodType<Position>): Position {
  const parsed = z.tuple([z.literal(hashOf(query)), position]).safeParse(parseJson(cursor));
  if (parsed.success) return parsed.data[1];
  throw new InvalidArgumentsError(
    'cursor: it does not belong to these arguments; repeat them unchanged, or leave the cursor out to start again',
  );
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function hashOf(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);
}
