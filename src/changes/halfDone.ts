/** Tells of changes that a crash left half done. The approvals page uses these functions, too. */
import type { Approval, ApprovalState } from './approval.ts';

/** Why a file of an applied change was not written. */
export const leftOut = 'the user left it out';

/** Returns whether the user can decide an approval now. */
export function awaitsUser({ state }: { readonly state: ApprovalState }): boolean {
  return state === 'waiting' || state === 'partly_applied';
}

/** Returns how many files of a change are written, and how many it has without those that the user left out. */
export function progressOf({ outcomes = [] }: Pick<Approval, 'outcomes'>): {
  readonly done: number;
  readonly all: number;
} {
  const parts = outcomes.filter(({ reason }) => reason !== leftOut);
  return { done: parts.filter(({ state }) => state === 'applied').length, all: parts.length };
}
