import { drawnButton } from './cardParts.ts';
import { element, timeOf } from './element.ts';
import type { PageMessage } from './fromPage.ts';
import type { Restriction } from './messages.ts';

/** The restrictions of assistants at the top of the page, each with the button that ends it. */
export interface Restrictions {
  /** A screen reader tells what comes. */
  readonly region: HTMLElement;
  draw(restrictions: readonly Restriction[]): void;
}

/** @param nextTarget where the keyboard goes from the button of a restriction that ended */
export function createRestrictions(send: (message: PageMessage) => void, nextTarget: () => HTMLElement): Restrictions {
  const drawn = new Map<string, HTMLElement>();
  const region = element('div', { class: 'restrictions', role: 'status' });
  return {
    region,
    draw(restrictions) {
      const hadKeyboard = region.contains(document.activeElement);
      const now = new Set(restrictions.map(({ id }) => id));
      for (const [id, section] of drawn) {
        if (now.has(id)) continue;
        section.remove();
        drawn.delete(id);
      }
      for (const restriction of restrictions) {
        if (drawn.has(restriction.id)) continue;
        const section = drawnRestriction(restriction, send);
        drawn.set(restriction.id, section);
        region.append(section);
      }
      if (hadKeyboard && !region.contains(document.activeElement)) {
        (region.querySelector('button') ?? nextTarget()).focus();
      }
    },
  };
}

function drawnRestriction({ id, text, lift }: Restriction, send: (message: PageMessage) => void): HTMLElement {
  const words = text.map((part) => (typeof part === 'string' ? part : timeOf(part.time)));
  const button = drawnButton(lift, (event) => {
    // It widens what an assistant may do: a script that clicks is not heard (threat row A2).
    if (event.isTrusted) send({ type: 'lift', restrictionId: id });
  });
  return element('section', { class: 'notice restriction' }, element('p', {}, ...words), button);
}
