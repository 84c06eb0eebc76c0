/** The titles of the files of a change, and which of the files are open. */
import type { JSX } from 'preact';
import { fileTree, type TreeNode } from './fileTree.ts';
import { CheckBox, ChipMark, CountsMark, Parts, PlainButton } from './parts.tsx';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';
import type { Card, CardFile } from './words/view.ts';

/** A change with more files or rows than these is a summary on its card. */
const mostFiles = 4;
export const mostRows = 60;

/** A change with more rows than this is a grid in the tab, of which only the rows near the screen are drawn. */
export const mostDrawn = 2000;

/** Returns true when not all rows of a change are drawn in the tab. */
export function isLarge(card: Card): boolean {
  return rowsOf(card) > mostDrawn;
}

/** Returns the number of rows of all files of a change. */
export function rowsOf({ files }: Card): number {
  return files.reduce((sum, file) => sum + file.rows, 0);
}

/** Returns true when the user must scroll to the end of a change, so that nothing of it is closed or left for later. */
export function readsToEnd({ endHint, approveUnread }: Card): boolean {
  return endHint !== undefined && !approveUnread;
}

/** Returns true when the card of a change is a summary: most of its files are closed. */
export function isSummary(card: Card): boolean {
  return !readsToEnd(card) && (card.files.length > mostFiles || rowsOf(card) > mostRows);
}

/** Indexes of files in the order of the folder tree. Files that move come before the imports that follow them. */
export function orderOf({ files }: Card): readonly number[] {
  const walk = (node: TreeNode): readonly number[] => [...node.files, ...node.folders.flatMap(walk)];
  const order = files.length < 2 ? files.map((_, index) => index) : walk(fileTree(files.map(({ path }) => path)));
  const moves = (index: number): boolean => files[index]?.to !== undefined;
  return [...order.filter(moves), ...order.filter((index) => !moves(index))];
}

/** The first file of a summary that is not folded into the files with the same change. */
export function firstOf(card: Card): number {
  return orderOf(card).find((index) => card.files[index]?.sameAs === undefined) ?? 0;
}

interface FileTitleProps {
  readonly store: PageStore;
  readonly card: Card;
  readonly file: CardFile;
  readonly index: number;
  readonly isOpen: boolean;
  /** Its lines can be hidden. */
  readonly canClose: boolean;
}

/** Names a file, says what happens to it, and has what can be done with all of it. */
export function FileTitle({ store, card, file, index, isOpen, canClose }: FileTitleProps): JSX.Element {
  const { id } = card;
  const { viewed } = store.remembered(id);
  const isViewed = viewed.includes(index);
  return (
    <>
      <div class="title" data-part={file.part}>
        {file.included && (
          <CheckBox
            label={file.includeLabel}
            state={file.included}
            changed={(included) => store.send({ type: 'selectFile', id, file: index, included })}
          />
        )}
        {canClose && file.changesLabel !== undefined && (
          <button
            class="twistie"
            aria-expanded={isOpen}
            aria-label={t('Changes of {0}', file.path)}
            onClick={() => setOpen(store, card, index, !isOpen)}
          />
        )}
        <div class="lead">
          <FileName file={file} open={() => store.send({ type: 'openDiff', id, file: index })} />
          {!(canClose && PLACE === 'sideBar') && file.folder.length > 0 && (
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
            <CheckBox
              label={file.viewedLabel}
              state={isViewed ? 'all' : 'none'}
              changed={(isTicked) => setViewed(store, card, index, isTicked)}
            />
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
    </>
  );
}

/** Opens a file or closes it. */
export function setOpen(store: PageStore, card: Card, index: number, isOpen: boolean): void {
  const others = openFiles(store, card).filter((each) => each !== index);
  store.remember(card.id, { open: isOpen ? [...others, index] : others });
}

/** Ticks a file as viewed, which closes it and opens the next one, or takes the tick away. */
function setViewed(store: PageStore, card: Card, index: number, isTicked: boolean): void {
  const others = store.remembered(card.id).viewed.filter((each) => each !== index);
  const next = isTicked ? [...others, index] : others;
  const stillOpen = openFiles(store, card).filter((each) => each !== index);
  const order = orderOf(card);
  const following = order.slice(order.indexOf(index) + 1).find((each) => !next.includes(each));
  const opened = isTicked ? [...stillOpen, ...(following === undefined ? [] : [following])] : [...stillOpen, index];
  store.remember(card.id, { viewed: next, open: [...new Set(opened)] });
}

/** Returns the files that the user opened, or else those that the page opens by itself. */
function openFiles(store: PageStore, card: Card): readonly number[] {
  const { open, viewed } = store.remembered(card.id);
  if (open) return open;
  const shown = PLACE === 'tab' || !isSummary(card) ? orderOf(card) : [firstOf(card)];
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
    <button class="name" title={title} aria-label={openLabel} onClick={(event) => event.isTrusted && open()}>
      <Parts parts={name} />
    </button>
  );
}
