import { createHunk, type Hunk } from './hunk.ts';
import { drawnParts, element, spoken } from './element.ts';
import type { Row, RowsMessage } from './messages.ts';

/** What is shown line by line. */
export interface Lines {
  /** Accessible name. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Text of the button for the next rows; absent when these are all. */
  readonly more?: string;
  /** Indexes of the hunks that are left out. */
  readonly excluded: readonly number[];
}

/** Lines of one file's change, or of an action's arguments: a scroll region that asks for more rows as its end comes near. */
export interface Changes {
  readonly region: HTMLElement;
  /** Appends rows that the host sent. */
  append(message: RowsMessage): void;
  /** Shows which hunks are left out, those too whose rows come later. */
  exclude(hunks: readonly number[]): void;
  dispose(): void;
}

export interface ChangesEvents {
  /** Wants rows from this number on. */
  more(from: number): void;
  /** The last row has been on screen. */
  end(): void;
  /** The user took a hunk out or back in; absent when they cannot. */
  readonly select: ((hunk: number, included: boolean) => void) | undefined;
  readonly leftOut: string;
}

const marks = { hunk: '', note: '', text: '', context: ' ', added: '+', removed: '−' } as const;
/** Pixels below the visible part within which the next rows are fetched. */
const lookAhead = '400px';

export function createChanges(lines: Lines, events: ChangesEvents): Changes {
  const list = element('div', { class: 'rows', role: 'list' });
  const region = element('div', { class: 'changes', role: 'group', tabindex: '0', 'aria-label': lines.label }, list);
  const more = element('button', { class: 'more', type: 'button' });
  const hunks = new Map<number, Hunk>();
  let excluded = new Set(lines.excluded);
  let last: Hunk | undefined;
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
  let endWatch: { dispose(): void } | undefined;

  const drawInto = (chunk: HTMLElement, rows: readonly Row[]): void => {
    let target = last?.extend(chunk) ?? chunk;
    for (const row of rows) {
      if (row.hunk) {
        last = createHunk(row.hunk, events);
        hunks.set(row.hunk.index, last);
        target = last.extend(chunk);
        last.exclude(excluded.has(row.hunk.index));
      }
      target.append(drawnRow(row, last));
    }
  };
  const show = (rows: readonly Row[], moreText: string | undefined): void => {
    const chunk = element('div', { class: 'chunk', role: 'presentation' });
    drawInto(chunk, rows);
    list.append(chunk);
    drawn += rows.length;
    asked = false;
    if (moreText === undefined) {
      if (document.activeElement === more) region.focus();
      more.remove();
      fetcher.disconnect();
      endWatch = whenSeen(chunk.lastElementChild?.lastElementChild ?? region, () => events.end());
      return;
    }
    more.textContent = moreText;
    region.append(more);
    // Observing anew reports at once, even when the button never left the visible part.
    fetcher.unobserve(more);
    fetcher.observe(more);
  };

  show(lines.rows, lines.more);
  return {
    region,
    append: ({ from, rows, more: moreText }) => {
      if (from === drawn) show(rows, moreText);
    },
    exclude(next) {
      excluded = new Set(next);
      // Also those that did not change: a check box may show a click of which nothing came.
      for (const [index, hunk] of hunks) hunk.exclude(excluded.has(index));
    },
    dispose: () => {
      fetcher.disconnect();
      endWatch?.dispose();
    },
  };
}

/** Calls back once, when an element is on screen. Clipping counts as well: this is what was really before the user's eyes. */
export function whenSeen(target: Element, seen: () => void): { dispose(): void } {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting && document.visibilityState === 'visible')) return;
    observer.disconnect();
    seen();
  });
  observer.observe(target);
  return { dispose: () => observer.disconnect() };
}

function drawnRow({ kind, label, parts, hunk }: Row, own: Hunk | undefined): HTMLElement {
  const isRest = label === '' && (kind === 'added' || kind === 'removed' || kind === 'context');
  const row = element('div', { class: `row ${kind}${isRest ? ' rest' : ''}`, role: 'listitem' });
  if (label !== '') row.append(spoken(`${label} `));
  const mark = isRest ? '' : marks[kind];
  if (mark !== '') row.append(element('span', { class: 'mark', 'aria-hidden': 'true' }, mark));
  if (hunk && own) row.append(...own.header(drawnParts(parts)));
  else row.append(...drawnParts(parts));
  return row;
}
