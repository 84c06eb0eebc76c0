/** Returns whether a parsed value has keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Returns a copy with plain objects, so that the results of different parsers compare as equal. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Returns the value at a path of keys; undefined when there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (outer, key) => (isRecord(outer) && Object.hasOwn(outer, key) ? outer[key] : undefined),
    value,
  );
}

/** Returns a copy without the value at a path of keys. */
export function withoutKey(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isRecord(value) || !Object.hasOwn(value, key)) return value;
  if (rest.length > 0) return { ...value, [key]: withoutKey(value[key], rest) };
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
}

/** Returns a copy without the value at a path of keys, and without empty containers above it. */
export function withoutKeyAndEmptyParents(value: unknown, path: readonly string[]): unknown {
  const parent = path.slice(0, -1);
  const without = withoutKey(value, path);
  const left = valueAt(without, parent);
  const isEmpty = left === undefined || left === null || (isRecord(left) && Object.keys(left).length === 0);
  return isEmpty && parent.length > 0 ? withoutKeyAndEmptyParents(without, parent) : without;
}
