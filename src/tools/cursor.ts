import * as z from 'zod';

/** The `cursor` field of every paged tool. */
export const cursorInput = z
  .string()
  .max(8192)
  .exactOptional()
  .describe('nextCursor of the page before; repeat the other arguments');
