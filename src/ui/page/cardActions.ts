import { drawnButton } from './cardParts.ts';
import type { DeclineAnswer, DeclineControl } from './decline.ts';
import { element } from './element.ts';
import type { Gate } from './gate.ts';
import type { CountField } from './countField.ts';
import type { PageMessage } from './fromPage.ts';
import type { Card, CardSelection, RulePreview, Strings } from './messages.ts';
import type { QuestionForm } from './question.ts';
import { createRuleChooser, type RuleChooser } from './ruleChooser.ts';

/** The actions of a card, which the user starts by button or by key. */
export interface CardActions {
  /** @param inEditor Drawbridge makes the change in the editor, and not the assistant */
  approve(event?: Event, inEditor?: true): void;
  /** Makes the rule that is shown, and approves. Only by a button of its own: no key stands for it (F11). */
  approveWithRule(event: Event, shown: RulePreview): void;
  /** @param pause the assistant may change nothing more */
  decline(event?: Event, pause?: boolean): void;
  undo(event: Event): void;
  redo(event: Event): void;
  rebase(event: Event): void;
  openDiff(): void;
}

interface ActionsSurroundings {
  readonly send: (message: PageMessage) => void;
  /** A decision was taken here, by a trusted event. */
  readonly decided: (id: string) => void;
}

/** The input of the user that goes with a decision. */
interface DecisionFields {
  readonly declineAnswer: () => DeclineAnswer;
  readonly count: CountField | undefined;
  readonly question: QuestionForm | undefined;
}

/** @param current the card as it is shown now, with the hash of what is selected */
export function createActions(
  current: () => Card,
  { send, decided }: ActionsSurroundings,
  gate: Gate,
  { declineAnswer, count, question }: DecisionFields,
): CardActions {
  const named = (): Pick<Card, 'id' | 'proposalHash'> => ({ id: current().id, proposalHash: current().proposalHash });
  const answer = (event: Event | undefined): void => {
    const value = question?.value();
    if (!value) return question?.complain();
    gate.take(event, true, () => {
      send({ type: 'answer', ...named(), answer: value });
      decided(current().id);
    });
  };
  return {
    approve(event, inEditor) {
      if (!current().approve) return;
      if (question) return answer(event);
      const confirmedCount = count?.value();
      if (count && confirmedCount === undefined) return count.complain();
      gate.take(event, true, () => {
        // First of all: what `decided` moves starts its delay anew.
        send({
          type: 'approve',
          ...named(),
          ...(confirmedCount !== undefined && { confirmedCount }),
          ...(inEditor && { inEditor }),
        });
        decided(current().id);
      });
    },
    approveWithRule(event, { id, proposalHash, suggestion, scope }) {
      gate.take(event, true, () => {
        send({ type: 'approveWithRule', id, proposalHash, suggestion, scope });
        decided(current().id);
      });
    },
    decline(event, pause) {
      if (!current().decline && !current().refuse) return;
      gate.take(event, false, () => {
        send({ type: 'decline', ...named(), ...declineAnswer(), ...(pause === true && { pause }) });
        decided(current().id);
      });
    },
    undo(event) {
      gate.take(event, false, () => send({ type: 'undo', ...named() }));
    },
    redo(event) {
      gate.take(event, false, () => send({ type: 'redo', ...named() }));
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
  readonly count: CountField | undefined;
  readonly question: QuestionForm | undefined;
  readonly send: (message: PageMessage) => void;
  /** Brings up another card. */
  readonly show: (id: string) => void;
}

/** The buttons below a card. */
export interface ActionsView {
  readonly element: HTMLElement;
  /** The first of the buttons, and the one that saves a rule, which may stand far below it. */
  readonly decisions: readonly HTMLElement[];
  /** Absent where nothing can be approved, or no rule can be made of it. */
  readonly chooser: RuleChooser | undefined;
  select(selection: CardSelection): void;
}

const isMac = navigator.platform.startsWith('Mac');

export function drawnActions(card: Card, parts: ActionParts): ActionsView {
  const { acts, gate, decline, show } = parts;
  const isDeclineSuggested = card.decline?.suggested === true;
  const empty = element('p', { class: 'hint', role: 'status', id: `${parts.prefix}-empty` });
  const approve = card.approve && approveButton(card.approve, parts, empty.id);
  if (!isDeclineSuggested) approve?.classList.add('primary');
  const chooser = approve && !parts.question ? createRuleChooser(card, approve, parts) : undefined;
  const buttons: HTMLElement[] = chooser ? [chooser.button] : approve ? [approve] : [];
  if (card.approveInEditor) {
    const inEditor = drawnButton(card.approveInEditor, (event) => acts.approve(event, true));
    gate.guard(inEditor, true);
    buttons.push(inEditor);
  }
  for (const [button, act] of [
    [card.refuse, (event: Event) => acts.decline(event)],
    [card.undo, (event: Event) => acts.undo(event)],
    [card.redo, (event: Event) => acts.redo(event)],
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
  if (parts.count) rows.unshift(parts.count.row);
  // Last, so that they move no button of the card when they come and go.
  if (parts.count) rows.push(parts.count.error);
  if (parts.question) rows.push(parts.question.error);
  if (chooser) rows.push(empty, chooser.confirmation.region);
  const drawn = element('div', { class: 'actions' }, ...rows);
  return {
    element: drawn,
    decisions: [drawn.querySelector('button') ?? drawn, ...(chooser ? [chooser.confirmation.saveButton] : [])],
    chooser,
    select(selection) {
      const { approve: button, emptyHint } = selection;
      chooser?.draw(selection);
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
