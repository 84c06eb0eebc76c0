import type { PageGroup } from './messages.ts';

/** A place in the order of waiting cards: one card, or a group with several. */
export interface Place {
  readonly group: string | undefined;
  readonly ids: readonly string[];
}

export interface Arrangement {
  /** Those that wait, oldest first. */
  readonly waiting: readonly string[];
  readonly groups: readonly Pick<PageGroup, 'id' | 'ids'>[];
  /** Pointer or keyboard are among the cards: nothing there may move. */
  readonly isOccupied: boolean;
  /** Neither of them is in this place. */
  readonly isFree: (place: Place) => boolean;
  /** The group's cards were shown: nothing joins it any more. */
  readonly wasOpened: (groupId: string) => boolean;
}

/**
 * Where each card stands now, given where it stood: cards keep their places, new ones come last. A card joins others of its
 * group only when nothing that somebody uses moves for it; until then it stands alone.
 */
export function arranged(places: readonly Place[], arrangement: Arrangement): readonly Place[] {
  const { waiting, groups } = arrangement;
  const open = new Set(waiting);
  const left = places
    .map(({ group, ids }) =>
      placeOf(
        group,
        ids.filter((id) => open.has(id)),
      ),
    )
    .filter(({ ids }) => ids.length > 0);
  let now: readonly Place[] = left;
  for (const group of groups) now = joined(now, group, arrangement);
  for (const id of waiting) {
    if (now.some(({ ids }) => ids.includes(id))) continue;
    const group = groups.find(({ ids }) => ids.includes(id));
    const isWhole = group?.ids.every((each) => !now.some(({ ids }) => ids.includes(each))) === true;
    now = [...now, isWhole && group ? placeOf(group.id, group.ids) : placeOf(undefined, [id])];
  }
  return now;
}

/** One card that is left of a group stands alone. */
function placeOf(group: string | undefined, ids: readonly string[]): Place {
  return { group: ids.length > 1 ? group : undefined, ids };
}

/** Puts a group together where its first card stands. */
function joined(
  places: readonly Place[],
  { id, ids }: Pick<PageGroup, 'id' | 'ids'>,
  { isOccupied, isFree, wasOpened }: Arrangement,
): readonly Place[] {
  const own = places.filter((place) => place.ids.some((each) => ids.includes(each)));
  const [target] = own;
  if (target === undefined || wasOpened(id)) return places;
  const newcomers = ids.filter((each) => !target.ids.includes(each));
  const isLast = own.length === 1 && target === places.at(-1);
  if (newcomers.length === 0 || (isOccupied && !(isLast && isFree(target)))) return places;
  const whole = placeOf(id, [...target.ids, ...newcomers]);
  return places.flatMap((place) => (place === target ? [whole] : own.includes(place) ? [] : [place]));
}
