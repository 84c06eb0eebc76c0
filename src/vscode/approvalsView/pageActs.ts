import type { Approval, Approvals, DecisionResult } from '../../approvals/approval.ts';
import { plain } from '../../approvals/visibleText.ts';
import type { FromPage, PageCommand, ToPage } from '../../sidebar/messages.ts';
import { refusalText } from './approvalsViewText.ts';
import { chunkOf } from './cardRows.ts';
import type { Translate } from './translate.ts';
import type { Choices } from './choices.ts';
import type { Drawings } from './drawings.ts';
import { needsOwnDecision } from './groupText.ts';

/** What a page that is ready says. */
type PageAct = Exclude<FromPage, { type: 'ready' }>;
/** About one approval. */
type CardAct = Extract<PageAct, { id: string }>;

export interface PageActsOptions {
  readonly approvals: Approvals;
  readonly t: Translate;
  readonly drawings: Drawings;
  readonly choices: Choices;
  readonly openDiff: (id: string, fileIndex?: number) => void;
  readonly runCommand: (command: PageCommand) => void;
  readonly leave: () => void;
  readonly post: (message: ToPage) => void;
  /** What the page shows may be out of date. */
  readonly changed: () => void;
  /** Tells the page all of a card again, whatever it shows of it. */
  readonly sendAgain: (id: string) => void;
  readonly focus: (id?: string) => void;
  /** A sentence of the view's own on a card, until the next one; `undefined` takes it away. */
  readonly note: (id: string, text: string | undefined) => void;
  readonly groupShown: (groupId: string) => void;
}

/** Does what the human asked for on the approvals page. Every decision is the queue's, which checks it by itself. */
export class PageActs {
  readonly #options: PageActsOptions;

  constructor(options: PageActsOptions) {
    this.#options = options;
  }

  receive(message: PageAct): void {
    const { approvals, runCommand, leave, groupShown } = this.#options;
    if ('id' in message) return this.#actOn(approvals.get(message.id), message);
    switch (message.type) {
      case 'command':
        return runCommand(message.command);
      case 'leave':
        return leave();
      case 'groupOpened':
        return approvals.groupOpened(message.groupId);
      case 'groupDisplayed':
        return groupShown(message.groupId);
      case 'approveAll':
        return this.#approveAll(message.approvals);
      case 'lift':
        return approvals.lift(message.restrictionId);
    }
  }

  #actOn(approval: Approval | undefined, message: CardAct): void {
    if (!approval) return this.#options.changed();
    const { approvals, choices, drawings, openDiff } = this.#options;
    const { id } = approval;
    switch (message.type) {
      case 'displayed':
        return approvals.displayed(id);
      case 'endReached':
        // Of rows that are out of date it says nothing; those that take their place tell of their own end.
        if (choices.isShown(approval, message.drawing, drawings.last(id))) approvals.endReached(id);
        return;
      case 'selectHunk':
        return choices.selectHunk(message, drawings.last(id));
      case 'selectFile':
        return choices.selectFile(message);
      case 'resetFile':
        return void choices.resetFile(id, message.file);
      case 'approve':
        return this.#answer(id, approvals.approve(id, message.proposalHash));
      case 'decline':
        return this.#answer(id, this.#decline(approval, message));
      case 'undo':
        if (message.proposalHash === approval.proposalHash) void this.#try(id, () => this.#undo(id));
        return;
      case 'rebase':
        if (message.proposalHash === approval.proposalHash) void this.#try(id, () => this.#rebase(id));
        return;
      case 'openDiff':
        return openDiff(id, message.file);
      case 'moreRows':
        this.#sendRows(message);
    }
  }

  #decline(approval: Approval, message: Extract<CardAct, { type: 'decline' }>): DecisionResult {
    const { id, proposalHash, message: words, reasonCode, pause } = message;
    if (proposalHash !== approval.proposalHash) return 'changed';
    return this.#options.approvals.decline(id, {
      ...(words !== undefined && { message: words }),
      ...(reasonCode && { reasonCode }),
      ...(pause && { pause }),
    });
  }

  /** Each by itself: what is refused stays, and says why. */
  #approveAll(given: Extract<PageAct, { type: 'approveAll' }>['approvals']): void {
    const { approvals, t, changed } = this.#options;
    for (const { id, proposalHash } of given) {
      const approval = approvals.get(id);
      if (!approval) changed();
      else if (needsOwnDecision(approval)) this.#refuse(id, t('This needs a decision of its own.'));
      else this.#answer(id, approvals.approve(id, proposalHash), t('Not approved with the others: look at it first.'));
    }
  }

  /** @param otherwise for what a single card need not say */
  #answer(id: string, result: DecisionResult, otherwise?: string): void {
    if (result !== 'accepted') this.#refuse(id, refusalText(result, this.#options.t) ?? otherwise);
  }

  #refuse(id: string, text: string | undefined): void {
    this.#options.post(text === undefined ? { type: 'refused', id } : { type: 'refused', id, text });
    this.#options.sendAgain(id);
  }

  /** @param attempt resolves with why it did not work, for the human */
  async #try(id: string, attempt: () => Promise<string | undefined>): Promise<void> {
    const problem = await attempt().catch(() => this.#options.t('That did not work. See the log.'));
    this.#options.note(id, problem === undefined ? undefined : plain(problem));
    this.#options.post({ type: 'refused', id });
    this.#options.sendAgain(id);
  }

  async #undo(id: string): Promise<string | undefined> {
    const { approvals, t } = this.#options;
    const { status, message } = await approvals.undo(id);
    return status === 'undone' ? undefined : (message ?? t('Undo did not work. See the log.'));
  }

  async #rebase(id: string): Promise<string | undefined> {
    const { approvals, t, focus } = this.#options;
    const { status, id: newer, message } = await approvals.rebase(id);
    if (status !== 'rebased') return message ?? t('The change no longer fits the files as they are now.');
    focus(newer);
    return undefined;
  }

  #sendRows({ id, file, from }: Extract<CardAct, { type: 'moreRows' }>): void {
    const drawing = this.#options.drawings.last(id);
    const changes = drawing?.files[file];
    if (!drawing || !changes) return;
    const chunk = chunkOf(changes, from, this.#options.t);
    this.#options.post({ type: 'rows', id, drawing: drawing.number, file, from, ...chunk });
  }
}
