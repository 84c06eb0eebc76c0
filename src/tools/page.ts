import * as z from 'zod';

/** The most items that one page may be asked for. */
const maximumResults = 1000;

/** The `maxResults` field of every paged tool. */
export const maxResultsInput = z
  .int()
  .min(1)
  .max(maximumResults)
  .exactOptional()
  .describe('At most this many on a page');

/** Counts and cursors that every page carries. */
export const pageOutput = {
  totalCount: z.int().min(0).max(10_000_000).describe('All results, not only of this page'),
  truncated: z.boolean().describe('There is more'),
  nextCursor: z.string().exactOptional().describe('Send it as cursor for the next page'),
};

/** Bytes that the frame around a page takes. */
const frame = 300;

/**
 * How many of the items fit: by number, and by the bytes of their JSON, which is the longer of the two forms in which a
 * result reaches a model. At least one, so that every page gets on.
 */
export function fittingCount(
  items: readonly unknown[],
  limits: { readonly maxItems: number; readonly maxBytes: number | undefined },
): number {
  const most = Math.min(items.length, limits.maxItems);
  if (limits.maxBytes === undefined) return most;
  let bytes = frame;
  for (let count = 0; count < most; count += 1) {
    bytes += Buffer.byteLength(JSON.stringify(items[count])) + 1;
    if (bytes > limits.maxBytes) return Math.max(1, count);
  }
  return most;
}

/** "12 results", "1 result". */
export function counted(count: number, noun: string): string {
  const plural = /(s|x|ch)$/.test(noun) ? `${noun}es` : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}
