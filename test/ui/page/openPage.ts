import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { approvalsHtml } from '#ui/approvals/approvalsHtml.ts';
import { CardFacts, type CardFactsOptions, type SyntaxCheck } from '#ui/approvals/cardFacts.ts';
import { ApprovalsPage, type ApprovalsPageOptions } from '#ui/approvals/approvalsPage.ts';
import { PageMemory } from '#ui/approvals/pageMemory.ts';
import { FakeMemento } from '../../fakes/memento.ts';
import type { ToPage } from '#ui/page/messages.ts';
import { english } from '#ui/page/words/translate.ts';
import { FakeApprovals } from '../../fakes/approvals.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeRules } from '../../fakes/keptRules.ts';
import themes from './themes.json' with { type: 'json' };

export type ThemeName = keyof typeof themes;

/** The page in a browser without VS Code, driven by the real host half on a queue that applies nothing. */
export interface OpenPage {
  readonly page: Page;
  readonly theme: ThemeName;
  readonly approvals: FakeApprovals;
  /** The host's clock, by which cards are armed. */
  readonly clock: FakeClock;
  readonly rules: FakeRules;
  readonly host: ApprovalsPage;
  readonly secret: string;
  /** Messages of the page, oldest first. */
  readonly received: unknown[];
  /** Requests to the host other than decisions: `openDiff a-1 0`, `leave`, `command drawbridge.start`. */
  readonly asked: string[];
  /** Resolves when the page shows the present queue and has stopped moving. */
  readonly settled: () => Promise<void>;
  /** Bypasses the page, as a script in the page could. */
  send(message: unknown): void;
  /** Approvals that another page decides. */
  readonly elsewhere: Set<string>;
  /** Leaves the page blank, for the next test. */
  close(): Promise<void>;
}

export interface OpenPageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly status?: ReturnType<ApprovalsPageOptions['status']>;
  readonly mode?: ReturnType<ApprovalsPageOptions['mode']>;
  /** Playwright's clock in the page. A page cannot be given its own clock back, so no other test gets this page. */
  readonly playwrightClock?: { readonly time?: number };
  /** The page is a review tab of this approval. */
  /** Checks the syntax of proposed texts; without it they have none. */
  readonly syntaxErrors?: SyntaxCheck;
  /** Finds the files that use one which would be deleted or moved; without it none does. */
  readonly usesOf?: CardFactsOptions['usesOf'];
  readonly only?: string;
  /** Names of tasks that watch the workspace. */
  readonly tasks?: readonly string[];
  /** Earlier calls of assistants, against which rules are tried. */
  readonly pastCalls?: ReturnType<ApprovalsPageOptions['pastCalls']>;
}

const root = '/work/shop-api';
const folder = { name: 'shop-api', uri: `file://${root}`, fsPath: root, realPath: root };
const origin = 'https://webview.test';
const secret = 'f00d'.repeat(16);
const scripts = new Map<'sideBar' | 'tab', Promise<string>>();

let opened = 0;

/** Opens the approvals page in a browser page that is blank; a new browser page for each test costs three times as much. */
export async function openPage(page: Page, options: OpenPageOptions = {}): Promise<OpenPage> {
  const {
    theme = 'dark',
    width = 320,
    height = 900,
    status = { running: true, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] },
    mode = { mode: 'manual' },
    tasks = [],
    pastCalls = [],
    only,
    syntaxErrors = async () => undefined,
    usesOf = async () => ({ kind: 'imports', files: [], total: 0, isPartial: false }),
  } = options;
  const elsewhere = new Set<string>();
  let currentMode = mode;
  opened += 1;
  await page.setViewportSize({ width, height });
  const clock = new FakeClock();
  const approvals = new FakeApprovals(clock);
  const rules = new FakeRules();
  const facts = new CardFacts({ approvals, syntaxErrors, usesOf });
  const received: unknown[] = [];
  const asked: string[] = [];
  const host = new ApprovalsPage({
    approvals,
    clock,
    rules,
    pastCalls: () => pastCalls,
    folders: () => [folder],
    now: () => Date.UTC(2026, 10, 21, 14, 2, 30),
    mode: () => currentMode,
    backToManual() {
      asked.push('backToManual');
      currentMode = { mode: 'manual' };
      host.changed();
    },
    showRule: (id) => asked.push(`showRule ${id}`),
    watchingTasks: () => tasks,
    t: english,
    memory: new PageMemory(new FakeMemento()),
    ...(only !== undefined && { only }),
    isElsewhere: (id) => elsewhere.has(id),
    openReview: (id) => asked.push(`openReview ${id}`),
    facts,
    copy: (text) => asked.push(`copy ${text}`),
    openText: (id) => asked.push(`openText ${id}`),
    status: () => status,
    openDiff: (id, file) => asked.push(`openDiff ${id}${file === undefined ? '' : ` ${file}`}`),
    runCommand: (command) => asked.push(`command ${command}`),
    leave: () => asked.push('leave'),
    colourCode: () => Promise.resolve(undefined),
    focused: () => undefined,
  });
  approvals.onDidChange(() => host.changed());
  facts.onFound((id) => host.factsFound(id));
  rules.onDidChange(() => host.surroundingsChanged());
  await serve(page, only);
  let posted: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const post = (message: ToPage): void => {
    if (isClosed) return;
    const text = JSON.stringify(message);
    // Nothing of a message may be lost on its way to the page.
    assert.deepStrictEqual(JSON.parse(text), withoutUndefined(message));
    posted = posted.then(() => page.evaluate(`window.postMessage(${text}, '*')`));
    posted = posted.catch((error: unknown) => (isClosed ? undefined : Promise.reject(error)));
  };
  host.connect({ secret, isVisible: () => true, post });
  const send = (message: unknown): void => {
    received.push(message);
    host.receive(message);
  };
  const settled = async (): Promise<void> => {
    // The host needs at most this many event loop turns to draw all cards: it waits for nothing else.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await posted;
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  };
  const added = [await page.exposeFunction('toHost', send), await page.addInitScript(stubOf(theme))];
  await page.goto(`${origin}/`);
  const close = async (): Promise<void> => {
    isClosed = true;
    page.removeAllListeners('pageerror');
    await page.goto('about:blank');
    await page.mouse.move(0, 0);
    for (const each of added) await each.dispose();
    await page.unrouteAll();
  };
  return { page, theme, approvals, clock, rules, host, secret, received, asked, elsewhere, settled, send, close };
}

async function serve(page: Page, only: string | undefined): Promise<void> {
  const place = only === undefined ? 'sideBar' : 'tab';
  const script = scripts.get(place) ?? bundle(place);
  scripts.set(place, script);
  const html = approvalsHtml({
    nonce: 'feed'.repeat(8),
    secret,
    cspSource: origin,
    scriptUri: `${origin}/sidebar.js`,
    styleUri: `${origin}/sidebar.css`,
    language: 'en',
    title: 'Approvals',
    view: place,
    ...(only !== undefined && { approvalId: only }),
  });
  const bodies: Record<string, [string, string]> = {
    '/': ['text/html', html],
    '/sidebar.js': ['text/javascript', await script],
    '/sidebar.css': ['text/css', await readFile('media/sidebar.css', 'utf8')],
  };
  await page.route('**/*', (route) => {
    const [contentType, body] = bodies[new URL(route.request().url()).pathname] ?? ['text/plain', ''];
    return route.fulfill({ contentType, body });
  });
}

/** Returns a message as JSON has it: a property that is undefined is absent. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutUndefined(each)]));
}

async function bundle(place: 'sideBar' | 'tab'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/ui/page/page.tsx'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'chrome130',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { PLACE: JSON.stringify(place) },
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Adds what VS Code puts into a webview: its API, the theme's variables and the class of the body. */
function stubOf(theme: ThemeName): string {
  const { body, variables } = themes[theme];
  return `
    const storage = globalThis.sessionStorage;
    globalThis.acquireVsCodeApi = () => ({
      postMessage: (message) => { globalThis.toHost(message); },
      getState: () => JSON.parse(storage.getItem('state ${opened}') ?? 'null'),
      setState: (state) => storage.setItem('state ${opened}', JSON.stringify(state)),
    });
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(event.violatedDirective));
    const variables = ${JSON.stringify({ ...variables, '--vscode-font-family': 'system-ui, sans-serif' })};
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
      document.documentElement.style.background = 'var(--vscode-sideBar-background)';
      document.body.className = ${JSON.stringify(body)};
    }).observe(document, { childList: true, subtree: true });
  `;
}
