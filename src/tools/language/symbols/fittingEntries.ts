import type { PageLimits } from '#call/tool.ts';
import { fittingCount } from '../../page.ts';

/** The first entries of a list without pages, as many as one answer may carry. */
export function fittingEntries<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
  limits: Pick<PageLimits, 'listBytes' | 'form'>,
): Entry[] {
  const show = (entry: Entry) => ({ text: textOf(entry), data: [entry] });
  return entries.slice(0, fittingCount(entries, show, entries.length, limits));
}
