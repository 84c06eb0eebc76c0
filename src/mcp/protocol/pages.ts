import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * Returns one page of a list held in memory.
 * @param cursor the cursor of an earlier page; undefined for the first page
 * @param list name and version of the list, since a cursor is valid only for the same version
 * @throws ProtocolError -32602 when the cursor is not of this list
 */
export function pageOf<T>(
  items: readonly T[],
  { cursor, list, size }: { readonly cursor: string | undefined; readonly list: string; readonly size: number },
): Page<T> {
  const start = cursor === undefined ? 0 : positionOf(cursor, list);
  if (start === undefined || start % size > 0 || (start > 0 && start >= items.length)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Invalid cursor: the list may have changed. Ask for its first page.',
    );
  }
  const end = start + size;
  return { items: items.slice(start, end), ...(end < items.length && { nextCursor: cursorOf(end, list) }) };
}

function cursorOf(position: number, list: string): string {
  return Buffer.from(`${list}:${position}`).toString('base64url');
}

/** Returns the position of a cursor. Accepts exactly the texts that {@link cursorOf} makes, else returns undefined. */
function positionOf(cursor: string, list: string): number | undefined {
  const position = Number(Buffer.from(cursor, 'base64url').toString().split(':').at(-1));
  return position > 0 && cursorOf(position, list) === cursor ? position : undefined;
}
