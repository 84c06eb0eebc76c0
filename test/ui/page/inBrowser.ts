import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { openPage, type OpenPage, type OpenPageOptions } from './openPage.ts';

/** Gives each test of a file the approvals page, opened anew, in one page of the one browser. */
export function inBrowser(): (options?: OpenPageOptions) => Promise<OpenPage> {
  let browser: Browser;
  let page: Page;
  let open: OpenPage | undefined;
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'));
    page = await (await browser.newContext()).newPage();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await open?.close();
    open = undefined;
  });
  return async (options = {}) => {
    const { playwrightClock } = options;
    if (playwrightClock === undefined) open = await openPage(page, options);
    else {
      const context = await browser.newContext();
      const own = await context.newPage();
      await own.clock.install(playwrightClock);
      const opened = await openPage(own, options);
      open = { ...opened, close: () => opened.close().then(() => context.close()) };
    }
    return open;
  };
}
