import type { Armed } from './arming.ts';
import type { CardView } from './card.ts';
import { drawnChip } from './cardParts.ts';
import { element } from './element.ts';
import type { PageMessage } from './fromPage.ts';
import type { Group, Strings } from './messages.ts';

export interface GroupSurroundings {
  readonly send: (message: PageMessage) => void;
  readonly strings: Pick<Strings, 'early' | 'unseen'>;
  /** A decision was taken here, by a trusted event. */
  readonly decided: (id: string) => void;
  /** Starts the delay of the button anew. */
  readonly rearm: (group: GroupView) => void;
  /** The user opened or closed it. */
  readonly toggled: () => void;
}

/**
 * What stands around cards that arrived together: above them a header that shows and hides them, below them the button that
 * approves all. The cards stay what they are, each with its own buttons.
 */
export interface GroupView extends Armed {
  readonly head: HTMLLIElement;
  readonly foot: HTMLLIElement;
  /** Shows and hides the cards. */
  readonly opener: HTMLButtonElement;
  readonly isOpen: boolean;
  /** The header has been on screen. */
  readonly wasDisplayed: boolean;
  open(): void;
  /** @param views the cards that stand in it @param group undefined while it only holds a place */
  update(views: readonly CardView[], group: Group | undefined): void;
  /** The host did not take a decision on one of its cards. */
  settle(): void;
  dispose(): void;
}

let groupNumber = 0;

export function createGroup(surroundings: GroupSurroundings): GroupView {
  const { send, strings } = surroundings;
  groupNumber += 1;
  const opener = element('button', { type: 'button', id: `group-${groupNumber}`, 'aria-expanded': 'false' });
  const lines = element('ul', { class: 'lines', role: 'list' });
  const head = element('li', { class: 'group-head' }, element('h3', {}, opener), lines);
  const all = createApproveAll(`group-${groupNumber}`, strings, (views) => {
    if (!current) return;
    const approvals = views.map(({ card: { id, proposalHash } }) => ({ id, proposalHash }));
    // First of all: what `decided` moves starts its delay anew.
    send({ type: 'approveAll', groupId: current.id, approvals });
    for (const { id } of approvals) surroundings.decided(id);
  });
  const foot = element('li', { class: 'group-foot' }, all.element);
  let current: Group | undefined;
  let cards: readonly CardView[] = [];
  let wasOpened = false;
  let wasDisplayed = false;
  const observer = new IntersectionObserver(([entry]) => {
    if (wasDisplayed || !current || !entry?.isIntersecting || document.visibilityState !== 'visible') return;
    wasDisplayed = true;
    send({ type: 'groupDisplayed', groupId: current.id });
  });
  observer.observe(opener);

  const isOpen = (): boolean => opener.getAttribute('aria-expanded') === 'true';
  const draw = (): void => {
    for (const { item } of cards) {
      item.hidden = !isOpen();
      item.classList.add('grouped');
    }
    lines.hidden = isOpen();
    foot.hidden = !isOpen();
    lines.replaceChildren(...cards.map(lineOf));
  };
  const show = (isShown: boolean): void => {
    opener.setAttribute('aria-expanded', String(isShown));
    draw();
    if (isShown && !wasOpened && current) {
      wasOpened = true;
      send({ type: 'groupOpened', groupId: current.id });
    }
    surroundings.toggled();
  };
  opener.addEventListener('click', () => show(!isOpen()));

  const view: GroupView = {
    head,
    foot,
    opener,
    headline: foot,
    decisions: [all.button],
    actions: all.button,
    get isOpen() {
      return isOpen();
    },
    get wasDisplayed() {
      return wasDisplayed;
    },
    open() {
      if (!isOpen()) show(true);
    },
    update(views, group) {
      cards = views;
      current = group ?? current;
      if (group) opener.textContent = group.headline.replace('{0}', String(views.length));
      draw();
      if (all.update(group, views)) surroundings.rearm(view);
    },
    setArmed: (armed) => all.setArmed(armed),
    displayed(display) {
      if (current) send({ type: 'approveAllDisplayed', groupId: current.id, display });
    },
    settle() {
      all.settle();
      surroundings.rearm(view);
    },
    dispose() {
      observer.disconnect();
      for (const { item } of cards) {
        item.hidden = false;
        item.classList.remove('grouped');
      }
      head.remove();
      foot.remove();
    },
  };
  return view;
}

/** What a closed group says of a card. */
function lineOf({ card }: CardView): HTMLElement {
  const risk = card.risk && card.risk.tone !== 'plain' ? [' ', drawnChip(card.risk)] : [];
  return element('li', {}, card.headline, ...risk);
}

/** The button that approves several cards at once: only what has been on screen, and only when it did not just move. */
function createApproveAll(
  prefix: string,
  { early, unseen }: GroupSurroundings['strings'],
  approve: (views: readonly CardView[]) => void,
) {
  const hint = element('p', { class: 'hint', id: `${prefix}-hint` }, unseen);
  const rest = element('p', { class: 'hint', id: `${prefix}-rest` });
  const refusal = element('p', { class: 'refusal early', role: 'status' });
  const button = element('button', { type: 'button', class: 'primary', 'aria-describedby': `${rest.id} ${hint.id}` });
  let batch: readonly CardView[] = [];
  let isArmed = false;
  let isBusy = false;

  const hasUnseen = (): boolean => batch.some(({ wasDisplayed }) => !wasDisplayed);
  const isReady = (): boolean => isArmed && !isBusy && !hasUnseen();
  const refresh = (): void => {
    button.setAttribute('aria-disabled', String(!isReady()));
    hint.hidden = batch.length === 0 || !hasUnseen();
    if (isArmed) refusal.textContent = '';
  };
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return;
    if (!isArmed && !isBusy) refusal.textContent = early;
    if (!isReady()) return;
    isBusy = true;
    refresh();
    approve(batch);
  });
  return {
    element: element('div', { class: 'foot' }, refusal, button, rest, hint),
    button,
    setArmed(armed: boolean) {
      isArmed = armed;
      refresh();
    },
    settle() {
      isBusy = false;
      refresh();
    },
    /** True when it now stands for other cards than before. */
    update(group: Group | undefined, views: readonly CardView[]): boolean {
      const allowed = views.filter(({ card }) => card.approve && group?.batch.includes(card.id));
      const together = allowed.length > 1 ? allowed : [];
      const isChanged = together.length !== batch.length || together.some((view) => !batch.includes(view));
      batch = together;
      button.hidden = batch.length === 0;
      const [count, of] = [String(batch.length), String(views.length)];
      if (group) {
        button.textContent = group.approveAll.text.replace('{0}', count);
        button.setAttribute('aria-label', group.approveAll.label.replace('{0}', count));
        const words = batch.length === 0 ? group.none : group.some;
        rest.textContent = batch.length === views.length ? '' : words.replace('{0}', count).replace('{1}', of);
      }
      // Another set of cards is another decision.
      if (isChanged) isBusy = isArmed = false;
      refresh();
      return isChanged;
    },
  };
}
