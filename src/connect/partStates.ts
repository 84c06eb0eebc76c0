import { isDeepStrictEqual } from 'node:util';
import type { Addition } from './assistant.ts';
import type { ConfigurationDraft } from './configurationDraft.ts';
import { valueAt, withoutKeyAndEmptyParents } from './plainValue.ts';

/** An addition to a file that others write, too. */
export type ValueAddition = Exclude<Addition, { readonly kind: 'file' }>;

/** Returns whether a configuration has a value exactly as Drawbridge adds it. */
export function isCurrent({ kind, path, value }: ValueAddition, configuration: unknown): boolean {
  if (kind === 'value') return isDeepStrictEqual(valueAt(configuration, path), value);
  return elementsAt(configuration, path).some((element) => isDeepStrictEqual(element, value));
}

/** Returns whether a draft has a value that Drawbridge added, also one with an older launcher or time-out. */
export function isOurs(addition: ValueAddition, draft: ConfigurationDraft): boolean {
  const { kind, path, value, isOurs: isMeant } = addition;
  const configuration = draft.read();
  if (isMeant === undefined) {
    return isCurrent(addition, configuration) && draft.hasAdded(path, kind === 'element' ? value : undefined);
  }
  return kind === 'element' ? elementsAt(configuration, path).some(isMeant) : isMeant(valueAt(configuration, path));
}

/** Returns a copy of a configuration without the additions and the empty containers that they leave. */
export function withoutAdditions(configuration: unknown, additions: readonly ValueAddition[]): unknown {
  return additions.reduce<unknown>((left, addition) => {
    const { kind, path, value, isOurs: isMeant = (other: unknown) => isDeepStrictEqual(other, value) } = addition;
    const found = valueAt(left, path);
    if (kind === 'value' || found === undefined) return withoutKeyAndEmptyParents(left, path);
    if (!Array.isArray(found)) return left;
    const others = found.filter((each) => !isMeant(each));
    return others.length > 0 ? withValue(left, path, others) : withoutKeyAndEmptyParents(left, path);
  }, configuration);
}

export function startsWith(path: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => path[index] === key);
}

function elementsAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const array = valueAt(value, path);
  return Array.isArray(array) ? array : [];
}

function withValue(value: unknown, [key, ...rest]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  const outer = typeof value === 'object' && value !== null ? value : {};
  return { ...outer, [key]: withValue(valueAt(outer, [key]), rest, inner) };
}
