import type { Draft, Drafts } from './drafts.ts';
import { element } from './element.ts';
import type { DeclineReason } from './fromPage.ts';
import type { Decline } from './messages.ts';

/** The reason and the message of a decline. */
export interface DeclineAnswer {
  readonly message?: string;
  readonly reasonCode?: DeclineReason;
}

/** The field for words to the assistant, the quick reasons, and the buttons that decline. */
export interface DeclineControl {
  /** Shows the field; absent when the field is there from the start. */
  readonly toggle: HTMLButtonElement | undefined;
  readonly row: HTMLElement;
  /** The buttons that decline. */
  readonly decisions: readonly HTMLButtonElement[];
  answer(): DeclineAnswer;
}

interface DeclineSurroundings {
  readonly id: string;
  /** Prefix of element ids. */
  readonly prefix: string;
  readonly drafts: Drafts;
  readonly send: (event: Event, pause: boolean) => void;
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
  field.value = drafts.get(id)?.message ?? '';
  const reasons = createReasons(decline, `${prefix}-reason`, drafts.get(id)?.reasonCode, () => save());
  const draft = (): Draft => ({ message: field.value, ...reasons.chosen() });
  const save = (): void => drafts.set(id, row.hidden ? undefined : draft());
  const sendButton = element('button', { type: 'button', class: 'primary', 'aria-label': decline.send.label });
  sendButton.append(decline.send.text);
  sendButton.addEventListener('click', (event) => send(event, false));
  const pauseButton = element('button', { type: 'button', 'aria-label': decline.pause.label }, decline.pause.text);
  pauseButton.addEventListener('click', (event) => send(event, true));
  const words = element('div', { class: 'words' }, field, sendButton);
  const row = element('div', { class: 'decline', id: `${prefix}-decline` }, words, reasons.group, pauseButton);
  field.addEventListener('input', save);

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
    save();
    if (!row.hidden) field.focus();
  });

  row.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const isOnButton = event.target === sendButton || event.target === pauseButton;
    const isChord = event.ctrlKey || event.metaKey;
    // With a decline half made, Enter can only mean "send it", never "approve". On a button the key alone presses it.
    if (event.key === 'Enter' && !(isOnButton && !isChord)) send(event, event.target === pauseButton);
    else if (event.key === 'Escape' && toggle) {
      toggle.click();
      toggle.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    toggle,
    row,
    decisions: [sendButton, pauseButton],
    answer() {
      if (row.hidden) return {};
      const { message, ...reason } = draft();
      const trimmed = message.trim();
      return trimmed === '' ? reason : { message: trimmed, ...reason };
    },
  };
}

interface Reasons {
  readonly group: HTMLElement;
  chosen(): Pick<DeclineAnswer, 'reasonCode'>;
}

/** @param name of the radio group, unlike every other's on the page */
function createReasons(
  { reasonsLabel, reasons }: Decline,
  name: string,
  first: DeclineReason | undefined,
  changed: () => void,
): Reasons {
  let chosen = first;
  const options = reasons.map(({ code, text }) => {
    const radio = element('input', { type: 'radio', name, class: 'spoken' });
    radio.checked = code === first;
    const choose = (next: DeclineReason | undefined): void => {
      chosen = next;
      radio.checked = next !== undefined;
      changed();
    };
    // A reason is optional: choosing it once more takes it back, which a radio button does not do by itself.
    radio.addEventListener('click', () => chosen === code && choose(undefined));
    radio.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || chosen !== code) return;
      choose(undefined);
      event.preventDefault();
    });
    radio.addEventListener('change', () => radio.checked && choose(code));
    return element('label', { class: 'option' }, radio, element('span', {}, text));
  });
  const group = element('div', { class: 'reasons', role: 'radiogroup', 'aria-label': reasonsLabel }, ...options);
  return { group, chosen: () => (chosen === undefined ? {} : { reasonCode: chosen }) };
}
