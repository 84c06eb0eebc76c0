/** Returns the id of a row that a tree menu passed to a command, or the id itself; undefined for anything else. */
export function rowId(row: unknown): string | undefined {
  if (typeof row === 'string') return row;
  if (typeof row !== 'object' || row === null || !('id' in row)) return undefined;
  return typeof row.id === 'string' ? row.id : undefined;
}
