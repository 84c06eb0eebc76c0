import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card } from './words/view.ts';

/** Finds a text in a change of which not all rows are drawn, so that the editor's own field would not find all of it. */
export function FindField({
  store,
  card: { id, drawing },
}: {
  readonly store: PageStore;
  readonly card: Card;
}): JSX.Element {
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const found = store.found?.id === id && store.found.text === text ? store.found : undefined;
  const places = found?.places ?? [];
  const go = (direction: 1 | -1): void => {
    if (places.length === 0) return;
    const next = (at + direction + places.length) % places.length;
    const place = places[next];
    setAt(next);
    if (place) store.grid?.show(place, false);
  };
  const look = (wanted: string): void => {
    setText(wanted);
    setAt(-1);
    if (wanted !== '') store.send({ type: 'find', id, drawing, text: wanted });
    else {
      store.found = undefined;
      store.changed();
    }
  };
  const number = at < 0 ? places.length : at + 1;
  const count =
    text === '' || !found
      ? ''
      : found.total === 0
        ? t('No results')
        : at < 0
          ? t('{0} rows', found.total)
          : t('{0} of {1} rows', number, found.total);
  return (
    <div class="find" role="search">
      <input
        type="text"
        aria-label={t('Find in the change')}
        placeholder={t('Find in the change')}
        maxLength={200}
        value={text}
        onInput={(event) => look(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
          go(event.shiftKey ? -1 : 1);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span class="count" role="status">
        {count}
      </span>
      <button type="button" onClick={() => go(-1)} aria-disabled={places.length === 0}>
        {t('Previous result')}
      </button>
      <button type="button" onClick={() => go(1)} aria-disabled={places.length === 0}>
        {t('Next result')}
      </button>
    </div>
  );
}
