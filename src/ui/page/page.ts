/** The approvals page: draws what the host sends, and sends what the user does. It knows nothing else and keeps nothing. */
import { createCardList, type CardList } from './cardList.ts';
import { createDrafts, type PageStorage } from './drafts.ts';
import { element } from './element.ts';
import { listenToKeys } from './keyboard.ts';
import type { PageMessage } from './fromPage.ts';
import type { Notice, StateMessage, Strings, ToPage } from './messages.ts';
import { createOutOfView, type OutOfView } from './outOfView.ts';
import { createModeBanner } from './modeBanner.ts';
import { createRestrictions } from './restrictions.ts';

declare function acquireVsCodeApi(): PageStorage & { postMessage(message: unknown): void };

const host = acquireVsCodeApi();
const secret = document.body.dataset['secret'] ?? '';
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is VS Code's channel, not a window's
const send = (message: PageMessage): void => host.postMessage({ ...message, secret });

const waiting = element('ul', { class: 'cards', role: 'list' });
const recent = element('ul', { class: 'cards', role: 'list' });
const waitingHeading = element('h2', { class: 'spoken', tabindex: '-1' });
const recentHeading = element('h2', { class: 'section' });
const recentSection = element('section', { hidden: '' }, recentHeading, recent);
const welcome = element('section', { class: 'welcome', hidden: '' });
const notice = element('section', { class: 'notice', hidden: '' });
const emptyTarget = (): HTMLElement => welcome.querySelector('p') ?? waitingHeading;
const restrictions = createRestrictions(send, () => (welcome.hidden ? waitingHeading : emptyTarget()));
const modeBanner = createModeBanner(send, () => (welcome.hidden ? waitingHeading : emptyTarget()));
const main = element(
  'main',
  {},
  notice,
  modeBanner.region,
  restrictions.region,
  waitingHeading,
  waiting,
  welcome,
  recentSection,
);
// Both exist from the start: a screen reader announces changes of a region, not a new region.
const polite = element('div', { class: 'spoken', role: 'status' });
const assertive = element('div', { class: 'spoken', role: 'alert' });
const drafts = createDrafts(host);
let list: CardList | undefined;
let outOfView: OutOfView | undefined;
const drawnNotices = new Map<HTMLElement, string>();
main.prepend(...document.querySelectorAll('h1'));
document.body.append(main, polite, assertive);

function start(strings: Strings): CardList {
  waitingHeading.textContent = strings.waiting;
  recentHeading.textContent = strings.recent;
  const created = createCardList({ main, waiting, recent }, { send, strings, drafts, emptyTarget });
  listenToKeys(created, () => send({ type: 'leave' }));
  outOfView = createOutOfView(main, created, strings);
  return created;
}

function drawState(state: StateMessage): void {
  if (state.strings && !list) list = start(state.strings);
  drawNotice(welcome, state.welcome);
  if (state.notice) drawNotice(notice, state.notice);
  notice.hidden = state.notice === undefined;
  modeBanner.draw(state.mode);
  restrictions.draw(state.restrictions);
  welcome.hidden = state.waiting.length > 0;
  recentSection.hidden = state.recent.length === 0;
  drafts.keep(state.waiting);
  list?.render(state);
  outOfView?.refresh();
  if (state.announce) (state.announce.assertive ? assertive : polite).textContent = state.announce.text;
}

function drawNotice(section: HTMLElement, { text, buttons }: Notice): void {
  const key = JSON.stringify([text, buttons]);
  if (key === drawnNotices.get(section)) return;
  drawnNotices.set(section, key);
  section.replaceChildren(
    element('p', { tabindex: '-1' }, text),
    ...buttons.map((button) => {
      const made = element('button', { type: 'button', class: 'primary' }, button.text);
      made.addEventListener('click', () => send({ type: 'command', command: button.command }));
      return made;
    }),
  );
}

function receive(message: ToPage): void {
  if (message.type === 'state') return drawState(message);
  if (message.type === 'armed') return list?.armed(message.display);
  const view = message.id === undefined ? undefined : list?.get(message.id);
  if (message.type === 'focus') list?.focus(view);
  else if (message.type === 'rows') view?.append(message);
  else if (message.type === 'rulePreview') view?.preview(message);
  else if (message.type === 'selection') view?.select(message);
  else list?.refused(message.id, message.text);
}

// Only the host can reach this window: a webview has no other frame in it, and its content policy lets none in.
addEventListener('message', (event: MessageEvent<ToPage>) => receive(event.data));
send({ type: 'ready' });
