/**
 * Requests that clients make by themselves, one for every letter typed or tab opened. They ask nobody, and stand in the record
 * alone, where they do not hide what assistants do.
 */
export const routineRequests = { complete: 'complete_argument', list: 'list_resources' } as const;

/** Whether a record is of one of them, by what it calls its tool. */
export function isRoutine(tool: string): boolean {
  return Object.values<string>(routineRequests).includes(tool);
}
