import type { JSX } from 'preact';
import { cardFor } from './cards.ts';
import { deciding } from './deciding.ts';
import { ChipMark, CountsMark } from './parts.tsx';
import type { PageStore } from './store.ts';
import { groupView } from './words/groupText.ts';
import { english as t } from './words/translate.ts';
import type { Card } from './words/view.ts';

/** Waiting cards of a group, in order. */
function membersOf(store: PageStore, id: string): readonly Card[] {
  const ids = store.places.find(({ group }) => group === id)?.ids ?? [];
  return ids.flatMap((each) => cardFor(store, each) ?? []);
}

/** The head of a group that opens and closes it, with a row for each request while it is closed. */
export function GroupHead({
  store,
  id,
  review,
}: {
  readonly store: PageStore;
  readonly id: string;
  /** Opens the group and brings up one of its cards. */
  readonly review: (id: string) => void;
}): JSX.Element {
  const members = membersOf(store, id);
  const group = store.host?.groups.find((each) => each.id === id);
  const isOpen = store.isOpen(id);
  const headline = group ? groupView(group, members, t).headline : t('{0} requests', members.length);
  return (
    <li class="group-head" data-group={id} data-stop={isOpen ? undefined : id}>
      <h3>
        <button aria-expanded={isOpen} onClick={() => store.toggleGroup(id, !isOpen)}>
          {headline}
        </button>
      </h3>
      {!isOpen && (
        <ul class="lines" role="list">
          {members.map((card) => (
            <li key={card.id}>
              <button class="line" onClick={() => review(card.id)}>
                <span class="what">{card.headline}</span>
                {card.risk && <ChipMark chip={card.risk} />}
                {card.files.length === 1 && card.files[0] && card.files[0].folder.length > 0 && (
                  <span class="folder">{card.files[0].folder.map(({ text }) => text).join('')}</span>
                )}
                <CountsMark counts={card.counts} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The buttons that decide about a whole group: approve only what has been on screen, and decline any of it. */
export function GroupActions({ store, id }: { readonly store: PageStore; readonly id: string }): JSX.Element | null {
  const group = store.host?.groups.find((each) => each.id === id);
  const members = membersOf(store, id).filter(({ phase }) => phase === 'waiting');
  if (!group || members.length < 2) return null;
  const { headline, approveAll, declineAll, rest } = groupView(group, members, t);
  const isOpen = store.isOpen(id);
  const batch = members.filter((card) => card.approve && !card.elsewhere && group.batch.includes(card.id));
  const unseen = batch.filter((card) => !store.hasSeen(card.id)).length;
  const key = `group ${id}`;
  const isBusy = batch.some((card) => store.isDecided(card.id));
  const isArmed = store.isArmed(key) && !isBusy;
  const token = [key, store.displayOf(key), store.isArmed(key), ...members.map((card) => card.proposalHash)].join(' ');
  const named = (cards: readonly Card[]): { id: string; proposalHash: string }[] =>
    cards.map((card) => ({ id: card.id, proposalHash: card.proposalHash }));
  const decide = (type: 'approveAll' | 'declineAll', cards: readonly Card[]): void => {
    if (!isArmed || (type === 'approveAll' && unseen > 0)) return;
    store.send({ type, groupId: id, approvals: named(cards) });
    for (const card of cards) store.decided(card.id);
  };
  const isReady = isArmed && unseen === 0;
  return (
    <div class="group-actions" role="group" aria-label={headline}>
      <p class="owner">{headline}</p>
      <div class="buttons">
        {isOpen && batch.length > 1 && (
          <button
            aria-label={approveAll.label}
            aria-describedby="group-hint"
            aria-disabled={!isReady}
            {...deciding(token, () => decide('approveAll', batch))}
          >
            {approveAll.text}
          </button>
        )}
        {!isOpen && (
          <button class="primary" onClick={() => store.toggleGroup(id, true)}>
            {t('Review each')}
          </button>
        )}
        <button
          aria-label={declineAll.label}
          aria-disabled={!isArmed}
          {...deciding(token, () => decide('declineAll', members))}
        >
          {declineAll.text}
        </button>
      </div>
      <p class="hint" id="group-hint">
        {isOpen && batch.length > 1 && unseen > 0
          ? t('Look at each of these changes first; then you can approve them together. {0} left.', unseen)
          : isOpen && rest}
      </p>
    </div>
  );
}
