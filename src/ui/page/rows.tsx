import type { JSX } from 'preact';
import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { LineComment } from './fromPage.ts';
import type { HunkHeader, PageApproval, PageFile, PageRow } from './messages.ts';
import { changedLines, gapsOf, hunksOf, isLine, pairsOf, type LineRow } from './rowLayout.ts';
import { CommentList, useComments } from './comments.tsx';
import { memo } from './memo.ts';
import { CheckBox, ChipMark, Icon, Parts, Spoken } from './parts.tsx';
import { useSeen } from './seen.ts';
import type { PageStore } from './store.ts';
import { Unchanged } from './unchanged.tsx';
import { foldedText, hunkHeader, lineEndEscape, noteText, rowLabel } from './words/rowText.ts';
import { english as t } from './words/translate.ts';
import type { CardFile } from './words/view.ts';

/** How the changed lines of a file are laid out. */
export type Layout = 'unified' | 'side-by-side';

export interface FileRowsProps {
  readonly store: PageStore;
  readonly page: PageApproval;
  readonly file: CardFile;
  /** Index of the file; absent for the arguments of an action. */
  readonly index: number | undefined;
  readonly layout: Layout;
  /** Rows that are drawn at first; the user asks for more. */
  readonly first: number;
  /** Further rows are drawn as the end comes near: nothing is approved before the end was on screen. */
  readonly isEndless: boolean;
  /** The user can show the unchanged lines between the hunks. */
  readonly unfolds: boolean;
  /** The last row has been on screen. */
  readonly end: () => void;
}

/** Rows that are drawn with each request for more. */
const step = 300;

/** The changed lines of a file, or the arguments of an action. */
export function FileRows(props: FileRowsProps): JSX.Element {
  const { store, page, file, index, first, isEndless, unfolds, end } = props;
  const { id } = page.approval;
  const drawing = page.drawing?.number ?? 0;
  const [limit, setLimit] = useState(first);
  const all = store.rows.of(id, drawing, index);
  const shown = useMemo(() => (all.length > limit ? all.slice(0, limit) : all), [all, limit]);
  const left = file.rows - shown.length;
  const more = (): void => {
    const next = isEndless ? Infinity : limit + step;
    setLimit(next);
    if (all.length < Math.min(next, file.rows)) store.rows.ask(id, drawing, index);
  };
  const isDue = left > 0 && (isEndless || shown.length === 0);
  const near = useSeen<HTMLDivElement>(`${isDue} ${shown.length}`, () => isDue && more(), { rootMargin: '600px' });
  const last = useSeen<HTMLDivElement>(`${left} ${drawing} ${shown.length}`, () => left === 0 && end());
  const pageFile = index === undefined ? undefined : page.drawing?.files[index];
  const comments = store.remembered(id).comments;
  return (
    <div class="changes" role="group" tabIndex={-1} aria-label={file.changesLabel}>
      <RowList
        store={store}
        id={id}
        drawing={drawing}
        file={file}
        index={index}
        rows={shown}
        pageFile={pageFile}
        layout={props.layout}
        isWaiting={page.approval.state === 'waiting' && !page.isElsewhere}
        comments={comments}
        unfolds={unfolds && pageFile !== undefined}
        unchanged={store.rows.unchanged(id, drawing, index)}
        baseLines={left === 0 ? pageFile?.baseLines : undefined}
      />
      <div ref={near} class="end" />
      {left > 0 ? (
        <button class="more" onClick={more}>
          {left === 1 ? t('Show more (1 row left)') : t('Show more ({0} rows left)', left)}
        </button>
      ) : (
        <div ref={last} class="end" />
      )}
    </div>
  );
}

interface RowListProps {
  readonly store: PageStore;
  readonly id: string;
  readonly drawing: number;
  readonly file: CardFile;
  readonly index: number | undefined;
  readonly rows: readonly PageRow[];
  readonly pageFile: PageFile | undefined;
  readonly layout: Layout;
  readonly isWaiting: boolean;
  readonly comments: readonly LineComment[];
  readonly unfolds: boolean;
  readonly unchanged: ReadonlyMap<number, PageRow>;
  /** Undefined while rows are missing. */
  readonly baseLines: number | undefined;
}

function RowListView({
  store,
  id,
  drawing,
  file,
  index,
  rows,
  pageFile,
  layout,
  isWaiting,
  comments,
  unfolds,
  unchanged,
  baseLines,
}: RowListProps): JSX.Element {
  const canComment = isWaiting && index !== undefined;
  const writing = useComments(store, id, comments);
  const own = index === undefined ? [] : comments.filter((comment) => comment.file === index);
  const below = (row: LineRow): JSX.Element | undefined => {
    const found = index === undefined ? undefined : writing.below(row, index);
    return found && <div role="listitem">{found}</div>;
  };
  const draw = (some: readonly PageRow[]): JSX.Element =>
    layout === 'side-by-side' ? <SplitRows rows={some} below={below} /> : <UnifiedRows rows={some} below={below} />;
  const hunks = hunksOf(rows);
  const drawn = [...rows, ...unchanged.values()].filter(isLine);
  const unplaced = own.filter(({ side, lastLine }) => drawn.every((row) => row[side] !== lastLine));
  const gaps = unfolds && index !== undefined ? gapsOf(hunks, baseLines) : [];
  const gapAt = (at: number): JSX.Element | undefined => {
    const gap = gaps[at];
    if (gap === undefined || index === undefined) return undefined;
    return (
      <div key={`gap ${at}`} class="hunk-rows" role="presentation">
        <Unchanged
          gap={gap}
          isBelowChange={at > 0}
          isAboveChange={at < hunks.length}
          known={unchanged}
          ask={(line, count) => store.send({ type: 'unchangedRows', id, drawing, file: index, line, count })}
          draw={draw}
        />
      </div>
    );
  };
  return (
    <div class={`rows ${layout}`} role="list" onClick={(event) => canComment && writing.pick(event, index)}>
      {hunks.map((hunk, at) => {
        const state = hunk.header && pageFile?.hunks[hunk.header.hunk];
        return [
          gapAt(at),
          <div key={at} class={state?.included === false ? 'hunk-rows out' : 'hunk-rows'} role="presentation">
            {hunk.header && pageFile && (
              <Header
                header={hunk.header}
                file={file}
                pageFile={pageFile}
                select={
                  isWaiting && index !== undefined
                    ? (hunkIndex, included) =>
                        store.send({ type: 'selectHunk', id, drawing, file: index, hunk: hunkIndex, included })
                    : undefined
                }
                comment={canComment ? () => writing.begin(changedLines(hunk), index) : undefined}
              />
            )}
            {draw(hunk.rows)}
          </div>,
        ];
      })}
      {gapAt(hunks.length)}
      {unplaced.length > 0 && (
        <div class="comments" role="listitem">
          <CommentList comments={unplaced} remove={writing.remove} />
        </div>
      )}
    </div>
  );
}

const RowList = memo(RowListView);

function UnifiedRows({
  rows,
  below,
}: {
  readonly rows: readonly PageRow[];
  readonly below: (row: LineRow) => JSX.Element | undefined;
}): JSX.Element {
  return (
    <>
      {rows.map((row, index) => (
        <>
          <Row key={index} row={row} />
          {isLine(row) && below(row)}
        </>
      ))}
    </>
  );
}

/** Removed lines stand beside the added ones that replace them. */
function SplitRows({
  rows,
  below,
}: {
  readonly rows: readonly PageRow[];
  readonly below: (row: LineRow) => JSX.Element | undefined;
}): JSX.Element {
  return (
    <>
      {pairsOf(rows).map(([left, right], index) => {
        const unpaired = left ?? right;
        if (unpaired && !isLine(unpaired)) return <Row key={index} row={unpaired} />;
        return (
          <>
            <div class="pair" role="presentation" key={index}>
              {left ? <Row row={left} /> : <div class="row empty" role="presentation" />}
              {right ? <Row row={right} isCopy={right === left} /> : <div class="row empty" role="presentation" />}
            </div>
            {left && isLine(left) && left !== right && below(left)}
            {right && isLine(right) && below(right)}
          </>
        );
      })}
    </>
  );
}

/** Whether blanks and tabs in the rows have a mark. */
export const MarksBlanks = createContext(false);

const marks = { context: ' ', added: '+', removed: '−' } as const;

/**
 * @param isCopy the row stands on the other side, too, where it is read out
 * @param isInCell the row stands in a cell of a grid, and is no item of a list
 */
export function Row({
  row,
  isCopy,
  isInCell,
}: {
  readonly row: PageRow;
  readonly isCopy?: boolean;
  readonly isInCell?: boolean;
}): JSX.Element | null {
  const marksBlanks = useContext(MarksBlanks);
  const role = isCopy || isInCell ? 'presentation' : 'listitem';
  if (row.kind === 'hunk') return null;
  if (row.kind === 'note' || row.kind === 'folded')
    return (
      <p class="row note" role={role}>
        {row.kind === 'note' ? noteText(row, t) : foldedText(row, t)}
      </p>
    );
  if (row.kind === 'text') {
    return (
      <div class="row text" role={role}>
        <span class="code">
          <Parts parts={row.parts} marksBlanks={marksBlanks} />
        </span>
      </div>
    );
  }
  const { kind, before, after, parts, isRest, isCut, unusualEnd, part } = row;
  const label = rowLabel(row, t);
  return (
    <div
      class={`row ${kind}${isRest ? ' rest' : ''}`}
      data-part={part}
      role={role}
      aria-hidden={isCopy ? 'true' : undefined}
    >
      {label !== '' && <Spoken>{`${label} `}</Spoken>}
      <span class="no" aria-hidden="true" data-side="before" data-line={isRest ? undefined : before} />
      <span class="no" aria-hidden="true" data-side="after" data-line={isRest ? undefined : after} />
      {!isRest && (
        <span class="mark" aria-hidden="true">
          {marks[kind]}
        </span>
      )}
      <span class="code">
        <Parts parts={parts} marksBlanks={marksBlanks} />
        {unusualEnd !== undefined && <span class="escaped">{lineEndEscape(unusualEnd)}</span>}
        {isCut && '…'}
      </span>
    </div>
  );
}

interface HeaderProps {
  /** The header stands in a cell of a grid, and is no item of a list. */
  readonly isInCell?: boolean;
  readonly header: HunkHeader;
  readonly file: CardFile;
  readonly pageFile: PageFile;
  readonly select: ((hunk: number, included: boolean) => void) | undefined;
  readonly comment: (() => void) | undefined;
}

export function Header({ header, file, pageFile, select, comment, isInCell }: HeaderProps): JSX.Element {
  const { text, where, selectLabel, chips } = hunkHeader(header, file, pageFile, t);
  const isIncluded = pageFile.hunks[header.hunk]?.included !== false;
  return (
    <div class="row hunk" role={isInCell ? 'presentation' : 'listitem'} data-hunk={header.hunk}>
      {select && selectLabel !== undefined && (
        <CheckBox
          label={selectLabel}
          state={isIncluded ? 'all' : 'none'}
          changed={(included) => select(header.hunk, included)}
        />
      )}
      <span class="where">{text}</span>
      {!isIncluded && <span class="chip">{t('left out')}</span>}
      {chips.map((chip) => (
        <ChipMark key={chip.text} chip={chip} />
      ))}
      {comment && (
        <button class="icon-button" aria-label={t('Comment on {0}', where)} title={t('Comment')} onClick={comment}>
          <Icon name="comment" />
        </button>
      )}
    </div>
  );
}
