import type { CardList } from './cardList.ts';
import { element } from './element.ts';
import type { Stop } from './groups.ts';
import type { Strings } from './messages.ts';

/** Buttons above and below the cards that tell of waiting ones that are not on screen, and bring up the first of them. */
export interface OutOfView {
  /** The cards changed. */
  refresh(): void;
}

export function createOutOfView(main: HTMLElement, list: CardList, strings: Strings): OutOfView {
  const above = createSide('above', strings.above, list);
  const below = createSide('below', strings.below, list);
  main.prepend(above.button);
  main.append(below.button);
  const refresh = (): void => {
    const waiting = list.stops().filter(({ count }) => count > 0);
    above.show(waiting.filter(({ bottom }) => bottom.getBoundingClientRect().bottom <= 0));
    below.show(waiting.filter(({ top }) => top.getBoundingClientRect().top >= innerHeight));
  };
  addEventListener('scroll', refresh, { passive: true });
  addEventListener('resize', refresh);
  new ResizeObserver(refresh).observe(main);
  return { refresh };
}

function createSide(side: 'above' | 'below', text: string, list: CardList) {
  let first: Stop | undefined;
  const button = element('button', { type: 'button', class: `elsewhere primary ${side}`, hidden: '' });
  button.addEventListener('click', () => first && list.visit(first));
  return {
    button,
    show(stops: readonly Stop[]): void {
      [first] = stops;
      button.hidden = stops.length === 0;
      const count = stops.reduce((sum, stop) => sum + stop.count, 0);
      if (count > 0) button.textContent = text.replace('{0}', String(count));
    },
  };
}
