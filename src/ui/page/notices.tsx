import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { deciding } from './deciding.ts';
import { useDisplayed } from './displayed.ts';
import type { PageCommand } from './fromPage.ts';
import { PlainButton, Timed } from './parts.tsx';
import type { PageStore } from './store.ts';
import { modeBannerText, noticeText, otherWindowText, restrictionText, welcomeText } from './words/pageText.ts';
import { english as t } from './words/translate.ts';
import type { Notice } from './words/view.ts';

/** What stands above the cards: warnings of the window, the mode, and what assistants may not do now. */
export function Notices({ store }: { readonly store: PageStore }): JSX.Element | null {
  const { host } = store;
  if (!host) return null;
  const notice = noticeText(host.status, t);
  const mode = modeBannerText(host.mode, t);
  return (
    <>
      {notice && (
        <section class="notice">
          <NoticeText store={store} notice={notice} />
        </section>
      )}
      {!mode && (
        <p class="mode-line">
          {t('Manual: every change asks.')}{' '}
          <CommandButton
            store={store}
            text={t('Change')}
            label={t('Change mode')}
            command="drawbridge.setMode"
            isLink
          />
        </p>
      )}
      {mode && (
        <section class={`notice mode ${mode.tone}`} role="status">
          <p>
            <Timed text={mode.text} />{' '}
            <PlainButton words={mode.back} class="link" click={() => store.send({ type: 'manualMode' })} />
          </p>
          <ModeOffer store={store} ids={host.allowedByMode} />
        </section>
      )}
      {host.status.otherWindows.length > 0 && (
        <section class="notice" role="status" aria-label={t('Other windows')}>
          {host.status.otherWindows.map((window) => (
            <p key={window.name}>{otherWindowText(window, t)}</p>
          ))}
        </section>
      )}
      {host.restrictions.map((restriction) => {
        const { id, text, lift } = restrictionText(restriction, t);
        return (
          <section class="notice restriction" key={id}>
            <p>
              <Timed text={text} />
            </p>
            <PlainButton words={lift} click={() => store.send({ type: 'lift', restrictionId: id })} />
          </section>
        );
      })}
    </>
  );
}

/** The button that applies the edits that wait since before the mode was widened. The mode would not ask for them now. */
function ModeOffer({ store, ids }: { readonly store: PageStore; readonly ids: readonly string[] }): JSX.Element | null {
  const edits = ids.flatMap((id) => {
    const page = store.approval(id);
    return page && !page.isElsewhere && !store.isDecided(id) ? [page.approval] : [];
  });
  const hashes = edits.map(({ proposalHash }) => proposalHash).join(' ');
  const display = (): void => store.displayGroup('mode');
  const line = useDisplayed(store, modeKey, edits.length > 0, display);
  useEffect(() => {
    // Another edit joined or left, so the button means something else.
    if (store.displayOf(modeKey) !== undefined) display();
  }, [hashes]);
  if (edits.length === 0) return null;
  const isArmed = store.isArmed(modeKey);
  const apply = (): void => {
    if (!isArmed) return;
    store.send({ type: 'applyByMode', approvals: edits.map(({ id, proposalHash }) => ({ id, proposalHash })) });
    for (const { id } of edits) store.decided(id);
  };
  return (
    <div ref={line}>
      <button
        aria-disabled={!isArmed}
        {...deciding([modeKey, store.displayOf(modeKey), isArmed, hashes].join(' '), apply)}
      >
        {edits.length === 1 ? t('Apply the waiting edit') : t('Apply {0} waiting edits', edits.length)}
      </button>
    </div>
  );
}

const modeKey = 'group mode';

/** What the page says while nothing waits. */
export function Welcome({ store }: { readonly store: PageStore }): JSX.Element | null {
  if (!store.host) return null;
  return (
    <section class="welcome">
      <NoticeText store={store} notice={welcomeText(store.host.status, t)} />
    </section>
  );
}

function NoticeText({ store, notice }: { readonly store: PageStore; readonly notice: Notice }): JSX.Element {
  return (
    <>
      <p tabIndex={-1}>{notice.text}</p>
      {notice.steps && (
        <ol class="steps">
          {notice.steps.map(({ text, command }) => (
            <li key={text}>{command ? <CommandButton store={store} text={text} command={command} isLink /> : text}</li>
          ))}
        </ol>
      )}
      {notice.buttons.map(({ text, command }, index) => (
        <CommandButton key={command} store={store} text={text} command={command} isSecond={index > 0} />
      ))}
    </>
  );
}

function CommandButton({
  store,
  text,
  label,
  command,
  isLink = false,
  isSecond = false,
}: {
  readonly store: PageStore;
  readonly text: string;
  /** The accessible name; the text when absent. */
  readonly label?: string;
  readonly command: PageCommand;
  readonly isLink?: boolean;
  readonly isSecond?: boolean;
}): JSX.Element {
  return (
    <button
      class={isLink ? 'link' : isSecond ? '' : 'primary'}
      aria-label={label}
      onClick={(event) => event.isTrusted && store.send({ type: 'command', command })}
    >
      {text}
    </button>
  );
}
