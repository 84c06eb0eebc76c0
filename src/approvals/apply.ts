import { textVersion } from '../core/textVersion.ts';
import type { FileOutcome } from '../ports/approver.ts';
import type { AppliedFile, Edits } from '../ports/edits.ts';
import type { History } from '../ports/history.ts';
import type { ChangesProposal, TextState } from '../ports/proposal.ts';
import type { Approval } from './approval.ts';
import { unifiedDiff } from './changedLines.ts';
import { proposalHash } from './proposalHash.ts';
import type { FileContents } from './record.ts';

/** Why an approved change may no longer be applied, in a sentence for the human and the model. */
export type Recheck = (tool: string, proposal: ChangesProposal) => Promise<string | undefined>;

export type Applied =
  | {
      readonly state: 'applied';
      readonly outcomes: readonly FileOutcome[];
      readonly contents: readonly FileContents[];
      readonly note?: string;
    }
  | { readonly state: 'stale' | 'failed'; readonly note: string; readonly outcomes?: readonly FileOutcome[] };

/**
 * Applies exactly what the approval is bound to, or nothing: the hash is computed again, the policy and every path are
 * asked again, and `edits` compares identity and base once more in the turn in which it writes.
 */
export async function applyApproved(
  approval: Approval,
  proposal: ChangesProposal,
  contents: readonly FileContents[],
  { edits, history, recheck }: { readonly edits: Edits; readonly history: History; readonly recheck: Recheck },
): Promise<Applied> {
  if (proposalHash(approval.tool, proposal) !== approval.proposalHash) {
    return {
      state: 'failed',
      note: 'The proposal is not the one that was approved (hash_mismatch); nothing was changed.',
    };
  }
  const refusal = await recheck(approval.tool, proposal);
  if (refusal !== undefined) return { state: 'stale', note: refusal };

  const applied = await edits.apply(proposal.files);
  if (applied.status === 'stale') return { state: 'stale', note: `${applied.path}: ${applied.reason}` };
  if (applied.status === 'failed') {
    return {
      state: 'failed',
      note: applied.reason,
      outcomes: approval.files.map((file, index) => ({
        ...changeOf(file),
        state: applied.states[index] ?? 'unknown',
        reason: applied.reason,
      })),
    };
  }
  const outcomes = approval.files.map((file, index) =>
    outcomeOfFile(file, proposal.files[index]?.result, applied.files[index]),
  );
  const after = await Promise.all(
    applied.files.map(async ({ text, encoding }, index) => {
      const before = contents[index];
      if (before === undefined) throw new Error('An applied file has no pre-image');
      return { ...before, after: { sha256: await history.putContent(Buffer.from(text)), encoding } };
    }),
  );
  return { state: 'applied', outcomes, contents: after };
}

function outcomeOfFile(
  file: Approval['files'][number],
  approved: TextState | undefined,
  applied: AppliedFile | undefined,
): FileOutcome {
  if (approved === undefined || applied === undefined) return { ...changeOf(file), state: 'unknown' };
  return {
    ...changeOf(file),
    state: 'applied',
    version: textVersion(applied.text),
    saved: applied.saved,
    dirty: applied.dirty,
    lastModified: new Date(applied.modified).toISOString(),
    size: applied.size,
    ...(applied.changedOnSave && { changedOnSave: unifiedDiff(file.path, approved.text, applied.text) }),
  };
}

function changeOf({ path, uri, addedLines, removedLines }: Approval['files'][number]) {
  return { path, uri, change: 'edit' as const, addedLines, removedLines };
}
