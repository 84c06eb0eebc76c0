import type { JSX } from 'preact';
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
          <button
            class="link"
            aria-label={t('Change mode')}
            onClick={(event) => event.isTrusted && store.send({ type: 'command', command: 'drawbridge.setMode' })}
          >
            {t('Change')}
          </button>
        </p>
      )}
      {mode && (
        <section class={`notice mode ${mode.tone}`} role="status">
          <p>
            <Timed text={mode.text} />{' '}
            <PlainButton words={mode.back} class="link" click={() => store.send({ type: 'manualMode' })} />
          </p>
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
      {notice.buttons.map(({ text, command }) => (
        <button
          key={command}
          class="primary"
          onClick={(event) => event.isTrusted && store.send({ type: 'command', command })}
        >
          {text}
        </button>
      ))}
    </>
  );
}
