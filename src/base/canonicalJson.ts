/**
 * Returns the same JSON for equal values: field names are in one order, and there is no white space. Values that JSON cannot
 * express are left out, as by `JSON.stringify`; `undefined` becomes `null`.
 * @throws TypeError when the value holds a cycle or a bigint
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sorted) ?? 'null';
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
