import type { AppliedChanges } from './appliedChanges.ts';

/** What assistants changed, and what only the human may do with it. */
export type HumanChanges = Pick<AppliedChanges, 'list' | 'revert' | 'redo' | 'textsOfFile'>;
