import { hiddenCharacters, visibleText } from '#base/visibleText.ts';
import type { Approval, ApprovalQuestion } from '#changes/approval.ts';
import type { Answer } from '#ui/page/fromPage.ts';
import type { Card } from '#ui/page/messages.ts';
import { clientName } from './clientText.ts';
import { finishedNotes } from './finishedText.ts';
import { finishedParts, quoted, waitingParts, type CardContext, type Drawing } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import { hiddenWordsWarning } from './warningText.ts';

/** An approval that is a question. */
export type QuestionApproval = Approval & { readonly question: ApprovalQuestion };

/** The card of a question that waits. */
export function waitingQuestion(approval: QuestionApproval, drawing: Drawing | undefined, context: CardContext): Card {
  const { t } = context;
  const { question, client } = approval;
  const name = clientName(client, t);
  const isWaiting = approval.state === 'waiting';
  const hidden = hiddenCharacters([question.text, ...question.choices].join('\n'));
  return {
    ...waitingParts(approval, drawing, context),
    tone: 'edit',
    headline: t('Question from {0}', name),
    risk: { text: t('Question'), tone: 'plain', icon: 'question' },
    question: {
      label: t('The assistant asks:'),
      parts: visibleText(question.text),
      choicesLabel: t('Answers to choose from'),
      choices: question.choices.map(visibleText),
      ...(question.allowsText && {
        fieldLabel: question.choices.length > 0 ? t('Or answer in your own words') : t('Your answer'),
      }),
      missing: question.choices.length > 0 ? t('Choose an answer first.') : t('Write an answer first.'),
      hint: t('Answering does not approve anything.'),
    },
    warnings: [
      ...(hidden.length === 0 ? [] : [t('Text contains hidden characters: {0}', hidden.slice(0, 5).join(' '))]),
      ...hiddenWordsWarning(approval, t),
    ],
    ...(isWaiting && {
      approve: { text: t('Answer'), label: t('Answer the question from {0}', name) },
      refuse: { text: t('Dismiss'), label: t('Dismiss the question from {0}', name) },
    }),
  };
}

/** The short card of a question that is over. */
export function finishedQuestion(approval: QuestionApproval, context: CardContext): Card {
  const { t } = context;
  const { question, client } = approval;
  const shared = finishedParts(approval, context);
  return {
    ...shared,
    headline: finishedHeadline(approval, clientName(client, t), t),
    reason: { label: t('The assistant asked:'), parts: quoted(question.text) },
    notes: [...shared.notes, ...finishedNotes(approval, t), ...context.notes],
  };
}

/** Returns the text of an answer; undefined when the question allows no such answer. */
export function answerText({ choices, allowsText }: ApprovalQuestion, answer: Answer): string | undefined {
  if ('choice' in answer) return choices[answer.choice];
  const text = answer.text.trim();
  return allowsText && text !== '' ? text : undefined;
}

function finishedHeadline({ state }: Approval, name: string, t: Translate): string {
  if (state === 'applied') return t('Answered: question from {0}', name);
  if (state === 'declined') return t('Dismissed: question from {0}', name);
  return state === 'expired' ? t('Not answered: question from {0}', name) : t('Withdrawn: question from {0}', name);
}
