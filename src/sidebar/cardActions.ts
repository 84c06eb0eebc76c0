import { drawnButton } from './cardParts.ts';
import type { DeclineAnswer, DeclineControl } from './decline.ts';
import { element } from './element.ts';
import type { Gate } from './gate.ts';
import type { Card, CardSelection, PageMessage, Strings } from './messages.ts';

/** What a human can do with a card, by button or by key. */
export interface CardActions {
  approve(event?: Event): void;
  /** @param pause the assistant may change nothing more */
  decline(event?: Event, pause?: boolean): void;
  undo(event: Event): void;
  rebase(event: Event): void;
  openDiff(): void;
}

interface ActionsSurroundings {
  readonly send: (message: PageMessage) => void;
  /** A decision was taken here, by a trusted event. */
  readonly decided: (id: string) => void;
}

/** @param current the card as it is shown now, with the hash of what is selected */
export function createActions(
  current: () => Card,
  { send, decided }: ActionsSurroundings,
  gate: Gate,
  answer: () => DeclineAnswer,
): CardActions {
  const named = (): Pick<Card, 'id' | 'proposalHash'> => ({ id: current().id, proposalHash: current().proposalHash });
  return {
    approve(event) {
      if (!current().approve) return;
      gate.take(event, true, () => {
        // First of all: what `decided` moves starts its delay anew.
        send({ type: 'approve', ...named() });
        decided(current().id);
      });
    },
    decline(event, pause) {
      if (!current().decline) return;
      gate.take(event, false, () => {
        send({ type: 'decline', ...named(), ...answer(), ...(pause === true && { pause }) });
        decided(current().id);
      });
    },
    undo(event) {
      gate.take(event, false, () => send({ type: 'undo', ...named() }));
    },
    rebase(event) {
      gate.take(event, false, () => send({ type: 'rebase', ...named() }));
    },
    openDiff() {
      if (current().openDiff) send({ type: 'openDiff', id: current().id });
    },
  };
}

interface ActionParts {
  /** Prefix of element ids. */
  readonly prefix: string;
  readonly acts: CardActions;
  readonly gate: Gate;
  /** Why Approve does nothing yet. */
  readonly hint: HTMLElement;
  readonly chord: Strings['approveChord'];
  readonly decline: DeclineControl | undefined;
  /** Brings up another card. */
  readonly show: (id: string) => void;
}

/** The buttons below a card. */
export interface ActionsView {
  readonly element: HTMLElement;
  select(selection: Pick<CardSelection, 'approve' | 'emptyHint'>): void;
}

const isMac = navigator.platform.startsWith('Mac');

export function drawnActions(card: Card, parts: ActionParts): ActionsView {
  const { acts, gate, decline, show } = parts;
  const isDeclineSuggested = card.decline?.suggested === true;
  const empty = element('p', { class: 'hint', role: 'status', id: `${parts.prefix}-empty` });
  const approve = card.approve && approveButton(card.approve, parts, empty.id);
  if (!isDeclineSuggested) approve?.classList.add('primary');
  const buttons: HTMLButtonElement[] = approve ? [approve] : [];
  for (const [button, act] of [
    [card.undo, (event: Event) => acts.undo(event)],
    [card.rebase, (event: Event) => acts.rebase(event)],
  ] as const) {
    if (!button) continue;
    const drawn = drawnButton(button, act);
    gate.guard(drawn, false);
    buttons.push(drawn);
  }
  const { successor } = card;
  if (card.openDiff) buttons.push(drawnButton(card.openDiff, () => acts.openDiff()));
  if (successor) {
    const link = drawnButton(successor, () => show(successor.id));
    link.classList.add('link');
    buttons.push(link);
  }
  if (decline?.toggle) buttons.push(decline.toggle);
  for (const each of decline?.decisions ?? []) gate.guard(each, false);
  const row = element('div', { class: 'buttons' }, ...buttons);
  const rows = isDeclineSuggested && decline ? [decline.row, row] : [row, ...(decline ? [decline.row] : [])];
  // Last, so that it moves no button when it comes and goes.
  if (approve) rows.push(empty);
  return {
    element: element('div', { class: 'actions' }, ...rows),
    select({ approve: button, emptyHint }) {
      gate.setEmpty(emptyHint !== undefined);
      empty.textContent = emptyHint ?? '';
      if (!approve?.firstChild || !button) return;
      approve.firstChild.textContent = button.text;
      approve.setAttribute('aria-label', button.label);
    },
  };
}

function approveButton(
  button: NonNullable<Card['approve']>,
  { acts, gate, hint, chord }: ActionParts,
  emptyId: string,
): HTMLButtonElement {
  const approve = drawnButton(button, (event) => acts.approve(event));
  approve.append(element('span', { class: 'chord', 'data-chord': isMac ? chord.mac : chord.other }));
  approve.setAttribute('aria-keyshortcuts', isMac ? 'Meta+Enter' : 'Control+Enter');
  approve.setAttribute('aria-describedby', `${hint.id} ${emptyId}`);
  gate.guard(approve, true);
  return approve;
}
