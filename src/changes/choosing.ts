import type { ApprovalTexts } from './approval.ts';
import type { RequestEvent } from './events.ts';
import type { History } from './history.ts';
import { select, type Review } from './review.ts';
import { loadReview, loadTexts } from './keep.ts';
import { proposalHashOfKnown } from './proposalHash.ts';
import type { ChangeRequest, UserRequest } from './requests.ts';
import {
  asProposed,
  currentText,
  isEditable,
  reviewOfChange,
  selectedProposal,
  type Choice,
  type ReviewedChange,
} from './selection.ts';

// The user selects parts of a proposal before the decision. There is one text for each file, the one that would be applied: the
// check boxes of the card and the right side of the editor's diff are two views of it.

/** A selection of the user; undefined when nothing of this approval can be left out or typed over. */
type Selection = Extract<RequestEvent, { type: 'selected' }> | undefined;

/** Includes a hunk or leaves it out, with those that depend on it. `hunkIndex` is one of the review. */
export function selectHunk(
  request: UserRequest | undefined,
  fileIndex: number,
  hunkIndex: number,
  included: boolean,
): Selection {
  const divisible = divisibleFile(request, fileIndex);
  if (divisible === undefined) return undefined;
  const { reviewed, choice } = divisible;
  const { change } = reviewed;
  const review = reviewOfChange(reviewed, choice);
  if (change.kind !== 'edit' || review === undefined) return selectFile(request, fileIndex, included);
  const text = select(change.base.text, review, hunkIndex, included);
  return selection(divisible, fileIndex, text === change.result.text ? asProposed : { included: true, text });
}

/** Includes a whole file or leaves it out. */
export function selectFile(request: UserRequest | undefined, fileIndex: number, included: boolean): Selection {
  const divisible = divisibleFile(request, fileIndex);
  if (divisible === undefined) return undefined;
  const { change } = divisible.reviewed;
  const choice = { ...divisible.choice, included };
  // All its hunks were left out, so the whole file is included again.
  const isEmpty = change.kind === 'edit' && choice.text === change.base.text;
  return selection(divisible, fileIndex, included && isEmpty ? asProposed : choice);
}

/** Replaces the text that would be applied by the one that the user typed. */
export function typeText(request: UserRequest | undefined, fileIndex: number, text: string): Selection {
  const divisible = divisibleFile(request, fileIndex);
  if (divisible === undefined || !isEditable(divisible.reviewed.change)) return undefined;
  const isProposed = text === currentText(divisible.reviewed.change);
  return selection(divisible, fileIndex, isProposed ? asProposed : { included: true, text });
}

interface DivisibleFile {
  readonly request: ChangeRequest & { readonly proposal: object };
  readonly reviewed: ReviewedChange;
  readonly choice: Choice | undefined;
}

/** Returns a file of which parts can be left out. */
function divisibleFile(request: UserRequest | undefined, fileIndex: number): DivisibleFile | undefined {
  if (request?.kind !== 'changes' || request.approval.state !== 'waiting' || request.approval.indivisible)
    return undefined;
  const { proposal } = request;
  const reviewed = request.reviewed[fileIndex];
  if (proposal === undefined || reviewed === undefined) return undefined;
  return { request: { ...request, proposal }, reviewed, choice: request.choices[fileIndex] };
}

function selection({ request }: DivisibleFile, fileIndex: number, choice: Choice): Selection {
  const { approval, proposal } = request;
  const choices = request.choices.with(fileIndex, choice);
  const proposalHash = proposalHashOfKnown(approval.tool, selectedProposal(proposal, choices));
  return { type: 'selected', id: approval.id, choices, proposalHash };
}

/** Returns the texts of a file of an approval; undefined when it has none to compare. */
export async function textsOfFile(
  request: UserRequest | undefined,
  id: string,
  fileIndex: number,
  history: History,
): Promise<ApprovalTexts | undefined> {
  const change = request?.kind === 'changes' ? request.proposal?.files[fileIndex] : undefined;
  if (request?.kind !== 'changes' || change === undefined) {
    const kept = request?.kept[fileIndex];
    if (kept === undefined) throw new Error(`There is no file ${fileIndex} in approval ${id}`);
    return loadTexts(kept, history);
  }
  const base = currentText(change, { included: false });
  const proposed = currentText(change);
  const current = currentText(change, request.choices[fileIndex]);
  return base === undefined || proposed === undefined || current === undefined
    ? undefined
    : { base, proposed, current };
}

/** Returns the hunks of a file with the user's selection; undefined when it has no texts to compare. */
export async function reviewOfFile(
  request: UserRequest | undefined,
  id: string,
  fileIndex: number,
  history: History,
): Promise<Review | undefined> {
  const reviewed = request?.kind === 'changes' ? request.reviewed[fileIndex] : undefined;
  if (request?.kind === 'changes' && reviewed !== undefined)
    return reviewOfChange(reviewed, request.choices[fileIndex]);
  return loadReview(await textsOfFile(request, id, fileIndex, history));
}
