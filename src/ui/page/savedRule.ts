import { drawnButton } from './cardParts.ts';
import { element } from './element.ts';
import type { PageMessage } from './fromPage.ts';
import type { Card } from './messages.ts';

/** The rule that was made with a card, with the button that removes it. */
export interface SavedRuleView {
  readonly element: HTMLElement;
  /** The card changed. */
  draw(): void;
}

/** @param nextTarget where the keyboard goes when its button went */
export function createSavedRule(
  current: () => Card,
  send: (message: PageMessage) => void,
  nextTarget: () => HTMLElement,
): SavedRuleView {
  const note = element('p', { class: 'saved-rule', role: 'status' });
  let drawn = '';
  return {
    element: note,
    draw() {
      const { savedRule: rule, id } = current();
      const now = JSON.stringify(rule ?? null);
      if (now === drawn) return;
      drawn = now;
      const hadKeyboard = note.contains(document.activeElement);
      const acts = [
        [rule?.show, { type: 'showRule', id, which: 'saved' }],
        [rule?.remove, { type: 'removeRule', id }],
        [rule?.restore, { type: 'restoreRule', id }],
      ] as const;
      const buttons = acts.flatMap(([button, message]) => {
        if (!button) return [];
        // To put a rule back widens what an assistant may do: a script that clicks is not heard (threat row A2).
        const made = drawnButton(button, (event) => event.isTrusted && send(message));
        made.classList.add('link');
        return [made];
      });
      note.replaceChildren(rule?.text ?? '', ...buttons.flatMap((button) => [' · ', button]));
      if (hadKeyboard) (note.querySelector('button') ?? nextTarget()).focus();
    },
  };
}
