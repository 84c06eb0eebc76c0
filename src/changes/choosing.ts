import type { Clock } from '#base/clock.ts';
import type { ApprovalTexts } from './approval.ts';
import type { Entry } from './entry.ts';
import type { History } from './history.ts';
import { select, type Review } from './review.ts';
import { loadReview, loadTexts } from './keep.ts';
import { proposalHashOfKnown } from './proposalHash.ts';
import {
  asProposed,
  currentText,
  describeFile,
  isEditable,
  reviewOfChange,
  selectedProposal,
  type Choice,
  type ReviewedChange,
} from './selection.ts';
import type { ApprovalStore } from './store.ts';

/** A human's selection is on disk this many milliseconds after they changed it. */
const writeAfter = 500;

/**
 * What the human makes of a proposal before they decide. There is one text for each file, what would be applied: the check
 * boxes of the card and the right side of the editor's diff are two views of it.
 */
export class Choosing {
  readonly #store: ApprovalStore;
  readonly #history: History;
  readonly #clock: Pick<Clock, 'after'>;

  constructor(store: ApprovalStore, { history, clock }: { readonly history: History; readonly clock: Clock }) {
    this.#store = store;
    this.#history = history;
    this.#clock = clock;
  }

  async texts(id: string, fileIndex: number): Promise<ApprovalTexts | undefined> {
    const entry = this.#store.get(id);
    const change = entry?.proposal?.files[fileIndex];
    if (entry === undefined || change === undefined) {
      const kept = entry?.kept[fileIndex];
      if (kept === undefined) throw new Error(`There is no file ${fileIndex} in approval ${id}`);
      return loadTexts(kept, this.#history);
    }
    const base = currentText(change, { included: false });
    const proposed = currentText(change);
    const current = currentText(change, entry.choices[fileIndex]);
    return base === undefined || proposed === undefined || current === undefined
      ? undefined
      : { base, proposed, current };
  }

  async review(id: string, fileIndex: number): Promise<Review | undefined> {
    const entry = this.#store.get(id);
    const reviewed = entry?.reviewed[fileIndex];
    if (entry !== undefined && reviewed !== undefined) return reviewOfChange(reviewed, entry.choices[fileIndex]);
    return loadReview(await this.texts(id, fileIndex));
  }

  selectHunk(id: string, fileIndex: number, hunkIndex: number, included: boolean): void {
    const { entry, reviewed } = this.#divisible(id, fileIndex);
    if (entry === undefined || reviewed === undefined) return;
    const { change } = reviewed;
    const review = reviewOfChange(reviewed, entry.choices[fileIndex]);
    if (change.kind !== 'edit' || review === undefined) return this.selectFile(id, fileIndex, included);
    const text = select(change.base.text, review, hunkIndex, included);
    this.#choose(entry, fileIndex, text === change.result.text ? asProposed : { included: true, text });
  }

  selectFile(id: string, fileIndex: number, included: boolean): void {
    const { entry, reviewed } = this.#divisible(id, fileIndex);
    if (entry === undefined || reviewed === undefined) return;
    const choice = { ...entry.choices[fileIndex], included };
    // All its hunks were out: the whole file comes back.
    const isEmpty = reviewed.change.kind === 'edit' && choice.text === reviewed.change.base.text;
    this.#choose(entry, fileIndex, included && isEmpty ? asProposed : choice);
  }

  setText(id: string, fileIndex: number, text: string): boolean {
    const { entry, reviewed } = this.#divisible(id, fileIndex);
    if (entry === undefined || reviewed === undefined || !isEditable(reviewed.change)) return false;
    const { change } = reviewed;
    this.#choose(entry, fileIndex, text === currentText(change) ? asProposed : { included: true, text });
    return true;
  }

  /** A file of which parts can be left out. */
  #divisible(id: string, fileIndex: number): { readonly entry?: Entry; readonly reviewed?: ReviewedChange } {
    const entry = this.#store.waiting(id);
    const reviewed = entry?.reviewed[fileIndex];
    return entry === undefined || reviewed === undefined || entry.approval.indivisible ? {} : { entry, reviewed };
  }

  #choose(entry: Entry, fileIndex: number, choice: Choice): void {
    const { proposal, approval } = entry;
    const reviewed = entry.reviewed[fileIndex];
    if (proposal === undefined || reviewed === undefined) return;
    entry.choices = entry.choices.map((each, index) => (index === fileIndex ? choice : each));
    this.#store.update(entry, {
      files: approval.files.with(fileIndex, describeFile(reviewed, choice)),
      proposalHash: proposalHashOfKnown(approval.tool, selectedProposal(proposal, entry.choices)),
      revision: approval.revision + 1,
    });
    entry.dueWrite?.dispose();
    entry.dueWrite = this.#clock.after(writeAfter, () => this.#store.write(entry, true));
  }
}
