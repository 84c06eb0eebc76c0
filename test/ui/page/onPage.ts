import { AxeBuilder } from '@axe-core/playwright';
import type { Locator } from 'playwright-core';
import { armMilliseconds } from '#changes/armingDelay.ts';
import { fromPage } from '#ui/page/fromPage.ts';
import { until } from '../../host/until.ts';
import { findingsOf, type AxeFinding } from './axe.ts';
import type { OpenPage } from './openPage.ts';

export const card = ({ page }: OpenPage, id: string): Locator => page.locator(`[data-approval="${id}"]`);

/** Returns a button of a request: of its card, or of the action bar while the request owns the bar. */
export const button = ({ page }: OpenPage, id: string, name: RegExp): Locator =>
  page.locator(`[data-approval="${id}"], footer[data-owner="${id}"]`).getByRole('button', { name });

/** Returns the action bar. */
export const bar = ({ page }: OpenPage): Locator => page.locator('footer');

/** Makes a request the owner of the action bar, as a user does who clicks into its card. */
export async function pick(opened: OpenPage, id: string): Promise<void> {
  const { page } = opened;
  const headline = card(opened, id).locator('h3');
  await headline.waitFor();
  await opened.settled();
  await until(async () => {
    if ((await page.locator(`footer[data-owner="${id}"]`).count()) > 0) return true;
    await headline.scrollIntoViewIfNeeded();
    await headline.click({ position: { x: 1, y: 1 } });
    return false;
  }, `${id} to own the action bar`);
}

/** Makes a request the owner of the action bar, and returns a button of the bar that takes clicks. */
export async function decision(opened: OpenPage, id: string, name: RegExp): Promise<Locator> {
  await pick(opened, id);
  return armed(opened, button(opened, id, name));
}

/** Decisions that reached the queue, oldest first. */
export const decisions = ({ approvals }: OpenPage): string[] =>
  approvals.decisions.filter((entry) => /^(approve|decline|undo)/.test(entry));

/** Advances the host's clock past the delay of a button, once its card has stopped moving. */
export async function armed({ clock, settled }: OpenPage, target: Locator): Promise<Locator> {
  await settled();
  await until(async () => {
    clock.advance(armMilliseconds);
    return isArmed(target);
  }, 'the button to be armed');
  return target;
}

/** Returns true when a button takes clicks. */
export const isArmed = async (target: Locator): Promise<boolean> =>
  (await target.getAttribute('aria-disabled')) === 'false';

/** Returns the numbers that the page gave to the displays of this card, oldest first. */
export const displays = ({ received }: OpenPage, id: string): readonly number[] =>
  received.flatMap((message) => {
    const parsed = fromPage.parse(message);
    return parsed.type === 'displayed' && parsed.id === id ? [parsed.display] : [];
  });

/** Returns the rules of axe that the page breaks: all rules in the dark theme, the contrast of colours in the others. */
export const axeFindings = ({ page, theme }: OpenPage): Promise<AxeFinding[]> =>
  findingsOf(new AxeBuilder({ page }).setLegacyMode(), { isFull: theme === 'dark' });

/** Returns the id of the approval whose card has the focus. */
export const focusedCard = ({ page }: OpenPage): Promise<string> =>
  page.evaluate(`document.activeElement.closest('article')?.dataset.approval ?? ''`);
