import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { approve, decline, isEndReached, isOpen, openDiff, toggleDecline, tokenOf } from './acts.ts';
import { deciding } from './deciding.ts';
import { DeclineRow } from './declineRow.tsx';
import { GroupActions } from './groups.tsx';
import { PlainButton } from './parts.tsx';
import { RuleConfirmation, RuleMenu } from './ruleMenu.tsx';
import type { PageStore } from './store.ts';
import { refusalText } from './words/pageText.ts';
import { english as t } from './words/translate.ts';
import type { Button as ButtonWords, Card } from './words/view.ts';

const isMac = navigator.platform.startsWith('Mac');

interface ActionBarProps {
  readonly store: PageStore;
  /** The card that owns the bar; absent when a closed group or nothing does. */
  readonly card: Card | undefined;
  /** The open or closed group that the owner belongs to. */
  readonly group: string | undefined;
  readonly above: { readonly count: number; readonly show: () => void };
  readonly below: { readonly count: number; readonly show: () => void };
}

/**
 * The buttons of one request at a time: of the one that owns the top of the view, or that the user picked. When the owner or the
 * place of the bar changes, its time starts anew (threat row A17).
 */
export function ActionBar({ store, card, group, above, below }: ActionBarProps): JSX.Element {
  const bar = useRef<HTMLElement>(null);
  const last = useRef({ id: '', place: '', hash: '' });
  useLayoutEffect(() => {
    const now = { id: card?.id ?? '', place: placeOf(bar.current), hash: card?.proposalHash ?? '' };
    const { id, place, hash } = last.current;
    last.current = now;
    // A new owner was displayed when it got the bar.
    if (now.id !== id || now.place === place || !card || store.displayOf(card.id) === undefined) return;
    // The user moved the buttons by what they selected in the card: nothing changed under their hands.
    const isOwn = now.hash !== hash && store.approval(card.id)?.ownSelection === true;
    if (!isOwn) store.display(card.id);
  });
  return (
    <footer ref={bar} data-owner={card?.id} aria-label={barLabel(card)}>
      {PLACE === 'sideBar' && (above.count > 0 || below.count > 0) && (
        <div class="elsewhere">
          {above.count > 0 && <button onClick={above.show}>{t('{0} waiting above', above.count)}</button>}
          {below.count > 0 && <button onClick={below.show}>{t('{0} waiting below', below.count)}</button>}
        </div>
      )}
      {card && <Decision store={store} card={card} key={card.id} />}
      {PLACE === 'sideBar' && group !== undefined && <GroupActions store={store} id={group} />}
    </footer>
  );
}

function barLabel(card: Card | undefined): string {
  if (!card) return t('Decisions');
  return card.elsewhere ? t('Decided in a tab: {0}', card.owner) : t('Decision: {0}', card.owner);
}

/** Returns the place of the buttons in the view. */
function placeOf(bar: HTMLElement | null): string {
  const buttons = bar?.querySelector('.decision > .buttons > :first-child');
  if (!buttons) return '';
  const { left, top } = buttons.getBoundingClientRect();
  return `${Math.round(left)} ${Math.round(top)}`;
}

function Decision({ store, card }: { readonly store: PageStore; readonly card: Card }): JSX.Element {
  const { id } = card;
  const page = store.approval(id);
  const { draft, comments } = store.remembered(id);
  const refusal = store.refusal(id);
  const isDeclining = card.decline !== undefined && draft?.isOpen === true;
  const [wasToggled, setToggled] = useState(false);
  const token = tokenOf(store, card);
  const early = refusal === 'too_fast' || refusal === 'not_displayed' ? refusal : undefined;
  const preview = store.preview?.id === id ? store.preview : undefined;
  /** A button that decides, besides Approve. */
  const other = (words: ButtonWords | undefined, isReady: boolean, decide: () => void): JSX.Element | undefined =>
    words && (
      <button aria-label={words.label} aria-disabled={!isReady} {...deciding(token, decide)}>
        {words.text}
      </button>
    );
  if (card.elsewhere) {
    return (
      <div class="decision">
        <p class="owner">{card.owner}</p>
        <p class="hint">{card.elsewhere.text}</p>
        <div class="buttons">
          <PlainButton
            words={card.elsewhere.show}
            class="primary"
            click={() => store.send({ type: 'openReview', id })}
          />
        </div>
      </div>
    );
  }
  return (
    <div class="decision">
      <p class="owner" title={card.headlineTitle ?? card.headline}>
        {card.owner}
      </p>
      <p class={early ? 'refusal early' : 'refusal'} role="status">
        {refusal !== undefined && refusalText(refusal, card, t)}
      </p>
      {!isEndReached(store, card) && (
        <p class="hint" id="end-hint">
          {card.endHint}
        </p>
      )}
      {comments.length > 0 && <p class="hint">{commentHint(comments.length, page?.ownTool !== undefined)}</p>}
      {isDeclining && card.decline && <DeclineRow store={store} card={card} words={card.decline} focus={wasToggled} />}
      {card.confirm && <CountField store={store} card={card} confirm={card.confirm} />}
      <p class="hint" role="status" id="empty-hint">
        {card.blockedHint}
      </p>
      <div class="buttons">
        {card.approve && (
          <div class="split">
            <button
              class={card.isGrave ? 'approve' : 'approve primary'}
              aria-label={card.approve.label}
              aria-keyshortcuts={card.isGrave ? undefined : isMac ? 'Meta+Enter' : 'Control+Enter'}
              aria-describedby="end-hint empty-hint"
              aria-disabled={!isOpen(store, card, true)}
              {...deciding(token, () => approve(store, card))}
            >
              {card.approve.text}
              {!card.isGrave && <span class="chord" data-chord={isMac ? '⌘↵' : t('Ctrl+↵')} />}
            </button>
            {card.rules && <RuleMenu store={store} card={card} rules={card.rules} isPrimary={!card.isGrave} />}
          </div>
        )}
        {other(card.approveInEditor, isOpen(store, card, true), () => approve(store, card, true))}
        {!isEndReached(store, card) &&
          other(card.approveUnread, isOpen(store, card, true, true), () => approve(store, card, undefined, true))}
        {other(card.refuse, isOpen(store, card, false), () => decline(store, card))}
        {card.openReview && (
          <PlainButton words={card.openReview} click={() => store.send({ type: 'openReview', id })} />
        )}
        {card.openDiff && <PlainButton words={card.openDiff} click={() => openDiff(store, card)} />}
        {card.decline && (
          <button
            class="decline-toggle"
            aria-label={card.decline.label}
            aria-expanded={isDeclining}
            onClick={(event) => {
              if (!event.isTrusted) return;
              setToggled(!isDeclining);
              toggleDecline(store, card, !isDeclining);
            }}
          >
            {comments.length > 0 ? t('Request changes…') : card.decline.text}
          </button>
        )}
      </div>
      {preview && page && <RuleConfirmation store={store} card={card} page={page} preview={preview} />}
    </div>
  );
}

/** @param isOwnTool the assistant makes the change by itself, so that words reach it only with a decline */
function commentHint(count: number, isOwnTool: boolean): string {
  const comments = count === 1 ? t('1 comment goes') : t('{0} comments go', count);
  return isOwnTool ? t('{0} with Decline, and not with Approve.', comments) : t('{0} with your decision.', comments);
}

/** The field in which the user types how many files they mean to delete. */
function CountField({
  store,
  card: { id },
  confirm: { count, label, mismatch },
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly confirm: NonNullable<Card['confirm']>;
}): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [wasLeft, setLeft] = useState(false);
  const typed = store.typed.get(id) ?? '';
  const isRight = typed.trim() === String(count);
  const isMissing = store.complaint === id;
  const isWrong = !isRight && (isMissing || (wasLeft && typed.trim() !== ''));
  useEffect(() => {
    if (isMissing) field.current?.focus();
  }, [isMissing]);
  return (
    <div class="count">
      <label for="count">{label}</label>
      <input
        ref={field}
        id="count"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        aria-describedby="count-error"
        aria-invalid={isWrong}
        value={typed}
        onInput={(event) => {
          store.typed.set(id, event.currentTarget.value);
          store.complaint = undefined;
          setLeft(false);
          store.changed();
        }}
        // The field does not complain while the user is still typing.
        onChange={() => setLeft(true)}
      />
      <p class="refusal" id="count-error" role="status">
        {isWrong && mismatch}
      </p>
    </div>
  );
}
