import type { AxeBuilder } from '@axe-core/playwright';

/** A rule of axe that is broken, and the elements that break it. */
export type AxeFinding = readonly [rule: string, elements: readonly string[]];

/**
 * Returns the rules of axe that the page breaks.
 * @param isFull runs all rules; otherwise only the contrast of colours, as another theme changes nothing else
 * @param leastPasses the least number of rules that must pass, which proves that axe saw the page
 * @throws Error when axe did not look at the page
 */
export async function findingsOf(
  axe: AxeBuilder,
  { isFull, leastPasses = 1 }: { readonly isFull: boolean; readonly leastPasses?: number },
): Promise<AxeFinding[]> {
  const { violations, passes } = await (isFull ? axe : axe.withRules('color-contrast')).analyze();
  const hasLooked = isFull ? passes.length >= leastPasses : passes.length + violations.length > 0;
  if (!hasLooked) throw new Error('Axe did not look at the page');
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
