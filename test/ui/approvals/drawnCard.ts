import { waitingCard } from '#ui/approvals/cardText.ts';
import { Drawings } from '#ui/approvals/drawings.ts';
import type { Card } from '#ui/page/messages.ts';
import { FakeApprovals, type FakeRequest } from '../../fakes/approvals.ts';

/** English, as `vscode.l10n.t` gives it without a translation. */
export const t = (message: string, ...args: (string | number)[]): string =>
  message.replaceAll(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));

export const context = { t, windowName: 'shop-api', notes: [], hasSuccessor: false, watchingTasks: [] };

/** Returns the card of a waiting approval after an act of the user. */
export async function drawnCard(
  request: FakeRequest,
  act?: (approvals: FakeApprovals, id: string) => void,
): Promise<Card> {
  const approvals = new FakeApprovals();
  const { id } = approvals.add(request);
  act?.(approvals, id);
  const current = await new Drawings(approvals).current(id);
  if (!current) throw new Error('No approval');
  return waitingCard(current.approval, current.drawing, context);
}
