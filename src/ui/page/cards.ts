import type { PageApproval, PageRead } from './messages.ts';
import type { PageStore } from './store.ts';
import { cardOf } from './words/cardText.ts';
import { readCard } from './words/readCard.ts';
import { english as t } from './words/translate.ts';
import type { Card, CardFile } from './words/view.ts';

const known = new WeakMap<PageApproval | PageRead, Card>();
const files = new Map<string, readonly CardFile[]>();

/** Returns the card of a request; undefined when the page does not know the request. The same state has the same card. */
export function cardFor(store: PageStore, id: string): Card | undefined {
  const data = store.approval(id) ?? store.read(id);
  if (!data) return undefined;
  const drawn = known.get(data);
  if (drawn) return drawn;
  const context = { t, place: PLACE };
  const card = 'approval' in data ? withKnownFiles(cardOf(data, context)) : readCard(data, context);
  known.set(data, card);
  return card;
}

/** Keeps the objects of files that did not change, so that their rows are not drawn again. */
function withKnownFiles(card: Card): Card {
  const before = files.get(card.id) ?? [];
  const now = card.files.map((file, index) => {
    const old = before[index];
    return old && JSON.stringify(old) === JSON.stringify(file) ? old : file;
  });
  files.set(card.id, now);
  return { ...card, files: now };
}
