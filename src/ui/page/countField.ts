import { element } from './element.ts';
import type { CountConfirmation } from './messages.ts';

/** The field in which the user types how many files they mean to delete. */
export interface CountField {
  readonly row: HTMLElement;
  /** What is wrong with it. Stands below the buttons: it comes when the field is left, maybe for one of them. */
  readonly error: HTMLElement;
  /** What was typed, when it is the number that was asked for. */
  value(): number | undefined;
  /** The user wanted to approve without it. */
  complain(): void;
}

/** @param prefix of element ids @param changed `value` answers something else */
export function createCountField(
  { count, label, mismatch }: CountConfirmation,
  prefix: string,
  changed: () => void,
): CountField {
  const error = element('p', { class: 'refusal', id: `${prefix}-count-error`, role: 'status' });
  const field = element('input', {
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    id: `${prefix}-count`,
    'aria-describedby': error.id,
    'data-control': 'count',
  });
  const value = (): number | undefined => (field.value.trim() === String(count) ? count : undefined);
  const judge = (isWrong: boolean): void => {
    error.textContent = isWrong ? mismatch : '';
    field.setAttribute('aria-invalid', String(isWrong));
  };
  field.addEventListener('input', () => {
    if (value() !== undefined) judge(false);
    changed();
  });
  // The field does not complain while the user is still typing.
  field.addEventListener('change', () => judge(field.value.trim() !== '' && value() === undefined));
  return {
    row: element('div', { class: 'count' }, element('label', { for: field.id }, label), field),
    error,
    value,
    complain() {
      judge(true);
      field.focus();
    },
  };
}
