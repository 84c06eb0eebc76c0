import type { Locator } from 'playwright-core';
import { until } from '../host/until.ts';
import type { OpenPage } from './openPage.ts';

export const card = ({ page }: OpenPage, id: string): Locator => page.locator(`[data-approval="${id}"]`);

export const button = (opened: OpenPage, id: string, name: RegExp): Locator =>
  card(opened, id).getByRole('button', { name });

/** What was decided, oldest first. */
export const decisions = ({ approvals }: OpenPage): string[] =>
  approvals.decisions.filter((entry) => /^(approve|decline|undo)/.test(entry));

/** Waits for the delay of a button to be over. */
export async function armed(target: Locator): Promise<Locator> {
  await until(async () => (await target.getAttribute('aria-disabled')) === 'false', 'the button to be armed');
  return target;
}

/** Id of the approval whose card has the keyboard. */
export const focusedCard = ({ page }: OpenPage): Promise<string> =>
  page.evaluate(`document.activeElement.closest('article')?.dataset.approval ?? ''`);
