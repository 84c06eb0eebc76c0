import { createHmac, randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { InvalidArgumentsError } from '#base/toolError.ts';

/** The most positions that a window remembers; the oldest one is forgotten first. */
const mostRemembered = 5000;

/** A secret of this process, so that nobody can guess a cursor and learn from the answer which paths others have seen. */
const secret = randomBytes(32);

/** The positions by their cursors. A position may hold a path, so a cursor that holds its position would be long. */
const remembered = new Map<string, { readonly query: string; readonly position: unknown }>();

/** Returns an opaque cursor of 16 characters for the position where a page of this query ended. */
export function encodeCursor(query: unknown, position: unknown): string {
  const asked = JSON.stringify(query);
  const cursor = createHmac('sha256', secret)
    .update(JSON.stringify([asked, position]))
    .digest('base64url')
    .slice(0, 16);
  remembered.delete(cursor);
  remembered.set(cursor, { query: asked, position });
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
  return cursor;
}

/**
 * Returns the position of a cursor.
 * @throws InvalidArgumentsError when the cursor belongs to another query, or when this window does not know it
 */
export function decodeCursor<Position>(cursor: string, query: unknown, position: z.ZodType<Position>): Position {
  const known = remembered.get(cursor);
  if (known === undefined) {
    throw new InvalidArgumentsError(
      'cursor: this window does not know it, because it was reloaded or gave many since; leave the cursor out to start again',
    );
  }
  const parsed = position.safeParse(known.position);
  if (parsed.success && known.query === JSON.stringify(query)) return parsed.data;
  throw new InvalidArgumentsError(
    'cursor: it does not belong to these arguments; repeat them unchanged, or leave the cursor out to start again',
  );
}
