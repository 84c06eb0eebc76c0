import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { orderOf } from './fileTitle.tsx';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card } from './words/view.ts';

/** Finds a text in a change of which not all rows are drawn, so that the editor's own field would not find all of it. */
export function FindField({ store, card }: { readonly store: PageStore; readonly card: Card }): JSX.Element {
  const { id, drawing } = card;
  const label = t('Find in the change');
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const found = store.found?.id === id && store.found.text === text ? store.found : undefined;
  const rank = new Map(orderOf(card).map((file, index) => [file, index]));
  const places = (found?.places ?? []).toSorted(
    (a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.row - b.row,
  );
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
  const count = found === undefined ? '' : t('{0} of {1}', at + 1, found.total);
  return (
    <div class="find">
      <input
        type="text"
        aria-label={label}
        placeholder={label}
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
      {([-1, 1] as const).map((direction) => (
        <button
          key={direction}
          aria-label={direction < 0 ? t('Previous result') : t('Next result')}
          aria-disabled={places.length === 0}
          onClick={() => go(direction)}
        >
          {direction < 0 ? '↑' : '↓'}
        </button>
      ))}
    </div>
  );
}
