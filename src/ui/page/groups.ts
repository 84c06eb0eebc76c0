import type { Arming } from './arming.ts';
import type { CardView } from './card.ts';
import { createGroup, type GroupSurroundings, type GroupView } from './group.ts';
import type { PageMessage } from './fromPage.ts';
import type { StateMessage } from './messages.ts';
import { arranged, type Arrangement, type Place } from './places.ts';
import { isOccupied } from './presence.ts';

/** The waiting cards in their order, alone or in groups. */
export interface Groups {
  /** Gives every waiting card its place, and draws what stands around groups. */
  arrange(state: StateMessage, held: Pick<Arrangement, 'isHeld' | 'isOccupied'>): void;
  /** Ids of the cards, oldest first. */
  order(): readonly string[];
  /** Everything that stands in the list, in order. */
  items(): readonly HTMLElement[];
  /** The group that a card stands in. */
  of(id: string): GroupView | undefined;
  /** The card that an element belongs to; of what stands around a group, its last one. */
  holderOf(element: Element | null): string | undefined;
  stops(): readonly Stop[];
}

/** A waiting card that is shown, or a group's header. */
export interface Stop {
  readonly top: HTMLElement;
  readonly bottom: HTMLElement;
  /** How many approvals it stands for: all of a closed group, none besides the cards of an open one. */
  readonly count: number;
  readonly wasDisplayed: boolean;
  /** Absent for a header. */
  readonly view?: CardView;
}

type GroupsSurroundings = Pick<GroupSurroundings, 'strings' | 'decided'> & {
  readonly send: (message: PageMessage) => void;
  readonly arming: Arming;
  readonly viewOf: (id: string) => CardView | undefined;
};

export function createGroups({ arming, viewOf, ...surroundings }: GroupsSurroundings): Groups {
  const groups = new Map<string, GroupView>();
  const opened = new Set<string>();
  let places: readonly Place[] = [];

  const common: GroupSurroundings = {
    ...surroundings,
    send(message) {
      if (message.type === 'groupOpened') opened.add(message.groupId);
      surroundings.send(message);
    },
    rearm: (group) => arming.rearm(group),
    toggled: () => arming.layoutChanged(),
  };
  const viewsOf = ({ ids }: Place): CardView[] => ids.flatMap((id) => viewOf(id) ?? []);
  const groupAt = ({ group }: Place): GroupView | undefined => (group === undefined ? undefined : groups.get(group));
  const itemsAt = (place: Place): HTMLElement[] => {
    const items = viewsOf(place).map(({ item }) => item);
    const group = groupAt(place);
    return group ? [group.head, ...items, group.foot] : items;
  };
  const isFree = (place: Place): boolean => !itemsAt(place).some(isOccupied);
  const dissolve = (id: string, group: GroupView): void => {
    arming.forget(group);
    group.dispose();
    groups.delete(id);
  };
  const stopsAt = (place: Place): Stop[] => {
    const cards = viewsOf(place).filter(({ card }) => card.phase === 'waiting');
    const group = groupAt(place);
    const shown = cards.map((view) => ({
      top: view.headline,
      bottom: view.actions,
      count: 1,
      wasDisplayed: view.wasDisplayed,
      view,
    }));
    if (!group) return shown;
    const { head, opener, isOpen, wasDisplayed } = group;
    const header = { top: opener, bottom: head, count: isOpen ? 0 : cards.length, wasDisplayed };
    return isOpen ? [header, ...shown] : [header];
  };

  return {
    arrange(state, held) {
      places = arranged(places, { ...state, ...held, isFree, wasOpened: (id) => opened.has(id) });
      const now = new Set(places.map(({ group }) => group));
      for (const [id, group] of groups) if (!now.has(id)) dissolve(id, group);
      for (const place of places) {
        if (place.group === undefined) continue;
        const group = groups.get(place.group) ?? createGroup(common);
        groups.set(place.group, group);
        group.update(
          viewsOf(place),
          state.groups.find(({ id }) => id === place.group),
        );
        arming.watch(group);
      }
    },
    order: () => places.flatMap(({ ids }) => ids),
    items: () => places.flatMap(itemsAt),
    of(id) {
      const place = places.find(({ ids }) => ids.includes(id));
      return place && groupAt(place);
    },
    holderOf(element) {
      const card = element?.closest<HTMLElement>('article')?.dataset['approval'];
      if (card !== undefined) return card;
      return places.find((place) => itemsAt(place).some((item) => item.contains(element)))?.ids.at(-1);
    },
    stops: () => places.flatMap(stopsAt),
  };
}
