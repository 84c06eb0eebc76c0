import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { openPage, type OpenPage, type OpenPageOptions } from './openPage.ts';

/** Gives each test of a file a page of its own in the one browser; the page is closed at the end of the test. */
export function inBrowser(): (options?: OpenPageOptions) => Promise<OpenPage> {
  let browser: Browser;
  let open: OpenPage | undefined;
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'));
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await open?.page.context().close();
    open = undefined;
  });
  return async (options = {}) => {
    open = await openPage(browser, options);
    return open;
  };
}
