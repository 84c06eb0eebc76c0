import type { QuestionProposal } from '#base/proposal.ts';

/** The name, in the record and on the card, of the question whether an assistant from another folder may use the window. No tool has it. */
export const useWindow = 'use_window';

/** The answers of the user. Only these count, whatever an assistant calls itself or asks. */
export const windowAnswers = {
  once: 'Yes, until this assistant ends',
  always: 'Yes, and always from this folder',
  never: 'No, never from this folder',
} as const;

/** @param folder in which the assistant works, as the user reads it */
export function windowQuestion(folder: string): QuestionProposal {
  return {
    kind: 'question',
    files: [],
    question: `It works in ${folder}, which this window does not have open. May it use this window?`,
    choices: Object.values(windowAnswers),
    allowsText: false,
  };
}
