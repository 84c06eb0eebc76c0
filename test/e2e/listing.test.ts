/** The page of the extension in the Extensions view, as it is packed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Drawbridge } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({});
});
afterAll(() => drawbridge?.window.command('workbench.action.closeAllEditors'));

it('the page of the extension begins with a question that it answers, and every picture and link in it leads somewhere', async () => {
  const { window } = drawbridge;
  await window.command('workbench.extensions.search', '@installed drawbridge');
  await window.page
    .locator('.extensions-list .name', { hasText: /^Drawbridge$/ })
    .first()
    .click();
  const page = await window.webview('h2:has-text("Why not the assistant")');
  const addresses = z.array(z.string()).parse(
    await page.evaluate(`[...document.querySelectorAll('img, a[href]')].map(
      (each) => each.getAttribute(each.tagName === 'IMG' ? 'src' : 'href'))`),
  );
  await window.screenshot('listing');
  expect(addresses.filter((address) => !/^(https:|#)/.test(address))).toEqual([]);
  expect(await page.locator('body').innerText()).toContain('What it does not protect you from');
});
