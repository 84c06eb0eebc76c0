import { createArming } from './arming.ts';
import { createCard, type CardSurroundings, type CardView } from './card.ts';
import { createHeld } from './held.ts';
import type { Card, StateMessage } from './messages.ts';

/** The cards on the page, in a stable order: oldest first, new ones at the end, finished ones below under "Recent". */
export interface CardList {
  render(state: StateMessage): void;
  get(id: string): CardView | undefined;
  /** The host did not take a decision that was made here. */
  refused(id: string, text: string | undefined): void;
  /** Waiting ones, in the order on the page. */
  waiting(): readonly CardView[];
  /** The card that has the keyboard. */
  focused(): CardView | undefined;
  /** Brings a card up and puts the keyboard on its headline; its buttons start their delay anew. */
  focus(view: CardView): void;
}

export interface CardListElements {
  readonly main: HTMLElement;
  readonly waiting: HTMLElement;
  readonly recent: HTMLElement;
}

type ListSurroundings = Omit<CardSurroundings, 'decided' | 'rearm'> & {
  /** Where the keyboard goes when nothing waits any more. */
  readonly emptyTarget: () => HTMLElement;
};

export function createCardList(elements: CardListElements, surroundings: ListSurroundings): CardList {
  const { main } = elements;
  const views = new Map<string, CardView>();
  const arming = createArming(main);
  /** Decided here: their cards may leave at once. */
  const decided = new Set<string>();
  let order: readonly string[] = [];
  let last: StateMessage | undefined;

  const cardSurroundings: CardSurroundings = {
    ...surroundings,
    decided(id) {
      decided.add(id);
      held.release();
    },
    rearm: (view) => arming.rearm(view),
  };
  const isOccupied = (): boolean => main.matches(':hover') || hasKeyboard(main);
  const focused = (): CardView | undefined => {
    const id = document.activeElement?.closest<HTMLElement>('article')?.dataset['approval'];
    return id === undefined ? undefined : views.get(id);
  };
  const viewsOf = (ids: readonly string[]): CardView[] => ids.flatMap((id) => views.get(id) ?? []);
  const put = (card: Card): void => {
    const old = views.get(card.id);
    if (
      old &&
      old.card.phase === card.phase &&
      old.card.proposalHash === card.proposalHash &&
      !changedActions(old.card, card)
    ) {
      old.update(card);
      return;
    }
    const view = createCard(card, cardSurroundings);
    views.set(card.id, view);
    if (!old) return;
    if (held.has(card.id)) view.article.style.minHeight = `${old.article.getBoundingClientRect().height}px`;
    arming.forget(old);
    old.dispose();
    old.item.replaceWith(view.item);
  };
  const arrange = (state: StateMessage): void => {
    const now = new Set(state.waiting);
    const kept = order.filter((id) => now.has(id) || held.has(id));
    order = [...kept, ...state.waiting.filter((id) => !kept.includes(id))];
    const recent = state.recent.filter((id) => !held.has(id));
    for (const [id, view] of views) {
      if (order.includes(id) || recent.includes(id)) continue;
      arming.forget(view);
      view.dispose();
      view.item.remove();
      views.delete(id);
    }
    for (const [list, ids] of [
      [elements.waiting, order],
      [elements.recent, recent],
    ] as const) {
      place(list, viewsOf(ids));
    }
    for (const view of views.values()) arming.watch(view);
    arming.layoutChanged();
  };
  const held = createHeld((ids) => {
    for (const id of ids) views.get(id)?.article.style.removeProperty('min-height');
    const keyboard = hasKeyboard(main) ? document.activeElement : undefined;
    if (last) arrange(last);
    // A card that moves loses the keyboard, which then must not be pulled to where the card went.
    if (keyboard instanceof HTMLElement && keyboard !== document.activeElement) keyboard.focus({ preventScroll: true });
  });
  const release = (): void => {
    if (!isOccupied()) held.release();
  };
  main.addEventListener('pointerleave', release);
  main.addEventListener('focusout', () => setTimeout(release));

  const list: CardList = {
    render(state) {
      const before = focused();
      const neighbours = order;
      const isTyping = hasKeyboard(main);
      const open = new Set(state.waiting);
      if (isOccupied()) for (const id of order) if (!open.has(id) && !decided.has(id)) held.hold(id);
      for (const card of state.cards) put(card);
      last = state;
      arrange(state);
      if (before && isTyping && !before.article.contains(document.activeElement)) moveFocus(before.card.id, neighbours);
      if (state.waiting.some((id) => !neighbours.includes(id))) showFirstUnseen();
    },
    get: (id) => views.get(id),
    refused(id, text) {
      decided.delete(id);
      views.get(id)?.refused(text);
    },
    waiting: () => viewsOf(order).filter((view) => view.card.phase === 'waiting'),
    focused,
    focus(view) {
      view.article.scrollIntoView({ block: 'start' });
      view.headline.focus({ preventScroll: true });
      arming.rearm(view);
    },
  };
  /** Only while nobody is at the page: nothing moves under a pointer, or away from who types. */
  const showFirstUnseen = (): void => {
    const unseen = list.waiting().find((view) => !view.wasDisplayed);
    if (!unseen || isAttended()) return;
    const before = scrollY;
    const isTall = unseen.article.offsetHeight > innerHeight;
    unseen.article.scrollIntoView({ block: isTall ? 'start' : 'nearest' });
    if (scrollY !== before) for (const view of list.waiting()) arming.rearm(view);
  };
  /** The card that had the keyboard was decided or drawn anew. */
  const moveFocus = (id: string, neighbours: readonly string[]): void => {
    const own = views.get(id);
    if (own && !decided.has(id)) return own.headline.focus();
    const waiting = list.waiting();
    const index = neighbours.indexOf(id);
    const next = waiting.find((view) => neighbours.indexOf(view.card.id) > index) ?? waiting.at(-1);
    (next?.headline ?? surroundings.emptyTarget()).focus();
  };
  return list;
}

function hasKeyboard(main: HTMLElement): boolean {
  return document.hasFocus() && main.contains(document.activeElement);
}

/** Pointer or keyboard are in the page. */
function isAttended(): boolean {
  const hasFocus = document.hasFocus() && document.activeElement !== document.body;
  return hasFocus || document.documentElement.matches(':hover');
}

function changedActions(old: Card, next: Card): boolean {
  return (old.undo === undefined) !== (next.undo === undefined) || old.headline !== next.headline;
}

function place(list: HTMLElement, views: readonly CardView[]): void {
  for (const [index, view] of views.entries()) {
    view.setPosition(index + 1, views.length);
    // Moving an element that is in place already would take its scroll position and the keyboard away.
    if (list.children[index] !== view.item) list.insertBefore(view.item, list.children[index] ?? null);
  }
}
