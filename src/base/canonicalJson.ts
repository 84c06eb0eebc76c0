/**
 * JSON that is the same for equal values: names of fields in order, no white space. What JSON has no form of is left out, as
 * `JSON.stringify` does; nothing at all is `null`.
 * @throws TypeError for what is no data: a cycle, a bigint
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
