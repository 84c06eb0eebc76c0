import type { ScopedRule } from '../rules.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
const unusedDays = 30;

/** How long an allow rule of the user counts without being needed (threat row F17). */
export const unusedMilliseconds = unusedDays * dayMilliseconds;

/** Whether a rule ends by itself when nothing needs it: one that allows, everywhere. */
export function endsUnused({ rule, scope, invalid }: ScopedRule): boolean {
  return scope === 'user' && rule.effect === 'allow' && invalid === undefined;
}

/**
 * The rule with the end that it has if nothing needs it any more; by whole days, so that the rules do not change with each use.
 * @param lastNeeded when it was made, renewed or used, milliseconds since the epoch
 */
export function withUnusedEnd(scoped: ScopedRule, lastNeeded: number): ScopedRule {
  const { rule } = scoped;
  const end = (Math.floor(lastNeeded / dayMilliseconds) + unusedDays + 1) * dayMilliseconds;
  const isSooner = rule.expires !== undefined && Date.parse(rule.expires) < end;
  return isSooner ? scoped : { ...scoped, rule: { ...rule, expires: new Date(end).toISOString() } };
}

/** A rule as it is written, with a later end if the one it had is over. */
export function withLaterEnd(written: unknown, now: number): unknown {
  if (typeof written !== 'object' || written === null || !('expires' in written)) return written;
  const isOver = typeof written.expires === 'string' && Date.parse(written.expires) <= now;
  return isOver ? { ...written, expires: new Date(now + unusedMilliseconds).toISOString() } : written;
}
