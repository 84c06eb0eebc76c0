import * as z from 'zod';

/** The `cursor` field of every paged tool. */
export const cursorInput = z.string().max(8192).exactOptional().describe('nextCursor; repeat the rest');
