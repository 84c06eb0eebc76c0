import type { TimedText } from './view.ts';

/** Stands for the time until the sentence is taken apart: no name can contain it, for control characters are escaped. */
export const timeMark = '\0';

/** Puts a time in the place of the mark, which the page writes in the time zone of the user. */
export function withTime(sentence: string, time = 0): TimedText {
  return sentence.split(timeMark).flatMap((words, index) => (index === 0 ? [words] : [{ time }, words]));
}
