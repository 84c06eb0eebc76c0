/**
 * Returns the same JSON for equal values: field names are sorted, and there is no white space. Values that JSON cannot
 * express are left out, as by `JSON.stringify`; `undefined` becomes `null`.
 * @throws TypeError when the value holds a cycle or a bigint
 */
export function canonicalJson(value: unknown): string {
  const data: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
  return written(data);
}

function written(data: unknown): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  if (Array.isArray(data)) return `[${data.map(written).join(',')}]`;
  const fields = Object.entries(data)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${written(field)}`);
  return `{${fields.join(',')}}`;
}
