import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { browserProgram } from '../host/systemPackages.ts';
import { openPage, type OpenPage, type OpenPageOptions } from './openPage.ts';

/** Gives the tests of a file one browser, and each of them a page of its own that is closed at its end. */
export function inBrowser(): (options?: OpenPageOptions) => Promise<OpenPage> {
  let browser: Browser;
  let open: OpenPage | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserProgram(), args: ['--no-sandbox'] });
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
