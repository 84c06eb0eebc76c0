import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { decline, isOpen, toggleDecline, tokenOf } from './acts.ts';
import { deciding } from './deciding.ts';
import type { DeclineReason } from './fromPage.ts';
import type { PageStore } from './store.ts';
import type { Card, Decline } from './words/view.ts';

/** The longest message that the host takes, in UTF-16 units. */
const messageLength = 2000;

/** The field for words to the assistant, the quick reasons, and the buttons that decline. */
export function DeclineRow({
  store,
  card,
  words,
  focus,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly words: Decline;
  /** The user opened the field just now. */
  readonly focus: boolean;
}): JSX.Element {
  const { id } = card;
  const { draft } = store.remembered(id);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus, id]);
  const { reasonCode } = draft ?? {};
  const save = (message: string, reason: DeclineReason | undefined): void =>
    store.remember(id, { draft: { message, isOpen: true, ...(reason && { reasonCode: reason }) } });
  const choose = (code: DeclineReason | undefined): void => save(draft?.message ?? '', code);
  const token = tokenOf(store, card);
  const isDisabled = !isOpen(store, card, false);
  return (
    <div
      class="decline"
      onKeyDown={(event) => {
        if (event.isComposing || !event.isTrusted) return;
        const isOnButton = event.target instanceof HTMLButtonElement;
        const isChord = event.ctrlKey || event.metaKey;
        // With a decline half made, Enter can only mean "send it", never "approve". On a button the key alone presses it.
        if (event.key === 'Enter' && !event.repeat && !(isOnButton && !isChord)) {
          decline(store, card, event.target instanceof HTMLElement && event.target.classList.contains('pause'));
        } else if (event.key === 'Escape') {
          toggleDecline(store, card, false);
          document.querySelector<HTMLElement>('footer .decline-toggle')?.focus();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div class="words">
        <input
          ref={field}
          type="text"
          maxLength={messageLength}
          placeholder={words.fieldLabel}
          aria-label={words.fieldLabel}
          autocomplete="off"
          value={draft?.message ?? ''}
          onInput={(event) => save(event.currentTarget.value, reasonCode)}
        />
        <button
          class="primary"
          aria-label={words.send.label}
          aria-disabled={isDisabled}
          {...deciding(token, () => decline(store, card))}
        >
          {words.send.text}
        </button>
      </div>
      <div class="reasons" role="radiogroup" aria-label={words.reasonsLabel}>
        {words.reasons.map(({ code, text }) => (
          <label class="option" key={code}>
            <input
              type="radio"
              name={`reason ${id}`}
              class="spoken"
              checked={code === reasonCode}
              // A reason is optional: choosing it once more takes it back, which a radio button does not do by itself.
              onClick={() => code === reasonCode && choose(undefined)}
              onKeyDown={(event) => {
                if (event.key !== ' ' || code !== reasonCode) return;
                choose(undefined);
                event.preventDefault();
              }}
              onChange={(event) => event.currentTarget.checked && choose(code)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
      <button
        class="pause"
        aria-label={words.pause.label}
        aria-disabled={isDisabled}
        {...deciding(token, () => decline(store, card, true))}
      >
        {words.pause.text}
      </button>
    </div>
  );
}
