import type { Drafts } from './drafts.ts';
import { element } from './element.ts';
import type { Decline } from './messages.ts';

/** The field for words to the assistant and the button that declines. */
export interface DeclineControl {
  /** Shows the field; absent when the field is there from the start. */
  readonly toggle: HTMLButtonElement | undefined;
  readonly row: HTMLElement;
  readonly sendButton: HTMLButtonElement;
  message(): string;
}

interface DeclineSurroundings {
  readonly id: string;
  /** Prefix of element ids. */
  readonly prefix: string;
  readonly drafts: Drafts;
  readonly send: (event: Event) => void;
}

/** The longest message that the host takes, in UTF-16 units. */
const messageLength = '2000';

export function createDecline(decline: Decline, { id, prefix, drafts, send }: DeclineSurroundings): DeclineControl {
  const field = element('input', {
    type: 'text',
    maxlength: messageLength,
    placeholder: decline.fieldLabel,
    'aria-label': decline.fieldLabel,
    autocomplete: 'off',
  });
  field.value = drafts.get(id) ?? '';
  const sendButton = element('button', { type: 'button', class: 'primary', 'aria-label': decline.send.label });
  sendButton.append(decline.send.text);
  sendButton.addEventListener('click', send);
  const row = element('div', { class: 'decline', id: `${prefix}-decline` }, field, sendButton);
  field.addEventListener('input', () => drafts.set(id, field.value));

  const toggle = decline.suggested
    ? undefined
    : element('button', { type: 'button', 'aria-label': decline.label, 'aria-controls': row.id }, decline.text);
  const open = (isOpen: boolean): void => {
    row.hidden = !isOpen;
    toggle?.setAttribute('aria-expanded', String(isOpen));
  };
  open(decline.suggested || drafts.get(id) !== undefined);
  toggle?.addEventListener('click', () => {
    open(row.hidden !== false);
    drafts.set(id, row.hidden ? undefined : field.value);
    if (!row.hidden) field.focus();
  });

  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    // With words half written, Enter can only mean "send them", never "approve".
    if (event.key === 'Enter') send(event);
    else if (event.key === 'Escape' && toggle) toggle.click();
    else return;
    if (event.key === 'Escape') toggle?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return { toggle, row, sendButton, message: () => (row.hidden ? '' : field.value.trim()) };
}
