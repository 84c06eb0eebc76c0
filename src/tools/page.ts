import * as z from 'zod';
import { printable } from '#call/sanitise.ts';
import type { PageLimits } from '#call/tool.ts';

/** The largest page that a call may ask for, in items. */
const maximumResults = 1000;

/** The `maxResults` input field of paged tools. */
export const maxResultsInput = z.int().min(1).max(maximumResults).exactOptional().describe('Sizes the page');

/** The output fields of every page: counts and the cursor. */
export const pageOutput = {
  totalCount: z.int().min(0).max(10_000_000).describe('Results on all pages'),
  truncated: z.boolean().describe('There is more'),
  nextCursor: z.string().exactOptional().describe('Send it as cursor for the next page'),
};

/** Bytes reserved for the counts, the cursor and notes. */
const frame = 500;

/** One item of a page in both forms of a result: lines of the text, and values of the structured data. */
export interface ShownItem {
  readonly text: string;
  readonly data: readonly unknown[];
}

/**
 * Returns how many of the items fit on a page, by their number and by the bytes of the form that the client receives.
 * Returns at least 1 when there are items, so that paging always advances.
 */
export function fittingCount<Item>(
  items: readonly Item[],
  show: (item: Item, before: Item | undefined) => ShownItem,
  limits: Pick<PageLimits, 'maxResults' | 'listBytes' | 'form'>,
): number {
  const most = Math.min(items.length, limits.maxResults);
  if (limits.listBytes === undefined) return most;
  const bytes = { text: 0, data: 0 };
  for (const [at, item] of items.slice(0, most).entries()) {
    const own = bytesOf(show(item, items[at - 1]));
    bytes.text += own.text;
    bytes.data += own.data;
    if (!hasRoom(bytes, limits)) return Math.max(1, at);
  }
  return most;
}

/** Returns true when the item fits on a page by itself. */
export function fitsAlone(item: ShownItem, limits: Pick<PageLimits, 'listBytes' | 'form'>): boolean {
  return hasRoom(bytesOf(item), limits);
}

function bytesOf({ text, data }: ShownItem) {
  return {
    text: Buffer.byteLength(printable(text)) + 1,
    data: data.reduce((sum: number, value) => sum + Buffer.byteLength(JSON.stringify(value)) + 1, 0),
  };
}

function hasRoom(
  { text, data }: ReturnType<typeof bytesOf>,
  { listBytes, form }: Pick<PageLimits, 'listBytes' | 'form'>,
): boolean {
  if (listBytes === undefined) return true;
  const room = listBytes - frame;
  return (form === 'data' || text <= room) && (form === 'text' || data <= room);
}

/** The limits of a page: a caller that asks for a number of items gets as many of them as one read of its client takes. */
export function limitsFor(maxResults: number | undefined, limits: PageLimits): PageLimits {
  if (maxResults === undefined) return limits;
  const { listBytes, readBytes } = limits;
  return { ...limits, maxResults, ...(listBytes !== undefined && { listBytes: Math.max(listBytes, readBytes) }) };
}

/** Returns the note about a page with fewer items than the caller asked for, or no note. */
export function fewerNote(maxResults: number | undefined, shown: number, { listBytes }: PageLimits): readonly string[] {
  if (maxResults === undefined || listBytes === undefined || shown >= maxResults) return [];
  return [`a page of this client ends at ${Math.floor(listBytes / 1000)} KB, so it has fewer than maxResults`];
}

/** Returns a note as a sentence, for tools whose other notes are sentences. */
export function asSentence(note: string): string {
  return `${note.slice(0, 1).toUpperCase()}${note.slice(1)}.`;
}

/** Returns the count at the head of a page: "752 matches", or "21 of 752 matches" for a part of them. */
export function countedPart(shown: number, total: number, noun: string, isExact = true): string {
  const all = `${isExact ? '' : 'at least '}${counted(total, noun)}`;
  return shown < total || !isExact ? `${shown} of ${all}` : all;
}

/** Returns a count with its noun: "12 results", "1 result". */
export function counted(count: number, noun: string): string {
  const plural = /(s|x|ch)$/.test(noun) ? `${noun}es` : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The `cursor` input field of every paged tool. */
export const cursorInput = z.string().max(8192).exactOptional().describe('Takes nextCursor');
