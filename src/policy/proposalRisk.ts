import type { FileChange } from '#base/proposal.ts';
import type { ProposalRisk } from './decision.ts';

/** An edit that leaves fewer of a file's lines than this share is no edit. */
const smallestShareLeft = 0.2;

/**
 * What a change does at worst: to overwrite a file, to empty it or to take most of its lines out
 * counts as a delete, and so does a move, of its source (threat row P15).
 */
export function riskOf(change: FileChange): ProposalRisk {
  if (change.kind === 'delete' || change.kind === 'move') return 'delete';
  if (change.kind === 'create') return 'edit';
  const before = linesWithText(change.base.text);
  const takesMost = before > 0 && linesWithText(change.result.text) < before * smallestShareLeft;
  return change.overwrites === true || takesMost ? 'delete' : 'edit';
}

/** Blank lines in place of others keep nothing. */
function linesWithText(text: string): number {
  return text.match(/\S.*/g)?.length ?? 0;
}
