import type { Approval } from '#changes/approval.ts';
import type { Group } from '#ui/page/messages.ts';
import { chosenOf } from './changeText.ts';
import { clientName } from './clientText.ts';
import type { Translate } from './translate.ts';

/** Deletes, protected files and whatever is no change of files are never approved together with others (threat row A16). */
export function needsOwnDecision({ risk, files, mustReachEnd, action, question }: Approval): boolean {
  const isChange = action === undefined && question === undefined;
  return !isChange || risk === 'delete' || mustReachEnd || files.some((file) => file.protectedBy !== undefined);
}

function joinsBatch(approval: Approval): boolean {
  const { included, edited } = chosenOf(approval.files);
  return approval.state === 'waiting' && !needsOwnDecision(approval) && (included > 0 || edited);
}

/** What arrived together and still waits, two or more of each. */
export function groupsOf(open: readonly Approval[], t: Translate): Group[] {
  const groups = Map.groupBy(open, ({ groupId }) => groupId);
  return [...groups].flatMap(([id, members]) => (members.length > 1 ? [groupOf(id, members, t)] : []));
}

function groupOf(id: string, members: readonly Approval[], t: Translate): Group {
  const client = clientName(members[0]?.client, t);
  const areChanges = members.every(({ action, question }) => action === undefined && question === undefined);
  return {
    id,
    ids: members.map((member) => member.id),
    // The page knows the numbers.
    headline: areChanges ? t('{0} changes from {1}', '{0}', client) : t('{0} requests from {1}', '{0}', client),
    batch: members.filter(joinsBatch).map((member) => member.id),
    approveAll: {
      text: t('Approve all ({0})', '{0}'),
      label: t('Approve all ({0}): changes from {1}', '{0}', client),
    },
    some: t('{0} of {1}; each of the others needs a separate decision.', '{0}', '{1}'),
    none: t('Each needs a separate decision.'),
  };
}
