/**
 * Buttons work only when their card has been on screen, in the same place, for half a second: nobody approves what just
 * slid under the pointer (threat row A17). The page tells when a card is displayed, or moved; the host counts and tells when
 * the card is armed. The page has no clock of its own, so a button that works is one whose click the host takes.
 */
export interface Armed {
  readonly headline: HTMLElement;
  /** The card is on screen when its headline is, or one of these: in a small view they may never be there together. */
  readonly decisions: readonly HTMLElement[];
  /** The buttons, which must not have moved. */
  readonly actions: HTMLElement;
  setArmed(armed: boolean): void;
  /**
   * The card came on screen, or moved there.
   * @param display what the host calls it when the card is armed
   */
  displayed(display: number): void;
}

export interface Arming {
  /** Does nothing for a card that is watched already. */
  watch(card: Armed): void;
  forget(card: Armed): void;
  /** The host says that what was displayed then is armed; nothing comes of it when the card moved since. */
  armed(display: number): void;
  /** Starts the delay of one card anew. */
  rearm(card: Armed): void;
  /** The user moved this card's buttons themselves, by something they did in it: no delay. */
  settle(card: Armed): void;
  /** Starts the delay anew for every card whose buttons have moved. */
  layoutChanged(): void;
}

/** Part of a headline or of a button that must be visible. */
const visiblePart = 0.9;

interface Watch {
  readonly card: Armed;
  readonly onScreen: Set<Element>;
  position: number;
  /** What the host was told last; undefined when the card has moved since. */
  display: number | undefined;
  /** The host must be told as soon as the card is on screen. */
  due: boolean;
}

export function createArming(container: HTMLElement): Arming {
  const watches = new Map<Element, Watch>();
  let displays = 0;

  const start = (watch: Watch): void => {
    if (!watch.due || watch.onScreen.size === 0 || document.visibilityState !== 'visible') return;
    // What was hidden a moment ago still counts as seen until the browser tells otherwise.
    if (!watch.card.headline.checkVisibility()) return;
    watch.due = false;
    displays += 1;
    watch.display = displays;
    watch.card.displayed(displays);
  };
  const rearm = (watch: Watch): void => {
    watch.display = undefined;
    watch.card.setArmed(false);
    watch.position = positionOf(watch.card);
    watch.due = true;
    start(watch);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio } of entries) {
        const watch = watches.get(target);
        if (!watch) continue;
        if (intersectionRatio >= visiblePart) watch.onScreen.add(target);
        else watch.onScreen.delete(target);
        start(watch);
      }
    },
    { threshold: [0, visiblePart] },
  );
  const layoutChanged = (): void => {
    for (const watch of new Set(watches.values()))
      if (Math.abs(positionOf(watch.card) - watch.position) > 1) rearm(watch);
  };

  document.addEventListener('visibilitychange', () => {
    for (const watch of new Set(watches.values())) start(watch);
  });
  new ResizeObserver(layoutChanged).observe(container);

  return {
    watch(card) {
      if (watches.has(card.headline)) return;
      const watch = { card, onScreen: new Set<Element>(), position: positionOf(card), display: undefined, due: true };
      card.setArmed(false);
      for (const target of targetsOf(card)) {
        watches.set(target, watch);
        observer.observe(target);
      }
    },
    forget(card) {
      for (const target of targetsOf(card)) {
        watches.delete(target);
        observer.unobserve(target);
      }
    },
    armed(display) {
      for (const watch of new Set(watches.values())) if (watch.display === display) watch.card.setArmed(true);
    },
    rearm(card) {
      const watch = watches.get(card.headline);
      if (watch) rearm(watch);
    },
    settle(card) {
      const watch = watches.get(card.headline);
      if (watch) watch.position = positionOf(card);
    },
    layoutChanged,
  };
}

/** One of them on screen means that the card is. */
function targetsOf({ headline, decisions }: Armed): readonly Element[] {
  return [headline, ...decisions];
}

/** Where the buttons are in the document, whatever it is scrolled to. */
function positionOf({ actions }: Armed): number {
  return actions.getBoundingClientRect().top + scrollY;
}
