/** Small parts that several views of the page share. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TextPart } from '#base/visibleText.ts';
import { styleClasses } from './colours.ts';
import { english as t } from './words/translate.ts';
import type { Button as ButtonWords, Card, Chip, Counts, Disclosure, DrawnRule, TimedText } from './words/view.ts';

/**
 * Text in which escaped characters are drawn apart, so that no file can imitate an escape (threat row A5).
 * @param marksBlanks whether blanks and tabs get a mark; the text stays the same
 */
export function Parts({
  parts,
  marksBlanks = false,
}: {
  readonly parts: readonly (TextPart & { readonly changed?: true; readonly alike?: true; readonly style?: number })[];
  readonly marksBlanks?: boolean;
}): JSX.Element {
  return (
    <>
      {parts.map(({ text, escaped, changed, alike, style }, index) => {
        const look = style === undefined ? [] : styleClasses(style);
        const classes = [escaped && 'escaped', changed && 'changed', alike && 'alike', ...look]
          .filter(Boolean)
          .join(' ');
        const shown = marksBlanks ? marked(text) : text;
        return classes === '' ? (
          shown
        ) : (
          <span key={index} class={classes}>
            {shown}
          </span>
        );
      })}
    </>
  );
}

/** Returns a text with a mark over each tab and each blank. Blanks are marked eight at a time, so that they wrap as before. */
function marked(text: string): (string | JSX.Element)[] {
  return text.split(/( {1,8}|\t)/).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} class="blank" data-mark={piece === '\t' ? '→' : '·'.repeat(piece.length)}>
        {piece}
      </span>
    ),
  );
}

/** Text for screen readers only. */
export function Spoken({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <span class="spoken">{children}</span>;
}

/** A time of day in the time zone of the user. */
function Time({ time }: { readonly time: number }): JSX.Element {
  const date = new Date(time);
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium', hourCycle: 'h23' });
  return <time dateTime={date.toISOString()}>{format.format(date)}</time>;
}

export function Timed({ text }: { readonly text: TimedText }): JSX.Element {
  return <>{text.map((part, index) => (typeof part === 'string' ? part : <Time key={index} time={part.time} />))}</>;
}

/** The line of a card that names the assistant, with its claim, and tells when and how it asked. */
export function WhoLine({ who }: Pick<Card, 'who'>): JSX.Element {
  return (
    <p class="who">
      <span class="client" title={who.claim}>
        {who.client}
        <Spoken>{` (${who.claim})`}</Spoken>
      </span>
      {' · '}
      <Time time={who.time} />
      {who.rest.map((text) => (
        <span key={text}>{` · ${text}`}</span>
      ))}
    </p>
  );
}

export function ChipMark({ chip: { text, tone, icon, title } }: { readonly chip: Chip }): JSX.Element {
  return (
    <span class={`chip ${tone}`} title={title}>
      {icon && <Icon name={icon} />}
      {text}
      {title !== undefined && <Spoken>{`: ${title}`}</Spoken>}
    </span>
  );
}

export function CountsMark({ counts: { added, removed, label } }: { readonly counts: Counts }): JSX.Element {
  return (
    <span class="counts">
      {added !== '' && (
        <span class="added" aria-hidden="true">
          {added}
        </span>
      )}
      {removed !== '' && (
        <span class="removed" aria-hidden="true">
          {removed}
        </span>
      )}
      <Spoken>{label}</Spoken>
    </span>
  );
}

interface PlainButtonProps {
  readonly words: ButtonWords;
  readonly class?: string;
  /** Called for a click of the user only: a script that clicks is not heard (threat row A2). */
  readonly click: () => void;
}

/** A button that decides nothing. */
export function PlainButton({ words: { text, label }, click, class: classes }: PlainButtonProps): JSX.Element {
  return (
    <button class={classes} aria-label={label} onClick={(event) => event.isTrusted && click()}>
      {text}
    </button>
  );
}

/** A part that the user opens to know more. */
export function More({
  disclosure: { text, sentence, rule, steps, details },
  name,
  showRule,
  children,
}: {
  readonly disclosure: Disclosure;
  readonly name: string;
  readonly showRule: () => void;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const rest = (
    <>
      {steps && (
        <ol class="steps" aria-label={steps.label}>
          {steps.items.map((item, index) => (
            <li key={index}>{item}</li>
          ))}
        </ol>
      )}
      {details.length > 0 && (
        <dl>
          {details.map(({ term, value }, index) => (
            <div key={index}>
              <dt>{term}</dt>
              <dd>{typeof value === 'string' ? value : <Time time={value.time} />}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
  return (
    <details class={`more-about ${name}`}>
      <summary>{text}</summary>
      {children}
      {sentence !== undefined && <p class="sentence">{sentence}</p>}
      {rule && (
        <p>
          {rule.text}
          {rule.show && (
            <>
              {' '}
              <PlainButton words={rule.show} class="link" click={showRule} />
            </>
          )}
        </p>
      )}
      {sentence === undefined ? (
        rest
      ) : (
        <details class="more-about">
          <summary>{t('Details')}</summary>
          {rest}
        </details>
      )}
    </details>
  );
}

/** The rule that was made with a card, with the buttons that show, remove and restore it. */
export function SavedRule({
  rule,
  show,
  remove,
  restore,
}: {
  readonly rule: DrawnRule | undefined;
  readonly show: () => void;
  readonly remove: () => void;
  readonly restore: () => void;
}): JSX.Element {
  const line = useRef<HTMLParagraphElement>(null);
  const hadKeyboard = useRef(false);
  // The button that had the keyboard may be replaced by another one.
  useLayoutEffect(() => {
    if (hadKeyboard.current && document.activeElement === document.body) line.current?.querySelector('button')?.focus();
  });
  const acts = [
    [rule?.show, show],
    [rule?.remove, remove],
    [rule?.restore, restore],
  ] as const;
  return (
    <p
      class="saved-rule"
      role="status"
      ref={line}
      onFocusIn={() => (hadKeyboard.current = true)}
      onFocusOut={({ relatedTarget }) => (hadKeyboard.current = relatedTarget === null)}
    >
      {rule?.text}
      {acts.map(
        ([words, act], index) =>
          words && (
            <span key={index}>
              {' · '}
              <PlainButton words={words} class="link" click={act} />
            </span>
          ),
      )}
    </p>
  );
}

const paths = {
  edit: 'M11.3 1.7a1.6 1.6 0 0 1 2.3 0l.7.7a1.6 1.6 0 0 1 0 2.3L5.6 13.4l-3.9.9.9-3.9zm-7.8 9.2-.4 2 2-.4 6.2-6.2-1.6-1.6z',
  shield:
    'M8 1 2.5 3v4.5c0 3.3 2.2 6 5.5 7.5 3.3-1.5 5.5-4.2 5.5-7.5V3zm0 1.3 4.3 1.6v3.6c0 2.7-1.700 4.900-4.300 6.200z',
  trash:
    'M6 1h4l1 1h3v1H2V2h3zM3 4h10l-.7 10.100L11.400 15H4.600l-.9-.9zm1.100 1 .6 9h6.600l.6-9zM6 6h1v7H6zm3 0h1v7H9z',
  play: 'M4 2.200 13 8l-9 5.800zm1.200 2.200v7.200L10.800 8z',
  question:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.200a5.800 5.800 0 1 0 0 11.600A5.800 5.800 0 0 0 8 2.200zM7.400 10.600h1.200V12H7.400zM5.600 6.300a2.400 2.400 0 1 1 3.500 2.100c-.4.200-.5.4-.5.8v.500H7.400v-.5c0-.9.4-1.500 1.100-1.900a1.200 1.200 0 1 0-1.700-1z',
  warning: 'M8 1.500 15 14H1zm0 2.400L3 12.900h10zM7.400 6.500h1.200v3.600H7.400zm0 4.300h1.200V12H7.400z',
  comment: 'M2 2h12v9H7.500L4 14v-3H2zm1 1v7h2v1.800L7.100 10H13V3z',
  diff: 'M3 1h6l4 4v10H3zm1 1v12h8V6H8V2zm3 5h1v2h2v1H8v2H7v-2H5V9h2z',
};

/** A decorative icon in the colour of the text around it. */
export function Icon({ name }: { readonly name: keyof typeof paths }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} fill-rule="evenodd" />
    </svg>
  );
}

/**
 * A check box that shows the state of the host and that only a user changes: a script that clicks for them is not heard (threat
 * row A2).
 */
export function CheckBox({
  label,
  state,
  changed,
  class: classes,
}: {
  readonly label: string;
  readonly state: 'all' | 'some' | 'none';
  readonly changed: (isChecked: boolean) => void;
  readonly class?: string;
}): JSX.Element {
  const draw = (box: HTMLInputElement | null): void => {
    if (!box) return;
    box.checked = state === 'all';
    box.indeterminate = state === 'some';
  };
  return (
    <input
      ref={draw}
      type="checkbox"
      class={classes}
      aria-label={label}
      onClick={(event) => {
        // The box shows what the host says, and not what the browser makes of the click.
        event.preventDefault();
        if (event.isTrusted) changed(state !== 'all');
      }}
    />
  );
}
