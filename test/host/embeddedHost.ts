import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Host, HostOptions, OpenOptions } from './host.ts';
import { type Run, startRun, stopLeftovers } from './processes.ts';
import { probeExtension } from './profile.ts';
import { startServer } from './server.ts';
import { browserProgram, requireBrowserAndGit } from './systemPackages.ts';
import { attachWindow } from './window.ts';

/** A VS Code server and a headless Chromium whose pages are the windows; they share one browser profile as on the desktop. */
export async function startEmbeddedHost(options: HostOptions): Promise<Host> {
  await stopLeftovers();
  requireBrowserAndGit();
  const run = startRun();
  try {
    const [server, browser] = await Promise.all([
      startServer(run, { ...options, extensions: [...options.extensions, probeExtension] }),
      startBrowser(run),
    ]);
    const openWindow = async (what: OpenOptions = {}) => {
      const page = await blankPage(browser);
      await page.goto(server.address(what), { waitUntil: 'commit' });
      return attachWindow(page, what, server.profile.probes, () => closePage(browser, page));
    };
    return {
      address: (what = {}) => server.address(what),
      home: server.profile.home,
      directory: run.directory,
      devtools: () => devtoolsEndpoint(run),
      openWindow,
      async stop() {
        await browser.close();
        await run.stop();
      },
    };
  } catch (error) {
    await run.stop();
    throw error;
  }
}

async function startBrowser(run: Run): Promise<BrowserContext> {
  const browser = await chromium.launchPersistentContext(join(run.directory, 'browser'), {
    executablePath: browserProgram(),
    artifactsDir: join(run.directory, 't'),
    headless: true,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    env: run.environment(),
    args: [
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--remote-debugging-port=0',
      // The browser reaches only this machine, so no test waits for the extension gallery.
      '--no-proxy-server',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const [first] = browser.pages();
  if (first) freePages.set(browser, first);
  return browser;
}

/** Chromium writes the port and the path of its DevTools endpoint into its profile. */
function devtoolsEndpoint(run: Run): string {
  const [port, path] = readFileSync(join(run.directory, 'browser/DevToolsActivePort'), 'utf8').trim().split('\n');
  return `ws://127.0.0.1:${port ?? ''}${path ?? ''}`;
}

/** A browser's first page is free until a window takes it, so that no empty one stays beside the window. */
const freePages = new WeakMap<BrowserContext, Page>();

async function blankPage(browser: BrowserContext): Promise<Page> {
  const free = freePages.get(browser);
  freePages.delete(browser);
  return free ?? browser.newPage();
}

/** Leaves the editor first: only a page that says goodbye ends its extension host. The last page keeps the browser alive. */
async function closePage(browser: BrowserContext, page: Page): Promise<void> {
  await page.goto('about:blank');
  if (browser.pages().length > 1) await page.close();
  else freePages.set(browser, page);
}
