import { AxeBuilder } from '@axe-core/playwright';
import type { Locator } from 'playwright-core';
import { armMilliseconds } from '#changes/armingDelay.ts';
import { fromPage } from '#ui/page/fromPage.ts';
import { until } from '../../host/until.ts';
import { findingsOf, type AxeFinding } from './axe.ts';
import type { OpenPage } from './openPage.ts';

export const card = ({ page }: OpenPage, id: string): Locator => page.locator(`[data-approval="${id}"]`);

export const button = (opened: OpenPage, id: string, name: RegExp): Locator =>
  card(opened, id).getByRole('button', { name });

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
