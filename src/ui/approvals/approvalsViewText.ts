import type { Approval, DecisionResult, WaitingRead } from '#changes/approval.ts';
import type { Notice, StateMessage, Strings } from '#ui/page/messages.ts';
import { deletes } from './changeText.ts';
import { clientName } from './clientText.ts';
import { isProtected, readSubject, subjectText } from './kindText.ts';
import { isSecret } from './readCard.ts';
import { endHint } from './sharedCardText.ts';
import type { Translate } from './translate.ts';

/** The facts that decide which text the view shows while nothing waits. */
export interface ViewStatus {
  readonly running: boolean;
  /** An assistant is connected on this machine, or has been here. */
  readonly connected: boolean;
  readonly hasFolder: boolean;
  readonly trusted: boolean;
  /** The user trusts the workspace by now, but assistants that met it before only read it until edits are enabled. */
  readonly held: boolean;
  /** The warning that assistants' own edits are not reviewed; absent while they are. */
  readonly guardOff?: string | undefined;
}

/** Words of the page that belong to no card. */
export function pageStrings(t: Translate): Strings {
  return {
    waiting: t('Waiting for you'),
    recent: t('Recent'),
    early: earlyText(t),
    leftOut: t('left out'),
    unseen: t('Review each of these changes first; then you can approve them together.'),
    // The page knows the number.
    above: t('{0} waiting above', '{0}'),
    below: t('{0} waiting below', '{0}'),
    approveChord: { mac: '⌘↵', other: t('Ctrl+↵') },
  };
}

/** Returns the text for a decision that came before its card had been on screen for half a second. */
export function earlyText(t: Translate): string {
  return t('Look first: the button works in a moment.');
}

/** Returns the text of the view while nothing waits. The trees have the same texts (`viewsWelcome`, in `package.nls.json`). */
export function welcomeText({ running, connected, hasFolder, trusted, held }: ViewStatus, t: Translate): Notice {
  const connect = { text: t('Connect an Assistant...'), command: 'drawbridge.connectAssistant' as const };
  if (!hasFolder) {
    return {
      text: t('No folder is open. Assistants need an open folder to work on.'),
      buttons: [{ text: t('Open Folder'), command: 'vscode.openFolder' }],
    };
  }
  if (!trusted && !held) {
    return {
      text: t(
        'You have not trusted this workspace. Assistants can read it, but cannot change it with the tools of Drawbridge. Edits that they make with their own tools are not reviewed in this window.',
      ),
      buttons: [{ text: t('Manage Workspace Trust'), command: 'workbench.trust.manage' }],
    };
  }
  if (!running) {
    return {
      text: t('Drawbridge is stopped. Assistants cannot reach this window.'),
      buttons: [{ text: t('Start Drawbridge'), command: 'drawbridge.start' }, ...(connected ? [] : [connect])],
    };
  }
  return {
    text: t('Nothing is waiting for you. When an assistant wants to change, run or ask something, it appears here.'),
    buttons: connected ? [] : [connect],
  };
}

/** Returns the notice above the cards. */
export function noticeText({ held, guardOff }: ViewStatus, t: Translate): Notice | undefined {
  if (guardOff !== undefined) {
    return { text: guardOff, buttons: [{ text: t('Switch Guard On'), command: 'drawbridge.guardAgain' }] };
  }
  if (!held) return undefined;
  return {
    text: t('Assistants can only read this workspace until you enable edits.'),
    buttons: [{ text: t('Enable Edits'), command: 'drawbridge.enableEdits' }],
  };
}

/** Returns the sentence that a screen reader reads out for new approvals. */
export function announcement(
  fresh: readonly Approval[],
  reads: readonly WaitingRead[],
  t: Translate,
): StateMessage['announce'] {
  const count = fresh.length + reads.length;
  if (count === 0) return undefined;
  const assertive = fresh.some(isGrave) || reads.some(({ paths }) => paths.some(isSecret));
  return { text: count === 1 ? textOfOne(fresh[0], reads[0], t) : textOfSeveral(fresh, count, t), assertive };
}

function textOfOne(approval: Approval | undefined, read: WaitingRead | undefined, t: Translate): string {
  if (approval?.question) {
    return t('Question from {0}. Run “Review Next Approval” to get to it.', clientName(approval.client, t));
  }
  const subject = approval ? subjectText(approval, t) : read ? readSubject(read, t) : '';
  return t('Approval needed: {0}. Run “Review Next Approval” to get to it.', subject);
}

function textOfSeveral(fresh: readonly Approval[], count: number, t: Translate): string {
  return fresh.some(({ question }) => question !== undefined)
    ? t('{0} requests wait for you. Run “Review Next Approval” to get to them.', count)
    : t('{0} approvals needed. Run “Review Next Approval” to get to them.', count);
}

function isGrave(approval: Approval): boolean {
  return deletes(approval) || approval.risk === 'execute' || approval.files.some(isProtected);
}

/**
 * Why a decision did not count.
 * @param early what to say when it came too early
 */
export function refusalText(
  result: Exclude<DecisionResult, 'accepted'>,
  approval: Pick<Approval, 'action'>,
  early: string,
  t: Translate,
): string {
  const texts: Record<typeof result, string> = {
    too_fast: early,
    not_displayed: early,
    end_not_reached: endHint(approval, t),
    already_decided: t('This was already decided.'),
    changed: t('The proposal on this card has been replaced.'),
    nothing_selected: t('Nothing is selected: decline instead.'),
    count_not_confirmed: t('Type the number of files to delete them.'),
  };
  return texts[result];
}
