import type { JSX } from 'preact';
import { fileTree, type TreeNode } from './fileTree.ts';
import { ViewedCount } from './files.tsx';
import { isLarge, rowsOf } from './fileTitle.tsx';
import { FindField } from './findField.tsx';
import { rowsIn } from './largeRows.ts';
import { goToChange, goToFile } from './movement.ts';
import { CheckBox, CountsMark, Parts } from './parts.tsx';
import type { Layout } from './rows.tsx';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card } from './words/view.ts';

/** The tools of the review tab: how lines are laid out, and the way from change to change and from file to file. */
export function ReviewTools({
  store,
  card,
  layout,
  setLayout,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly layout: Layout;
  readonly setLayout: (layout: Layout) => void;
}): JSX.Element | null {
  if (card.phase === 'finished' || card.files.length === 0) return null;
  const { viewed } = store.remembered(card.id);
  const large = isLarge(card);
  const layouts = [
    ['unified', t('Unified')],
    ['side-by-side', t('Side by side')],
  ] as const;
  return (
    <section class="page-tools" aria-label={t('Tools of the review')}>
      {card.files.length > 1 && <ViewedCount card={card} viewed={viewed} />}
      {large && <SeenRows store={store} card={card} />}
      {!large && (
        <div role="group" aria-label={t('Layout')} class="filter">
          {layouts.map(([name, text]) => (
            <button key={name} aria-pressed={layout === name} onClick={() => setLayout(name)}>
              {text}
            </button>
          ))}
        </div>
      )}
      {large && <FindField store={store} card={card} />}
      <div class="buttons">
        <button onClick={() => goToChange(store, -1)} aria-keyshortcuts="Shift+F7">
          {t('Previous change')}
        </button>
        <button onClick={() => goToChange(store, 1)} aria-keyshortcuts="F7">
          {t('Next change')}
        </button>
        {card.files.length > 1 && (
          <>
            <button onClick={() => goToFile(store, -1)}>{t('Previous file')}</button>
            <button onClick={() => goToFile(store, 1)}>{t('Next file')}</button>
          </>
        )}
        <button
          aria-pressed={store.showsWhitespace}
          onClick={() => {
            store.showsWhitespace = !store.showsWhitespace;
            store.changed();
          }}
        >
          {t('Whitespace')}
        </button>
        <button onClick={(event) => event.isTrusted && store.send({ type: 'openText', id: card.id })}>
          {t('Open as text')}
        </button>
      </div>
    </section>
  );
}

/** Says how many rows of a large change were on screen. */
function SeenRows({ store, card }: { readonly store: PageStore; readonly card: Card }): JSX.Element {
  const { seen } = store.remembered(card.id);
  const count = seen?.drawing === card.drawing ? rowsIn(seen.ranges) : 0;
  return <p class="viewed-count">{t('{0} of {1} rows seen', count, rowsOf(card))}</p>;
}

/** The files of a change as a folder tree: a click brings up a file. */
export function ReviewNav({ store, card }: { readonly store: PageStore; readonly card: Card }): JSX.Element {
  const { viewed } = store.remembered(card.id);
  const tick = (index: number, isTicked: boolean): void => {
    const others = viewed.filter((each) => each !== index);
    store.remember(card.id, { viewed: isTicked ? [...others, index] : others });
  };
  const folder = ({ name, files, folders }: TreeNode): JSX.Element => (
    <li key={name}>
      {name !== '' && <span class="folder-name">{name}</span>}
      <ul role="list">
        {files.map((index) => {
          const file = card.files[index];
          return (
            file && (
              <li key={index} class="nav-file">
                <CheckBox
                  label={file.viewedLabel}
                  state={viewed.includes(index) ? 'all' : 'none'}
                  changed={(isTicked) => tick(index, isTicked)}
                />
                <button class="name" title={file.title} onClick={() => bringUpFile(store, index)}>
                  <Parts parts={file.name} />
                </button>
                <CountsMark counts={file.counts} />
              </li>
            )
          );
        })}
        {folders.map(folder)}
      </ul>
    </li>
  );
  return (
    <nav aria-label={t('Files of the change')}>
      <ul role="list">{folder(fileTree(card.files.map(({ path }) => path)))}</ul>
    </nav>
  );
}

function bringUpFile(store: PageStore, index: number): void {
  if (store.grid) return store.grid.show({ file: index, row: undefined });
  const file = document.querySelector<HTMLElement>(`main [data-file="${index}"]`);
  file?.scrollIntoView({ block: 'start' });
  file?.querySelector<HTMLElement>('.twistie, .name')?.focus({ preventScroll: true });
}
