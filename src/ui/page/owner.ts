import type { PageStore } from './store.ts';

/** Pixels of a request that must be in view, so that it owns the action bar. */
const leastVisible = 24;

/** A waiting card, or the head of a closed group, where they stand on the page. */
export interface Stop {
  /** The id of the approval, or of the group. */
  readonly id: string;
  readonly isGroup: boolean;
  readonly element: HTMLElement;
}

/** Everything that waits, in the order on the page. */
export function stopsOf(main: HTMLElement): readonly Stop[] {
  return [...main.querySelectorAll<HTMLElement>('[data-stop]')].map((element) => ({
    id: element.dataset['stop'] ?? '',
    isGroup: element.dataset['group'] !== undefined,
    element,
  }));
}

/** Returns the stop that owns the action bar: the one that the user picked while it is in view, else the one at the top of the view. */
export function ownerOf(main: HTMLElement, stops: readonly Stop[], picked: string | undefined): Stop | undefined {
  const view = main.getBoundingClientRect();
  const isInView = ({ element }: Stop): boolean => {
    const { top, bottom, height } = element.getBoundingClientRect();
    // The place of the bar must not count: the height of the bar depends on its owner.
    return bottom >= view.top + Math.min(leastVisible, height / 2) && top < innerHeight;
  };
  const visible = stops.filter(isInView);
  return visible.find(({ id }) => id === picked) ?? visible[0];
}

/** Numbers of approvals above and below the view, and the nearest of them. */
export function outOfView(main: HTMLElement, stops: readonly Stop[], store: PageStore) {
  const view = main.getBoundingClientRect();
  const countOf = (some: readonly Stop[]): number =>
    some.reduce((sum, { id, isGroup }) => sum + (isGroup ? sizeOf(store, id) : 1), 0);
  const above = stops.filter(({ element }) => element.getBoundingClientRect().bottom < view.top + leastVisible);
  const below = stops.filter(({ element }) => element.getBoundingClientRect().top > view.bottom - leastVisible);
  return { above: { count: countOf(above), first: above[0] }, below: { count: countOf(below), first: below[0] } };
}

function sizeOf(store: PageStore, groupId: string): number {
  return store.places.find(({ group }) => group === groupId)?.ids.length ?? 0;
}
