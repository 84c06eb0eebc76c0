import type { Answer } from './fromPage.ts';
import type { RulePreview } from './messages.ts';
import type { PageStore } from './store.ts';
import type { Card } from './words/view.ts';

/** The answer to a question that was chosen or written; undefined when there is none yet. */
export function answerOf(store: PageStore, { id }: Card): Answer | undefined {
  const { draft } = store.remembered(id);
  if (draft?.choice !== undefined) return { choice: draft.choice };
  const text = draft?.message.trim() ?? '';
  return text === '' ? undefined : { text };
}

/** Returns true when the number that Approve waits for was typed, and the question has an answer. */
function isConfirmed(store: PageStore, card: Card): boolean {
  if (card.confirm) return store.typed.get(card.id)?.trim() === String(card.confirm.count);
  return card.question === undefined || answerOf(store, card) !== undefined;
}

/** Returns true when the end of the change was on screen, or need not be. */
export function isEndReached(store: PageStore, card: Card): boolean {
  return card.endHint === undefined || store.hasReachedEnd(card.id, card.drawing);
}

/**
 * Returns true when a decision would be taken now.
 * @param approves false for a decision that approves nothing
 * @param unread the end need not have been on screen
 */
export function isOpen(store: PageStore, card: Card, approves: boolean, unread?: true): boolean {
  const { id } = card;
  if (!store.isArmed(id) || store.isDecided(id)) return false;
  return (
    !approves || ((unread || isEndReached(store, card)) && card.blockedHint === undefined && isConfirmed(store, card))
  );
}

/** Names all that a decision about a card depends on. */
export function tokenOf(store: PageStore, card: Card): string {
  const { id, proposalHash } = card;
  const { preview } = store;
  const rule = preview?.id === id ? `${preview.suggestion} ${preview.scope}` : '';
  return [id, proposalHash, store.displayOf(id), store.isArmed(id), rule].join(' ');
}

function take(store: PageStore, card: Card, approves: boolean, decision: () => void, unread?: true): void {
  if (!store.isArmed(card.id) && !store.isDecided(card.id)) store.refuse(card.id, 'too_fast');
  if (!isOpen(store, card, approves, unread)) return;
  decision();
  store.decided(card.id);
}

function complain(store: PageStore, { id }: Card): void {
  store.complaint = id;
  store.changed();
}

/**
 * Approves a change or an action, or sends the answer to a question.
 * @param inEditor Drawbridge makes the change, and not the assistant
 * @param unread the user approves without reading everything
 */
export function approve(store: PageStore, card: Card, inEditor?: true, unread?: true): void {
  const { id, proposalHash, confirm, question } = card;
  if (!card.approve) return;
  if (!isConfirmed(store, card)) return complain(store, card);
  const answer = question && answerOf(store, card);
  if (answer) return take(store, card, true, () => store.send({ type: 'answer', id, proposalHash, answer }));
  const { comments } = store.remembered(id);
  const send = (): void =>
    store.send({
      type: 'approve',
      id,
      proposalHash,
      ...(confirm && { confirmedCount: confirm.count }),
      ...(inEditor && { inEditor }),
      ...(unread && { withoutReading: unread }),
      ...(comments.length > 0 && { comments }),
    });
  take(store, card, true, send, unread);
}

/** Makes the rule that is shown, and approves. Only a button of its own does that: no key stands for it (threat row F11). */
export function approveWithRule(store: PageStore, card: Card, { suggestion, scope, proposalHash }: RulePreview): void {
  take(store, card, true, () => store.send({ type: 'approveWithRule', id: card.id, proposalHash, suggestion, scope }));
}

/** Declines with the words, the reason and the comments that the user gave. @param pause the assistant may change nothing more */
export function decline(store: PageStore, card: Card, pause = false): void {
  const { id, proposalHash } = card;
  if (!card.decline && !card.refuse) return;
  const { draft, comments } = store.remembered(id);
  const message = draft?.isOpen && card.decline ? draft.message.trim() : '';
  const reasonCode = draft?.isOpen && card.decline ? draft.reasonCode : undefined;
  take(store, card, false, () =>
    store.send({
      type: 'decline',
      id,
      proposalHash,
      ...(message !== '' && { message }),
      ...(reasonCode && { reasonCode }),
      ...(pause && { pause }),
      ...(comments.length > 0 && { comments }),
    }),
  );
}

/** Undoes, redoes or proposes again what is finished. */
export function revise(store: PageStore, card: Card, type: 'undo' | 'redo' | 'rebase'): void {
  const { id, proposalHash } = card;
  if (!store.isArmed(id)) return store.refuse(id, 'too_fast');
  store.send({ type, id, proposalHash });
}

/** Opens the diff of the editor. */
export function openDiff(store: PageStore, { id, openDiff: words }: Card): void {
  if (words) store.send({ type: 'openDiff', id });
}

/** Opens the field for words to the assistant, or closes it. */
export function toggleDecline(store: PageStore, { id }: Card, isShown: boolean): void {
  const { draft } = store.remembered(id);
  if (!isShown && (draft === undefined || (draft.message === '' && draft.reasonCode === undefined)))
    store.forgetDraft(id);
  else store.remember(id, { draft: { message: '', ...draft, isOpen: isShown } });
}
