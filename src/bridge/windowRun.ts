import type { WindowRecord } from '#home/windows.ts';

/** Tells runs of windows apart, those of one window included: each has a secret of its own. */
export function keyOf({ endpoint, token }: WindowRecord): string {
  return `${endpoint} ${token}`;
}
