import type { Clock } from '#base/clock.ts';
import { plain } from '#base/visibleText.ts';
import type { Approval, Approvals, DecisionResult, WaitingRead } from '#changes/approval.ts';
import { ArmingDelay, armMilliseconds } from '#changes/armingDelay.ts';
import type { FromPage, PageCommand } from '#ui/page/fromPage.ts';
import type { ToPage } from '#ui/page/messages.ts';
import { earlyText, refusalText } from './approvalsViewText.ts';
import { chunkOf } from './cardRows.ts';
import type { CardRules } from './cardRules.ts';
import type { Choices } from './choices.ts';
import type { Drawings } from './drawings.ts';
import { needsOwnDecision } from './groupText.ts';
import { answerText } from './questionCard.ts';
import { readHash } from './readCard.ts';
import type { Translate } from './translate.ts';

/** A message of a page that is ready. */
type PageAct = Exclude<FromPage, { type: 'ready' }>;
/** A message about the rule of a card. */
type RuleAct = Extract<
  PageAct,
  { type: 'previewRule' | 'approveWithRule' | 'showRule' | 'removeRule' | 'restoreRule' }
>;
/** A message about one approval. */
type CardAct = Extract<PageAct, { id: string }>;

export interface PageActsOptions {
  readonly approvals: Approvals;
  readonly clock: Pick<Clock, 'after'>;
  readonly t: Translate;
  readonly drawings: Drawings;
  readonly choices: Choices;
  readonly cardRules: CardRules;
  /** Shows a rule in the Rules view. */
  readonly showRule: (ruleId: string) => void;
  readonly backToManual: () => void;
  readonly openDiff: (id: string, fileIndex?: number) => void;
  readonly runCommand: (command: PageCommand) => void;
  readonly leave: () => void;
  readonly post: (message: ToPage) => void;
  /** Returns a function to call when this display is armed. */
  readonly whenArmed: (display: number) => () => void;
  /** Called when the page may show something outdated. */
  readonly changed: () => void;
  /** Tells the page all of a card again, whatever it shows of it. */
  readonly sendAgain: (id: string) => void;
  readonly focus: (id?: string) => void;
  /** A sentence of the view's own on a card, until the next one; `undefined` takes it away. */
  readonly note: (id: string, text: string | undefined) => void;
  readonly groupShown: (groupId: string) => void;
}

/** Does what the user asked for on the approvals page. Every decision is the queue's, which checks it by itself. */
export class PageActs {
  readonly #options: PageActsOptions;
  /** The delays of finished cards and of groups, by id; the queue has those of waiting cards. */
  readonly #arming = new Map<string, ArmingDelay>();

  constructor(options: PageActsOptions) {
    this.#options = options;
  }

  receive(message: PageAct): void {
    const { approvals, runCommand, leave, groupShown, backToManual } = this.#options;
    if ('id' in message) {
      const read = approvals.waitingReads.find(({ id }) => id === message.id);
      return read ? this.#actOnRead(read, message) : this.#actOn(approvals.get(message.id), message);
    }
    switch (message.type) {
      case 'command':
        return runCommand(message.command);
      case 'leave':
        return leave();
      case 'groupOpened':
        return approvals.groupOpened(message.groupId);
      case 'groupDisplayed':
        return groupShown(message.groupId);
      case 'approveAllDisplayed':
        return this.#startArming(message.groupId, message.display);
      case 'approveAll':
        return this.#approveAll(message);
      case 'manualMode':
        return backToManual();
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
        return this.#displayed(approval, message.display);
      case 'endReached':
        // The end of outdated rows does not count; the rows that replace them report their own end.
        if (choices.isShown(approval, message.drawing, drawings.last(id))) approvals.endReached(id);
        return;
      case 'selectHunk':
        return choices.selectHunk(message, drawings.last(id));
      case 'selectFile':
        return choices.selectFile(message);
      case 'resetFile':
        return void choices.resetFile(id, message.file);
      case 'approve':
        return this.#approve(approval, message);
      case 'previewRule':
      case 'approveWithRule':
      case 'showRule':
      case 'removeRule':
      case 'restoreRule':
        return this.#actOnRule(approval, message);
      case 'decline':
        return this.#tell(approval, this.#decline(approval, message));
      case 'undo':
      case 'redo':
      case 'rebase':
        return this.#actOnFinished(approval, message);
      case 'openDiff':
        return openDiff(id, message.file);
      case 'moreRows':
        return this.#sendRows(message);
      case 'answer':
        return this.#answerQuestion(approval, message);
    }
  }

  #approve(approval: Approval, message: Extract<CardAct, { type: 'approve' }>): void {
    const { approvals } = this.#options;
    const { proposalHash, confirmedCount, inEditor } = message;
    const { id } = approval;
    // A click that does not count leaves the change to the assistant.
    const counts = inEditor === true && approvals.approvable(id, proposalHash, confirmedCount) === 'accepted';
    if (counts) approvals.applyInEditor(id);
    this.#tell(approval, approvals.approve(id, proposalHash, confirmedCount));
  }

  #actOnRead(read: WaitingRead, message: CardAct): void {
    const { approvals } = this.#options;
    const { id } = read;
    if (message.type === 'displayed') return approvals.readDisplayed(id, this.#options.whenArmed(message.display));
    if (message.type !== 'approve' && message.type !== 'decline') return;
    const isShown = message.proposalHash === readHash(read);
    this.#tell(read, isShown ? approvals.answerRead(id, message.type === 'approve') : 'changed');
  }

  #actOnRule(approval: Approval, message: RuleAct): void {
    const { cardRules, post, changed, showRule } = this.#options;
    const { id } = approval;
    switch (message.type) {
      case 'previewRule': {
        const preview = cardRules.preview(approval, message);
        return preview ? post(preview) : this.#refuse(id, undefined);
      }
      case 'approveWithRule':
        return void this.#saveRule(approval, message);
      case 'showRule': {
        const rule = message.which === 'saved' ? cardRules.savedRule(id)?.rule : approval.judgement.rule;
        return rule === undefined ? changed() : showRule(rule.id);
      }
      case 'removeRule':
        return void this.#try(id, () => cardRules.remove(id));
      case 'restoreRule':
        return void this.#try(id, () => cardRules.restore(id));
    }
  }

  async #saveRule(approval: Approval, message: Extract<RuleAct, { type: 'approveWithRule' }>): Promise<void> {
    const result = await this.#options.cardRules.save(approval, message);
    if ('failure' in result) this.#refuse(approval.id, result.failure);
    else this.#tell(approval, result.decision);
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

  #displayed({ id, state }: Approval, display: number): void {
    if (state === 'waiting') this.#options.approvals.displayed(id, this.#options.whenArmed(display));
    else this.#startArming(id, display);
  }

  #startArming(id: string, display: number): void {
    this.#arming.get(id)?.dispose();
    this.#arming.set(id, new ArmingDelay(this.#options.clock, armMilliseconds, this.#options.whenArmed(display)));
  }

  /** Whether its delay is over, which counts for one decision. */
  #takeArmed(id: string): boolean {
    const isArmed = this.#arming.get(id)?.isOver === true;
    if (isArmed) this.#arming.delete(id);
    return isArmed;
  }

  /** Forgets what is no longer on the page. */
  keep(ids: ReadonlySet<string>): void {
    for (const [id, delay] of this.#arming) {
      if (ids.has(id)) continue;
      delay.dispose();
      this.#arming.delete(id);
    }
  }

  #actOnFinished(
    { id, proposalHash }: Approval,
    message: Extract<CardAct, { type: 'undo' | 'redo' | 'rebase' }>,
  ): void {
    if (message.proposalHash !== proposalHash) return;
    if (!this.#takeArmed(id)) return this.#refuse(id, earlyText(this.#options.t));
    const attempts = { undo: () => this.#undo(id), redo: () => this.#redo(id), rebase: () => this.#rebase(id) };
    void this.#try(id, attempts[message.type]);
  }

  /** Each by itself: what is refused stays, and says why. */
  #approveAll({ groupId, approvals: given }: Extract<PageAct, { type: 'approveAll' }>): void {
    const { approvals, t, changed } = this.#options;
    const isArmed = this.#takeArmed(groupId);
    for (const { id, proposalHash } of given) {
      const approval = approvals.get(id);
      if (!approval) changed();
      else if (needsOwnDecision(approval)) this.#refuse(id, t('This needs a separate decision.'));
      else {
        const result = isArmed ? approvals.approve(id, proposalHash) : 'too_fast';
        this.#tell(approval, result, t('Not approved with the others: review it first.'));
      }
    }
  }

  #answerQuestion(approval: Approval, { proposalHash, answer }: Extract<CardAct, { type: 'answer' }>): void {
    const { approvals } = this.#options;
    const words = approval.question && answerText(approval.question, answer);
    this.#tell(approval, words === undefined ? 'changed' : approvals.answer(approval.id, proposalHash, words));
  }

  /**
   * Tells the page when a decision did not count.
   * @param early what to say when it came too early
   */
  #tell(approval: Pick<Approval, 'id' | 'action'>, result: DecisionResult, early = earlyText(this.#options.t)): void {
    if (result !== 'accepted') this.#refuse(approval.id, refusalText(result, approval, early, this.#options.t));
  }

  #refuse(id: string, text: string | undefined): void {
    this.#options.post(text === undefined ? { type: 'refused', id } : { type: 'refused', id, text });
    this.#options.sendAgain(id);
  }

  /** @param attempt resolves with why it did not work, for the user */
  async #try(id: string, attempt: () => Promise<string | undefined | void>): Promise<void> {
    const problem = await attempt().catch(() => this.#options.t('The action failed. See the log.'));
    this.#options.note(id, problem === undefined ? undefined : plain(problem));
    this.#options.post({ type: 'refused', id });
    this.#options.sendAgain(id);
  }

  async #undo(id: string): Promise<string | undefined> {
    const { approvals, t } = this.#options;
    const { status, message } = await approvals.undo(id);
    return status === 'undone' ? undefined : (message ?? t('Undo failed. See the log.'));
  }

  async #redo(id: string): Promise<string | undefined> {
    const { approvals, t } = this.#options;
    const { status, message } = await approvals.redo(id);
    return status === 'redone' ? undefined : (message ?? t('The action failed. See the log.'));
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
    const shown = file === undefined ? drawing?.arguments : drawing?.files[file];
    if (!drawing || !shown) return;
    const chunk = chunkOf(shown, from, this.#options.t);
    this.#options.post({
      type: 'rows',
      id,
      drawing: drawing.number,
      ...(file !== undefined && { file }),
      from,
      ...chunk,
    });
  }
}
