import type { Principal } from '#base/principal.ts';
import type { Proposal, FileChange } from '#base/proposal.ts';
import { textVersion } from '#base/textVersion.ts';
import type { Approval, ApprovalFile } from './approval.ts';
import type { FileOutcome } from './approver.ts';
import type { AppliedFile, AppliedText, Edits } from './edits.ts';
import type { History } from './history.ts';
import { keepText } from './keep.ts';
import { addressAfter } from './moves.ts';
import { proposalHash } from './proposalHash.ts';
import type { KeptChange } from './record.ts';
import { currentText, selectedProposal, type Choice } from './selection.ts';
import { unifiedDiff } from './unifiedDiff.ts';

/**
 * Why a change may no longer be applied, in a sentence for the human and the model.
 * @param isApproved the human approved it; otherwise it must still be allowed without asking
 */
export type Recheck = (
  tool: string,
  proposal: Proposal,
  principal: Principal,
  isApproved: boolean,
) => Promise<string | undefined>;

export interface Approved {
  readonly approval: Approval;
  /** As the assistant sent it. */
  readonly proposal: Proposal;
  /** What the human made of it, per file. */
  readonly choices: readonly Choice[];
  readonly kept: readonly KeptChange[];
}

export type Applied =
  | {
      readonly state: 'applied';
      readonly outcomes: readonly FileOutcome[];
      /** With what each file holds after our own save; undefined when that could not be kept, so that it cannot be undone. */
      readonly kept: readonly KeptChange[] | undefined;
    }
  | { readonly state: 'stale' | 'failed'; readonly note: string; readonly outcomes?: readonly FileOutcome[] };

/**
 * Applies exactly what the approval is bound to, or nothing: the hash is computed again, the policy and every path are
 * asked again, and `edits` compares identity and base once more in the turn in which it writes.
 */
export async function applyApproved(
  approved: Approved,
  { edits, history, recheck }: { readonly edits: Edits; readonly history: History; readonly recheck: Recheck },
): Promise<Applied> {
  const { approval, proposal, choices } = approved;
  const selected = selectedProposal(proposal, choices);
  if (proposalHash(approval.tool, selected) !== approval.proposalHash) {
    return {
      state: 'failed',
      note: 'The proposal is not the one that was approved (hash_mismatch); nothing was changed.',
    };
  }
  const isApproved = approval.judgement.effect === 'ask';
  const refusal = await recheck(approval.tool, selected, approval.principal, isApproved);
  if (refusal !== undefined) return { state: 'stale', note: refusal };

  const applied = await edits.apply(selected.files, approval.id);
  if (applied.status === 'stale') return { state: 'stale', note: `${applied.path}: ${applied.reason}` };
  /** Where each proposed change is among the selected ones. */
  const places = placesOf(proposal, selected);
  if (applied.status === 'failed') {
    return {
      state: 'failed',
      note: applied.reason,
      outcomes: approval.files.map((file, index) => ({
        ...changeOf(file),
        state: applied.states[places[index] ?? -1] ?? 'not_applied',
        reason: applied.reason,
      })),
    };
  }
  const results = places.map((place) => (place === undefined ? undefined : applied.files[place]));
  const outcomes = approval.files.map((file, index) => ({
    ...outcomeOfFile(file, proposal.files[index], choices[index], results[index]),
    ...(file.change === 'edit' && placeAfterMove(file, approval.files)),
  }));
  const kept = await keepResults(approved, results, history).catch(() => undefined);
  return { state: 'applied', outcomes, kept };
}

function keepResults(
  { proposal, choices, kept }: Approved,
  results: readonly (AppliedFile | undefined)[],
  history: History,
): Promise<KeptChange[]> {
  return Promise.all(
    kept.map(async (change, index) => {
      const { written, createdFolders } = results[index] ?? {};
      const file = proposal.files[index];
      const approved = written && isOurs(written) ? undefined : file && currentText(file, choices[index]);
      return {
        ...change,
        ...(written && { after: await keepText({ ...written, text: approved ?? written.text }, history) }),
        ...(change.kind === 'create' && written?.sha256 !== undefined && { bytes: written.sha256 }),
        ...(createdFolders && { createdFolders: [...createdFolders] }),
      };
    }),
  );
}

/** What is not saved, or was saved while the human typed, may hold work of theirs: an undo must not take that for ours. */
export function isOurs({ saved, dirty, touchedOnSave }: AppliedText): boolean {
  return saved && !dirty && touchedOnSave !== true;
}

function placesOf(proposal: Proposal, selected: Proposal): (number | undefined)[] {
  return proposal.files.map(({ kind, path }) => {
    const place = selected.files.findIndex((change) => change.kind === kind && change.path.realPath === path.realPath);
    return place < 0 ? undefined : place;
  });
}

function outcomeOfFile(
  file: ApprovalFile,
  change: FileChange | undefined,
  choice: Choice | undefined,
  applied: AppliedFile | undefined,
): FileOutcome {
  if (change === undefined) return { ...changeOf(file), state: 'unknown' };
  if (applied === undefined) return { ...changeOf(file), state: 'not_applied', reason: 'the user left it out' };
  const { written } = applied;
  if (written === undefined) {
    const moved = change.kind === 'move' && !change.isFolder ? change.files[0] : undefined;
    return { ...changeOf(file), state: 'applied', ...(moved && { size: moved.size }) };
  }
  const approved = currentText(change, choice) ?? written.text;
  return {
    ...changeOf(file),
    state: 'applied',
    version: textVersion(written.text),
    saved: written.saved,
    dirty: written.dirty,
    lastModified: new Date(written.modified).toISOString(),
    size: written.size,
    ...(written.changedOnSave && { changedOnSave: unifiedDiff(file.path, approved, written.text) }),
    ...differenceOf(file, change, approved),
  };
}

/** A file that was edited and then moved, by itself or along, is named as it is found now. */
export function placeAfterMove({ path, uri }: ApprovalFile, files: readonly ApprovalFile[]): Partial<FileOutcome> {
  const moves = files.flatMap(({ included, to, ...from }) => (included && to !== undefined ? [{ from, to }] : []));
  const uriNow = addressAfter(
    uri,
    moves.map(({ from, to }) => ({ from: from.uri, to: to.uri })),
  );
  if (uriNow === uri) return {};
  const pathNow = addressAfter(
    path,
    moves.map(({ from, to }) => ({ from: from.path, to: to.path })),
  );
  return { path: pathNow, uri: uriNow, movedFrom: path };
}

function differenceOf(file: ApprovalFile, change: FileChange, approved: string): Partial<FileOutcome> {
  const proposed = currentText(change);
  if (proposed === undefined || proposed === approved) return {};
  return {
    differenceFromProposal: unifiedDiff(file.path, proposed, approved),
    hunksApplied: file.includedHunks,
    hunksProposed: file.proposedHunks,
  };
}

/** What is said of a file whatever became of it; a move goes by where it leads. */
export function changeOf({ change, path, uri, to, addedLines, removedLines }: ApprovalFile) {
  const place = to === undefined ? { path, uri } : { path: to.path, uri: to.uri, movedFrom: path };
  return { ...place, change, addedLines, removedLines };
}
