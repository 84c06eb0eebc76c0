import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fileTree, type TreeNode } from './fileTree.ts';
import type { PageApproval } from './messages.ts';
import { ChipMark, CountsMark, Parts, PlainButton } from './parts.tsx';
import { CheckBox, FileRows, type Layout } from './rows.tsx';
import { useSeen } from './seen.ts';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card, CardFile } from './words/view.ts';

/** A change with more files or rows than these is a summary on its card. */
const [mostFiles, mostRows] = [4, 60];

/** Returns true when the card of a change is a summary: most of its files are closed. */
export function isSummary(card: Card): boolean {
  const rows = card.files.reduce((sum, file) => sum + file.rows, 0);
  return card.endHint === undefined && (card.files.length > mostFiles || rows > mostRows);
}

interface FilesProps {
  readonly store: PageStore;
  readonly page: PageApproval;
  readonly card: Card;
  readonly place: 'sideBar' | 'tab';
  readonly layout: Layout;
}

/** The files of a change, in the order of their folder tree when there are several. */
export function Files({ store, page, card, place, layout }: FilesProps): JSX.Element | null {
  const [reached] = useState(() => ({ drawing: card.drawing, files: new Set<number>() }));
  if (card.files.length === 0) return null;
  if (reached.drawing !== card.drawing) {
    reached.drawing = card.drawing;
    reached.files.clear();
  }
  const isShort = place === 'sideBar' && isSummary(card);
  const { viewed, open } = store.remembered(card.id);
  const first = firstOf(card);
  const isOpen = (index: number): boolean => {
    if (open?.includes(index)) return true;
    if (viewed.includes(index)) return false;
    return place === 'tab' || !isShort || (open === undefined && index === first);
  };
  const end = (index: number): void => {
    reached.files.add(index);
    if (reached.files.size === card.files.length) store.endReached(card.id, card.drawing);
  };
  const one = (index: number): JSX.Element | null => {
    const file = card.files[index];
    return file ? (
      <File
        key={index}
        store={store}
        page={page}
        card={card}
        file={file}
        index={index}
        place={place}
        layout={layout}
        isOpen={isOpen(index)}
        canClose={isShort || place === 'tab'}
        isAlone={card.files.length === 1}
        end={() => end(index)}
      />
    ) : null;
  };
  if (!isShort || card.files.length === 1) {
    return <div class="files">{orderOf(card).map(one)}</div>;
  }
  return (
    <div class="files summary">
      <ViewedCount card={card} viewed={viewed} />
      <SameChanges card={card} one={one} />
    </div>
  );
}

/** Says how many files the user has ticked as viewed. */
export function ViewedCount({
  card,
  viewed,
}: {
  readonly card: Card;
  readonly viewed: readonly number[];
}): JSX.Element {
  return <p class="viewed-count">{t('{0} of {1} files viewed', viewed.length, card.files.length)}</p>;
}

/** Indexes of files in the order of the folder tree. Files that move come before the imports that follow them. */
export function orderOf({ files }: Card): readonly number[] {
  const walk = (node: TreeNode): readonly number[] => [...node.files, ...node.folders.flatMap(walk)];
  const order = files.length < 2 ? files.map((_, index) => index) : walk(fileTree(files.map(({ path }) => path)));
  const moves = (index: number): boolean => files[index]?.to !== undefined;
  return [...order.filter(moves), ...order.filter((index) => !moves(index))];
}

/** The first file of a summary that is not folded into the files with the same change. */
function firstOf(card: Card): number {
  return orderOf(card).find((index) => card.files[index]?.sameAs === undefined) ?? 0;
}

/** The folder tree of the files. Files that have the same change as another one are folded. */
function SameChanges({
  card,
  one,
}: {
  readonly card: Card;
  readonly one: (index: number) => JSX.Element | null;
}): JSX.Element {
  const same = new Map<number, number[]>();
  for (const [index, { sameAs }] of card.files.entries()) {
    if (sameAs !== undefined) same.set(sameAs, [...(same.get(sameAs) ?? []), index]);
  }
  const folded = new Set([...same.values()].flat());
  const shown = orderOf(card).filter((index) => !folded.has(index));
  const moves = shown.filter((index) => card.files[index]?.to !== undefined);
  const others = shown.filter((index) => !moves.includes(index));
  return (
    <>
      {moves.length > 0 && <Folder node={treeOf(card, moves)} one={one} />}
      {others.length > 0 && <Folder node={treeOf(card, others)} one={one} />}
      {[...same].map(([first, copies]) => (
        <details class="same" key={first}>
          <summary>
            {copies.length === 1
              ? t('1 more file with the same change as {0}', nameOf(card, first))
              : t('{0} more files with the same change as {1}', copies.length, nameOf(card, first))}
          </summary>
          <Folder node={treeOf(card, copies)} one={one} />
        </details>
      ))}
    </>
  );
}

function nameOf({ files }: Card, index: number): string {
  return files[index]?.name.map(({ text }) => text).join('') ?? '';
}

/** The tree of some of the files, with their indexes in the card. */
function treeOf({ files }: Card, indexes: readonly number[]): TreeNode {
  const numbered = (node: TreeNode): TreeNode => ({
    ...node,
    files: node.files.flatMap((at) => indexes[at] ?? []),
    folders: node.folders.map(numbered),
  });
  return numbered(fileTree(indexes.flatMap((index) => files[index]?.path ?? [])));
}

function Folder({
  node: { name, files, folders },
  one,
}: {
  readonly node: TreeNode;
  readonly one: (index: number) => JSX.Element | null;
}): JSX.Element {
  return (
    <div class="folder-of-files" role="group" aria-label={name === '' ? t('Files') : t('Folder {0}', name)}>
      {name !== '' && (
        <p class="folder-name" aria-hidden="true">
          {name}
        </p>
      )}
      {files.map(one)}
      {folders.map((folder) => (
        <Folder key={folder.name} node={folder} one={one} />
      ))}
    </div>
  );
}

interface FileProps extends FilesProps {
  readonly file: CardFile;
  readonly index: number;
  readonly isOpen: boolean;
  /** Its lines can be hidden. */
  readonly canClose: boolean;
  readonly isAlone: boolean;
  readonly end: () => void;
}

function File(props: FileProps): JSX.Element {
  const { store, page, card, file, index, place, layout, isOpen, canClose, isAlone, end } = props;
  const { id } = card;
  const { viewed, open } = store.remembered(id);
  const isViewed = viewed.includes(index);
  const hasRows = file.changesLabel !== undefined;
  const seen = useSeen<HTMLDivElement>(`${hasRows} ${card.drawing}`, () => !hasRows && end());
  const setOpen = (shown: boolean): void => {
    const others = (open ?? openNow(card, place, viewed)).filter((each) => each !== index);
    store.remember(id, { open: shown ? [...others, index] : others });
  };
  const setViewed = (isTicked: boolean): void => {
    const others = viewed.filter((each) => each !== index);
    const next = isTicked ? [...others, index] : others;
    const stillOpen = (open ?? openNow(card, place, viewed)).filter((each) => each !== index);
    // A file that was viewed is closed, and the next one is opened.
    const order = orderOf(card);
    const following = order.slice(order.indexOf(index) + 1).find((each) => !next.includes(each));
    const opened = isTicked ? [...stillOpen, ...(following === undefined ? [] : [following])] : [...stillOpen, index];
    store.remember(id, { viewed: next, open: [...new Set(opened)] });
  };
  return (
    <div class={file.included === 'none' ? 'file out' : 'file'} data-file={index} ref={seen}>
      <div class="title">
        {file.included && (
          <CheckBox
            label={file.includeLabel}
            state={file.included}
            changed={(included) => store.send({ type: 'selectFile', id, file: index, included })}
          />
        )}
        {canClose && hasRows && (
          <button
            type="button"
            class="twistie"
            aria-expanded={isOpen}
            aria-label={t('Changes of {0}', file.path)}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        <div class="lead">
          <FileName file={file} open={() => store.send({ type: 'openDiff', id, file: index })} />
          {!(canClose && place === 'sideBar') && file.folder.length > 0 && (
            <span class="folder" title={file.title}>
              <Parts parts={file.folder} />
            </span>
          )}
          {file.to && (
            <span class="to">
              {'→ '}
              <Parts parts={file.to} />
            </span>
          )}
          {file.chips.map((chip) => (
            <ChipMark key={chip.text} chip={chip} />
          ))}
        </div>
        <CountsMark counts={file.counts} />
        {canClose && (
          <label class="viewed">
            <CheckBox label={file.viewedLabel} state={isViewed ? 'all' : 'none'} changed={setViewed} />
            <span aria-hidden="true">{t('Viewed')}</span>
          </label>
        )}
      </div>
      {(file.facts.length > 0 || file.reset) && (
        <div class="facts">
          {file.facts.map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
          {file.reset && (
            <PlainButton
              words={file.reset}
              class="link"
              click={() => store.send({ type: 'resetFile', id, file: index })}
            />
          )}
        </div>
      )}
      {hasRows && isOpen && (
        <FileRows
          store={store}
          page={page}
          file={file}
          index={index}
          layout={layout}
          first={place === 'tab' ? 600 : isAlone && card.endHint === undefined ? mostRows : 300}
          isEndless={card.endHint !== undefined}
          unfolds={place === 'tab'}
          end={end}
        />
      )}
    </div>
  );
}

/** The files that the page opens by itself. */
function openNow(card: Card, place: 'sideBar' | 'tab', viewed: readonly number[]): readonly number[] {
  const order = orderOf(card);
  const shown = place === 'tab' || !isSummary(card) ? order : [firstOf(card)];
  return shown.filter((index) => !viewed.includes(index));
}

/** The name opens the diff of the editor, where there is one. */
function FileName({ file, open }: { readonly file: CardFile; readonly open: () => void }): JSX.Element {
  const { name, title, openLabel } = file;
  if (openLabel === undefined) {
    return (
      <span class="name" title={title}>
        <Parts parts={name} />
      </span>
    );
  }
  return (
    <button
      class="name"
      type="button"
      title={title}
      aria-label={openLabel}
      onClick={(event) => event.isTrusted && open()}
    >
      <Parts parts={name} />
    </button>
  );
}
