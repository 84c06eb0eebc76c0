import { createAction } from './action.ts';
import type { Armed } from './arming.ts';
import { createActions, drawnActions } from './cardActions.ts';
import { drawnCounts, drawnOutput, headOf, quotedReason, warningList, whoLine } from './cardParts.ts';
import { drawnDisclosure } from './disclosure.ts';
import { createSavedRule } from './savedRule.ts';
import { createCountField } from './countField.ts';
import { createDecline } from './decline.ts';
import type { Drafts } from './drafts.ts';
import { element } from './element.ts';
import { createFiles } from './files.ts';
import { createGate } from './gate.ts';
import type { PageMessage } from './fromPage.ts';
import type {
  Card,
  CardSelection,
  FileSelection,
  RowsMessage,
  RulePreview,
  SelectionMessage,
  Strings,
} from './messages.ts';
import { createQuestion } from './question.ts';

export interface CardSurroundings {
  readonly send: (message: PageMessage) => void;
  readonly strings: Strings;
  readonly drafts: Drafts;
  /** A decision was taken here, by a trusted event. */
  readonly decided: (id: string) => void;
  /** Starts the delay of the buttons anew. */
  readonly rearm: (card: CardView) => void;
  /** The user moved the buttons themselves, by what they selected. */
  readonly settle: (card: CardView) => void;
  /** Brings up another card. */
  readonly show: (id: string) => void;
}

/** A card on the page. One view lives as long as nothing but notes and what is selected changes. */
export interface CardView extends Armed {
  readonly card: Card;
  readonly item: HTMLLIElement;
  readonly article: HTMLElement;
  /** Has been on screen. */
  readonly wasDisplayed: boolean;
  update(card: Card): void;
  /** Another part of the change is selected. */
  select(message: SelectionMessage): void;
  append(message: RowsMessage): void;
  /** The rule that the user wants to see before it is made. */
  preview(message: RulePreview): void;
  setPosition(position: number, size: number): void;
  /** Each acts only when the card offers it and its delay is over. */
  approve(): void;
  decline(): void;
  openDiff(): void;
  /** The host did not take the decision. */
  refused(text: string | undefined): void;
  dispose(): void;
}

let cardNumber = 0;

export function createCard(first: Card, surroundings: CardSurroundings): CardView {
  const { send, strings } = surroundings;
  cardNumber += 1;
  const prefix = `card-${cardNumber}`;
  let card = first;

  const headline = element(
    'h3',
    { id: `${prefix}-headline`, tabindex: '-1', title: card.headlineTitle },
    card.headline,
  );
  const notes = element('div', { class: 'notes', id: `${prefix}-notes` });
  const hint = element('p', { class: 'hint', id: `${prefix}-hint` }, card.endHint ?? '');
  const refusal = createRefusal(strings.early);
  const gate = createGate(hint, card.endHint !== undefined, () => refusal.say(strings.early));
  const end = (): void => {
    gate.endReached();
    send({ type: 'endReached', id: card.id, drawing: card.drawing });
  };
  const files = createFiles(card, { send, leftOut: strings.leftOut, end });
  const more = (from: number): void => send({ type: 'moreRows', id: card.id, from });
  const action = card.action && createAction(card.action, { more, end });
  const sendDecline = (event: Event, pause: boolean): void => acts.decline(event, pause);
  const decline =
    card.decline && createDecline(card.decline, { ...surroundings, id: card.id, prefix, send: sendDecline });
  const count =
    card.confirm && createCountField(card.confirm, prefix, () => gate.setConfirmed(count?.value() !== undefined));
  const question =
    card.question &&
    createQuestion(card.question, {
      id: card.id,
      prefix,
      drafts: surroundings.drafts,
      changed: () => gate.setConfirmed(question?.value() !== undefined),
      send: (event) => acts.approve(event),
    });
  gate.setConfirmed(count === undefined && (!question || question.value() !== undefined));
  const acts = createActions(() => card, surroundings, gate, {
    declineAnswer: () => decline?.answer() ?? {},
    count,
    question,
  });
  const actions = drawnActions(card, {
    ...surroundings,
    prefix,
    acts,
    gate,
    hint,
    chord: strings.approveChord,
    decline,
    count,
    question,
  });
  const savedRule = createSavedRule(
    () => card,
    send,
    () => headline,
  );
  const showRule = (): void => send({ type: 'showRule', id: card.id, which: 'decided' });
  const hash = element('span', {});
  const warnings = warningList(card, `${prefix}-warnings`);
  const head = headOf(card, headline);
  const article = element(
    'article',
    { class: `card ${card.tone}`, 'aria-labelledby': headline.id, 'aria-describedby': `${warnings.id} ${notes.id}` },
    head,
    whoLine(card),
    files.element,
    ...(action ? [action.element] : []),
    warnings,
    ...quotedReason(card),
    ...(question ? [question.element] : []),
    ...(card.why ? [drawnDisclosure(card.why, 'why', { hash, showRule })] : []),
    notes,
    savedRule.element,
    ...(card.output ? [drawnOutput(card.output)] : []),
    ...(card.problems ? [drawnDisclosure(card.problems, 'problems', { hash, showRule })] : []),
    hint,
    element('div', { class: 'foot' }, refusal.element, actions.element),
  );
  article.dataset['approval'] = card.id;
  const drawNotes = (): void => notes.replaceChildren(...card.notes.map((note) => element('p', {}, note)));
  const drawSelection = (selection: CardSelection & { readonly files: readonly FileSelection[] }): void => {
    hash.textContent = selection.proposalHash.slice(0, 12);
    head.querySelector('.counts')?.replaceWith(drawnCounts(selection.counts));
    files.select(selection.files);
    actions.select(selection);
  };
  drawNotes();
  savedRule.draw();
  drawSelection(card);
  let wasDisplayed = false;

  const view: CardView = {
    get card() {
      return card;
    },
    item: element('li', {}, article),
    article,
    headline,
    decisions: actions.decisions,
    actions: actions.element,
    get wasDisplayed() {
      return wasDisplayed;
    },
    approve: () => acts.approve(),
    decline: () => acts.decline(),
    openDiff: () => acts.openDiff(),
    setArmed(armed) {
      gate.setArmed(armed);
      if (armed) refusal.unsayEarly();
    },
    displayed(display) {
      wasDisplayed = true;
      if (card.phase === 'waiting' || card.undo || card.redo || card.rebase) {
        send({ type: 'displayed', id: card.id, display });
      }
    },
    update(next) {
      const isOther = next.proposalHash !== card.proposalHash;
      card = next;
      drawNotes();
      savedRule.draw();
      drawSelection(card);
      if (isOther) surroundings.rearm(view);
    },
    select({ own, files: selected, proposalHash, counts, approve, rules, emptyHint }) {
      const { approve: _, rules: __, emptyHint: ___, ...kept } = card;
      card = {
        ...kept,
        proposalHash,
        counts,
        ...(approve && { approve }),
        ...(rules && { rules }),
        ...(emptyHint !== undefined && { emptyHint }),
        files: card.files.map((file, index) => ({ ...file, ...selected[index] })),
      };
      drawSelection(card);
      if (own) surroundings.settle(view);
      else surroundings.rearm(view);
    },
    append(message) {
      if (message.drawing !== card.drawing) return;
      if (message.file === undefined) action?.append(message);
      else files.append(message);
    },
    preview(message) {
      // Another decision than before, and one that widens: its button starts its delay anew, here and in the host.
      if (actions.chooser?.preview(message)) surroundings.rearm(view);
    },
    setPosition(position, size) {
      article.setAttribute('aria-posinset', String(position));
      article.setAttribute('aria-setsize', String(size));
    },
    refused(text) {
      refusal.say(text ?? '');
      gate.settle();
      surroundings.rearm(view);
    },
    dispose() {
      files.dispose();
      action?.dispose();
    },
  };
  return view;
}

/** Why a decision did not count. */
function createRefusal(early: string) {
  const words = element('p', { class: 'refusal', role: 'status' });
  const say = (text: string): void => {
    words.textContent = text;
    words.classList.toggle('early', text === early);
  };
  return {
    element: words,
    say,
    /** What was said of a click that came too early is over. */
    unsayEarly(): void {
      if (words.textContent === early) say('');
    },
  };
}
