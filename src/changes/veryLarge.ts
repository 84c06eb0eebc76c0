import type { ApprovalFile } from './approval.ts';

/** Added lines of one file above which nobody is taken to have read them. */
const mostLines = 500;

/**
 * Returns whether a change adds so many lines, or so long a line, to one file that it needs its end on screen, or the word of the user
 * (threat row A40).
 */
export function isVeryLarge(
  files: readonly Pick<ApprovalFile, 'included' | 'addedLines' | 'hasEndlessLine'>[],
): boolean {
  return files.some(
    ({ included, addedLines, hasEndlessLine }) => included && (addedLines > mostLines || hasEndlessLine === true),
  );
}
