import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * One page of a list that is whole in memory.
 * @param cursor as a page before gave it; undefined for the first page
 * @param version of the list: a cursor of another version points into a list that is no more
 * @throws ProtocolError -32602 when the cursor is none of ours, or of another version
 */
export function pageOf<T>(
  items: readonly T[],
  { cursor, version, size }: { readonly cursor: string | undefined; readonly version: number; readonly size: number },
): Page<T> {
  const start = cursor === undefined ? 0 : positionOf(cursor, version);
  if (start === undefined || (start > 0 && start >= items.length)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Invalid cursor: the list may have changed. Ask for its first page.',
    );
  }
  const end = start + size;
  return { items: items.slice(start, end), ...(end < items.length && { nextCursor: cursorOf(end, version) }) };
}

function cursorOf(position: number, version: number): string {
  return Buffer.from(`${version}:${position}`).toString('base64url');
}

/** Only what {@link cursorOf} makes is a cursor: no other spelling of the same numbers. */
function positionOf(cursor: string, version: number): number | undefined {
  const position = Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);
  return position > 0 && cursorOf(position, version) === cursor ? position : undefined;
}
