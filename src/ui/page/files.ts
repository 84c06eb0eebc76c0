import { drawnCounts, fileTitle } from './cardParts.ts';
import { createChanges, whenSeen, type Changes } from './changes.ts';
import { element } from './element.ts';
import { createCheckBox } from './hunk.ts';
import type { PageMessage } from './fromPage.ts';
import type { Card, CardFile, FileSelection, RowsMessage } from './messages.ts';

/** The files of a card, with their changed lines and the user's selection. */
export interface Files {
  readonly element: HTMLElement;
  append(message: RowsMessage): void;
  select(files: readonly FileSelection[]): void;
  dispose(): void;
}

export interface FilesSurroundings {
  readonly send: (message: PageMessage) => void;
  readonly leftOut: string;
  /** The end of every file has been on screen. */
  readonly end: () => void;
}

/** One file of a card. */
interface FileView {
  readonly element: HTMLElement;
  readonly changes: Changes | undefined;
  select(selection: FileSelection): void;
  dispose(): void;
}

export function createFiles(card: Card, { send, leftOut, end }: FilesSurroundings): Files {
  const reached = new Set<number>();
  const views = card.files.map((_, index) =>
    createFile(card, index, {
      send,
      leftOut,
      end() {
        reached.add(index);
        if (reached.size === card.files.length) end();
      },
    }),
  );
  return {
    element: element('div', { class: 'files' }, ...views.map((view) => view.element)),
    append(message) {
      if (message.file !== undefined) views[message.file]?.changes?.append(message);
    },
    select(files) {
      for (const [index, file] of files.entries()) views[index]?.select(file);
    },
    dispose() {
      for (const view of views) view.dispose();
    },
  };
}

function createFile(card: Card, index: number, { send, leftOut, end }: FilesSurroundings): FileView {
  const { id, drawing, files, phase } = card;
  const file = files[index];
  if (!file) throw new Error(`The card has no file ${index}`);
  const title = fileTitle(file, () => send({ type: 'openDiff', id, file: index }));
  const facts = element('div', { class: 'facts' }, ...file.facts.map((fact) => element('p', {}, fact)));
  if (file.reset) facts.append(resetButton(file.reset, () => send({ type: 'resetFile', id, file: index })));
  const box = file.included && includeBox(file, (included) => send({ type: 'selectFile', id, file: index, included }));
  if (box) title.prepend(box.element);
  const select = (hunk: number, included: boolean): void =>
    send({ type: 'selectHunk', id, drawing, file: index, hunk, included });
  const changes =
    file.changesLabel === undefined
      ? undefined
      : createChanges(
          { ...file, label: file.changesLabel },
          {
            more: (from) => send({ type: 'moreRows', id, file: index, from }),
            end,
            select: phase === 'waiting' ? select : undefined,
            leftOut,
          },
        );
  const own = element('div', { class: 'file' }, title, facts, changes?.region ?? '');
  const seen = changes ? undefined : whenSeen(own, end);
  const view: FileView = {
    element: own,
    changes,
    select(selection) {
      title.querySelector('.counts')?.replaceWith(drawnCounts(selection.counts));
      if (selection.included) box?.show(selection.included);
      own.classList.toggle('out', selection.included === 'none');
      changes?.exclude(selection.excluded);
    },
    dispose() {
      changes?.dispose();
      seen?.dispose();
    },
  };
  view.select(file);
  return view;
}

function resetButton({ text, label }: NonNullable<CardFile['reset']>, reset: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'link', 'aria-label': label, 'data-control': 'reset' },
    text,
  );
  button.addEventListener('click', (event) => event.isTrusted && reset());
  return button;
}

/** The check box of a whole file, which can be checked in part. */
function includeBox({ includeLabel }: CardFile, changed: (included: boolean) => void) {
  let state: FileSelection['included'];
  const box = createCheckBox(includeLabel, `file-${includeLabel}`, () => changed(state !== 'all'));
  return {
    element: box,
    show(next: NonNullable<FileSelection['included']>): void {
      state = next;
      box.checked = next === 'all';
      box.indeterminate = next === 'some';
    },
  };
}
