import type { CardList } from './cardList.ts';
import type { CardView } from './card.ts';
import { element } from './element.ts';
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
    const waiting = list.waiting();
    above.show(waiting.filter(({ actions }) => actions.getBoundingClientRect().bottom <= 0));
    below.show(waiting.filter(({ headline }) => headline.getBoundingClientRect().top >= innerHeight));
  };
  addEventListener('scroll', refresh, { passive: true });
  addEventListener('resize', refresh);
  new ResizeObserver(refresh).observe(main);
  return { refresh };
}

function createSide(side: 'above' | 'below', text: string, list: CardList) {
  let first: CardView | undefined;
  const button = element('button', { type: 'button', class: `elsewhere primary ${side}`, hidden: '' });
  button.addEventListener('click', () => first && list.focus(first));
  return {
    button,
    show(views: readonly CardView[]): void {
      [first] = views;
      button.hidden = views.length === 0;
      if (views.length > 0) button.textContent = text.replace('{0}', String(views.length));
    },
  };
}
