import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fileTree, type TreeNode } from './fileTree.ts';
import { FileTitle, firstOf, isLarge, isSummary, mostDrawn, mostRows, orderOf, readsToEnd } from './fileTitle.tsx';
import { LargeChange } from './largeChange.tsx';
import type { PageApproval } from './messages.ts';
import { FileRows, type Layout } from './rows.tsx';
import { useSeen } from './seen.ts';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card, CardFile } from './words/view.ts';

interface FilesProps {
  readonly store: PageStore;
  readonly page: PageApproval;
  readonly card: Card;
  readonly layout: Layout;
}

/** The files of a change, in the order of their folder tree when there are several. */
export function Files({ store, page, card, layout }: FilesProps): JSX.Element | null {
  const [reached] = useState(() => ({ drawing: card.drawing, files: new Set<number>() }));
  if (card.files.length === 0) return null;
  if (PLACE === 'tab' && isLarge(card)) return <LargeChange store={store} page={page} card={card} />;
  if (reached.drawing !== card.drawing) {
    reached.drawing = card.drawing;
    reached.files.clear();
  }
  const isShort = PLACE === 'sideBar' && isSummary(card);
  const { viewed, open } = store.remembered(card.id);
  const first = firstOf(card);
  const isOpen = (index: number): boolean => {
    if (open?.includes(index)) return true;
    if (viewed.includes(index)) return false;
    return PLACE === 'tab' || !isShort || (open === undefined && index === first);
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
        layout={layout}
        isOpen={isOpen(index)}
        canClose={isShort || PLACE === 'tab'}
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
  const { store, page, card, file, index, layout, isOpen, canClose, isAlone, end } = props;
  const hasRows = file.changesLabel !== undefined;
  const seen = useSeen<HTMLDivElement>(`${hasRows} ${card.drawing}`, () => !hasRows && end());
  return (
    <div class={file.included === 'none' ? 'file out' : 'file'} data-file={index} ref={seen}>
      <FileTitle store={store} card={card} index={index} file={file} isOpen={isOpen} canClose={canClose} />
      {hasRows && isOpen && (
        <FileRows
          store={store}
          page={page}
          file={file}
          index={index}
          layout={layout}
          first={PLACE === 'tab' ? mostDrawn : isAlone && !readsToEnd(card) ? mostRows : 300}
          isEndless={readsToEnd(card)}
          unfolds={PLACE === 'tab'}
          end={end}
        />
      )}
    </div>
  );
}
