import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ActionBar } from './actionBar.tsx';
import { CardView } from './card.tsx';
import { cardFor } from './cards.ts';
import { Finished } from './finished.tsx';
import { GroupHead } from './groups.tsx';
import { Notices, Welcome } from './notices.tsx';
import { outOfView, ownerOf, stopsOf, type Stop } from './owner.ts';
import { ReviewNav, ReviewTools } from './review.tsx';
import { type Layout, MarksBlanks } from './rows.tsx';
import type { PageStore } from './store.ts';
import { preparingText } from './words/pageText.ts';
import { english as t } from './words/translate.ts';

interface AppProps {
  readonly store: PageStore;
  /** Brings up a card and puts the keyboard on its headline. */
  readonly bringUp: (id: string) => void;
}

const nothing = { count: 0, first: undefined };

/** The page: what waits and what is over, and the action bar of one request. */
export function App({ store, bringUp }: AppProps): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const [elsewhere, setElsewhere] = useState<ReturnType<typeof outOfView>>({ above: nothing, below: nothing });
  const [layout, setLayout] = useState<Layout>('unified');
  const look = (): void => {
    if (!main.current) return;
    const stops = stopsOf(main.current);
    setOwner(store, ownerOf(main.current, stops, store.picked));
    if (store.picked !== undefined && store.owner !== store.picked) store.picked = undefined;
    const now = outOfView(main.current, stops, store);
    if (now.above.count !== elsewhere.above.count || now.below.count !== elsewhere.below.count) setElsewhere(now);
  };
  const { host } = store;
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const target = main.current;
    if (!target) return undefined;
    const observer = new ResizeObserver(() => store.changed());
    observer.observe(target);
    const scrolled = (): void => store.changed();
    target.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', scrolled);
    };
    // The first state of the host brings another element.
  }, [host === undefined]);
  if (!host) return <main ref={main} aria-label={document.title} />;
  const owner = store.owner === undefined ? undefined : cardFor(store, store.owner);
  const group =
    store.owner === undefined ? undefined : (store.groupOf(store.owner) ?? (owner ? undefined : store.owner));
  const visit = (side: 'above' | 'below') => (): void => {
    const stop = elsewhere[side].first;
    if (stop) bringUp(stop.id);
  };
  // The build leaves out the parts of the other place only where PLACE itself is compared.
  const tabCard = PLACE === 'tab' ? cardFor(store, [...store.order, ...host.finished][0] ?? '') : undefined;
  return (
    <MarksBlanks.Provider value={store.showsWhitespace}>
      {PLACE === 'tab' && tabCard && <ReviewTools store={store} card={tabCard} layout={layout} setLayout={setLayout} />}
      <div class="columns">
        {PLACE === 'tab' && tabCard && tabCard.phase !== 'finished' && tabCard.files.length > 1 && (
          <ReviewNav store={store} card={tabCard} />
        )}
        <main ref={main} aria-label={document.title}>
          <h1 class="spoken">{document.title}</h1>
          {PLACE === 'sideBar' && <Notices store={store} />}
          {PLACE === 'sideBar' && <ClientFilter store={store} />}
          <h2 class="spoken" tabIndex={-1} id="waiting">
            {t('Waiting for you')}
          </h2>
          <ul class="cards" role="list">
            <WaitingCards store={store} layout={layout} bringUp={bringUp} />
          </ul>
          {store.order.length === 0 && PLACE === 'sideBar' && <Welcome store={store} />}
          {PLACE === 'sideBar' && (
            <p class="preparing" role="status">
              {preparingText(host.status.preparing ?? [], t)}
            </p>
          )}
          {store.order.length === 0 && PLACE === 'tab' && host.finished.length === 0 && (
            <section class="welcome">
              <p tabIndex={-1}>{t('This request is no longer pending. History shows what became of it.')}</p>
            </section>
          )}
          <FinishedList store={store} bringUp={bringUp} />
        </main>
      </div>
      <ActionBar
        store={store}
        card={owner}
        group={group}
        above={{ count: elsewhere.above.count, show: visit('above') }}
        below={{ count: elsewhere.below.count, show: visit('below') }}
      />
    </MarksBlanks.Provider>
  );
}

function setOwner(store: PageStore, stop: Stop | undefined): void {
  const old = store.owner;
  const isVisible = document.visibilityState === 'visible';
  if (stop?.id !== old) {
    if (old !== undefined) {
      store.undisplay(old);
      store.undisplay(`group ${old}`);
    }
    store.owner = stop?.id;
    // What is shown belongs to the request that lost the bar.
    if (store.preview && store.preview.id !== stop?.id) store.preview = undefined;
    store.changed();
  }
  if (!stop || !isVisible) return;
  if (!stop.isGroup && store.isWaiting(stop.id) && store.displayOf(stop.id) === undefined) store.display(stop.id);
  const group = stop.isGroup ? stop.id : store.groupOf(stop.id);
  if (group !== undefined && store.displayOf(`group ${group}`) === undefined) store.displayGroup(group);
}

interface CardsProps {
  readonly store: PageStore;
  readonly layout: Layout;
  readonly bringUp: (id: string) => void;
}

function WaitingCards({ store, layout, bringUp }: CardsProps): JSX.Element {
  const { order } = store;
  const item = (id: string, isGrouped: boolean): JSX.Element | null => {
    const card = cardFor(store, id);
    if (!card) return null;
    return (
      <li key={id} class={isGrouped ? 'grouped' : undefined} data-stop={store.isWaiting(id) ? id : undefined}>
        <CardView
          store={store}
          card={card}
          position={order.indexOf(id) + 1}
          size={order.length}
          isOwner={store.owner === id}
          layout={layout}
        />
      </li>
    );
  };
  return (
    <>
      {store.places.map(({ group, ids }) =>
        PLACE === 'tab' || group === undefined ? (
          ids.map((id) => item(id, false))
        ) : (
          <>
            <GroupHead
              key={`group ${group}`}
              store={store}
              id={group}
              review={(id) => {
                store.toggleGroup(group, true);
                bringUp(id);
              }}
            />
            {store.isOpen(group) && ids.map((id) => item(id, true))}
          </>
        ),
      )}
    </>
  );
}

function FinishedList({ store, bringUp }: Omit<CardsProps, 'layout'>): JSX.Element | null {
  const finished = store.host?.finished ?? [];
  if (finished.length === 0) return null;
  return (
    <section class="finished-list">
      <h2 class="section">
        {t('Finished')}
        {finished.length > 1 && (
          <button
            class="link"
            aria-label={t('Clear all finished requests')}
            onClick={(event) => event.isTrusted && store.send({ type: 'clearFinished' })}
          >
            {t('Clear')}
          </button>
        )}
      </h2>
      <ul class="cards" role="list">
        {finished.map((id, index) => {
          const card = cardFor(store, id);
          return (
            card && (
              <li key={id}>
                <Finished store={store} card={card} position={index + 1} size={finished.length} show={bringUp} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

/** Chooses the assistant whose requests are shown, when several wait. */
function ClientFilter({ store }: { readonly store: PageStore }): JSX.Element | null {
  const counts = new Map<string, number>();
  for (const id of store.host?.waiting ?? []) {
    const name = cardFor(store, id)?.who.client ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size < 2) return null;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <div class="filter" role="group" aria-label={t('Assistant')}>
      {([[undefined, total], ...counts] as const).map(([name, count]) => (
        <button
          key={name ?? ''}
          aria-pressed={store.client === name}
          onClick={() => {
            store.client = name;
            store.arrange();
          }}
        >
          {t('{0} ({1})', name ?? t('All'), count)}
        </button>
      ))}
    </div>
  );
}
