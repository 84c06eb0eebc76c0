import type { JSX } from 'preact';
import { Files } from './files.tsx';
import { ChipMark, CountsMark, Icon, More, Parts, SavedRule, Spoken, Timed, WhoLine } from './parts.tsx';
import { Question } from './question.tsx';
import { FileRows, type Layout } from './rows.tsx';
import { useSeen } from './seen.ts';
import type { PageStore } from './store.ts';
import type { Card, CardAction } from './words/view.ts';

interface CardProps {
  readonly store: PageStore;
  readonly card: Card;
  readonly position: number;
  readonly size: number;
  readonly isOwner: boolean;
  readonly layout: Layout;
}

/** A request that waits. Its buttons stand in the action bar. */
export function CardView({ store, card, position, size, isOwner, layout }: CardProps): JSX.Element {
  const { id, who } = card;
  const page = store.approval(id);
  const headline = useSeen<HTMLHeadingElement>(id, () => store.seen(id), { threshold: 0.9 });
  const classes = ['card', card.tone, ...(isOwner ? ['owns'] : [])].join(' ');
  const showRule = (): void => store.send({ type: 'showRule', id, which: 'decided' });
  return (
    <article
      class={classes}
      data-approval={id}
      aria-labelledby={`headline-${id}`}
      aria-describedby={`warnings-${id} notes-${id}`}
      aria-posinset={position}
      aria-setsize={size}
      aria-current={isOwner ? 'true' : undefined}
    >
      <header>
        <span class={`badge colour-${who.badge.colour}`} aria-hidden="true">
          {who.badge.letters}
        </span>
        <div class="lead">
          <h3 id={`headline-${id}`} tabIndex={-1} title={card.headlineTitle} ref={headline}>
            {card.headline}
          </h3>
          {card.risk && <ChipMark chip={card.risk} />}
          {card.chips.map((chip) => (
            <ChipMark key={chip.text} chip={chip} />
          ))}
        </div>
        {card.files.length !== 1 && <CountsMark counts={card.counts} />}
      </header>
      <WhoLine who={who} />
      {card.reason && (
        <blockquote class="reason">
          <Spoken>{`${card.reason.label} `}</Spoken>
          <q>
            <Parts parts={card.reason.parts} />
          </q>
        </blockquote>
      )}
      <div class="warnings" id={`warnings-${id}`}>
        {card.warnings.map((text) => (
          <p key={text}>
            <Icon name="warning" />
            {text}
          </p>
        ))}
      </div>
      {page && <Files store={store} page={page} card={card} layout={layout} />}
      {!page && <ReadFiles card={card} />}
      {card.action && page && <ActionView store={store} card={card} action={card.action} />}
      {card.question && <Question store={store} card={card} question={card.question} />}
      <div class="notes" id={`notes-${id}`}>
        {card.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {card.waits && (
          <p>
            <Timed text={card.waits} />
          </p>
        )}
      </div>
      {card.savedRule && (
        <SavedRule
          rule={card.savedRule}
          show={() => store.send({ type: 'showRule', id, which: 'saved' })}
          remove={() => store.send({ type: 'removeRule', id })}
          restore={() => store.send({ type: 'restoreRule', id })}
        />
      )}
      {card.why && <More disclosure={card.why} name="why" showRule={showRule} />}
    </article>
  );
}

/** The files that an assistant wants to read. */
function ReadFiles({ card: { files } }: { readonly card: Card }): JSX.Element {
  return (
    <div class="files">
      {files.map((file) => (
        <div class="file" key={file.path}>
          <div class="title">
            <div class="lead">
              <span class="name" title={file.title}>
                <Parts parts={file.name} />
              </span>
              <span class="folder">
                <Parts parts={file.folder} />
              </span>
              {file.chips.map((chip) => (
                <ChipMark key={chip.text} chip={chip} />
              ))}
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

/** The name of an action, the files to which it is done, and its arguments, all of them. */
function ActionView({
  store,
  card,
  action,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly action: CardAction;
}): JSX.Element | null {
  const { definition, commands, paths, arguments: given } = action;
  const end = (): void => store.endReached(card.id, card.drawing);
  const seen = useSeen<HTMLDivElement>(`${given.none} ${card.drawing}`, () => given.none !== undefined && end());
  const page = store.approval(card.id);
  if (!page) return null;
  const file = { ...emptyFile, rows: given.rows, changesLabel: given.label };
  return (
    <div class="action">
      <p>
        <Spoken>{`${definition.label}: `}</Spoken>
        <code title={definition.label}>
          <Parts parts={definition.parts} />
        </code>
      </p>
      {[commands, paths].map(
        (list, index) =>
          list && (
            <ul class="places" role="list" aria-label={list.label} key={index}>
              {list.items.map((parts, at) => (
                <li key={at}>
                  <Parts parts={parts} />
                </li>
              ))}
            </ul>
          ),
      )}
      {given.none === undefined ? (
        <>
          <p class="label" aria-hidden="true">
            {given.label}
          </p>
          <FileRows
            store={store}
            page={page}
            file={file}
            index={undefined}
            layout="unified"
            first={300}
            isEndless={card.endHint !== undefined}
            unfolds={false}
            end={end}
          />
        </>
      ) : (
        given.none !== '' && <p class="none">{given.none}</p>
      )}
      <div ref={seen} class="end" />
    </div>
  );
}

const emptyFile = {
  counts: { added: '', removed: '', label: '' },
  name: [],
  folder: [],
  path: '',
  title: '',
  chips: [],
  includeLabel: '',
  viewedLabel: '',
  facts: [],
};
