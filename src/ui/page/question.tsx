import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { approve } from './acts.ts';
import { Parts } from './parts.tsx';
import type { PageStore } from './store.ts';
import type { Card, CardQuestion } from './words/view.ts';

/** The longest answer that the host takes, in UTF-16 units. */
const answerLength = 2000;

/** The question of an assistant, with the choices and the field for an answer. */
export function Question({
  store,
  card,
  question,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly question: CardQuestion;
}): JSX.Element {
  const { id } = card;
  const { draft } = store.remembered(id);
  const first = useRef<HTMLInputElement>(null);
  const isMissing = store.complaint === id;
  useEffect(() => {
    if (isMissing) first.current?.focus();
  }, [isMissing]);
  const save = (message: string, choice?: number): void => {
    store.complaint = undefined;
    store.remember(id, { draft: { message, isOpen: true, ...(choice !== undefined && { choice }) } });
  };
  return (
    <div
      class="question"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.isComposing || event.repeat || !event.isTrusted) return;
        if (!(event.target instanceof HTMLInputElement)) return;
        approve(store, card);
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <blockquote class="asked" tabIndex={0}>
        <span>{`${question.label} `}</span>
        <q>
          <Parts parts={question.parts} />
        </q>
      </blockquote>
      {question.choices.length > 0 && (
        <div class="choices" role="radiogroup" aria-label={question.choicesLabel}>
          {question.choices.map((parts, index) => (
            <label class="choice" key={index}>
              <input
                {...(index === 0 && { ref: first })}
                type="radio"
                name={`choice ${id}`}
                checked={draft?.choice === index}
                onChange={() => save('', index)}
              />
              <span>
                <Parts parts={parts} />
              </span>
            </label>
          ))}
        </div>
      )}
      {question.fieldLabel !== undefined && (
        <input
          {...(question.choices.length === 0 && { ref: first })}
          type="text"
          maxLength={answerLength}
          placeholder={question.fieldLabel}
          aria-label={question.fieldLabel}
          autocomplete="off"
          value={draft?.choice === undefined ? (draft?.message ?? '') : ''}
          onInput={(event) => save(event.currentTarget.value)}
        />
      )}
      <p class="about">{question.hint}</p>
      <p class="refusal" role="status">
        {isMissing && question.missing}
      </p>
    </div>
  );
}
