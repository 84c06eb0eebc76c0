import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CommentList, useComments, type Writing } from './comments.tsx';
import { FileTitle, orderOf, setOpen } from './fileTitle.tsx';
import { type GridRow, GridRows, type RowRange, RowTops } from './largeRows.ts';
import type { PageApproval, PageRow } from './messages.ts';
import type { RowPlace } from './pageRows.ts';
import { changedLines, isLine } from './rowLayout.ts';
import { Header, Row } from './rows.tsx';
import { useSeen } from './seen.ts';
import type { ChangeGrid, PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card } from './words/view.ts';

/** Pixels of a row that was not measured. */
const usualHeight = 18;
/** Rows that are drawn above and below those on screen. */
const beyond = 30;

interface LargeChangeProps {
  readonly store: PageStore;
  readonly page: PageApproval;
  readonly card: Card;
}

/**
 * A change with so many rows that only those near the screen are drawn: a grid of files and their rows. Each row says where it stands
 * among all of them. The row that has the keyboard is always drawn, so that the keyboard is never lost.
 */
export function LargeChange({ store, page, card }: LargeChangeProps): JSX.Element {
  const { id, drawing, files } = card;
  const { viewed, open, comments } = store.remembered(id);
  const grid = useRef<HTMLDivElement>(null);
  const width = grid.current?.clientWidth ?? 0;
  const heights = useMemo(() => new Map<string, number>(), [width]);
  const ends = useMemo(() => new Set<number>(), [drawing]);
  const [active, setActive] = useState<GridRow>({ file: -1, row: undefined });
  /** The row to bring up, until it is there. */
  const wanted = useRef<{ readonly row: GridRow; readonly focuses: boolean } | undefined>(undefined);
  const writing = useComments(store, id, comments);
  const order = orderOf(card);
  const places = useMemo(() => placesOf(page, order), [page.drawing]);
  const isOpen = (file: number): boolean => open?.includes(file) ?? !viewed.includes(file);
  const shownIn = (file: number): number => (isOpen(file) ? (files[file]?.rows ?? 0) : 0);
  const shape = JSON.stringify([drawing, order.map(shownIn)]);
  const rows = useMemo(() => new GridRows(order, shownIn), [shape]);
  const tops = useMemo(
    () => new RowTops(rows.count, (index) => heights.get(keyOf(rows.at(index))) ?? usualHeight),
    [rows, heights],
  );
  const current = Math.min(active.file < 0 ? 0 : rows.indexOf(active), rows.count - 1);
  const visible = visibleRows(grid.current, tops);
  const drawn = drawnRows(visible, rows.count, current);

  const bringUp = (row: GridRow, focuses = true): void => {
    if (row.row !== undefined && !isOpen(row.file)) setOpen(store, card, row.file, true);
    wanted.current = { row, focuses };
    setActive(row);
    store.changed();
  };
  useLayoutEffect(() => {
    store.grid = { show: bringUp, current: () => rows.at(current) ?? active, places };
    return () => (store.grid = undefined);
  });
  useLayoutEffect(() => {
    const missing = drawn.map((index) => rows.at(index)).find((row) => isMissing(store, card, row));
    if (missing?.row !== undefined) store.rows.askAt(id, drawing, { file: missing.file, row: missing.row });
    const isMeasured = !measure(grid.current, rows, tops, heights);
    if (!isMeasured) store.changed();
    showFound(grid.current, store.found?.text);
    if (wanted.current === undefined) {
      if (document.visibilityState === 'visible') store.rowsSeen(id, drawing, seenRows(store, card, visible, rows));
      return;
    }
    const target = grid.current?.querySelector<HTMLElement>(`[aria-rowindex="${current + 1}"]`);
    if (!target) return;
    target.scrollIntoView({ block: 'center' });
    if (wanted.current.focuses) target.focus({ preventScroll: true });
    // The rows around it move it when they come, and when they are measured.
    if (isMeasured && missing === undefined) wanted.current = undefined;
  });
  /** Does what a key means on a row. Returns false when it means nothing there. */
  const actOn = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { file, row }: GridRow): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    const isFile = row === undefined;
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      if (isFile) setOpen(store, card, file, key === 'ArrowRight');
      else if (key === 'ArrowLeft') bringUp({ file, row: undefined });
      return true;
    }
    if (key === 'Enter' && isFile) {
      store.send({ type: 'openDiff', id, file });
      return true;
    }
    if (key !== ' ') return false;
    const included = files[file]?.included;
    if (isFile && included) store.send({ type: 'selectFile', id, file, included: included !== 'all' });
    else if (row !== undefined) toggleHunk(store, page, { file, row });
    return true;
  };
  const end = (file: number): void => {
    ends.add(file);
    if (ends.size === files.length) store.endReached(id, drawing);
  };
  return (
    <div
      ref={grid}
      class="changes large"
      role="treegrid"
      aria-label={t('Changes of {0} files', files.length)}
      aria-rowcount={rows.count}
      onFocusIn={(event) => {
        const index = indexOf(event.target);
        const row = index === undefined ? undefined : rows.at(index);
        if (row && index !== current) setActive(row);
      }}
      onWheel={() => (wanted.current = undefined)}
      onPointerDown={() => (wanted.current = undefined)}
      onKeyDown={(event) => {
        const next = moved(event, current, rows, visible);
        const isOnRow = event.target instanceof HTMLElement && event.target.role === 'row';
        const row = rows.at(current);
        if (next !== undefined && !isText(event.target)) bringUp(rows.at(next) ?? active);
        else if (!row || !isOnRow || !actOn(event, row)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {drawn.flatMap((index, at) => {
        const row = rows.at(index);
        const above = drawn[at - 1];
        const gap = tops.topOf(index) - tops.topOf(above === undefined ? 0 : above + 1);
        return [
          gap > 0 && <div key={`gap ${index}`} style={{ height: `${gap}px` }} />,
          row && (
            <GridRowView
              key={keyOf(row)}
              store={store}
              page={page}
              card={card}
              row={row}
              index={index}
              isCurrent={index === current}
              isOpen={isOpen(row.file)}
              writing={writing}
              end={end}
            />
          ),
        ];
      })}
      <div style={{ height: `${tops.topOf(rows.count) - tops.topOf((drawn.at(-1) ?? -1) + 1)}px` }} />
    </div>
  );
}

interface GridRowProps extends LargeChangeProps {
  readonly row: GridRow;
  readonly index: number;
  /** The row has the keyboard, or gets it. */
  readonly isCurrent: boolean;
  /** Its file is open. */
  readonly isOpen: boolean;
  readonly writing: Writing;
  readonly end: (file: number) => void;
}

function GridRowView({ store, page, card, row, index, isCurrent, isOpen, writing, end }: GridRowProps): JSX.Element {
  const file = card.files[row.file];
  const isLast = file !== undefined && (row.row === undefined ? file.rows === 0 : row.row === file.rows - 1);
  const last = useSeen<HTMLDivElement>(`${isLast} ${card.drawing}`, () => isLast && end(row.file));
  const isFile = row.row === undefined;
  return (
    <div
      ref={last}
      role="row"
      class={isFile && file?.included === 'none' ? 'file out' : isFile ? 'file' : 'line'}
      data-file={row.file}
      aria-rowindex={index + 1}
      aria-level={isFile ? 1 : 2}
      aria-expanded={isFile && (file?.rows ?? 0) > 0 ? isOpen : undefined}
      tabIndex={isCurrent ? 0 : -1}
    >
      {row.row === undefined ? (
        <div role="gridcell">
          {file && <FileTitle store={store} card={card} file={file} index={row.file} isOpen={isOpen} canClose />}
          <CommentList
            comments={store.remembered(card.id).comments.filter((each) => each.file === row.file && each.outdated)}
            remove={writing.remove}
          />
        </div>
      ) : (
        <LineCell store={store} page={page} card={card} file={row.file} row={row.row} writing={writing} />
      )}
    </div>
  );
}

interface LineCellProps extends LargeChangeProps {
  readonly file: number;
  readonly row: number;
  readonly writing: Writing;
}

function LineCell({ store, page, card, file, row, writing }: LineCellProps): JSX.Element {
  const { id, drawing } = card;
  const shown = store.rows.at(id, drawing, { file, row });
  const [cardFile, pageFile] = [card.files[file], page.drawing?.files[file]];
  const isWaiting = page.approval.state === 'waiting' && !page.isElsewhere;
  const isOut = pageFile?.hunks.findLast((hunk) => hunk.row <= row)?.included === false;
  return (
    <div role="gridcell" class={isOut ? 'out' : undefined} onClick={(event) => isWaiting && writing.pick(event, file)}>
      {shown === undefined && <p class="row note">{t('Loading…')}</p>}
      {shown?.kind === 'hunk' && cardFile && pageFile && (
        <Header
          isInCell
          header={shown}
          file={cardFile}
          pageFile={pageFile}
          select={
            isWaiting
              ? (hunk, included) => store.send({ type: 'selectHunk', id, drawing, file, hunk, included })
              : undefined
          }
          comment={
            isWaiting
              ? () => writing.begin(changedLines({ header: shown, rows: rowsBelow(store, card, file, row) }), file)
              : undefined
          }
        />
      )}
      {shown && <Row row={shown} isInCell />}
      {shown && isLine(shown) && writing.below(shown, file)}
    </div>
  );
}

/** Returns the rows of a hunk that have come. @param header the row of its header */
function rowsBelow(store: PageStore, { id, drawing }: Card, file: number, header: number): readonly PageRow[] {
  const rows: PageRow[] = [];
  for (let row = header + 1; ; row += 1) {
    const next = store.rows.at(id, drawing, { file, row });
    if (next === undefined || next.kind === 'hunk') return rows;
    rows.push(next);
  }
}

function toggleHunk(store: PageStore, { approval: { id }, drawing }: PageApproval, { file, row }: RowPlace): void {
  const shown = store.rows.at(id, drawing?.number ?? 0, { file, row });
  const state = drawing?.files[file];
  if (shown?.kind !== 'hunk' || drawing === undefined || state?.canSelect !== true) return;
  const included = state.hunks[shown.hunk]?.included === false;
  store.send({ type: 'selectHunk', id, drawing: drawing.number, file, hunk: shown.hunk, included });
}

function placesOf({ drawing }: PageApproval, order: readonly number[]): ChangeGrid['places'] {
  const files = order.map((file) => ({ file, row: undefined }));
  const changes = order.flatMap((file) => drawing?.files[file]?.hunks.map(({ row }) => ({ file, row })) ?? []);
  return { order, files, changes };
}

/** The first and the last row on screen. */
interface Visible {
  readonly first: number;
  readonly last: number;
}

function visibleRows(grid: HTMLElement | null, tops: RowTops): Visible {
  const view = grid?.closest('main');
  if (!grid || !view) return { first: 0, last: beyond };
  const top = view.getBoundingClientRect().top - grid.getBoundingClientRect().top;
  return { first: tops.at(Math.max(0, top)), last: tops.at(Math.max(0, top + view.clientHeight)) };
}

/** Returns the indexes of the rows to draw, in order. */
function drawnRows({ first, last }: Visible, count: number, current: number): readonly number[] {
  const [from, to] = [Math.max(0, first - beyond), Math.min(count - 1, last + beyond)];
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  if (current < from) return [current, ...near];
  return current > to ? [...near, current] : near;
}

/** Measures the rows that are drawn. Returns true when one has another height than before. */
function measure(grid: HTMLElement | null, rows: GridRows, tops: RowTops, heights: Map<string, number>): boolean {
  let isOther = false;
  for (const element of grid?.querySelectorAll<HTMLElement>(':scope > [role="row"]') ?? []) {
    const index = indexOf(element);
    if (index === undefined) continue;
    const { height } = element.getBoundingClientRect();
    heights.set(keyOf(rows.at(index)), height);
    isOther = tops.measure(index, height) || isOther;
  }
  return isOther;
}

function keyOf(row: GridRow | undefined): string {
  return `${row?.file ?? ''} ${row?.row ?? 'file'}`;
}

/** Returns the index of the row that an element is in. */
function indexOf(element: EventTarget | null): number | undefined {
  const row = element instanceof Element ? element.closest('[aria-rowindex]') : null;
  return row === null ? undefined : Number(row.ariaRowIndex) - 1;
}

function isMissing(store: PageStore, { id, drawing }: Card, row: GridRow | undefined): boolean {
  return row?.row !== undefined && store.rows.at(id, drawing, { file: row.file, row: row.row }) === undefined;
}

function seenRows(store: PageStore, card: Card, { first, last }: Visible, rows: GridRows): readonly RowRange[] {
  const seen: RowRange[] = [];
  for (let index = first; index <= last; index += 1) {
    const row = rows.at(index);
    if (row?.row === undefined || isMissing(store, card, row)) continue;
    seen.push({ file: row.file, first: row.row, last: row.row });
  }
  return seen;
}

/** Returns the index to which a key moves the keyboard; undefined for any other key. */
function moved(event: KeyboardEvent, current: number, rows: GridRows, { first, last }: Visible): number | undefined {
  const page = Math.max(1, last - first - 1);
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.count,
    End: rows.count,
  };
  const isEdge = event.key === 'Home' || event.key === 'End';
  const step =
    event.shiftKey || event.metaKey || event.altKey || (event.ctrlKey && !isEdge) ? undefined : steps[event.key];
  return step === undefined ? undefined : Math.max(0, Math.min(current + step, rows.count - 1));
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
}

/** Marks the text that the user looks for, without touching an element. */
function showFound(grid: HTMLElement | null, text: string | undefined): void {
  CSS.highlights.delete('found');
  if (!grid || text === undefined) return;
  const lines = [...grid.querySelectorAll('.code')];
  CSS.highlights.set('found', new Highlight(...lines.flatMap((line) => rangesWith(line, text.toLowerCase()))));
}

/** Returns the ranges of a line that hold a text, which may lie in several elements. */
function rangesWith(line: Element, text: string): Range[] {
  const content = line.textContent.toLowerCase();
  const ranges: Range[] = [];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) {
    const range = new Range();
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let start = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const end = start + (node.nodeValue?.length ?? 0);
      if (at >= start && at < end) range.setStart(node, at - start);
      if (at + text.length > start && at + text.length <= end) range.setEnd(node, at + text.length - start);
      start = end;
    }
    ranges.push(range);
  }
  return ranges;
}
