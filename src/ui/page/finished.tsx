import type { JSX } from 'preact';
import { openDiff, revise, tokenOf } from './acts.ts';
import { deciding } from './deciding.ts';
import { useDisplayed } from './displayed.ts';
import { ChipMark, CountsMark, More, Parts, PlainButton, SavedRule, WhoLine } from './parts.tsx';
import type { PageStore } from './store.ts';
import { refusalText } from './words/pageText.ts';
import { english as t } from './words/translate.ts';
import type { Button, Card } from './words/view.ts';

/** A longer note stands in the details. */
const shortNote = 160;

/** A request that is over, on one line, with Undo and the diff. Everything else is in its details. */
export function Finished({
  store,
  card,
  position,
  size,
  show,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly position: number;
  readonly size: number;
  /** Brings up another card. */
  readonly show: (id: string) => void;
}): JSX.Element {
  const { id, who, successor } = card;
  const refusal = store.refusal(id);
  const notes = card.notes.filter((note) => note.length <= shortNote);
  const longNotes = card.notes.filter((note) => note.length > shortNote);
  const acts = [
    [card.undo, 'undo'],
    [card.redo, 'redo'],
    [card.rebase, 'rebase'],
  ] as const;
  const isDecidable = acts.some(([words]) => words !== undefined);
  const line = useDisplayed(store, id, isDecidable, () => store.display(id));
  return (
    <article
      class="finished"
      data-approval={id}
      aria-labelledby={`headline-${id}`}
      aria-posinset={position}
      aria-setsize={size}
    >
      <div class="line" ref={line}>
        <h3 id={`headline-${id}`} tabIndex={-1} title={card.headlineTitle}>
          {card.headline}
        </h3>
        {card.risk && card.risk.tone !== 'plain' && <ChipMark chip={card.risk} />}
        <CountsMark counts={card.counts} />
        <div class="buttons">
          {acts.map(
            ([words, type]) => words && <ReviseButton key={type} store={store} card={card} words={words} type={type} />,
          )}
          {card.openDiff && <PlainButton words={card.openDiff} class="link" click={() => openDiff(store, card)} />}
          {successor && <PlainButton words={successor} class="link" click={() => show(successor.id)} />}
          <button
            class="icon-button"
            aria-label={t('Clear: {0}', card.headline)}
            title={t('Clear')}
            onClick={(event) => event.isTrusted && store.send({ type: 'clearFinished', id })}
          >
            ×
          </button>
        </div>
      </div>
      <p class={refusal === 'too_fast' ? 'refusal early' : 'refusal'} role="status">
        {refusal !== undefined && refusalText(refusal, card, t)}
      </p>
      {notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      {card.unheard && (
        <p class="note">
          {card.unheard.text}{' '}
          <PlainButton words={card.unheard.copy} class="link" click={() => store.send({ type: 'copyMessage', id })} />
        </p>
      )}
      <SavedRule
        rule={card.savedRule}
        show={() => store.send({ type: 'showRule', id, which: 'saved' })}
        remove={() => store.send({ type: 'removeRule', id })}
        restore={() => store.send({ type: 'restoreRule', id })}
      />
      {card.problems && <More disclosure={card.problems} name="problems" showRule={() => undefined} />}
      {card.output && (
        <details class="more-about output">
          <summary>
            {card.output.text}
            {card.output.chip && (
              <>
                {' '}
                <ChipMark chip={card.output.chip} />
              </>
            )}
          </summary>
          <pre tabIndex={0} role="group" aria-label={card.output.label}>
            <Parts parts={card.output.parts} />
          </pre>
        </details>
      )}
      <details class="more-about details">
        <summary aria-label={t('Details: {0}', card.headline)}>{t('Details')}</summary>
        <WhoLine who={who} />
        {card.reason && (
          <blockquote class="reason">
            {`${card.reason.label} `}
            <q>
              <Parts parts={card.reason.parts} />
            </q>
          </blockquote>
        )}
        {longNotes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {card.why && (
          <More
            disclosure={card.why}
            name="why"
            showRule={() => store.send({ type: 'showRule', id, which: 'decided' })}
          />
        )}
      </details>
    </article>
  );
}

function ReviseButton({
  store,
  card,
  words,
  type,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly words: Button;
  readonly type: 'undo' | 'redo' | 'rebase';
}): JSX.Element {
  return (
    <button
      aria-label={words.label}
      aria-disabled={!store.isArmed(card.id)}
      {...deciding(tokenOf(store, card), () => revise(store, card, type))}
    >
      {words.text}
    </button>
  );
}
