import { plain } from '../../approvals/visibleText.ts';
import type { ClientInfo } from '../../ports/principal.ts';
import type { Translate } from './translate.ts';

/** Characters of a name that has a line to itself. */
export const nameLength = 60;

/** What a client calls itself, short enough for a line. */
export function clientName(client: ClientInfo | undefined, t: Translate): string {
  return shortened(plain(client?.name ?? t('Unknown client')), nameLength);
}

/** Cut between characters, with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 4));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
