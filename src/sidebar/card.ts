import type { Armed } from './arming.ts';
import { drawnButton, fileTitle, headOf, reasonAndWhy, warningList, whoLine } from './cardParts.ts';
import { createChanges, type Changes } from './changes.ts';
import { createDecline, type DeclineControl } from './decline.ts';
import type { Drafts } from './drafts.ts';
import { element } from './element.ts';
import { createGate, type Gate } from './gate.ts';
import type { Card, PageMessage, RowsMessage, Strings } from './messages.ts';

export interface CardSurroundings {
  readonly send: (message: PageMessage) => void;
  readonly strings: Strings;
  readonly drafts: Drafts;
  /** A decision was taken here, by a trusted event. */
  readonly decided: (id: string) => void;
  /** Starts the delay of the buttons anew. */
  readonly rearm: (card: CardView) => void;
}

/** A card on the page. One view lives as long as its approval keeps its phase; only notes change meanwhile. */
export interface CardView extends Armed {
  readonly card: Card;
  readonly item: HTMLLIElement;
  readonly article: HTMLElement;
  /** Has been on screen. */
  readonly wasDisplayed: boolean;
  update(card: Card): void;
  append(message: RowsMessage): void;
  setPosition(position: number, size: number): void;
  /** Each acts only when the card offers it and its delay is over. */
  approve(): void;
  decline(): void;
  openDiff(): void;
  /** The host did not take the decision. */
  refused(text: string | undefined): void;
  dispose(): void;
}

/** What a human can do with a card, by button or by key. */
interface CardActions {
  approve(event?: Event): void;
  decline(event?: Event): void;
  undo(event: Event): void;
  openDiff(): void;
}

const isMac = navigator.platform.startsWith('Mac');
let cardNumber = 0;

export function createCard(first: Card, surroundings: CardSurroundings): CardView {
  const { send } = surroundings;
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
  const refusal = element('p', { class: 'refusal', role: 'status' });
  const { early } = surroundings.strings;
  const sayEarly = (isEarly: boolean): void => {
    if (isEarly) refusal.textContent = early;
    else if (refusal.textContent === early) refusal.textContent = '';
    refusal.classList.toggle('early', isEarly);
  };
  const gate = createGate(hint, card.endHint !== undefined, () => sayEarly(true));
  const { element: files, changes } = drawnFiles(card, surroundings, gate);
  const sendDecline = (event: Event): void => acts.decline(event);
  const decline =
    card.decline && createDecline(card.decline, { ...surroundings, id: card.id, prefix, send: sendDecline });
  const acts = createActions(card, surroundings, gate, () => decline?.message() ?? '');
  const actions = drawnActions(card, {
    acts,
    gate,
    hint,
    chord: surroundings.strings.approveChord,
    decline,
  });

  const warnings = warningList(card, `${prefix}-warnings`);
  const describedBy = `${warnings.id} ${notes.id}`;
  const article = element(
    'article',
    { class: `card ${card.tone}`, 'aria-labelledby': headline.id, 'aria-describedby': describedBy },
    headOf(card, headline),
    whoLine(card),
    files,
    warnings,
    ...reasonAndWhy(card),
    notes,
    hint,
    element('div', { class: 'foot' }, refusal, actions),
  );
  article.dataset['approval'] = card.id;
  const drawNotes = (): void => notes.replaceChildren(...card.notes.map((note) => element('p', {}, note)));
  drawNotes();
  let wasDisplayed = false;

  const view: CardView = {
    get card() {
      return card;
    },
    item: element('li', {}, article),
    article,
    headline,
    actions,
    get wasDisplayed() {
      return wasDisplayed;
    },
    approve: () => acts.approve(),
    decline: () => acts.decline(),
    openDiff: () => acts.openDiff(),
    setArmed(armed) {
      gate.setArmed(armed);
      if (armed) sayEarly(false);
    },
    displayed() {
      wasDisplayed = true;
      if (card.phase === 'waiting') send({ type: 'displayed', id: card.id });
    },
    update(next) {
      card = next;
      drawNotes();
    },
    append: (message) => changes[message.file]?.append(message),
    setPosition(position, size) {
      article.setAttribute('aria-posinset', String(position));
      article.setAttribute('aria-setsize', String(size));
    },
    refused(text) {
      sayEarly(false);
      refusal.textContent = text ?? '';
      gate.settle();
      surroundings.rearm(view);
    },
    dispose() {
      for (const change of changes) change.dispose();
    },
  };
  return view;
}

function createActions(card: Card, surroundings: CardSurroundings, gate: Gate, words: () => string): CardActions {
  const { send, decided } = surroundings;
  const { id, proposalHash } = card;
  return {
    approve(event) {
      if (!card.approve) return;
      const needsEnd = true;
      gate.take(event, needsEnd, () => {
        // First of all: what `decided` moves starts its delay anew.
        send({ type: 'approve', id, proposalHash });
        decided(id);
      });
    },
    decline(event) {
      if (!card.decline) return;
      gate.take(event, false, () => {
        const message = words();
        send(message === '' ? { type: 'decline', id, proposalHash } : { type: 'decline', id, proposalHash, message });
        decided(id);
      });
    },
    undo(event) {
      gate.take(event, false, () => send({ type: 'undo', id, proposalHash }));
    },
    openDiff() {
      if (card.openDiff) send({ type: 'openDiff', id });
    },
  };
}

function drawnFiles(
  { id, files }: Card,
  { send }: CardSurroundings,
  gate: Gate,
): { readonly element: HTMLElement; readonly changes: readonly Changes[] } {
  const reached = new Set<number>();
  const changes = files.map((file, index) =>
    createChanges(file, {
      more: (from) => send({ type: 'moreRows', id, file: index, from }),
      end() {
        reached.add(index);
        if (reached.size < files.length) return;
        gate.endReached();
        send({ type: 'endReached', id });
      },
    }),
  );
  const drawn = files.map((file, index) => {
    const title = fileTitle(file, () => send({ type: 'openDiff', id, file: index }));
    return element('div', { class: 'file' }, title, changes[index]?.region ?? '');
  });
  return { element: element('div', { class: 'files' }, ...drawn), changes };
}

interface ActionParts {
  readonly acts: CardActions;
  readonly gate: Gate;
  readonly hint: HTMLElement;
  readonly chord: Strings['approveChord'];
  readonly decline: DeclineControl | undefined;
}

function drawnActions(card: Card, { acts, gate, hint, chord, decline }: ActionParts): HTMLElement {
  const isDeclineSuggested = card.decline?.suggested === true;
  const buttons: HTMLButtonElement[] = [];
  if (card.approve) {
    const approve = drawnButton(card.approve, (event) => acts.approve(event));
    if (!isDeclineSuggested) approve.classList.add('primary');
    approve.append(element('span', { class: 'chord', 'data-chord': isMac ? chord.mac : chord.other }));
    approve.setAttribute('aria-keyshortcuts', isMac ? 'Meta+Enter' : 'Control+Enter');
    approve.setAttribute('aria-describedby', hint.id);
    gate.guard(approve, true);
    buttons.push(approve);
  }
  if (card.undo) {
    const undo = drawnButton(card.undo, (event) => acts.undo(event));
    gate.guard(undo, false);
    buttons.push(undo);
  }
  if (card.openDiff) buttons.push(drawnButton(card.openDiff, () => acts.openDiff()));
  if (decline?.toggle) buttons.push(decline.toggle);
  if (decline) gate.guard(decline.sendButton, false);
  const row = element('div', { class: 'buttons' }, ...buttons);
  const rows = isDeclineSuggested && decline ? [decline.row, row] : [row, ...(decline ? [decline.row] : [])];
  return element('div', { class: 'actions' }, ...rows);
}
