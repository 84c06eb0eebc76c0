import type { Approval } from '#changes/approval.ts';
import type { PageGroup } from '../messages.ts';
import { chosenOf } from './changeText.ts';
import { isProtected } from './kindText.ts';
import type { Translate } from './translate.ts';
import type { Card, GroupView } from './view.ts';

/** Deletes, protected files and whatever is no change of files are never approved together with others (threat row A16). */
export function needsOwnDecision({ risk, files, mustReachEnd, action, question }: Approval): boolean {
  const isChange = action === undefined && question === undefined;
  return !isChange || risk === 'delete' || mustReachEnd || files.some(isProtected);
}

/** Returns true when a waiting change may be approved together with others. */
export function joinsBatch(approval: Approval): boolean {
  const { included, edited } = chosenOf(approval.files);
  return approval.state === 'waiting' && !needsOwnDecision(approval) && (included > 0 || edited);
}

/** Returns the words of a group. @param members the cards that the page shows together, all of one assistant */
export function groupView({ batch }: Pick<PageGroup, 'batch'>, members: readonly Card[], t: Translate): GroupView {
  const client = members[0]?.who.client ?? '';
  const areChanges = members.every(({ action, question }) => action === undefined && question === undefined);
  const together = members.filter(({ id, approve }) => approve && batch.includes(id)).length;
  const [count, of] = [together > 1 ? together : 0, members.length];
  const rest =
    count === of
      ? undefined
      : count === 0
        ? t('Each needs a separate decision.')
        : t('{0} of {1}; each of the others needs a separate decision.', count, of);
  return {
    headline: areChanges ? t('{0} changes from {1}', of, client) : t('{0} requests from {1}', of, client),
    approveAll: {
      text: t('Approve all ({0})', count),
      label: t('Approve all ({0}): changes from {1}', count, client),
    },
    declineAll: {
      text: t('Decline all ({0})', of),
      label: t('Decline all ({0}): requests from {1}', of, client),
    },
    ...(rest !== undefined && { rest }),
  };
}
