/**
 * C0 controls but tab, line feed, form feed and carriage return; DEL; C1 controls. A terminal that prints a result must not
 * obey what lies in a file.
 */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;
const everyControl = new RegExp(control, 'g');

/**
 * Text for a model or a human to look at, with U+FFFD for half characters and control characters to be seen: as Unicode's
 * control pictures (escape is U+241B), C1 controls as `\u009b`. The same text when there is nothing to do.
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
 * Any data with U+FFFD for half characters, in names of fields too: they have no UTF-8, and a strict client refuses the whole
 * message for one. The same value when there are none.
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

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
