import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PageRow } from './messages.ts';
import type { Gap } from './rowLayout.ts';
import { english as t } from './words/translate.ts';

/** Lines that are shown at a time; a gap of up to twice as many is shown whole. */
const step = 20;

export interface UnchangedProps {
  readonly gap: Gap;
  /** There is a change above the gap, and one below it. */
  readonly isBelowChange: boolean;
  readonly isAboveChange: boolean;
  /** The unchanged lines of the file that have come, by their 1-based number before the change. */
  readonly known: ReadonlyMap<number, PageRow>;
  /** Asks for lines. */
  readonly ask: (line: number, count: number) => void;
  readonly draw: (rows: readonly PageRow[]) => JSX.Element;
}

/** Unchanged lines beside a change, which the user can show. */
export function Unchanged({ gap, isBelowChange, isAboveChange, known, ask, draw }: UnchangedProps): JSX.Element {
  const [top, setTop] = useState(0);
  const [bottom, setBottom] = useState(0);
  const end = gap.line + gap.count;
  const left = gap.count - top - bottom;
  const rowsOf = (from: number, to: number): readonly PageRow[] => {
    const rows: PageRow[] = [];
    for (let line = from; line < to; line += 1) {
      const row = known.get(line);
      if (row) rows.push(row);
    }
    return rows;
  };
  const show = (event: MouseEvent, side: 'top' | 'bottom', count: number): void => {
    if (side === 'top') setTop(top + count);
    else setBottom(bottom + count);
    ask(side === 'top' ? gap.line + top : end - bottom - count, count);
    // The button goes away with the last lines, and must not take the keyboard with it.
    if (count === left && event.currentTarget instanceof HTMLElement) {
      event.currentTarget.closest<HTMLElement>('.changes')?.focus({ preventScroll: true });
    }
  };
  return (
    <>
      {draw(rowsOf(gap.line, gap.line + top))}
      {left > 0 && (
        <div class="row unchanged" role="listitem">
          {left <= 2 * step ? (
            <button class="link" onClick={(event) => show(event, isBelowChange ? 'top' : 'bottom', left)}>
              {left === 1 ? t('Show 1 unchanged line') : t('Show {0} unchanged lines', left)}
            </button>
          ) : (
            <>
              <span>{t('{0} unchanged lines', left)}</span>
              {isBelowChange && (
                <button class="link" onClick={(event) => show(event, 'top', step)}>
                  {t('Show {0} below the change above', step)}
                </button>
              )}
              {isAboveChange && (
                <button class="link" onClick={(event) => show(event, 'bottom', step)}>
                  {t('Show {0} above the next change', step)}
                </button>
              )}
            </>
          )}
        </div>
      )}
      {draw(rowsOf(end - bottom, end))}
    </>
  );
}
