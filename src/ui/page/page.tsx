/** The review page: draws what the host sends, and sends what the user does. It knows nothing else and keeps nothing. */
import { render } from 'preact';
import { toggleDecline, openDiff } from './acts.ts';
import { App } from './app.tsx';
import { cardFor } from './cards.ts';
import type { PageMessage } from './fromPage.ts';
import { listenToKeys } from './keyboard.ts';
import type { PageAsk, StateMessage, ToPage } from './messages.ts';
import { stopsOf } from './owner.ts';
import { hasKeyboard, isOccupied } from './presence.ts';
import { PageStore } from './store.ts';
import { setPalette, themeNow } from './theme.ts';
import { watchParts } from './watchParts.ts';
import { announcement, outcomeText } from './words/pageText.ts';
import { english as t } from './words/translate.ts';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; setState(state: unknown): void };

const vscode = acquireVsCodeApi();
const secret = document.body.dataset['secret'] ?? '';
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is VS Code's channel, not a window's
const send = (message: PageMessage): void => vscode.postMessage({ ...message, secret });
/** Milliseconds for which the live region holds what became of a decision. */
const outcomeTime = 10_000;

const root = document.createElement('div');
root.id = 'root';
// Both exist from the start: a screen reader announces changes of a region, not a new region.
const live = (role: string): HTMLElement => {
  const region = document.createElement('div');
  region.className = 'spoken';
  region.setAttribute('role', role);
  return region;
};
const [polite, assertive] = [live('status'), live('alert')];
document.body.append(root, polite, assertive);

const main = (): HTMLElement => document.querySelector('main') ?? root;
const store = new PageStore(send, {
  isOccupied: () => isOccupied(root),
  isFree: ({ group, ids }) => {
    const bar = root.querySelector<HTMLElement>('footer');
    if (bar && isOccupied(bar) && ids.some((id) => id === store.owner)) return false;
    const names = [...ids.map((id) => `[data-stop="${CSS.escape(id)}"]`), `[data-group="${CSS.escape(group ?? '')}"]`];
    return ![...main().querySelectorAll<HTMLElement>(names.join())].some(isOccupied);
  },
});
/** Announced approvals that wait still; the region tells of them. */
let told: readonly string[] = [];

function draw(): void {
  render(<App store={store} bringUp={bringUp} />, root);
}

/** Draws at once what would be drawn in a moment, so that the new elements can be reached. */
function bringUp(id: string): void {
  const group = store.groupOf(id);
  if (group !== undefined && group !== id && !store.isOpen(group)) store.toggleGroup(group, true);
  store.picked = id;
  draw();
  const stop = stopsOf(main()).find((each) => each.id === id);
  const element = stop?.element ?? main().querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"]`);
  element?.scrollIntoView({ block: 'start' });
  element?.querySelector<HTMLElement>(stop?.isGroup ? 'button' : 'h3')?.focus({ preventScroll: true });
  // The keyboard came by a command or by a decision: what it would decide now starts its time anew.
  if (stop && !stop.isGroup) store.display(id);
  store.changed();
}

/** Takes a new state, and moves on from what was decided here. */
function takeState(message: StateMessage): void {
  const order = store.order;
  const holder = holderOf(document.activeElement);
  const wasOwner = store.owner;
  const hadKeyboard = hasKeyboard(root);
  store.receive(message);
  draw();
  const isOver = (id: string | undefined): id is string =>
    id !== undefined && order.includes(id) && !store.isWaiting(id);
  const ended = isOver(holder) ? holder : isOver(wasOwner) && store.isDecided(wasOwner) ? wasOwner : undefined;
  if (ended !== undefined) moveOn(ended, order, hadKeyboard);
  else if (hadKeyboard && !root.contains(document.activeElement)) keepKeyboard(holder);
  announce(message);
  const [newest] = message.waiting.filter((id) => !order.includes(id));
  if (newest !== undefined && !isAttended()) showFirstUnseen();
}

/** The element that had the keyboard is gone, but nothing was decided: the keyboard stays on the page. */
function keepKeyboard(holder: string | undefined): void {
  if (holder !== undefined && store.order.includes(holder)) return bringUp(holder);
  const target = root.querySelector<HTMLElement>('.welcome p') ?? root.querySelector<HTMLElement>('#waiting');
  target?.focus({ preventScroll: true });
}

/** Brings up the next request that waits; after the last one the keyboard goes back into the editor. */
function moveOn(ended: string, order: readonly string[], hadKeyboard: boolean): void {
  const waiting = store.order.filter((id) => store.isWaiting(id));
  const index = order.indexOf(ended);
  const next = waiting.find((id) => order.indexOf(id) > index) ?? waiting.at(-1);
  if (next !== undefined) {
    const group = store.groupOf(next);
    return bringUp(group !== undefined && !store.isOpen(group) ? group : next);
  }
  if (PLACE === 'sideBar') main().scrollTo({ top: 0 });
  if (!hadKeyboard) return;
  root.querySelector<HTMLElement>('.welcome p')?.focus({ preventScroll: true });
  send({ type: 'leave' });
}

function announce({ announce: fresh, approvals, waiting }: StateMessage): void {
  const news = announcement(
    fresh.flatMap((id) => store.approval(id) ?? []),
    fresh.flatMap((id) => store.read(id) ?? []),
    t,
  );
  const outcomes = approvals.filter(({ approval: { id } }) => !waiting.includes(id) && decidedHere.delete(id));
  if (news) {
    told = fresh;
    (news.assertive ? assertive : polite).textContent = news.text;
  } else if (outcomes.length > 0) {
    const text = outcomes.map((page) => outcomeText(page, t)).join(' ');
    told = [];
    polite.textContent = text;
    setTimeout(() => {
      if (polite.textContent === text) polite.textContent = '';
    }, outcomeTime);
  } else if (told.length > 0 && !told.some((id) => waiting.includes(id))) {
    told = [];
    polite.textContent = assertive.textContent = '';
  }
}

/** Approvals that were decided on this page, and whose outcome is to be read out. */
const decidedHere = new Set<string>();

function holderOf(element: Element | null): string | undefined {
  return (
    element?.closest<HTMLElement>('article')?.dataset['approval'] ??
    element?.closest<HTMLElement>('footer')?.dataset['owner']
  );
}

/** Pointer or keyboard are anywhere on the page. */
function isAttended(): boolean {
  const hasFocus = document.hasFocus() && document.activeElement !== document.body;
  return hasFocus || document.documentElement.matches(':hover');
}

/** Only while nobody is at the page: nothing moves under a pointer, or away from a user who types. */
function showFirstUnseen(): void {
  const unseen = stopsOf(main()).find(({ id, isGroup }) => !isGroup && !store.hasSeen(id));
  unseen?.element.scrollIntoView({ block: unseen.element.offsetHeight > innerHeight ? 'start' : 'nearest' });
  store.changed();
}

function stepBy(direction: 1 | -1): void {
  const stops = [...main().querySelectorAll<HTMLElement>('[data-stop], [data-group]')];
  const active = document.activeElement;
  const holder = holderOf(active);
  const current = stops.findIndex((stop) => stop.contains(active) || stop.dataset['stop'] === (holder ?? ''));
  const next = current < 0 ? stops.at(direction > 0 ? 0 : -1) : stops[current + direction];
  const group = next?.dataset['group'];
  const id = group ?? next?.dataset['stop'];
  if (id === undefined) return;
  if (group === undefined || !store.isOpen(group)) return bringUp(id);
  next?.scrollIntoView({ block: 'start' });
  next?.querySelector('button')?.focus({ preventScroll: true });
}

/** Does what a command of the editor asks for. None of them decides anything. */
function doAsk(ask: PageAsk): void {
  const card = store.owner === undefined ? undefined : cardFor(store, store.owner);
  if (ask === 'next') return stepBy(1);
  if (ask === 'previous') return stepBy(-1);
  if (!card) return;
  if (ask === 'decline') {
    toggleDecline(store, card, true);
    draw();
    document.querySelector<HTMLElement>('footer .decline input')?.focus();
  } else if (ask === 'openDiff') openDiff(store, card);
  else if (ask === 'openReview') store.send({ type: 'openReview', id: card.id });
  else leaveOutHunk(card.id, card.drawing);
}

/** Leaves out the hunk that has the keyboard, or takes it in again. */
function leaveOutHunk(id: string, drawing: number): void {
  const row =
    document.activeElement?.closest<HTMLElement>('.row.hunk') ??
    document.activeElement?.closest('[role="row"]')?.querySelector<HTMLElement>('.row.hunk') ??
    document.querySelector<HTMLElement>('.hunk-rows:hover .row.hunk');
  const file = Number(row?.closest<HTMLElement>('[data-file]')?.dataset['file']);
  const hunk = Number(row?.dataset['hunk']);
  const state = store.approval(id)?.drawing?.files[file];
  if (row === null || row === undefined || !state?.canSelect || holderOf(row) !== id) return;
  store.send({ type: 'selectHunk', id, drawing, file, hunk, included: state.hunks[hunk]?.included === false });
}

function receive(message: ToPage): void {
  if (message.type === 'state') return takeState(message);
  if (message.type === 'ask') return doAsk(message.ask);
  if (message.type === 'palette') return setPalette(message);
  if (message.type !== 'focus') return store.receive(message);
  const first = store.order.find((id) => store.isWaiting(id));
  const id = message.id ?? first;
  if (id !== undefined) bringUp(id);
}

watchParts(send);
store.onChange(draw);
store.onDecided((id) => decidedHere.add(id));
listenToKeys(store, { step: stepBy, leave: () => send({ type: 'leave' }) });
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') store.undisplayAll();
  store.changed();
});
/** What the pointer or the keyboard is in is picked: it owns the action bar while it is in view. */
function pick(event: Event): void {
  const stop = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-stop]') : null;
  const id = stop?.dataset['stop'];
  if (id === undefined || id === store.picked) return;
  store.picked = id;
  store.changed();
}
/** The element that the pointer is pressed on. The bar may change its height, so nothing is picked before the click has arrived. */
let pressed: Event | undefined;
root.addEventListener('focusin', (event) => {
  if (pressed === undefined) pick(event);
});
root.addEventListener('pointerdown', (event) => (pressed = event));
for (const type of ['pointerup', 'pointercancel']) {
  addEventListener(type, () => {
    const from = pressed;
    pressed = undefined;
    if (from) setTimeout(() => pick(from));
  });
}
root.addEventListener('pointerleave', () => store.arrange());
root.addEventListener('focusout', () => setTimeout(() => store.arrange()));
draw();
// Only the host can reach this window: a webview has no other frame in it, and its content policy lets none in.
addEventListener('focus', () => send({ type: 'focused' }));
addEventListener('message', (event: MessageEvent<ToPage>) => receive(event.data));
if (PLACE === 'tab') vscode.setState({ id: document.body.dataset['only'] ?? '' });
let sentTheme = '';
/** The host colours code by the theme, which the editor tells the page alone. */
function sendTheme(): void {
  const theme = themeNow();
  if (JSON.stringify(theme) === sentTheme) return;
  sentTheme = JSON.stringify(theme);
  // Colours of another theme may not be readable in this one.
  document.adoptedStyleSheets = [];
  send({ type: 'theme', theme });
}
sendTheme();
const themed = new MutationObserver(sendTheme);
themed.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
themed.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
send({ type: 'ready' });
if (document.hasFocus()) send({ type: 'focused' });
