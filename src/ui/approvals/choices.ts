import type { Approval, Approvals } from '#changes/approval.ts';
import type { FromPage } from '#ui/page/fromPage.ts';
import type { Drawing } from './drawings.ts';

export interface ChoicesOptions {
  readonly approvals: Approvals;
  /** The revision that the page shows. */
  readonly shown: (id: string) => number | undefined;
  /** Nothing came of a choice, but the page shows it. */
  readonly refused: (id: string) => void;
}

type Choice<Type extends FromPage['type']> = Extract<FromPage, { type: Type }>;

/** Applies the check boxes of a card, and tells the user's own selections from changes made elsewhere. */
export class Choices {
  readonly #options: ChoicesOptions;
  /** The revisions that came of choices in the card alone, since the one that was shown. */
  readonly #own = new Map<string, number>();

  constructor(options: ChoicesOptions) {
    this.#options = options;
  }

  /** Returns whether the last change of the selection was made on the page. */
  isOwn({ id, revision }: Approval): boolean {
    return this.#own.get(id) === revision;
  }

  /** The rows that the page shows are those of the approval as it is now, whichever of them the user left out there. */
  isShown(approval: Approval, shown: number, drawing: Drawing | undefined): boolean {
    return shown === (drawing?.number ?? 0) && (this.#isShown(approval) || this.isOwn(approval));
  }

  /** @param drawing what the indexes of hunks count in */
  selectHunk({ id, drawing: shown, file, hunk, included }: Choice<'selectHunk'>, drawing: Drawing | undefined): void {
    const approval = this.#options.approvals.get(id);
    const isTyped = approval?.files[file]?.edited === true;
    // Typed over meanwhile, or about to be drawn anew: the index may stand for something else.
    const isKnown = approval !== undefined && (this.#isShown(approval) || (this.isOwn(approval) && !isTyped));
    if (shown !== drawing?.number || !isKnown) return this.#options.refused(id);
    this.#choose(id, () => this.#options.approvals.selectHunk(id, file, hunk, included));
  }

  selectFile({ id, file, included }: Choice<'selectFile'>): void {
    const now = this.#options.approvals.get(id)?.files[file];
    if (now === undefined) return this.#options.refused(id);
    // Nothing that was typed is thrown away by a check box: a file with it is only taken out and back in.
    if (included && now.included && !now.edited) return void this.resetFile(id, file);
    this.#choose(id, () => this.#options.approvals.selectFile(id, file, included && !(now.included && now.edited)));
  }

  /** Everything as the assistant proposed it. */
  async resetFile(id: string, file: number): Promise<void> {
    const { approvals, refused } = this.#options;
    const texts = await approvals.texts(id, file).catch(() => undefined);
    if (texts === undefined) return refused(id);
    this.#choose(id, () => {
      approvals.selectFile(id, file, true);
      approvals.setText(id, file, texts.proposed);
    });
  }

  /** Forgets all others. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#own.keys()) if (!ids.has(id)) this.#own.delete(id);
  }

  #choose(id: string, change: () => void): void {
    const { approvals, refused } = this.#options;
    const before = approvals.get(id);
    const isOwn = before !== undefined && (this.#isShown(before) || this.isOwn(before));
    change();
    const after = approvals.get(id);
    if (after === undefined || after.revision === before?.revision) return refused(id);
    if (isOwn) this.#own.set(id, after.revision);
  }

  #isShown({ id, revision }: Approval): boolean {
    return this.#options.shown(id) === revision;
  }
}
