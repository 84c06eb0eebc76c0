import { hiddenCharacters, visibleText } from '#base/visibleText.ts';
import type { ApprovalQuestion } from '#changes/approval.ts';
import { useWindow } from '#changes/windowUse.ts';
import type { PageApproval, ShownApproval } from '../messages.ts';
import { clientName } from './clientText.ts';
import { finishedNotes } from './finishedText.ts';
import { finishedParts, quoted, waitingParts, type CardContext } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import type { Card } from './view.ts';
import { hiddenTextWarning, hiddenWordsWarning } from './warningText.ts';

/** Returns the card of a question that waits. */
export function waitingQuestion(page: PageApproval, question: ApprovalQuestion, context: CardContext): Card {
  const { t } = context;
  const { approval, isElsewhere } = page;
  const name = clientName(approval.client, t);
  const isOpen = approval.state === 'waiting' && !isElsewhere;
  const hidden = hiddenCharacters([question.text, ...question.choices].join('\n'));
  return {
    ...waitingParts(
      page,
      isAccess(approval) ? t('{0} wants to use this window', name) : t('Question from {0}', name),
      context,
    ),
    tone: 'edit',
    risk: { text: t('Question'), tone: 'plain', icon: 'question' },
    question: {
      label: isAccess(approval) ? t('Drawbridge asks:') : t('The assistant asks:'),
      parts: visibleText(question.text),
      choicesLabel: t('Answers to choose from'),
      choices: question.choices.map(visibleText),
      ...(question.allowsText && {
        fieldLabel: question.choices.length > 0 ? t('Or answer in your own words') : t('Your answer'),
      }),
      missing: question.choices.length > 0 ? t('Choose an answer first.') : t('Write an answer first.'),
      hint: isAccess(approval)
        ? t('Without your yes, it is told nothing of this window.')
        : t('Answering does not approve anything.'),
    },
    warnings: [...hiddenTextWarning(hidden, t), ...hiddenWordsWarning(approval, t)],
    ...(isOpen && {
      approve: { text: t('Answer'), label: t('Answer the question from {0}', name) },
      refuse: { text: t('Dismiss'), label: t('Dismiss the question from {0}', name) },
    }),
  };
}

/** Returns the short card of a question that is over. */
export function finishedQuestion(page: PageApproval, question: ApprovalQuestion, context: CardContext): Card {
  const { t } = context;
  const { approval } = page;
  const shared = finishedParts(page, finishedHeadline(approval, clientName(approval.client, t), t), context);
  return {
    ...shared,
    reason: {
      label: isAccess(approval) ? t('Drawbridge asks:') : t('The assistant asked:'),
      parts: quoted(question.text),
    },
    notes: [...finishedNotes(approval, t), ...shared.notes],
  };
}

function finishedHeadline({ state }: ShownApproval, name: string, t: Translate): string {
  if (state === 'applied') return t('Answered: question from {0}', name);
  if (state === 'declined') return t('Dismissed: question from {0}', name);
  return state === 'expired' ? t('Not answered: question from {0}', name) : t('Withdrawn: question from {0}', name);
}

/** Returns whether Drawbridge asks, and not the assistant. */
function isAccess({ tool }: ShownApproval): boolean {
  return tool === useWindow;
}
