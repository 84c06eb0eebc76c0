import { isRecord } from './isRecord.ts';

/**
 * C0 controls except tab, line feed, form feed and carriage return; DEL; C1 controls. A terminal that prints a result must not
 * obey control characters of a file.
 */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;
const everyControl = new RegExp(control, 'g');

/**
 * Returns text for a model or a user, with U+FFFD in place of lone surrogates and with visible control characters: Unicode control
 * pictures (U+241B for escape), and `\u009b` for C1 controls.
 */
export function printable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return control.test(whole) ? whole.replace(everyControl, picture) : whole;
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Returns data with U+FFFD in place of lone surrogates, also in the names of fields: a strict client refuses a whole message because
 * of one, since it has no UTF-8 form. Returns the same object when there are none.
 */
export function wellFormedData<Data>(data: Data): Data;
export function wellFormedData(data: unknown): unknown {
  if (typeof data === 'string') return data.isWellFormed() ? data : data.toWellFormed();
  if (Array.isArray(data)) {
    const items: unknown[] = data.map((item: unknown) => wellFormedData(item));
    return items.some((item, at) => item !== data[at]) ? items : data;
  }
  if (!isRecord(data)) return data;
  const entries = Object.entries(data).map(([name, field]) => [name.toWellFormed(), wellFormedData(field)] as const);
  return entries.some(([name, field]) => field !== data[name]) ? Object.fromEntries(entries) : data;
}
