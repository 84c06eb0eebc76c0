import type { Clock } from '#base/clock.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Approval, ApprovalQuestion, Approvals, DecisionResult, WaitingRead } from '#changes/approval.ts';
import { ArmingDelay, armMilliseconds } from '#changes/armingDelay.ts';
import type { Answer, FromPage, PageCommand } from '#ui/page/fromPage.ts';
import type { ModeStatus, Refusal, ToPage } from '#ui/page/messages.ts';
import { needsOwnDecision } from '#ui/page/words/groupText.ts';
import type { Translate } from '#ui/page/words/translate.ts';
import { chunkOf, rowsWith, unchangedRows } from './cardRows.ts';
import type { CardRules } from './cardRules.ts';
import { anchored } from './commentAnchors.ts';
import type { Choices } from './choices.ts';
import type { Drawings } from './drawings.ts';
import { allowedByMode, readHash } from './pageData.ts';
import type { PageMemory } from './pageMemory.ts';

/** A message of a page that is ready. */
type PageAct = Exclude<FromPage, { type: 'ready' | 'theme' | 'focused' }>;
/** A message about the rule of a card. */
type RuleAct = Extract<
  PageAct,
  { type: 'previewRule' | 'approveWithRule' | 'showRule' | 'removeRule' | 'restoreRule' }
>;
/** A message about one approval. */
type CardAct = Exclude<Extract<PageAct, { id: string }>, { type: 'remember' }>;

export interface PageActsOptions {
  readonly approvals: Approvals;
  readonly clock: Pick<Clock, 'after'>;
  readonly t: Translate;
  readonly drawings: Drawings;
  readonly choices: Choices;
  readonly cardRules: CardRules;
  /** The approval has a warning, so that it is decided by itself alone. */
  readonly isWarned: (id: string) => boolean;
  readonly memory: PageMemory;
  /** Shows a rule in the Rules view. */
  readonly showRule: (ruleId: string) => void;
  readonly mode: () => ModeStatus;
  readonly backToManual: () => void;
  readonly openDiff: (id: string, fileIndex?: number) => void;
  /** Shows the approval in the review tab. */
  readonly openReview: (id: string) => void;
  /** Opens the whole change as a text. */
  readonly openText: (id: string) => void;
  readonly copy: (text: string) => void;
  /** Another page decides about the approval, so this one takes no decision. */
  readonly isElsewhere: (id: string) => boolean;
  /** Ids of the finished approvals that the page shows. */
  readonly finished: () => readonly string[];
  readonly runCommand: (command: PageCommand) => void;
  readonly leave: () => void;
  readonly post: (message: ToPage) => void;
  /** Returns a function to call when this display is armed; it calls `armed` only while the same page is shown. */
  readonly whenArmed: (display: number, armed: () => void) => () => void;
  /** Called when the page may show something outdated. */
  readonly changed: () => void;
  /** Tells the page all of a card again, whatever it shows of it. */
  readonly sendAgain: (id: string) => void;
  readonly focus: (id?: string) => void;
  /** A sentence of the view's own on a card, until the next one; `undefined` takes it away. */
  readonly note: (id: string, text: string | undefined) => void;
}

/** What a page may ask for that does not decide about the approval: it only shows something of the approval. */
const showing: ReadonlySet<CardAct['type']> = new Set([
  'openDiff',
  'openText',
  'copyMessage',
  'moreRows',
  'unchangedRows',
  'find',
]);

/** Stands where the id of a group stands, for the button that applies what the mode allows. */
export const modeOffer = 'mode';

/** The most rows with the user's text that the page is told of. */
const mostFound = 2000;

/** Does what the user asked for on the approvals page. Every decision is the queue's, which checks it by itself. */
export class PageActs {
  readonly #options: PageActsOptions;
  /** The delays of finished cards and of groups, by id; the queue has those of waiting cards. */
  readonly #arming = new Map<string, ArmingDelay>();
  /** What this page showed for half a second: another page's time does not count here. */
  readonly #armedHere = new Set<string>();
  /** Numbers of the parts that were on screen. A place of several parts was on screen when all of them were. */
  readonly #partsSeen = new Set<number>();

  constructor(options: PageActsOptions) {
    this.#options = options;
  }

  /** The page is drawn anew, so nothing on it has been shown long enough. */
  disarm(): void {
    this.#armedHere.clear();
  }

  receive(message: PageAct): void {
    const { approvals, drawings, runCommand, leave, backToManual, memory, finished, changed } = this.#options;
    if (message.type === 'remember') {
      const { type: _, secret: __, ...kept } = message;
      return memory.remember({ ...kept, comments: anchored(kept.comments, drawings.last(kept.id)?.files ?? []) });
    }
    if (message.type === 'clearFinished') {
      memory.clear(message.id === undefined ? finished() : [message.id]);
      return changed();
    }
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
      case 'approveAllDisplayed':
        return this.#startArming(message.groupId, message.display);
      case 'approveAll':
        return this.#approveAll(message);
      case 'declineAll':
        return this.#declineAll(message);
      case 'applyByMode':
        return void this.#applyByMode(message);
      case 'manualMode':
        return backToManual();
      case 'lift':
        return approvals.lift(message.restrictionId);
    }
  }

  #actOn(approval: Approval | undefined, message: CardAct): void {
    if (!approval) return this.#options.changed();
    const { approvals, choices, drawings, openDiff, openReview, isElsewhere } = this.#options;
    const { id } = approval;
    if (message.type === 'openReview') return openReview(id);
    if (isElsewhere(id) && !showing.has(message.type)) {
      const isSilent = message.type === 'displayed' || message.type === 'endReached' || message.type === 'partSeen';
      return isSilent ? undefined : this.#refuse(id, 'changed');
    }
    switch (message.type) {
      case 'displayed':
        return this.#displayed(approval, message.display);
      case 'endReached':
        // The end of outdated rows does not count; the rows that replace them report their own end.
        if (choices.isShown(approval, message.drawing, drawings.last(id))) approvals.endReached(id);
        return;
      case 'partSeen':
        return this.#partSeen(approval, message.part);
      case 'selectHunk':
        return choices.selectHunk(message, drawings.last(id));
      case 'selectFile':
        return choices.selectFile(message);
      case 'resetFile':
        return void choices.resetFile(id, message.file);
      case 'approve':
        return approval.state === 'partly_applied' ? this.#settle(approval, message) : this.#approve(approval, message);
      case 'previewRule':
      case 'approveWithRule':
      case 'showRule':
      case 'removeRule':
      case 'restoreRule':
        return this.#actOnRule(approval, message);
      case 'decline':
        if (approval.state === 'partly_applied') return this.#settle(approval, message);
        return this.#tell(id, this.#decline(approval, message));
      case 'undo':
      case 'redo':
      case 'rebase':
        return this.#actOnFinished(approval, message);
      case 'openDiff':
        return openDiff(id, message.file);
      case 'moreRows':
        return this.#sendRows(message);
      case 'unchangedRows':
        return this.#sendUnchangedRows(message);
      case 'copyMessage':
        return this.#options.copy(toldText(approval));
      case 'find':
        return this.#sendFound(message);
      case 'openText':
        return this.#options.openText(id);
      case 'answer':
        return this.#answerQuestion(approval, message);
    }
  }

  /** Takes note of a part that was on screen. A part of rows that the approval no longer has does not count. */
  #partSeen(approval: Approval, part: number): void {
    const { approvals, choices, drawings, sendAgain } = this.#options;
    const { id } = approval;
    const drawing = drawings.last(id);
    const found = drawings.placeWith(id, part);
    if (drawing === undefined || found === undefined || !choices.isShown(approval, drawing.number, drawing)) return;
    this.#partsSeen.add(part);
    if (!found.parts.every((each) => this.#partsSeen.has(each))) return;
    approvals.placeSeen(id, found.file, found.place);
    sendAgain(id);
  }

  /** Starts the time of what is on this page now. */
  #whenArmedHere(id: string, display: number): () => void {
    this.#armedHere.delete(id);
    return this.#options.whenArmed(display, () => this.#armedHere.add(id));
  }

  #approve(approval: Approval, message: Extract<CardAct, { type: 'approve' }>): void {
    const { approvals } = this.#options;
    const { proposalHash, confirmedCount, inEditor, comments, withoutReading } = message;
    const { id } = approval;
    if (!this.#armedHere.has(id)) return this.#tell(id, 'too_fast');
    // A click that does not count leaves the change to the assistant.
    const counts =
      inEditor === true && approvals.approvable(id, proposalHash, confirmedCount, withoutReading) === 'accepted';
    if (counts) approvals.applyInEditor(id);
    this.#tell(id, approvals.approve(id, proposalHash, confirmedCount, comments, withoutReading));
  }

  #actOnRead(read: WaitingRead, message: CardAct): void {
    const { approvals } = this.#options;
    const { id } = read;
    if (message.type === 'displayed') return approvals.readDisplayed(id, this.#whenArmedHere(id, message.display));
    if (message.type !== 'approve' && message.type !== 'decline') return;
    const isShown = message.proposalHash === readHash(read);
    this.#tell(id, isShown ? approvals.answerRead(id, message.type === 'approve') : 'changed');
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
    if (!this.#armedHere.has(approval.id)) return this.#tell(approval.id, 'too_fast');
    const result = await this.#options.cardRules.save(approval, message);
    if ('failure' in result) this.#refuse(approval.id, result.failure);
    else this.#tell(approval.id, result.decision);
  }

  #decline(approval: Approval, message: Extract<CardAct, { type: 'decline' }>): DecisionResult {
    const { id, proposalHash, message: words, reasonCode, pause, comments } = message;
    if (proposalHash !== approval.proposalHash) return 'changed';
    return this.#options.approvals.decline(id, {
      ...(words !== undefined && { message: words }),
      ...(reasonCode && { reasonCode }),
      ...(pause && { pause }),
      ...(comments && { comments }),
    });
  }

  #displayed({ id, state }: Approval, display: number): void {
    if (state === 'waiting') this.#options.approvals.displayed(id, this.#whenArmedHere(id, display));
    else this.#startArming(id, display);
  }

  #startArming(id: string, display: number): void {
    this.#arming.get(id)?.dispose();
    this.#arming.set(id, new ArmingDelay(this.#options.clock, armMilliseconds, this.#whenArmedHere(id, display)));
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
    if (!this.#takeArmed(id)) return this.#refuse(id, 'too_fast');
    const attempts = { undo: () => this.#undo(id), redo: () => this.#redo(id), rebase: () => this.#rebase(id) };
    void this.#try(id, attempts[message.type]);
  }

  /** Finishes a half-done change, or takes it back. */
  #settle({ id, proposalHash }: Approval, message: Extract<CardAct, { type: 'approve' | 'decline' }>): void {
    if (message.proposalHash !== proposalHash) return this.#refuse(id, 'changed');
    if (!this.#takeArmed(id)) return this.#refuse(id, 'too_fast');
    const way = message.type === 'approve' ? 'finish' : 'takeBack';
    void this.#try(id, async () => {
      const { approvals, t } = this.#options;
      const { status, message: problem } = await approvals.settle(id, way);
      const isSettled = status === 'redone' || status === 'undone';
      return isSettled ? undefined : (problem ?? t('The action failed. See the log.'));
    });
  }

  /** Each by itself: what is refused stays, and says why. */
  #approveAll({ groupId, approvals: given }: Extract<PageAct, { type: 'approveAll' }>): void {
    const { approvals, changed, isElsewhere, isWarned } = this.#options;
    const isArmed = this.#takeArmed(groupId);
    for (const { id, proposalHash } of given) {
      const approval = approvals.get(id);
      if (!approval) changed();
      else if (needsOwnDecision(approval) || isWarned(id) || isElsewhere(id)) this.#refuse(id, 'needs_own_decision');
      else {
        const result = isArmed && this.#armedHere.has(id) ? approvals.approve(id, proposalHash) : 'too_fast';
        this.#tell(id, result === 'too_fast' || result === 'not_displayed' ? 'not_reviewed' : result);
      }
    }
  }

  /** Declines each by itself. Nothing happens by a decline, so none of them must have been on screen. */
  #declineAll({ groupId, approvals: given }: Extract<PageAct, { type: 'declineAll' }>): void {
    const { approvals, changed, isElsewhere } = this.#options;
    const isArmed = this.#takeArmed(groupId);
    for (const { id, proposalHash } of given) {
      const approval = approvals.get(id);
      if (!approval) changed();
      else if (isElsewhere(id)) this.#refuse(id, 'needs_own_decision');
      else if (!isArmed) this.#refuse(id, 'too_fast');
      else this.#tell(id, approval.proposalHash === proposalHash ? approvals.decline(id) : 'changed');
    }
  }

  /** Each by itself, and only one that the page may offer now. */
  async #applyByMode({ approvals: given }: Extract<PageAct, { type: 'applyByMode' }>): Promise<void> {
    const { approvals, drawings, isElsewhere, isWarned, mode } = this.#options;
    const { mode: now } = mode();
    const isArmed = this.#takeArmed(modeOffer) && this.#armedHere.has(modeOffer);
    const offered = new Set(allowedByMode(approvals.all, now, drawings, isWarned));
    for (const { id, proposalHash } of given) {
      if (!isArmed) this.#refuse(id, 'too_fast');
      else if (!offered.has(id) || isElsewhere(id)) this.#refuse(id, 'needs_own_decision');
      else {
        const result = await approvals.applyByMode(id, proposalHash, now);
        this.#tell(id, result === 'not_allowed' ? 'needs_own_decision' : result);
      }
    }
  }

  #answerQuestion(approval: Approval, { proposalHash, answer }: Extract<CardAct, { type: 'answer' }>): void {
    const { approvals } = this.#options;
    const { id, question } = approval;
    if (!this.#armedHere.has(id)) return this.#tell(id, 'too_fast');
    const words = question && answerText(question, answer);
    this.#tell(id, words === undefined ? 'changed' : approvals.answer(id, proposalHash, words));
  }

  /** Tells the page when a decision did not count. */
  #tell(id: string, result: DecisionResult | Refusal): void {
    if (result !== 'accepted') this.#refuse(id, result);
  }

  #refuse(id: string, why: Refusal | undefined): void {
    this.#options.post({ type: 'refused', id, ...(why !== undefined && { why }) });
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
    const { status, id: newer, leftOut, message } = await approvals.rebase(id);
    if (status !== 'rebased') return message ?? t('The change no longer fits the files as they are now.');
    focus(newer);
    return (
      leftOut && t('Proposed again without {0}: the change no longer fits there.', shortened(leftOut.join(', '), 300))
    );
  }

  #sendRows({ id, file, from }: Extract<CardAct, { type: 'moreRows' }>): void {
    const drawing = this.#options.drawings.last(id);
    const shown = file === undefined ? drawing?.arguments : drawing?.files[file];
    if (!drawing || !shown) return;
    const rows = chunkOf(shown, from);
    this.#options.post({ type: 'rows', id, drawing: drawing.number, ...(file !== undefined && { file }), from, rows });
  }

  #sendFound({ id, drawing: asked, text }: Extract<CardAct, { type: 'find' }>): void {
    const drawing = this.#options.drawings.last(id);
    if (drawing?.number !== asked) return;
    const places = drawing.files.flatMap((shown, file) => rowsWith(shown, text).map((row) => ({ file, row })));
    const found = { id, drawing: asked, text, places: places.slice(0, mostFound), total: places.length };
    this.#options.post({ type: 'found', ...found });
  }

  #sendUnchangedRows({ id, file, drawing: asked, line, count }: Extract<CardAct, { type: 'unchangedRows' }>): void {
    const drawing = this.#options.drawings.last(id);
    const shown = drawing?.files[file];
    if (drawing?.number !== asked || !shown) return;
    const rows = unchangedRows(shown.base, shown.hunks, line, count);
    this.#options.post({ type: 'unchangedRows', id, drawing: asked, file, rows });
  }
}

/** Returns what a person can tell an assistant that has not heard of a decision. It is for a model, and stays in English. */
function toldText({ id }: Approval): string {
  return `I have decided about your request ${id}. Call get_approval with approvalId "${id}" to learn the outcome.`;
}

/** Returns the text of an answer; undefined when the question allows no such answer. */
function answerText({ choices, allowsText }: ApprovalQuestion, answer: Answer): string | undefined {
  if ('choice' in answer) return choices[answer.choice];
  const text = answer.text.trim();
  return allowsText && text !== '' ? text : undefined;
}
