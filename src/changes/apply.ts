/** Applies an approved proposal through the editor, and says what became of each file. */
import type { Principal } from '#base/principal.ts';
import type { Proposal, FileChange } from '#base/proposal.ts';
import { redactText } from '#audit/redactText.ts';
import { textVersion } from '#audit/textVersion.ts';
import type { Approval, ApprovalFile } from './approval.ts';
import type { FileOutcome, Writer } from './approver.ts';
import type { AppliedFile, AppliedText, Edits } from './edits.ts';
import { leftOut } from './halfDone.ts';
import type { History } from './history.ts';
import { keepText } from './keep.ts';
import { addressAfter } from './moves.ts';
import { proposalHash } from './proposalHash.ts';
import type { KeptChange } from './record.ts';
import { currentText, selectedProposal, type Choice } from './selection.ts';
import { unifiedDiff } from './unifiedDiff.ts';

/**
 * Returns why a change may no longer be applied, in a sentence for the user and the model; undefined when it may.
 * @param isApproved the user approved it; otherwise the policy must still allow it without asking
 */
export type Recheck = (
  tool: string,
  proposal: Proposal,
  principal: Principal,
  isApproved: boolean,
) => Promise<string | undefined>;

export interface Approved {
  readonly approval: Approval;
  /** The proposal as the assistant sent it. */
  readonly proposal: Proposal;
  /** The user's choice for each file. */
  readonly choices: readonly Choice[];
  readonly kept: readonly KeptChange[];
}

export type Applied =
  | {
      readonly state: 'applied';
      readonly outcomes: readonly FileOutcome[];
      /** Holds the text of each file after our own save; undefined when it could not be kept, so that the change cannot be undone. */
      readonly kept: readonly KeptChange[] | undefined;
    }
  | { readonly state: 'stale' | 'failed'; readonly note: string; readonly outcomes?: readonly FileOutcome[] };

/**
 * Applies exactly what the approval is bound to, or nothing: the hash is computed again, the policy and every path are
 * asked again, and `edits` compares identity and base once more in the turn in which it writes.
 * @param writer the assistant that writes the change by itself; absent when Drawbridge writes it
 */
export async function applyApproved(
  approved: Approved,
  { edits, history, recheck }: { readonly edits: Edits; readonly history: History; readonly recheck: Recheck },
  writer?: Writer,
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

  const applied = (await writer?.apply(selected.files)) ?? (await edits.apply(selected.files, approval.id));
  if (applied.status === 'stale') return { state: 'stale', note: `${applied.path}: ${applied.reason}` };
  /** The index of each proposed change among the selected ones. */
  const indexes = selectedIndexesOf(proposal, selected);
  if (applied.status === 'failed') {
    return {
      state: 'failed',
      note: applied.reason,
      outcomes: approval.files.map((file, index) => ({
        ...changeOf(file),
        state: applied.states[indexes[index] ?? -1] ?? 'not_applied',
        reason: applied.reason,
      })),
    };
  }
  const results = indexes.map((each) => (each === undefined ? undefined : applied.files[each]));
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

/** Returns false for text that is unsaved, or was saved while the user typed: it may hold their work, which no undo may remove. */
export function isOurs({ saved, dirty, touchedOnSave }: AppliedText): boolean {
  return saved && !dirty && touchedOnSave !== true;
}

function selectedIndexesOf(proposal: Proposal, selected: Proposal): (number | undefined)[] {
  return proposal.files.map(({ kind, path }) => {
    const index = selected.files.findIndex((change) => change.kind === kind && change.path.realPath === path.realPath);
    return index < 0 ? undefined : index;
  });
}

function outcomeOfFile(
  file: ApprovalFile,
  change: FileChange | undefined,
  choice: Choice | undefined,
  applied: AppliedFile | undefined,
): FileOutcome {
  if (change === undefined) return { ...changeOf(file), state: 'unknown' };
  if (applied === undefined) return { ...changeOf(file), state: 'not_applied', reason: leftOut };
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
    size: toldSize(written),
    ...(written.changedOnSave && { changedOnSave: unifiedDiff(file.path, approved, written.text) }),
    ...differenceOf(file, change, approved),
  };
}

/** Returns the size in bytes as an assistant may know it: that of the redacted text, when the text has a secret. */
function toldSize({ text, size }: Pick<AppliedText, 'text' | 'size'>): number {
  const shown = redactText(text);
  return shown.hidden.length === 0 ? size : Buffer.byteLength(shown.text);
}

/** Returns the present path of a file that was edited and then moved, by itself or with its folder. */
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

/** Returns the facts of a file that do not depend on its outcome; a move is named by its new path. */
export function changeOf({ change, path, uri, to, addedLines, removedLines, toldLines, folderFiles }: ApprovalFile) {
  const place = to === undefined ? { path, uri } : { path: to.path, uri: to.uri, movedFrom: path };
  const inFolder = folderFiles === undefined ? {} : { folderFiles };
  return { ...place, change, addedLines, removedLines, ...toldLines, ...inFolder };
}
