import { element } from './element.ts';
import type { RuleMenu } from './messages.ts';

/** One entry of the menu. */
export type RuleChoice = RuleMenu['groups'][number]['items'][number];

/** The narrow half of a split button: opens a menu of the rules that approving can be made of. Nothing in it decides anything. */
export interface RuleMenuView {
  readonly opener: HTMLButtonElement;
  readonly menu: HTMLElement;
  /** @param rules undefined when no rule can be made now */
  draw(rules: RuleMenu | undefined): void;
  close(): void;
}

/** @param id of the menu @param choose called by a user only */
export function createRuleMenu(id: string, choose: (choice: RuleChoice) => void): RuleMenuView {
  const opener = element('button', {
    type: 'button',
    class: 'opener',
    'aria-haspopup': 'menu',
    'aria-expanded': 'false',
    'aria-controls': id,
    'data-control': 'rules',
  });
  const menu = element('div', { class: 'menu', role: 'menu', id, hidden: '' });
  const items = (): HTMLButtonElement[] => [...menu.querySelectorAll('button')];
  const setOpen = (isOpen: boolean): void => {
    menu.hidden = !isOpen;
    opener.setAttribute('aria-expanded', String(isOpen));
  };
  const open = (last: boolean): void => {
    setOpen(true);
    items()
      .at(last ? -1 : 0)
      ?.focus({ preventScroll: true });
    menu.scrollIntoView({ block: 'nearest' });
  };
  const leave = (): void => {
    setOpen(false);
    opener.focus({ preventScroll: true });
  };
  const take = (choice: RuleChoice, event: MouseEvent): void => {
    // A script that chooses for the user is not heard (threat row A2).
    if (!event.isTrusted) return;
    leave();
    choose(choice);
  };
  const move = (key: string): HTMLButtonElement | undefined => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    if (key === 'ArrowDown') return all[(at + 1) % all.length];
    return key === 'ArrowUp' ? all.at(at - 1) : undefined;
  };

  opener.addEventListener('click', () => (menu.hidden ? open(false) : leave()));
  opener.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    // Alt+Down opens a menu here, as it does on every drop-down; elsewhere in the page it goes to the next card.
    open(event.key === 'ArrowUp');
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener('keydown', (event) => {
    const target = move(event.key);
    if (target) target.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') leave();
    else return;
    // Tab goes on from the opener.
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    const isInside = relatedTarget instanceof Node && (menu.contains(relatedTarget) || relatedTarget === opener);
    if (!isInside) setOpen(false);
  });
  return {
    opener,
    menu,
    draw(rules) {
      setOpen(false);
      opener.hidden = rules === undefined;
      opener.setAttribute('aria-label', rules?.label ?? '');
      menu.setAttribute('aria-label', rules?.label ?? '');
      menu.replaceChildren(...(rules?.groups ?? []).map((group, index) => drawnGroup(group, `${id}-${index}`, take)));
    },
    close: () => setOpen(false),
  };
}

function drawnGroup(
  { label, items }: RuleMenu['groups'][number],
  id: string,
  take: (choice: RuleChoice, event: MouseEvent) => void,
): HTMLElement {
  const buttons = items.map((choice) => {
    const item = element('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, choice.text);
    item.addEventListener('click', (event) => take(choice, event));
    return item;
  });
  const heading = element('div', { class: 'heading', id, role: 'presentation' }, label);
  return element('div', { role: 'group', 'aria-labelledby': id }, heading, ...buttons);
}
