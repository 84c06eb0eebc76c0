import type { ClientInfo } from '#base/principal.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Card } from '#ui/page/messages.ts';
import type { Translate } from './translate.ts';

/** Characters of a name that has a line to itself. */
export const nameLength = 60;

/** What a client calls itself, short enough for a line. */
export function clientName(client: ClientInfo | undefined, t: Translate): string {
  return shortened(plain(client?.name ?? t('Unknown assistant')), nameLength);
}

/** Who asks, when and from which window. */
export function whoAsks(
  {
    client,
    time,
    windowName,
    ownTool,
    edit = 1,
  }: {
    client: ClientInfo | undefined;
    time: number;
    windowName: string | undefined;
    /** The assistant's own tool, such as "Edit"; absent for a tool of Drawbridge. */
    ownTool?: string | undefined;
    /** The number of the edit in the assistant's turn, from 1; absent when the turn is not known. */
    edit?: number | undefined;
  },
  t: Translate,
): Card['who'] {
  const { name, version } = client ?? { name: t('Unknown assistant'), version: '' };
  const claimed = shortened(plain(`${name} ${version}`), nameLength * 2);
  return {
    client: clientName(client, t),
    claim: t('{0}: the name that the assistant reports, not verified', claimed),
    time,
    rest: [
      ...(ownTool === undefined ? [] : [t('with its own tool {0}', shortened(plain(ownTool), nameLength))]),
      ...(edit < 2 ? [] : [t('edit {0} of this turn', edit)]),
      ...(windowName === undefined ? [] : [t('window “{0}”', shortened(plain(windowName), nameLength))]),
    ],
  };
}
