import { drawnButton } from './cardParts.ts';
import { element, timeOf } from './element.ts';
import type { PageMessage } from './fromPage.ts';
import type { ModeBanner } from './messages.ts';

/** Says how much assistants may do without asking, with a button that ends this. */
export interface ModeBannerView {
  /** A screen reader tells what comes. */
  readonly region: HTMLElement;
  draw(mode: ModeBanner | undefined): void;
}

/** @param nextTarget where the keyboard goes from the button of a banner that went */
export function createModeBanner(send: (message: PageMessage) => void, nextTarget: () => HTMLElement): ModeBannerView {
  const region = element('div', { role: 'status' });
  let drawn = '';
  return {
    region,
    draw(mode) {
      const now = JSON.stringify(mode ?? null);
      if (now === drawn) return;
      drawn = now;
      const hadKeyboard = region.contains(document.activeElement);
      region.replaceChildren(...(mode ? [drawnBanner(mode, send)] : []));
      if (hadKeyboard) (region.querySelector('button') ?? nextTarget()).focus();
    },
  };
}

function drawnBanner({ text, tone, back }: ModeBanner, send: (message: PageMessage) => void): HTMLElement {
  const words = text.map((part) => (typeof part === 'string' ? part : timeOf(part.time)));
  const button = drawnButton(back, (event) => {
    // From read-only it widens what assistants may do: a script that clicks is not heard (threat row A2).
    if (event.isTrusted) send({ type: 'manualMode' });
  });
  button.classList.add('link');
  return element('section', { class: `notice mode ${tone}` }, element('p', {}, ...words, ' · ', button));
}
