import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LineComment } from './fromPage.ts';
import type { LineRow, Lines } from './rowLayout.ts';
import type { PageStore } from './store.ts';
import { english as t } from './words/translate.ts';

/** The lines that a comment is about. */
export type Anchor = Pick<LineComment, 'side' | 'firstLine' | 'lastLine'>;

/** The longest comment that the host takes, in UTF-16 units. */
const commentLength = 2000;

function placeOf({ firstLine, lastLine, side }: Anchor): string {
  const lines = firstLine === lastLine ? t('line {0}', firstLine) : t('lines {0}–{1}', firstLine, lastLine);
  return side === 'before' ? t('removed {0}', lines) : lines;
}

/** Comments that go to the assistant with the decision. */
export function CommentList({
  comments,
  remove,
}: {
  readonly comments: readonly LineComment[];
  readonly remove: (comment: LineComment) => void;
}): JSX.Element {
  return (
    <>
      {comments.map((comment, index) => (
        <p class="comment" key={index}>
          <span class="place">{placeOf(comment)}</span>
          {comment.outdated && <span class="chip">{t('these lines have changed')}</span>}
          <span class="said">{comment.comment}</span>
          <button
            type="button"
            class="link"
            aria-label={t('Delete the comment on {0}', placeOf(comment))}
            onClick={(event) => event.isTrusted && remove(comment)}
          >
            {t('Delete')}
          </button>
        </p>
      ))}
    </>
  );
}

interface CommentFormProps {
  readonly anchor: Anchor;
  /** No further comment goes with the decision. */
  readonly isFull: boolean;
  readonly add: (comment: string) => void;
  readonly cancel: () => void;
}

/** The field for a comment. Control+Enter adds the comment and approves nothing. */
export function CommentForm({ anchor, isFull, add, cancel }: CommentFormProps): JSX.Element {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), [anchor]);
  const place = placeOf(anchor);
  const send = (): void => {
    if (text.trim() !== '' && !isFull) add(text.trim());
  };
  return (
    <form
      class="comment-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === 'Escape') cancel();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <textarea
        ref={field}
        rows={2}
        maxLength={commentLength}
        aria-label={t('Comment on {0}', place)}
        placeholder={t('Comment on {0}: it goes to the assistant with your decision', place)}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {isFull && <p class="hint">{t('50 comments go with a decision at most. Delete one to add another.')}</p>}
      <div class="buttons">
        <button type="button" class="primary" onClick={send} aria-disabled={text.trim() === '' || isFull}>
          {t('Add comment')}
        </button>
        <button type="button" onClick={cancel}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}

/** The comments of a request, and the field for a new one. */
export interface Writing {
  /** Begins a comment on the line whose number was clicked; with Shift, on all lines from the last one that was. */
  readonly pick: (event: MouseEvent, file: number) => void;
  readonly begin: (lines: Lines | undefined, file: number) => void;
  readonly remove: (comment: LineComment) => void;
  /** The comments that end with a line of a file, and the field for one; undefined when there is nothing. */
  readonly below: (row: LineRow, file: number) => JSX.Element | undefined;
}

export function useComments(store: PageStore, id: string, comments: readonly LineComment[]): Writing {
  const [anchor, setAnchor] = useState<(Anchor & { readonly file: number }) | undefined>(undefined);
  const start = useRef<(Anchor & { readonly file: number }) | undefined>(undefined);
  const remove = (gone: LineComment): void =>
    store.remember(id, { comments: comments.filter((comment) => comment !== gone) });
  return {
    pick(event, file) {
      const clicked = event.target instanceof HTMLElement ? lineOf(event.target) : undefined;
      if (!clicked || !event.isTrusted) return;
      const last = start.current;
      const from = event.shiftKey && last?.file === file && last.side === clicked.side ? last : { ...clicked, file };
      start.current = from;
      const [firstLine, lastLine] = [from.firstLine, clicked.lastLine].toSorted((a, b) => a - b);
      setAnchor({ file, side: clicked.side, firstLine: firstLine ?? 1, lastLine: lastLine ?? 1 });
    },
    begin: (lines, file) => setAnchor(lines && { ...lines, file }),
    remove,
    below(row, file) {
      const isAt = ({ side, lastLine }: Anchor): boolean => lastLine === (side === 'before' ? row.before : row.after);
      const here = comments.filter((comment) => comment.file === file && isAt(comment));
      const isForm = anchor !== undefined && anchor.file === file && isAt(anchor);
      if (here.length === 0 && !isForm) return undefined;
      return (
        <div class="comments">
          <CommentList comments={here} remove={remove} />
          {isForm && (
            <CommentForm
              anchor={anchor}
              isFull={comments.length >= 50}
              cancel={() => setAnchor(undefined)}
              add={(comment) => {
                store.remember(id, { comments: [...comments, { ...anchor, comment }] });
                setAnchor(undefined);
              }}
            />
          )}
        </div>
      );
    },
  };
}

/** The line of whose number an element is. */
function lineOf({ dataset }: HTMLElement): Anchor | undefined {
  const line = Number(dataset['line']);
  const side = dataset['side'];
  if (!(line > 0) || (side !== 'before' && side !== 'after')) return undefined;
  return { side, firstLine: line, lastLine: line };
}
