import type { Approvals } from '#changes/approval.ts';

/** Has everything of a card on screen that must be there before it is approved. */
export function seeAll(approvals: Pick<Approvals, 'get' | 'warned' | 'placeSeen' | 'endReached'>, id: string): void {
  for (const index of (approvals.get(id)?.files ?? []).keys()) {
    for (const place of approvals.warned(id, index)?.places ?? []) approvals.placeSeen(id, index, place);
  }
  approvals.endReached(id);
}
