import type { ScopedRule } from '../rules.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
const unusedDays = 30;

/** How long an allow rule of the user applies without being used (threat row F17). */
export const unusedMilliseconds = unusedDays * dayMilliseconds;

/** Returns true for a rule that ends by itself when it is unused: an allow rule for every folder. */
export function endsUnused({ rule, scope, invalid }: ScopedRule): boolean {
  return scope === 'user' && rule.effect === 'allow' && invalid === undefined;
}

/**
 * Returns the rule with the expiry that it has when it stays unused, in whole days, so that the rules do not change with each use.
 * @param lastNeeded time when it was made, renewed or used, in milliseconds since the epoch
 */
export function withUnusedEnd(scoped: ScopedRule, lastNeeded: number): ScopedRule {
  const { rule } = scoped;
  const end = (Math.floor(lastNeeded / dayMilliseconds) + unusedDays + 1) * dayMilliseconds;
  const isSooner = rule.expires !== undefined && Date.parse(rule.expires) < end;
  return isSooner ? scoped : { ...scoped, rule: { ...rule, expires: new Date(end).toISOString() } };
}

/** Returns a written rule with a later expiry when its own has passed. */
export function withLaterEnd(written: unknown, now: number): unknown {
  if (typeof written !== 'object' || written === null || !('expires' in written)) return written;
  const isOver = typeof written.expires === 'string' && Date.parse(written.expires) <= now;
  return isOver ? { ...written, expires: new Date(now + unusedMilliseconds).toISOString() } : written;
}
