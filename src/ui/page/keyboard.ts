import { approve, decline, openDiff } from './acts.ts';
import { cardFor } from './cards.ts';
import { goToChange, moveInCard } from './movement.ts';
import type { PageStore } from './store.ts';
import type { Card } from './words/view.ts';

export interface KeyActs {
  /** Brings up the next or the previous request. */
  readonly step: (direction: 1 | -1) => void;
  /** Puts the keyboard back into the editor. */
  readonly leave: () => void;
}

/**
 * Keys of the page. The editor's own keybindings do not fire inside a webview, so the page handles them itself. A request is decided
 * only by a chord, never by a repeated one, and only when the keyboard is in its card or in the action bar; Escape leaves and never
 * declines.
 */
export function listenToKeys(store: PageStore, acts: KeyActs): void {
  document.addEventListener('keydown', (event) => {
    if (!event.isTrusted || event.isComposing || event.repeat) return;
    if (!act(event, store, acts)) return;
    // Otherwise the webview would hand the key on to the editor as well.
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Returns true when the key has a meaning here. */
function act(event: KeyboardEvent, store: PageStore, { step, leave }: KeyActs): boolean {
  const { key, altKey, target } = event;
  const card = cardWithKeyboard(store);
  const hasControl = event.ctrlKey || event.metaKey;
  const isChord = hasControl && !altKey && !event.shiftKey;
  const isText =
    (target instanceof HTMLInputElement && target.type === 'text') || target instanceof HTMLTextAreaElement;
  // Words belong to declining; a number belongs to approving.
  const isNumber = target instanceof HTMLInputElement && target.inputMode === 'numeric';
  if (isChord && key === 'Enter' && (!isText || isNumber)) {
    if (card?.isGrave) store.refuse(card.id, 'needs_button');
    else if (card) approve(store, card);
    return card !== undefined;
  }
  // In a text field this chord deletes a word.
  if (isChord && key === 'Backspace' && !isText) {
    if (card?.isGrave && card.refuse) store.refuse(card.id, 'needs_button');
    else if (card) decline(store, card);
    return card !== undefined;
  }
  if (isChord && key.toLowerCase() === 'd') {
    if (card) openDiff(store, card);
    return card !== undefined;
  }
  const direction = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined;
  if (direction !== undefined && altKey && !hasControl) {
    step(direction);
    return true;
  }
  if (direction !== undefined && !altKey && !hasControl && !event.shiftKey && !isText) return moveInCard(direction);
  if (key === 'F7' && !hasControl && !altKey) {
    goToChange(store, event.shiftKey ? -1 : 1);
    return true;
  }
  // Tab from a card leads through all cards below it; this key leads to the buttons of the card, and back.
  if (key === 'F6' && !hasControl && !altKey) {
    swapPart(store);
    return true;
  }
  if (key === 'Escape') {
    leave();
    return true;
  }
  return false;
}

/** Moves the keyboard from a card to its buttons in the action bar, or back. */
function swapPart(store: PageStore): void {
  const isInBar = document.activeElement?.closest('footer') !== null && document.activeElement !== null;
  const owner = store.owner === undefined ? '' : CSS.escape(store.owner);
  const target = isInBar
    ? document.querySelector<HTMLElement>(`main [data-stop="${owner}"] :is(h3[tabindex], h3 button)`)
    : document.querySelector<HTMLElement>('footer .decision button, footer .group-actions button');
  target?.focus();
}

/** The card that owns the action bar, when the keyboard is in it or in the bar. */
function cardWithKeyboard(store: PageStore): Card | undefined {
  const active = document.activeElement;
  const id =
    active?.closest<HTMLElement>('article.card')?.dataset['approval'] ??
    active?.closest<HTMLElement>('footer')?.dataset['owner'];
  return id !== undefined && id === store.owner ? cardFor(store, id) : undefined;
}
