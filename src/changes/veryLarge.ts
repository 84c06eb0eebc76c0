import type { ApprovalFile } from './approval.ts';

/** Added lines of one file above which nobody is taken to have read them. */
const mostLines = 500;

/** Returns whether a change adds so much to one file that it needs its end on screen, or the word of the user (threat row A40). */
export function isVeryLarge(files: readonly Pick<ApprovalFile, 'included' | 'addedLines'>[]): boolean {
  return files.some(({ included, addedLines }) => included && addedLines > mostLines);
}
