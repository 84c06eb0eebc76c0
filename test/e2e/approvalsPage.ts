import { setTimeout as sleep } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Frame, Locator } from 'playwright-core';
import { until } from '../host/until.ts';
import { findingsOf, type AxeFinding } from '../ui/page/axe.ts';
import type { Window } from './harness.ts';
import { themes } from './pictures.ts';

/** Brings up the Approvals view as a user does who comes by the keyboard. */
export async function openApprovals(window: Window): Promise<Frame> {
  await window.command('drawbridge.approvals.focus');
  return window.webview('body[data-view="sideBar"] :is([role="list"], [role="region"], h2)');
}

/** Requests that wait for a decision: their cards, and their rows while they are in a closed group. */
export function waitingCards(page: Frame): Locator {
  return page.locator('main li[data-stop]:not(.group-head) > article, main .group-head .lines > li');
}

/** Returns the action bar. */
export function actionBar(page: Frame): Locator {
  return page.locator('footer');
}

/**
 * Returns a button of the page. A button of the action bar belongs to one request at a time, so the requests are picked one after the
 * other, as a user does who clicks into their cards, until the bar has it.
 */
export async function bringUp(page: Frame, name: RegExp): Promise<Locator> {
  const button = page.getByRole('button', { name }).first();
  const cards = page.locator('main li[data-stop]:not(.group-head) > article');
  await until(async () => {
    if (await button.isVisible()) return true;
    for (const card of await cards.all()) {
      const headline = card.locator('h3');
      await headline.click({ position: { x: 1, y: 1 }, timeout: 5000 }).catch(() => undefined);
      if (await button.isVisible()) return true;
    }
    return false;
  }, `the button ${name}`);
  return button;
}

/**
 * Waits for cards, those in closed groups too, and opens every group. A call that comes close behind another one of its
 * assistant makes a group with it, so whether there is one depends on how fast the machine is.
 */
export async function openGroups(page: Frame, waiting: number): Promise<void> {
  const cards = waitingCards(page);
  await until(async () => (await cards.count()) === waiting, `${waiting} cards`);
  await openClosedGroups(page);
}

async function openClosedGroups(page: Frame): Promise<void> {
  const closed = page.locator('.group-head h3').getByRole('button', { expanded: false });
  await until(async () => {
    if ((await closed.count()) === 0) return true;
    await closed
      .first()
      .click({ timeout: 5000 })
      .catch(() => undefined);
    return false;
  }, 'every group to be open');
}

/** Clicks a button by its accessible name, once it takes clicks, for which its card must be on screen. */
export async function clickButton(page: Frame, name: RegExp): Promise<void> {
  const button = await bringUp(page, name);
  await until(async () => {
    await button.scrollIntoViewIfNeeded({ timeout: 5000 });
    return (await button.getAttribute('aria-disabled', { timeout: 5000 })) !== 'true';
  }, `the button ${name} to take clicks`);
  // The bar may move under the click when its card has just come; a button that opens something tells whether it did.
  const before = await button.getAttribute('aria-expanded');
  await until(async () => {
    await button.click({ timeout: 5000 });
    return before === null || (await button.getAttribute('aria-expanded', { timeout: 1000 })) !== before;
  }, `the button ${name} to open or close`);
}

/**
 * Takes a decision by the button of this name, or by `press`, a key that stands for it. A request that moves between the look at
 * its button and the click takes no click for half a second; then the button takes another.
 */
export async function decide(page: Frame, name: RegExp, press?: () => Promise<void>): Promise<void> {
  const owner = await until(async () => {
    const id = await ownerOf(page, await bringUp(page, name));
    return id === '' || (await stopOf(page, id).count()) > 0 ? { id } : undefined;
  }, `the button ${name} of a request that waits`);
  const bar = owner.id === '' ? page : page.locator(`footer[data-owner="${owner.id}"]`);
  const button = bar.getByRole('button', { name }).first();
  const stop = stopOf(page, owner.id);
  let isPressed = false;
  await until(async () => {
    // The page goes away with an action that brings up another view.
    if (page.isDetached() && isPressed) return true;
    if (owner.id === '') {
      if (!(await button.isVisible())) return true;
    } else if ((await stop.count()) === 0) {
      // A card without a decision is not gone: it stands in a group that has just been made of it and another one.
      if (isPressed || (await finishedCard(page, owner.id).count()) > 0) return true;
      await openClosedGroups(page);
    }
    if (!(await button.isVisible())) await stop.locator('h3').click({ position: { x: 1, y: 1 }, timeout: 1000 });
    await button.scrollIntoViewIfNeeded({ timeout: 1000 });
    if ((await button.getAttribute('aria-disabled', { timeout: 1000 })) === 'false') {
      isPressed = true;
      await (press ? press() : button.click({ timeout: 1000 }));
    } else await lookAtMarkedParts(stop);
    throw new Error(`the action bar says ${JSON.stringify(await actionBar(page).innerText({ timeout: 1000 }))}`);
  }, `a decision by the button ${name}`);
}

/** Returns the line of a request that is over. */
const finishedCard = (page: Frame, id: string): Locator => page.locator(`article.finished[data-approval="${id}"]`);

/** Looks at each part with a warning of a card, as a user does who has clicked into it: a page without the focus tells of none. */
async function lookAtMarkedParts(stop: Locator): Promise<void> {
  const parts = await stop.locator('[data-part]').all();
  if (parts.length > 0) await stop.locator('h3').click({ position: { x: 1, y: 1 }, timeout: 1000 });
  for (const part of parts) {
    await part.scrollIntoViewIfNeeded({ timeout: 1000 });
    // The page counts a part that was visible for 300 ms.
    await sleep(350);
  }
}

/** Returns the id of the request that a button of the action bar decides; empty for a button that decides several. */
async function ownerOf(page: Frame, button: Locator): Promise<string> {
  const bar = page.locator('footer:has(.decision)').filter({ has: page.locator('.decision').filter({ has: button }) });
  return (await bar.count()) === 0 ? '' : ((await bar.getAttribute('data-owner', { timeout: 5000 })) ?? '');
}

/** Returns a request that waits, where it stands on the page. */
const stopOf = (page: Frame, id: string): Locator => page.locator(`main [data-stop="${id}"]`);

/**
 * Approves the cards of a group by the button that approves all of them (`all`). The extension host may refuse a single card, for
 * the reason that `decide` gives: that card stays alone, without the group's button, and is approved by its own (`one`).
 * @param headlines of the cards
 * @param keys what stands for a click on either button
 */
export async function approveAll(
  page: Frame,
  headlines: RegExp,
  all: RegExp,
  one: RegExp,
  keys: { readonly all?: () => Promise<void>; readonly one?: () => Promise<void> } = {},
): Promise<void> {
  await decide(page, all, keys.all);
  const left = page.locator('main [data-stop] h3', { hasText: headlines });
  while ((await left.count()) > 0) await decide(page, one, keys.one);
}

/**
 * Does what deletes and protected files ask for until the button takes clicks: reads its card to the end, and types the number
 * of files where it wants it.
 */
export async function readToEnd(page: Frame, name: RegExp): Promise<void> {
  await bringUp(page, name);
  const bar = actionBar(page);
  const files = page.locator('article.owns').locator('.file, .action');
  const number = bar.getByRole('textbox', { name: /^Type \d+ to delete/ });
  if ((await number.count()) > 0) {
    await number.fill(/Type (\d+) to delete/.exec(await bar.innerText())?.[1] ?? '');
  }
  await until(async () => {
    // A decision that was made before may bring up another card meanwhile.
    const button = await bringUp(page, name);
    for (const file of await files.all()) {
      // Files with the same change as another one are folded; to scroll to them leads past the card.
      if (!(await file.isVisible())) continue;
      const rows = file.getByRole('listitem');
      await ((await rows.count()) > 0 ? rows.last() : file).scrollIntoViewIfNeeded({ timeout: 5000 });
    }
    if ((await button.getAttribute('aria-disabled', { timeout: 5000 })) !== 'true') return true;
    await lookAtMarkedParts(page.locator('article.owns'));
    return false;
  }, `the end of the change that ${name} approves`);
}

/**
 * Returns the axe violations of the view in its present state; fails when axe did not check the view.
 * @param theme of the window: in another than the dark one, only the contrast of colours
 */
export async function axeViolations(
  window: Window,
  view: Frame,
  theme: string = themes.dark,
): Promise<readonly AxeFinding[]> {
  // Axe cannot look through the frame at the side bar behind the page, and would take it for white.
  await view.evaluate(`document.body.style.background = 'var(--vscode-sideBar-background)'`);
  return until(() => {
    const axe = new AxeBuilder({ page: window.page }).include(['iframe.webview.ready', '#active-frame', 'body']);
    return findingsOf(axe, { isFull: theme === themes.dark, leastPasses: 16 });
  }, 'axe to look at the view');
}

/** Drags the edge of the side bar, as a user does. @param width in pixels */
export async function resizeSideBar(window: Window, width: number): Promise<void> {
  const { mouse } = window.page;
  const sideBar = window.page.locator('.part.sidebar');
  await until(async () => {
    const box = await sideBar.boundingBox();
    if (box === null || Math.abs(box.width - width) <= 2) return box !== null;
    const edge = box.x + box.width;
    await mouse.move(edge, 300);
    await mouse.down();
    await mouse.move(box.x + width, 300, { steps: 5 });
    await mouse.up();
    await mouse.move(box.x + width + 300, 400);
    return false;
  }, `a side bar of ${width} pixels`);
}

/** The text of the whole view, as it is read. */
export async function textOf(page: Frame): Promise<string> {
  return page.locator('body').innerText();
}
