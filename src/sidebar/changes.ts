import { drawnParts, element, spoken } from './element.ts';
import type { CardFile, Row, RowsMessage } from './messages.ts';

/** The changed lines of one file: a scroll region that asks for more rows as its end comes near. */
export interface Changes {
  readonly region: HTMLElement;
  /** Appends rows that the host sent. */
  append(message: RowsMessage): void;
  dispose(): void;
}

export interface ChangesEvents {
  /** Wants rows from this number on. */
  more(from: number): void;
  /** The last row has been on screen. */
  end(): void;
}

const marks = { hunk: '', note: '', context: ' ', added: '+', removed: '−' } as const;
/** Pixels below the visible part within which the next rows are fetched. */
const lookAhead = '400px';

export function createChanges(file: CardFile, events: ChangesEvents): Changes {
  const list = element('div', { class: 'rows', role: 'list' });
  const region = element(
    'div',
    { class: 'changes', role: 'group', tabindex: '0', 'aria-label': file.changesLabel },
    list,
  );
  const more = element('button', { class: 'more', type: 'button' });
  let drawn = 0;
  let asked = false;

  const ask = (): void => {
    if (asked) return;
    asked = true;
    events.more(drawn);
  };
  more.addEventListener('click', ask);
  const fetcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && ask(), {
    root: region,
    rootMargin: lookAhead,
  });
  // Clipping by the region counts as well, so this is what the human really had before the eyes.
  const ender = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting && document.visibilityState === 'visible')) return;
    ender.disconnect();
    events.end();
  });

  const show = (rows: readonly Row[], moreText: string | undefined): void => {
    const chunk = element('div', { class: 'chunk', role: 'presentation' }, ...rows.map(drawnRow));
    list.append(chunk);
    drawn += rows.length;
    asked = false;
    if (moreText === undefined) {
      if (document.activeElement === more) region.focus();
      more.remove();
      fetcher.disconnect();
      ender.observe(chunk.lastElementChild ?? region);
      return;
    }
    more.textContent = moreText;
    region.append(more);
    // Observing anew reports at once, even when the button never left the visible part.
    fetcher.unobserve(more);
    fetcher.observe(more);
  };

  show(file.rows, file.more);
  return {
    region,
    append: ({ from, rows, more: moreText }) => {
      if (from === drawn) show(rows, moreText);
    },
    dispose: () => {
      fetcher.disconnect();
      ender.disconnect();
    },
  };
}

function drawnRow({ kind, label, parts }: Row): HTMLElement {
  const isRest = label === '' && kind !== 'hunk' && kind !== 'note';
  const row = element('div', { class: `row ${kind}${isRest ? ' rest' : ''}`, role: 'listitem' });
  if (label !== '') row.append(spoken(`${label} `));
  const mark = isRest ? '' : marks[kind];
  if (mark !== '') row.append(element('span', { class: 'mark', 'aria-hidden': 'true' }, mark));
  row.append(...drawnParts(parts));
  return row;
}
