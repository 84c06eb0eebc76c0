import { plain, shortened } from '#base/visibleText.ts';
import type { Restriction } from '#changes/approval.ts';
import type { Mode } from '#policy/rules.ts';
import type { ModeStatus, PageApproval, PageRead, Refusal, ShownApproval, ViewStatus } from '../messages.ts';
import { actionOf, deletes } from './changeText.ts';
import { clientName } from './clientText.ts';
import { isProtected, readSubject, subjectText } from './kindText.ts';
import { endHint } from './sharedCardText.ts';
import { timeMark, withTime } from './timedText.ts';
import type { Translate } from './translate.ts';
import type { Card, DrawnRestriction, ModeBanner, Notice } from './view.ts';

/** Returns the text of the view while nothing waits. The trees have the same texts (`viewsWelcome`, in `package.nls.json`). */
export function welcomeText(status: ViewStatus, t: Translate): Notice {
  const { running, connected, hasFolder, trusted, held, firstSteps: [first, ...others] = [] } = status;
  const sample = { text: t('Show a Sample'), command: 'drawbridge.showSample' as const };
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
  if (first !== undefined) {
    return {
      text: t('Three steps to the first change that you review:'),
      steps: [
        { text: t('Set up: {0} ✓', [first, ...others].join(', ')) },
        { text: t('Copy a first question'), command: 'drawbridge.copyFirstQuestion' },
        { text: t('Start {0} in this folder and paste the question. Waiting for the first call…', first) },
      ],
      buttons: [sample],
    };
  }
  return {
    text: t('Nothing is waiting for you. When an assistant wants to change, run or ask something, it appears here.'),
    buttons: connected ? [] : [connect, sample],
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

/** Says that requests wait in another window. */
export function otherWindowText({ name, waiting }: ViewStatus['otherWindows'][number], t: Translate): string {
  return waiting === 1
    ? t('1 request waits for you in the window “{0}”.', name)
    : t('{0} requests wait for you in the window “{1}”.', waiting, name);
}

/** Returns the sentence that a screen reader reads out for new approvals. */
export function announcement(
  fresh: readonly PageApproval[],
  reads: readonly PageRead[],
  t: Translate,
): { readonly text: string; readonly assertive: boolean } | undefined {
  const approvals = fresh.map(({ approval }) => approval);
  const count = approvals.length + reads.length;
  if (count === 0) return undefined;
  const assertive = approvals.some(isGrave) || reads.some(({ secret }) => secret.length > 0);
  return { text: count === 1 ? textOfOne(approvals[0], reads[0], t) : textOfSeveral(approvals, count, t), assertive };
}

function textOfOne(approval: ShownApproval | undefined, read: PageRead | undefined, t: Translate): string {
  if (approval?.question) {
    return t('Question from {0}. Run “Review Next Approval” to get to it.', clientName(approval.client, t));
  }
  const subject = approval ? subjectText(approval, t) : read ? readSubject(read, t) : '';
  return t('Approval needed: {0}. Run “Review Next Approval” to get to it.', subject);
}

function textOfSeveral(fresh: readonly ShownApproval[], count: number, t: Translate): string {
  return fresh.some(({ question }) => question !== undefined)
    ? t('{0} requests wait for you. Run “Review Next Approval” to get to them.', count)
    : t('{0} approvals needed. Run “Review Next Approval” to get to them.', count);
}

function isGrave(approval: ShownApproval): boolean {
  return deletes(approval) || approval.risk === 'execute' || approval.files.some(isProtected);
}

/** Returns the sentence that a screen reader reads out when a decision has had its effect. */
export function outcomeText({ approval }: PageApproval, t: Translate): string {
  const { state, files, action, question } = approval;
  const what = action ? plain(action.title) : question ? t('question') : actionOf(files, t);
  const texts: Record<ShownApproval['state'], string> = {
    waiting: '',
    applying: '',
    applied: question ? t('Your answer was sent.') : action ? t('{0} is done.', what) : t('The {0} was applied.', what),
    partly_applied: '',
    undone: t('The {0} was undone.', what),
    declined: question
      ? t('The question was dismissed.')
      : action
        ? t('{0} was declined.', what)
        : t('The {0} was declined.', what),
    expired: t('The {0} expired.', what),
    withdrawn: t('The {0} was withdrawn.', what),
    superseded: t('The {0} was replaced by a newer proposal.', what),
    stale: t('The {0} is out of date. Nothing was changed.', what),
    failed: action ? t('{0} failed.', what) : t('The {0} failed.', what),
  };
  return texts[state];
}

/** Says why a decision did not count. */
export function refusalText(why: Refusal, card: Pick<Card, 'action'>, t: Translate): string {
  if (typeof why !== 'string')
    return t('The rule could not be saved, so nothing was approved: {0}', plain(why.ruleNotSaved));
  const early = t('Look first: the button works in a moment.');
  const texts: Record<typeof why, string> = {
    too_fast: early,
    not_displayed: early,
    end_not_reached: endHint(card, t),
    place_not_seen: early,
    rule_kept: t('The rule is kept. This needs a separate decision.'),
    already_decided: t('This was already decided.'),
    changed: t('The proposal on this card has been replaced.'),
    nothing_selected: t('Nothing is selected: decline instead.'),
    count_not_confirmed: t('Type the number of files to delete them.'),
    needs_button: t(
      'No key approves this, because it deletes, is protected or half done, or has a warning. Use its button.',
    ),
    needs_own_decision: t('This needs a separate decision.'),
    not_reviewed: t('Not approved with the others: review it first.'),
  };
  return texts[why];
}

/** Says which assistants prepare a change whose card has not come yet; empty when none does. */
export function preparingText(clients: readonly string[], t: Translate): string {
  return clients
    .map((name) => t('{0} is preparing a change…', clientName(name === '' ? undefined : { name, version: '' }, t)))
    .join(' ');
}

/** Returns the sentence about the mode above the cards; undefined in the mode in which every change asks. */
export function modeBannerText({ mode, until }: ModeStatus, t: Translate): ModeBanner | undefined {
  if (mode === 'manual') return undefined;
  const time = until === undefined ? undefined : timeMark;
  const sentences: Record<Exclude<Mode, 'manual'>, string> = {
    acceptEdits:
      time === undefined
        ? t('Accept edits: edits inside the workspace are applied without asking.')
        : t('Accept edits: edits inside the workspace are applied without asking, until {0}.', time),
    unattended:
      time === undefined
        ? t('Unattended: edits and deletes are applied without asking; everything else that needs approval is refused.')
        : t(
            'Unattended: edits and deletes are applied without asking, until {0}; everything else that needs approval is refused.',
            time,
          ),
    readOnly: t('Read-only: assistants can only read.'),
  };
  return {
    text: withTime(sentences[mode], until),
    tone: mode === 'unattended' ? 'warning' : 'plain',
    back: { text: t('Back to Manual'), label: t('Back to Manual: every change needs your approval') },
  };
}

/** What the page says of a restriction; the time is left to the page, which may be in another time zone. */
export function restrictionText(
  { id, kind, client, path, action, until }: Restriction,
  t: Translate,
): DrawnRestriction {
  const name = clientName(client, t);
  if (kind === 'paused') {
    return {
      id,
      text: [t('{0} is paused: it can read, but cannot change anything.', name)],
      lift: { text: t('Resume'), label: t('Resume {0}', name) },
    };
  }
  const target = shortened(plain(action ?? path ?? ''), 120);
  if (action !== undefined) {
    return {
      id,
      text: withTime(
        t('{0} by {1} is declined automatically until {2} (you declined it twice).', target, name, timeMark),
        until,
      ),
      lift: { text: t('Allow again'), label: t('Allow again: {0} by {1}', target, name) },
    };
  }
  const sentence =
    until === undefined
      ? t('Edits of {0} by {1} are declined automatically (you declined three times).', target, name)
      : t(
          'Edits of {0} by {1} are declined automatically until {2} (you declined three times).',
          target,
          name,
          timeMark,
        );
  return {
    id,
    text: withTime(sentence, until),
    lift: { text: t('Allow again'), label: t('Allow again: edits of {0} by {1}', target, name) },
  };
}
