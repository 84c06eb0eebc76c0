import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import type { OpenOptions } from './host.ts';
import { repository } from './hostFolder.ts';
import { findProbe, ProbeGone } from './probe.ts';
import { progress } from './progress.ts';
import { until } from './until.ts';

/** Runs in the extension host: it is sent as source, so it sees its arguments and `require`, and nothing of its file. */
type Body<Arguments extends readonly unknown[], Result> = (
  editor: typeof vscode,
  ...args: Arguments
) => Result | Promise<Result>;

/** A window of VS Code. */
export interface Window {
  readonly page: Page;
  /** Process id of the window's present extension host; another one after a reload. */
  readonly extensionHostPid: number;
  /** Runs a function in the extension host. Arguments and result travel as JSON. */
  evaluate<Arguments extends readonly unknown[], Result>(
    body: Body<Arguments, Result>,
    ...args: Arguments
  ): Promise<Result>;
  /** Runs a function body there, with `vscode`, `context`, `require`, `state` (an object kept per host) and `args`. */
  evaluateSource(body: string, ...args: readonly unknown[]): Promise<unknown>;
  command(id: string, ...args: readonly unknown[]): Promise<unknown>;
  /** The innermost frame of the webview that shows `selector`. */
  webview(selector: string): Promise<Frame>;
  /** Reloads the page; resolves when the new extension host answers. */
  reload(): Promise<void>;
  /**
   * Waits until a window that is given its folders by a workspace file has them. An editor that is served by a browser now
   * and then reads that file too early, and then shows "No Folder Opened" until it is reloaded.
   */
  requireFolders(): Promise<void>;
  /** Writes `.screenshots/<name>.png` and returns its path. */
  screenshot(name: string): Promise<string>;
  /** @param name as VS Code 1.139 calls it, for example "Light Modern" */
  setColorTheme(name: string): Promise<void>;
  setViewport(width: number, height: number): Promise<void>;
  /** Takes the folder out of Restricted Mode, as a user would. */
  grantTrust(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Waits until a page that is loading VS Code has a workbench and an extension host that knows its folders.
 * @param probes where probe extensions say that they are there
 * @param closePage ends the page in a way that ends its extension host
 */
export async function attachWindow(
  page: Page,
  { folder, workspace }: OpenOptions,
  probes: string,
  closePage: () => Promise<void>,
): Promise<Window> {
  // Shorter than the patience of `until`, which asks again when an action was lost.
  page.setDefaultTimeout(90_000);
  endLostKeys(page);
  const ready = async () => {
    await page.waitForSelector('.monaco-workbench', { state: 'attached' });
    return findProbe(page, probes);
  };
  let probe = await ready();
  const evaluateSource = async (body: string, ...args: readonly unknown[]): Promise<unknown> => {
    if (!probe.isAlive()) probe = await ready();
    try {
      return await probe.evaluate(body, args);
    } catch (error) {
      if (!(error instanceof ProbeGone)) throw error;
      probe = await ready(); // the extension host was on its way out, and has not seen the body
      return probe.evaluate(body, args);
    }
  };
  if (folder !== undefined) {
    // Extensions may be activated before the window knows its folders.
    await until(() => evaluateSource('return vscode.workspace.workspaceFolders !== undefined'), `the folder ${folder}`);
  }
  const reload = async (): Promise<void> => {
    const before = probe;
    // The editor keeps its tabs when it reloads by itself; the browser's reload comes before they are on disk.
    void before.evaluate(`vscode.commands.executeCommand('workbench.action.reloadWindow')`, []).catch(() => undefined);
    await until(() => !before.isAlive(), 'the old extension host to end');
    probe = await ready();
  };
  const requireFolders = async (): Promise<void> => {
    const hasFolders = () => evaluateSource('return vscode.workspace.workspaceFolders?.length > 0');
    for (let reloads = 0; reloads < 3; reloads += 1) {
      if (await until(hasFolders, 'the folders', 10_000).catch(() => false)) return;
      await reload();
    }
    await until(hasFolders, 'the folders of the window');
  };
  if (workspace !== undefined) await requireFolders();
  const evaluate = async <Arguments extends readonly unknown[], Result>(
    body: Body<Arguments, Result>,
    ...args: Arguments
  ): Promise<Result> => {
    const result = await evaluateSource(`return (${body.toString()})(vscode, ...args)`, ...args);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsing edge: JSON of what the body returned
    return result as Result;
  };
  return {
    page,
    get extensionHostPid() {
      return probe.pid;
    },
    evaluate,
    evaluateSource,
    command: (id, ...args) => evaluateSource('return vscode.commands.executeCommand(...args)', id, ...args),
    webview: (selector) => webviewIn(page, selector),
    reload,
    requireFolders,
    async screenshot(name) {
      const path = join(repository, '.screenshots', `${name}.png`);
      mkdirSync(join(repository, '.screenshots'), { recursive: true });
      await page.screenshot({ path, animations: 'disabled' });
      return path;
    },
    setColorTheme: (name) => setColorTheme(evaluate, name),
    setViewport: (width, height) => page.setViewportSize({ width, height }),
    async grantTrust() {
      await evaluateSource(`vscode.commands.executeCommand('workbench.trust.manage')`);
      await page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
      await until(() => evaluateSource('return vscode.workspace.isTrusted'), 'the workspace to be trusted');
      await evaluateSource(`return vscode.commands.executeCommand('workbench.action.closeActiveEditor')`);
    },
    async close() {
      const last = probe;
      await closePage();
      await until(() => !last.isAlive(), 'the extension host to end with its window');
    },
  };
}

/** Milliseconds after which a key that the browser has not confirmed is let go. */
const keyPatience = 20_000;

/**
 * Ends the wait for keys that are never confirmed. A key that moves the keyboard into a webview or out of it, such as Escape, goes down in one
 * process of the browser and up in another, and on a busy machine a test then waited until its own end.
 */
function endLostKeys({ keyboard }: Page): void {
  const press = keyboard.press.bind(keyboard);
  keyboard.press = async (key, options) => {
    const isLost = Symbol('lost');
    const late = new AbortController();
    const limit = sleep(keyPatience, isLost, { signal: late.signal });
    const pressed = press(key, options).finally(() => late.abort());
    pressed.catch(() => undefined);
    if ((await Promise.race([pressed, limit.catch(() => undefined)])) !== isLost) return pressed;
    progress(`The browser did not confirm the key ${key}`);
    // Otherwise it would count as held down, and the next press as a repetition.
    for (const part of key.split('+').toReversed()) await Promise.race([keyboard.up(part), sleep(1000)]);
  };
}

async function setColorTheme(evaluate: Window['evaluate'], name: string): Promise<void> {
  await evaluate(async (editor, theme) => {
    const settings = editor.workspace.getConfiguration('workbench');
    if (settings.get('colorTheme') === theme) return;
    const themes = editor.extensions.all
      .flatMap((each) => each.packageJSON?.contributes?.themes ?? [])
      .map(({ id, label }) => String(id ?? label));
    if (!themes.includes(theme)) throw new Error(`No colour theme ${theme}, only ${themes.join(', ')}`);
    let changed: vscode.Disposable | undefined;
    const applied = new Promise<void>((resolve, reject) => {
      changed = editor.window.onDidChangeActiveColorTheme(() => resolve());
      setTimeout(() => reject(new Error(`VS Code did not take the colour theme ${theme}`)), 180_000);
    });
    await settings.update('colorTheme', theme, editor.ConfigurationTarget.Global);
    await applied;
    changed?.dispose();
  }, name);
}

/** Waits for a webview of a page in which an element matches. */
export async function webviewIn(page: Page, selector: string): Promise<Frame> {
  return until(async () => {
    for (const frame of page.frames()) {
      // A frame may go away while it is asked.
      if (frame.url().includes('fake.html') && (await frame.$(selector).catch(() => null))) return frame;
    }
    return undefined;
  }, `a webview with ${selector}`);
}
