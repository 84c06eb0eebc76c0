/** The user's choices about a proposal: which files and hunks are included, and what was typed instead. */
import { redactText } from '#audit/redactText.ts';
import type { Proposal, FileChange } from '#base/proposal.ts';
import { textsOf } from '#base/proposal.ts';
import type { ApprovalFile, LineCounts } from './approval.ts';
import { hunksBetween, type Hunk, type Hunks } from './hunks.ts';
import { sameLooks } from './lookAlikes.ts';
import { reviewOf, reviewOfAll, type Review } from './review.ts';
import { isEndless } from './warnings.ts';

/** The user's choice about one file before approving. */
export interface Choice {
  readonly included: boolean;
  /** The text that will be applied instead of the proposed one. */
  readonly text?: string;
}

export const asProposed: Choice = { included: true };

/** One change of a proposal with its hunks, which are computed once. */
export interface ReviewedChange {
  readonly change: FileChange;
  readonly protectedBy: string | undefined;
  /** The hunks from the base to the proposed text; undefined when there are no texts to compare. */
  readonly hunks: Hunks | undefined;
  /** The name of another file that looks the same as the path, when there is one beside it (threat row P22). */
  readonly sameLook: string | undefined;
}

/**
 * @param protectedBy the pattern that protects each file of the proposal
 * @param namesIn returns the names in a folder, given as an absolute path; names that look the same are only looked for with it
 */
export function reviewedChanges(
  { files }: Proposal,
  protectedBy: readonly (string | undefined)[],
  namesIn?: (folder: string) => readonly string[],
): ReviewedChange[] {
  const looks = namesIn && sameLooks(files, namesIn);
  return files.map((change, index) => {
    const texts = textsOf(change);
    const hunks = texts && hunksBetween(texts.base, texts.result);
    return { change, protectedBy: protectedBy[index], hunks, sameLook: looks?.[index] };
  });
}

/** Returns whether the user may edit the proposed text. */
export function isEditable({ kind }: FileChange): boolean {
  return kind === 'edit' || kind === 'create';
}

/** Returns exactly what would be applied: the proposal without what the user excluded, with what they typed. */
export function selectedProposal(proposal: Proposal, choices: readonly Choice[]): Proposal {
  if (proposal.kind !== 'changes') return proposal;
  return { ...proposal, files: proposal.files.flatMap((change, index) => selected(change, choices[index]) ?? []) };
}

function selected(change: FileChange, choice: Choice = asProposed): FileChange | undefined {
  if (!choice.included) return undefined;
  if (choice.text === undefined || (change.kind !== 'edit' && change.kind !== 'create')) return change;
  if (change.kind === 'edit' && choice.text === change.base.text) return undefined;
  return { ...change, result: { ...change.result, text: choice.text } };
}

/** Returns the hunks of a change with the user's choice; undefined when there are no texts to compare. */
export function reviewOfChange({ change, hunks }: ReviewedChange, choice: Choice = asProposed): Review | undefined {
  const texts = textsOf(change);
  if (texts === undefined || hunks === undefined) return undefined;
  const { included, text } = choice;
  return !included || text === undefined ? reviewOfAll(hunks, included) : reviewOf(texts.base, hunks, text);
}

/** Returns the text that would be applied; the base when the file is excluded. */
export function currentText(change: FileChange, choice: Choice = asProposed): string | undefined {
  const texts = textsOf(change);
  if (texts === undefined) return undefined;
  return choice.included ? (choice.text ?? texts.result) : texts.base;
}

/** Returns the facts of a file that the views show. */
export function describeFile(reviewed: ReviewedChange, choice: Choice = asProposed): ApprovalFile {
  const { change, protectedBy } = reviewed;
  const { path } = change;
  const review = reviewOfChange(reviewed, choice);
  const included = review?.hunks.filter((hunk) => hunk.included) ?? [];
  const lines = countLines(included);
  return {
    change: change.kind,
    path: path.path,
    uri: path.uri,
    realPath: path.realPath,
    ...(change.kind === 'move' && { to: { path: change.to.path, uri: change.to.uri, realPath: change.to.realPath } }),
    ...treeFacts(change),
    hasText: review !== undefined,
    viaLink: path.linked,
    unsaved: change.kind === 'edit' && change.base.unsaved,
    hardLinks: change.kind === 'edit' ? path.linkCount : 1,
    unifiedLineEnds: change.kind === 'edit' ? change.base.unifiedLineEnds : 0,
    ...(change.kind === 'edit' && change.overwrites && { overwrites: true }),
    ...(protectedBy !== undefined && { protectedBy }),
    ...lines,
    ...(included.some(hasEndlessLine) && { hasEndlessLine: true }),
    ...toldLines(change, choice, lines),
    included: choice.included,
    proposedHunks: reviewed.hunks?.hunks.length ?? 0,
    includedHunks: included.filter(({ origin }) => origin === 'proposed').length,
    edited: review?.edited ?? false,
  };
}

function hasEndlessLine({ resultLines }: Pick<Hunk, 'resultLines'>): boolean {
  return resultLines.some(isEndless);
}

function countLines(hunks: readonly Pick<Hunk, 'baseLines' | 'resultLines'>[]): LineCounts {
  return {
    addedLines: sum(hunks.map(({ resultLines }) => resultLines.length)),
    removedLines: sum(hunks.map(({ baseLines }) => baseLines.length)),
  };
}

/** Counts the lines as an assistant sees the texts. Otherwise a guess that equals a redacted secret would count as no change. */
function toldLines(change: FileChange, choice: Choice, lines: LineCounts): { readonly toldLines?: LineCounts } {
  if (change.kind !== 'edit') return {};
  const base = redactText(change.base.text);
  if (base.hidden.length === 0) return {};
  const told = countLines(hunksBetween(base.text, redactText(currentText(change, choice) ?? '').text).hunks);
  const isSame = told.addedLines === lines.addedLines && told.removedLines === lines.removedLines;
  return isSame ? {} : { toldLines: told };
}

function treeFacts(change: FileChange): Partial<ApprovalFile> {
  if (change.kind !== 'delete' && change.kind !== 'move') return {};
  return {
    ...(change.isFolder && { folderFiles: change.files.length }),
    size: sum(change.files.map(({ size }) => size)),
    ...(change.kind === 'delete' && { toTrash: change.toTrash, recovery: change.recovery }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
