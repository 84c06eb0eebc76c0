import { plain } from '#base/visibleText.ts';
import type { Restriction } from '#changes/approval.ts';
import type { Restriction as DrawnRestriction } from '#ui/page/messages.ts';
import { clientName } from './clientText.ts';
import type { Translate } from './translate.ts';

/** Stands for the time until the sentence is taken apart: no name can contain it, for control characters are escaped. */
const timeMark = '\0';

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
  const target = plain(action ?? path ?? '');
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

function withTime(sentence: string, until = 0): DrawnRestriction['text'] {
  return sentence.split(timeMark).flatMap((words, index) => (index === 0 ? [words] : [{ time: until }, words]));
}
