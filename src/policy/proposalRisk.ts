import type { FileChange } from '#base/proposal.ts';
import type { ProposalRisk } from './decision.ts';

/** An edit that keeps a smaller share of the lines of a file than this counts as a delete. */
const smallestShareLeft = 0.2;

/**
 * Returns the worst effect of a change. Overwriting a file, emptying it or removing most of its lines counts as a delete, and so
 * does a move, which deletes its source (threat row P15).
 */
export function riskOf(change: FileChange): ProposalRisk {
  if (change.kind === 'delete' || change.kind === 'move') return 'delete';
  if (change.kind === 'create') return 'edit';
  const before = linesWithText(change.base.text);
  const takesMost = before > 0 && linesWithText(change.result.text) < before * smallestShareLeft;
  return change.overwrites === true || takesMost ? 'delete' : 'edit';
}

/** Returns how many lines of a text are not blank: blank lines in place of others keep nothing. */
function linesWithText(text: string): number {
  return text.match(/\S.*/g)?.length ?? 0;
}
