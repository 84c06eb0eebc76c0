/** The fields that the audit record keeps of approvals and applies. */
import { argumentsDigest } from '#audit/argumentSummary.ts';
import type { Approval } from './approval.ts';
import { progressOf } from './halfDone.ts';
import type { UserRequest } from './requests.ts';
import type { KeptChange } from './record.ts';

/** Returns the record's fields of an approval besides its state (docs/security.md, "Audit"), never the user's words. */
export function approvalFields(approval: Approval, state: string): Readonly<Record<string, unknown>> {
  const {
    action,
    displayedAt,
    decidedAt,
    files,
    userMessage,
    comments = [],
    seenPlaces = [],
    withoutReading,
  } = approval;
  const choice = choiceOf(approval, state);
  const total = sum(files.map(({ proposedHunks }) => proposedHunks));
  return {
    ...(action !== undefined && { definition: action.definition }),
    ...(displayedAt !== undefined && { displayedAt }),
    // Its call has no result in the record, so that its arguments tell which one it was.
    ...(state === 'partly_applied' && {
      argsDigest: argumentsDigest(approval.arguments),
      written: progressOf(approval),
    }),
    ...(choice !== undefined && {
      choice,
      ...(decidedAt !== undefined && { decidedAt }),
      ...(decidedAt !== undefined && displayedAt !== undefined && { latencyMs: decidedAt - displayedAt }),
      hunks: { total, accepted: choice === 'approve' ? sum(files.map(({ includedHunks }) => includedHunks)) : 0 },
      edited: files.some(({ edited }) => edited),
      ...(seenPlaces.length > 0 && { seenPlaces }),
      ...(withoutReading && { withoutReading }),
      feedbackLen: userMessage?.length ?? 0,
      ...(comments.length > 0 && { comments: comments.length }),
    }),
  };
}

function choiceOf({ question }: Approval, state: string): string | undefined {
  if (state === 'approved') return 'approve';
  if (state === 'declined') return question === undefined ? 'decline' : 'dismiss';
  return question !== undefined && state === 'applied' ? 'answer' : undefined;
}

/** Returns what an apply did to each file. Hashes are of the texts as UTF-8, whatever the encoding of the file. */
export function appliedFiles({ approval, kept }: Pick<UserRequest, 'approval' | 'kept'>): readonly object[] {
  return (approval.outcomes ?? []).map((outcome, index) => {
    const { path, movedFrom, change, state, addedLines, removedLines, saved, changedOnSave } = outcome;
    const { before, after } = hashes(kept[index], state === 'applied');
    return {
      path,
      ...(movedFrom !== undefined && { movedFrom }),
      change,
      state,
      ...(before !== undefined && { before: { sha256: before } }),
      ...(after !== undefined && { after: { sha256: after } }),
      linesAdded: addedLines,
      linesRemoved: removedLines,
      ...(saved !== undefined && { saved, formatter: changedOnSave !== undefined }),
      dirtyBefore: approval.files[index]?.unsaved ?? false,
    };
  });
}

function hashes(kept: KeptChange | undefined, isApplied: boolean): { before?: string; after?: string } {
  if (kept === undefined || kept.kind === 'move') return {};
  const before = kept.kind === 'create' ? undefined : kept.base?.sha256;
  const after = kept.kind === 'delete' || !isApplied ? undefined : (kept.after ?? kept.chosen ?? kept.result).sha256;
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
