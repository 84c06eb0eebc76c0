import type { AppliedChanges } from './revert.ts';

/** What assistants changed, and what only the human may do with it. */
export type HumanChanges = Pick<AppliedChanges, 'list' | 'revert' | 'redo' | 'textsOfFile'>;
