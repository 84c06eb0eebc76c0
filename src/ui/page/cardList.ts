import { createArming } from './arming.ts';
import { createCard, type CardSurroundings, type CardView } from './card.ts';
import { createGroups, type Stop } from './groups.ts';
import { createHeld } from './held.ts';
import type { PageMessage } from './fromPage.ts';
import type { Card, StateMessage } from './messages.ts';
import { hasKeyboard, isAttended, isOccupied } from './presence.ts';
import { rememberPlace } from './resume.ts';

/** The cards on the page, in a stable order: oldest first, new ones at the end, finished ones below under "Recent". */
export interface CardList {
  render(state: StateMessage): void;
  get(id: string): CardView | undefined;
  /** The host says that what was displayed then can be decided. */
  armed(display: number): void;
  /** The host did not take a decision that was made here. */
  refused(id: string, text: string | undefined): void;
  /** Everything that waits, in the order on the page. */
  stops(): readonly Stop[];
  /** The card that has the keyboard. */
  focused(): CardView | undefined;
  /**
   * Brings up a card and puts the keyboard on its headline; its buttons start their delay anew, and its group is opened.
   * Without a card, the first one that waits.
   */
  focus(view?: CardView): void;
  /** Brings up a card or a group's header, which stays as it is. */
  visit(stop: Stop): void;
  /** Brings up the next or the previous of the stops. */
  step(direction: 1 | -1): void;
}

export interface CardListElements {
  readonly main: HTMLElement;
  readonly waiting: HTMLElement;
  readonly recent: HTMLElement;
}

type ListSurroundings = Omit<CardSurroundings, 'decided' | 'rearm' | 'settle' | 'show'> & {
  /** Where the keyboard goes when nothing waits any more. */
  readonly emptyTarget: () => HTMLElement;
};

export function createCardList(elements: CardListElements, surroundings: ListSurroundings): CardList {
  const { main } = elements;
  const views = new Map<string, CardView>();
  const arming = createArming(main);
  /** Decided here: their cards may leave at once. */
  const decided = new Set<string>();
  let last: StateMessage | undefined;

  const common = {
    ...surroundings,
    send(message: PageMessage): void {
      surroundings.send(message);
      // The host takes no decision on a card that has just come on screen, and neither does the button of its group.
      const group = message.type === 'displayed' ? groups.of(message.id) : undefined;
      if (group) arming.rearm(group);
    },
    decided(id: string): void {
      decided.add(id);
      held.release();
    },
  };
  const cardSurroundings: CardSurroundings = {
    ...common,
    rearm: (view) => arming.rearm(view),
    settle: (view) => arming.settle(view),
    show(id) {
      const view = views.get(id);
      if (view) list.focus(view);
    },
  };
  const viewsOf = (ids: readonly string[]): CardView[] => ids.flatMap((id) => views.get(id) ?? []);
  const groups = createGroups({ ...common, arming, viewOf: (id) => views.get(id) });
  const put = (card: Card): void => {
    const old = views.get(card.id);
    if (old && isDrawnTheSame(old.card, card)) {
      old.update(card);
      return;
    }
    const resume = old && rememberPlace(old.article);
    const view = createCard(card, cardSurroundings);
    views.set(card.id, view);
    if (!old) return;
    if (held.has(card.id)) view.article.style.minHeight = `${old.article.getBoundingClientRect().height}px`;
    arming.forget(old);
    old.dispose();
    old.item.replaceWith(view.item);
    resume?.(view.article);
  };
  const arrange = (state: StateMessage): void => {
    const keyboard = hasKeyboard(main) ? document.activeElement : undefined;
    groups.arrange(state, { isHeld: (id) => held.has(id), isOccupied: isOccupied(main) });
    const order = groups.order();
    const recent = state.recent.filter((id) => !held.has(id));
    for (const [id, view] of views) {
      if (order.includes(id) || recent.includes(id)) continue;
      arming.forget(view);
      view.dispose();
      view.item.remove();
      views.delete(id);
    }
    const recentViews = viewsOf(recent);
    number(viewsOf(order));
    number(recentViews);
    place(elements.waiting, groups.items());
    place(
      elements.recent,
      recentViews.map(({ item }) => item),
    );
    // What moves loses the keyboard, which then must not be pulled to where it went.
    if (keyboard instanceof HTMLElement && keyboard !== document.activeElement) keyboard.focus({ preventScroll: true });
    for (const view of views.values()) arming.watch(view);
    arming.layoutChanged();
  };
  const held = createHeld((ids) => {
    for (const id of ids) views.get(id)?.article.style.removeProperty('min-height');
    if (last) arrange(last);
  });
  /** Nobody is at the page any more: what kept its place leaves it, and what belongs together goes together. */
  const release = (): void => {
    if (isOccupied(main)) return;
    held.release();
    if (last) arrange(last);
  };
  main.addEventListener('pointerleave', release);
  main.addEventListener('focusout', () => setTimeout(release));

  const list: CardList = {
    render(state) {
      const holder = hasKeyboard(main) ? groups.holderOf(document.activeElement) : undefined;
      const neighbours = groups.order();
      if (isOccupied(main)) for (const id of endedInPlace(neighbours, state.waiting)) held.hold(id);
      for (const card of state.cards) put(card);
      last = state;
      arrange(state);
      if (holder !== undefined && !main.contains(document.activeElement)) moveFocus(holder, neighbours);
      if (state.waiting.some((id) => !neighbours.includes(id))) showFirstUnseen();
    },
    get: (id) => views.get(id),
    armed: (display) => arming.armed(display),
    refused(id, text) {
      decided.delete(id);
      views.get(id)?.refused(text);
      groups.of(id)?.settle();
    },
    stops: () => groups.stops(),
    focused() {
      const id = document.activeElement?.closest<HTMLElement>('article')?.dataset['approval'];
      return id === undefined ? undefined : views.get(id);
    },
    focus(given) {
      const view = given ?? viewsOf(groups.order()).find(isWaiting);
      if (!view) return;
      groups.of(view.card.id)?.open();
      view.article.scrollIntoView({ block: 'start' });
      view.headline.focus({ preventScroll: true });
      arming.rearm(view);
    },
    visit({ view, top }) {
      if (view) return list.focus(view);
      top.scrollIntoView({ block: 'start' });
      top.focus({ preventScroll: true });
    },
    step(direction) {
      const stops = list.stops();
      const active = document.activeElement;
      const holder = groups.holderOf(active);
      const current = stops.findIndex(({ view, top }) => (view ? view.card.id === holder : top === active));
      const next = current < 0 ? stops.at(direction > 0 ? 0 : -1) : stops[current + direction];
      if (next) list.visit(next);
    },
  };
  /**
   * Cards that ended, though not by a decision taken here. What was applied without asking keeps its place only for what waits
   * below it: a row of such changes would push the next card that waits out of the view.
   */
  const endedInPlace = (neighbours: readonly string[], waiting: readonly string[]): string[] => {
    const open = new Set(waiting);
    const lastOpen = neighbours.findLastIndex((id) => open.has(id));
    return neighbours.filter((id, index) => {
      if (open.has(id) || decided.has(id)) return false;
      return views.get(id)?.card.phase === 'waiting' || index < lastOpen;
    });
  };
  /** Only while nobody is at the page: nothing moves under a pointer, or away from who types. */
  const showFirstUnseen = (): void => {
    const unseen = list.stops().find(({ wasDisplayed }) => !wasDisplayed);
    if (!unseen || isAttended()) return;
    const before = scrollY;
    const shown = unseen.view?.article ?? unseen.bottom;
    shown.scrollIntoView({ block: shown.offsetHeight > innerHeight ? 'start' : 'nearest' });
    if (scrollY !== before) for (const { view } of list.stops()) if (view) arming.rearm(view);
  };
  /** The card that had the keyboard was decided or drawn anew. */
  const moveFocus = (id: string, neighbours: readonly string[]): void => {
    const own = views.get(id);
    if (own && !decided.has(id)) return own.headline.focus();
    const waiting = groups.order().filter((each) => views.get(each)?.card.phase === 'waiting');
    const index = neighbours.indexOf(id);
    const next = waiting.find((each) => neighbours.indexOf(each) > index) ?? waiting.at(-1);
    const target = next === undefined ? undefined : targetOf(next);
    (target ?? surroundings.emptyTarget()).focus();
  };
  /** The headline of a card, or the header of its group while that hides it. */
  const targetOf = (id: string): HTMLElement | undefined => {
    const group = groups.of(id);
    return group && !group.isOpen ? group.opener : views.get(id)?.headline;
  };
  return list;
}

function isWaiting({ card }: CardView): boolean {
  return card.phase === 'waiting';
}

/** What a view draws anew by itself; rows follow from the number of the drawing. */
const changing = new Set([
  'notes',
  'savedRule',
  'proposalHash',
  'counts',
  'approve',
  'rules',
  'emptyHint',
  'included',
  'excluded',
  'rows',
]);

function isDrawnTheSame(old: Card, next: Card): boolean {
  const frameOf = (card: Card): string =>
    JSON.stringify(card, (key, value: unknown) => (changing.has(key) ? undefined : value));
  return frameOf(old) === frameOf(next);
}

function number(views: readonly CardView[]): void {
  for (const [index, view] of views.entries()) view.setPosition(index + 1, views.length);
}

function place(list: HTMLElement, items: readonly HTMLElement[]): void {
  for (const [index, item] of items.entries()) {
    // Moving an element that is in place already would take its scroll position and the keyboard away.
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  }
}
