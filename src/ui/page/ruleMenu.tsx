import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { approveWithRule, isOpen, tokenOf } from './acts.ts';
import { deciding } from './deciding.ts';
import type { RuleScope } from './fromPage.ts';
import type { PageApproval, RulePreview } from './messages.ts';
import type { PageStore } from './store.ts';
import { rulePreviewText } from './words/ruleText.ts';
import { english as t } from './words/translate.ts';
import type { Card, RuleMenu as RuleMenuWords } from './words/view.ts';

/** The narrow half of the split button: opens a menu of the rules that approving can be made of. Nothing in it decides anything. */
export function RuleMenu({
  store,
  card,
  rules,
  isPrimary,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly rules: RuleMenuWords;
  readonly isPrimary: boolean;
}): JSX.Element {
  const [isShown, setShown] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const items = (): HTMLButtonElement[] => [...(menu.current?.querySelectorAll('button') ?? [])];
  const [fromEnd, setFromEnd] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const first = items().find(({ dataset }) => dataset['wide'] === undefined);
    (fromEnd ? items().at(-1) : (first ?? menu.current))?.focus({ preventScroll: true });
  }, [isShown]);
  const show = (last: boolean): void => {
    setFromEnd(last);
    setShown(true);
  };
  const leave = (): void => {
    setShown(false);
    opener.current?.focus({ preventScroll: true });
  };
  const choose = (event: Event, suggestion: number, scope: RuleScope): void => {
    // A script that chooses for the user is not heard (threat row A2).
    if (!event.isTrusted) return;
    leave();
    store.send({ type: 'previewRule', id: card.id, proposalHash: card.proposalHash, suggestion, scope });
  };
  const targetOf = (key: string): HTMLButtonElement | undefined => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    if (key === 'ArrowDown') return all[(at + 1) % all.length];
    return key === 'ArrowUp' ? all.at(at - 1) : undefined;
  };
  return (
    <>
      <button
        ref={opener}
        class={isPrimary ? 'opener primary' : 'opener'}
        aria-haspopup="menu"
        aria-expanded={isShown}
        aria-controls="rule-menu"
        aria-label={rules.label}
        title={rules.label}
        onClick={() => (isShown ? leave() : show(false))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          show(event.key === 'ArrowUp');
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div
        ref={menu}
        id="rule-menu"
        class="menu"
        role="menu"
        tabIndex={-1}
        aria-label={rules.label}
        hidden={!isShown}
        onKeyDown={(event) => {
          const target = targetOf(event.key);
          if (target) target.focus();
          else if (event.key === 'Escape' || event.key === 'Tab') leave();
          else return;
          // Tab goes on from the opener.
          if (event.key !== 'Tab') event.preventDefault();
          event.stopPropagation();
        }}
        onFocusOut={({ relatedTarget }) => {
          const isInside =
            relatedTarget instanceof Node &&
            (menu.current?.contains(relatedTarget) || relatedTarget === opener.current);
          if (!isInside) setShown(false);
        }}
      >
        <div class="menu-title" role="presentation">
          {rules.label}
        </div>
        {rules.wide && (
          <button
            role="menuitem"
            class="wide"
            data-wide
            tabIndex={-1}
            onClick={(event) => choose(event, rules.wide?.suggestion ?? 0, 'session')}
          >
            {rules.wide.text}
            <small>{rules.wide.note}</small>
          </button>
        )}
        {rules.groups.map(({ label, items: choices }, at) => (
          <div role="group" aria-labelledby={`rule-group-${at}`} key={label}>
            <div class="heading" id={`rule-group-${at}`} role="presentation">
              {label}
            </div>
            {choices.map(({ text, suggestion, scope }) => (
              <button
                key={`${scope} ${suggestion}`}
                role="menuitem"
                tabIndex={-1}
                onClick={(event) => choose(event, suggestion, scope)}
              >
                {text}
              </button>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** The rule that the user chose, as it would be kept, with the button that saves it and approves. */
export function RuleConfirmation({
  store,
  card,
  page,
  preview,
}: {
  readonly store: PageStore;
  readonly card: Card;
  readonly page: PageApproval;
  readonly preview: RulePreview;
}): JSX.Element {
  const region = useRef<HTMLDivElement>(null);
  const { label, sentence, reach, matches, json, save, cancel } = rulePreviewText(preview, page, t);
  useEffect(() => {
    region.current?.focus({ preventScroll: true });
    region.current?.scrollIntoView({ block: 'nearest' });
  }, [preview]);
  const close = (): void => {
    store.preview = undefined;
    store.changed();
    document.querySelector<HTMLElement>('footer .opener')?.focus();
  };
  return (
    <div
      ref={region}
      class="rule"
      role="group"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <p class="sentence">{sentence}</p>
      <p>{reach}</p>
      <p>{matches}</p>
      <details class="more-about">
        <summary>{json.text}</summary>
        <pre tabIndex={0}>{json.value}</pre>
      </details>
      <div class="buttons">
        <button
          class="primary"
          aria-label={save.label}
          aria-disabled={!isOpen(store, card, true)}
          {...deciding(tokenOf(store, card), () => approveWithRule(store, card, preview))}
        >
          {save.text}
        </button>
        <button aria-label={cancel.label} onClick={close}>
          {cancel.text}
        </button>
      </div>
    </div>
  );
}
