import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { accessibilityTree, type AccessibleNode } from '../accessibilityTree.ts';
import {
  approveAll,
  axeViolations,
  clickButton,
  decide,
  openApprovals,
  bringUp,
  openGroups,
  readToEnd,
  resizeSideBar,
  waitingCards,
} from '../approvalsPage.ts';
import { answerTimeout, approvalSeconds, type Assistant, connectAssistant, type Outcome } from '../assistant.ts';
import { connectV2, type Drawbridge, startDrawbridge, until, type Window } from '../harness.ts';

const settings = {
  'drawbridge.clients': Object.fromEntries(['alpha', 'beta', 'gamma'].map((name) => [name, { approvalSeconds }])),
};
const numbered = (count: number, word: string): string =>
  Array.from({ length: count }, (_, line) => `${word} ${line + 1}\n`).join('');
const hunksBefore = numbered(60, 'line');
const threeEdits = ['line 2\n', 'line 20\n', 'line 50\n'].map((oldText) => ({ oldText, newText: `new ${oldText}` }));

let drawbridge: Drawbridge;
let window: Window;
let page: Page;
let alpha: Assistant;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: { 'typed.txt': '' }, settings });
  ({ window } = drawbridge);
  ({ page } = window);
});
afterAll(() => drawbridge?.stop());
afterEach(() => alpha?.close());

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);
const onDisk = (name: string): string => readFileSync(pathOf(name), 'utf8');
const connect = async (name = 'alpha'): Promise<Assistant> => connectAssistant(await drawbridge.record(), { name });
const cards = (view: Frame): Locator => waitingCards(view);
const order = (view: Frame): Promise<string[]> => cards(view).locator('h3').allTextContents();

/** A new file, and the change of its "one" to "two". */
function edit(path: string): { path: string; oldText: string; newText: string } {
  writeFileSync(pathOf(path), 'one\n');
  return { path, oldText: 'one', newText: 'two' };
}

/**
 * Proposes until the cards make a group. They make one when each comes within 300 ms of the one before, which a busy machine may
 * miss; then they are withdrawn and proposed anew.
 */
async function proposeGroup(
  view: Frame,
  propose: (signal: AbortSignal) => readonly Promise<Outcome>[],
): Promise<readonly Promise<Outcome>[]> {
  const waiting = waitingCards(view);
  const before = await waiting.count();
  for (;;) {
    const cancel = new AbortController();
    const outcomes = propose(cancel.signal);
    await until(async () => (await waiting.count()) === before + outcomes.length, `${outcomes.length} cards`);
    const header = view.getByRole('button', { name: new RegExp(`^${outcomes.length} changes from \\w+$`) });
    if ((await header.count()) > 0) return outcomes;
    cancel.abort();
    await until(async () => (await waiting.count()) === before, 'the cards to be withdrawn');
  }
}

/** Takes the pointer out of the view, where nothing is put together under it. */
const leaveView = (): Promise<void> => page.mouse.move(900, 400);

/** Returns the tag and the name of the focused element of the view. */
const focusedIn = (view: Frame): Promise<string> =>
  view.evaluate(`document.hasFocus()
    ? document.activeElement.tagName + ' ' + (document.activeElement.ariaLabel ?? document.activeElement.textContent)
    : ''`);

/** Presses a key until something else has the keyboard, whose tag and name are these. */
async function walkTo(view: Frame, target: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = await focusedIn(view);
    if (focused === target) return;
    await page.keyboard.press(key);
  }
  throw new Error(`60 times ${key} did not lead to ${target}, but to ${await focusedIn(view)}`);
}

describe('a big change', () => {
  it('applies 60 files of one card byte for byte, and undoes them', async () => {
    alpha = await connect();
    const names = Array.from({ length: 60 }, (_, index) => `sixty-${index}.txt`);
    const before = (name: string): string => `${name}\r\none\nlast line without an end: ä`;
    for (const name of names) writeFileSync(pathOf(name), before(name));
    const view = await openApprovals(window);
    const outcome = alpha.propose(names.map((path) => ({ path, oldText: 'one', newText: 'two' })));
    await decide(view, /^Approve edit of 60 files/);
    expect(await outcome).toMatchObject({ status: 'applied' });
    expect((await outcome).files.map(({ path }) => path)).toEqual(names);
    expect(names.map(onDisk)).toEqual(names.map((name) => before(name).replace('one', 'two')));
    await clickButton(view, /^Undo edit of 60 files/);
    await view.getByRole('heading', { name: /^Undone/ }).waitFor();
    expect(names.map(onDisk)).toEqual(names.map(before));
  });

  const patience = { timeout: 900_000 };
  it(
    'P13: shows 3,000 rewritten lines at once, lets the user scroll to every line, and applies exactly those lines',
    patience,
    async () => {
      alpha = await connect();
      const [before, after] = [numbered(3000, 'old'), numbered(3000, 'new')];
      writeFileSync(pathOf('long.txt'), before);
      const read = z.looseObject({ structuredContent: z.looseObject({ version: z.string() }) });
      const { version } = read.parse(await alpha.call('read_file', { path: 'long.txt' })).structuredContent;
      const view = await openApprovals(window);
      const outcome = alpha.propose([{ path: 'long.txt', firstLine: 1, lastLine: 3000, newText: after, version }]);
      const card = view.getByRole('article', { name: 'Edit long.txt' });
      const unread = view.getByRole('button', { name: /^Approve without reading everything/ });
      await until(async () => (await unread.getAttribute('aria-disabled')) === 'false', 'the button to take clicks');
      expect(await card.getByRole('listitem').count()).toBeLessThanOrEqual(600);

      const changes = card.getByRole('group', { name: 'Changes of long.txt' });
      const more = changes.getByRole('button', { name: /^Show more/ });
      await until(
        async () => {
          if ((await more.count()) === 0) return true;
          await more.click({ timeout: 5000 }).catch(() => undefined);
          return false;
        },
        'the end of the change',
        240_000,
      );
      const lines = await changes.locator('.row.added').allTextContents();
      expect(lines.map((line) => line.replace(/^.*\+/, ''))).toEqual(after.trimEnd().split('\n'));
      expect(await changes.locator('.row.removed').count()).toBe(3000);
      await readToEnd(view, /^Approve edit of long\.txt/);
      await decide(view, /^Approve edit of long\.txt/);
      expect((await outcome).status).toBe('applied');
      expect(onDisk('long.txt')).toBe(after);
    },
  );
});

describe('20 cards of 3 assistants', () => {
  let view: Frame;
  let one: Assistant;
  const outcomes: Promise<Outcome>[] = [];
  const others: { close(): Promise<void> }[] = [];
  const cancel = new AbortController();

  it('appear in the order of arrival, each with the name of its assistant', async () => {
    one = await connect();
    view = await openApprovals(window);
    await leaveView();
    const beta = await connectV2(await drawbridge.record(), { name: 'beta' });
    const gamma = await connect('gamma');
    others.push(beta, gamma);
    expect(beta.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    writeFileSync(pathOf('alpha-gone.txt'), 'one\n');
    const proposed = await proposeGroup(view, (signal) => [
      ...Array.from({ length: 5 }, (_, index) => one.propose([edit(`alpha-${index}.txt`)], undefined, signal)),
      one.change('delete_file', { path: 'alpha-gone.txt' }, signal),
    ]);
    outcomes.push(...proposed);
    for (let index = 0; index < 7; index += 1) {
      const change = { name: 'apply_edit', arguments: { edits: [edit(`beta-${index}.txt`)] } };
      beta.client.callTool(change, { signal: cancel.signal, timeout: answerTimeout }).catch(() => undefined);
    }
    await until(async () => (await cards(view).count()) === 13, 'the cards of beta');
    for (let index = 0; index < 7; index += 1) void gamma.propose([edit(`gamma-${index}.txt`)]);
    await openGroups(view, 20);
    const clients = await cards(view).locator('.who .client').allInnerTexts();
    expect(clients.map((client) => /^\w+/.exec(client)?.[0])).toEqual(
      ['alpha', 'beta', 'gamma'].flatMap((name) => Array.from({ length: name === 'alpha' ? 6 : 7 }, () => name)),
    );
  });

  it('A16, A17: stay in place under the pointer when an assistant proposes more, and its 21st card is refused', async () => {
    const hovered = await bringUp(view, /^Approve edit of gamma-3\.txt/);
    await hovered.hover();
    const [place, before] = [await hovered.boundingBox(), await order(view)];
    const many = Array.from({ length: 14 }, (_, index) => one.propose([edit(`alpha-more-${index}.txt`)]));
    await until(async () => (await cards(view).count()) === 34, '20 cards of alpha');
    const refused = await one.say('apply_edit', { edits: [edit('alpha-too-many.txt')] });
    expect(refused).toContain('[too_many_pending]');
    expect((await order(view)).slice(0, 20)).toEqual(before);
    expect(await hovered.boundingBox()).toEqual(place);
    expect(await cards(view).count()).toBe(34);
    expect(onDisk('alpha-too-many.txt')).toBe('one\n');
    outcomes.push(...many);
  });

  it('are approved together when they arrived together, except for the delete', async () => {
    for (let index = 0; index < 5; index += 1) {
      const own = await bringUp(view, new RegExp(`^Approve edit of alpha-${index}\\.txt`));
      await until(async () => (await own.getAttribute('aria-disabled')) === 'false', 'the card to have been seen');
    }
    await readToEnd(view, /^Approve delete of alpha-gone/);
    await approveAll(
      view,
      /^Edit alpha-\d\.txt$/,
      /^Approve all \(5\): changes from alpha/,
      /^Approve edit of alpha-\d\.txt/,
    );
    for (const outcome of outcomes.slice(0, 5)) expect((await outcome).status).toBe('applied');
    expect(Array.from({ length: 5 }, (_, index) => onDisk(`alpha-${index}.txt`))).toEqual(Array(5).fill('two\n'));
    expect(existsSync(pathOf('alpha-gone.txt'))).toBe(true);
    await readToEnd(view, /^Approve delete of alpha-gone/);
    await decide(view, /^Approve delete of alpha-gone/);
    expect((await outcomes[5])?.status).toBe('applied');
    expect(existsSync(pathOf('alpha-gone.txt'))).toBe(false);
  });

  it('are removed when their assistants disconnect', async () => {
    await leaveView();
    await page.keyboard.press('Escape');
    cancel.abort();
    await one.close();
    await Promise.all(others.map((each) => each.close()));
    await until(async () => (await cards(view).count()) === 0, 'every card to be withdrawn');
    expect(onDisk('beta-0.txt')).toBe('one\n');
  });
});

describe('the keyboard', () => {
  it('F11: decides an approval: the chord focuses the card, Space leaves a hunk out, Ctrl+Enter approves', async () => {
    alpha = await connect();
    await window.command('workbench.view.explorer');
    await window.evaluate(async (vscode, path) => {
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    }, pathOf('typed.txt'));
    writeFileSync(pathOf('hunks.txt'), hunksBefore);
    const outcome = alpha.propose(threeEdits.map((each) => ({ path: 'hunks.txt', ...each })));
    await page.locator('.notification-toast', { hasText: 'alpha wants to edit hunks.txt.' }).waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.press('a');
    const view = await window.webview('article');
    await until(async () => (await focusedIn(view)) === 'H3 Edit hunks.txt', 'the headline to have the keyboard');
    await walkTo(view, 'INPUT Include line 20 of hunks.txt');
    await page.keyboard.press('Space');
    await view.getByRole('button', { name: /^Approve 2 of 3 changes/ }).waitFor();
    await decide(view, /^Approve 2 of 3 changes/, () => page.keyboard.press('Control+Enter'));
    expect((await outcome).status).toBe('partially_applied');
    expect(onDisk('hunks.txt')).toBe(hunksBefore.replace('line 2\n', 'new line 2\n').replace('line 50', 'new line 50'));
    expect(onDisk('typed.txt')).toBe('');
    await until(async () => (await focusedIn(view)) === '', 'the keyboard to be in the editor again');
  });

  it('opens a group, walks its cards, and approves all of them', async () => {
    alpha = await connect();
    const view = await openApprovals(window);
    await leaveView();
    const names = ['key-1.txt', 'key-2.txt'];
    const outcome = await proposeGroup(view, (signal) =>
      names.map((name) => alpha.propose([edit(name)], undefined, signal)),
    );
    await walkTo(view, 'BUTTON 2 changes from alpha', 'Alt+ArrowDown');
    await page.keyboard.press('Enter');
    const headlines = await order(view);
    expect(headlines.toSorted()).toEqual(['Edit key-1.txt', 'Edit key-2.txt']);
    for (const headline of headlines) {
      await page.keyboard.press('Alt+ArrowDown');
      expect(await focusedIn(view)).toBe(`H3 ${headline}`);
    }
    await page.keyboard.press('F6');
    await walkTo(view, 'BUTTON Approve all (2): changes from alpha');
    await approveAll(view, /^Edit key-/, /^Approve all \(2\)/, /^Approve edit of key-/, {
      all: () => page.keyboard.press('Space'),
      one: () => page.keyboard.press('Control+Enter'),
    });
    for (const each of outcome) expect((await each).status).toBe('applied');
  });
});

describe('accessibility', () => {
  let view: Frame;
  let tree: AccessibleNode[];
  const node = (role: string, name: string): AccessibleNode | undefined =>
    tree.find((each) => each.role === role && each.name === name);

  beforeAll(async () => {
    const [watcher, together] = [await connect('beta'), await connect('gamma')];
    view = await openApprovals(window);
    await leaveView();
    writeFileSync(pathOf('shown.txt'), hunksBefore);
    void watcher.propose(
      [...threeEdits.map((each) => ({ path: 'shown.txt', ...each })), edit('shown-too.txt')],
      'Because\u{200B} of a reason.',
    );
    await clickBox('Include line 20 of shown.txt');
    writeFileSync(pathOf('Makefile'), 'one\n');
    void watcher.propose([{ path: 'Makefile', oldText: 'one', newText: 'two' }]);
    await bringUp(view, /^Approve once/);
    void (await proposeGroup(view, (signal) =>
      ['with-1.txt', 'with-2.txt'].map((name) => together.propose([edit(name)], undefined, signal)),
    ));
  });

  async function clickBox(name: string): Promise<void> {
    await view.getByRole('checkbox', { name }).click();
    await view.getByRole('button', { name: /^Approve 3 of 4 changes/ }).waitFor();
  }

  it('F15: gives names and states to the accessibility tree of the browser', async () => {
    const target = 'edit of 2 files: shown.txt, shown-too.txt';
    // A screen reader reads hunks that are not on screen, too.
    const setSupport = (support: 'on' | undefined): Promise<void> =>
      window.evaluate(async (vscode, value) => {
        await vscode.workspace.getConfiguration('editor').update('accessibilitySupport', value, true);
      }, support);
    await setSupport('on');
    await bringUp(view, /^Approve 3 of 4 changes/);
    await until(async () => {
      tree = await accessibilityTree(view);
      const isArmed = node('button', `Approve 3 of 4 changes: ${target}`)?.states['disabled'] !== true;
      return isArmed && node('checkbox', 'Include line 20 of shown.txt') !== undefined;
    }, 'the button to take clicks, and the hunks in the tree');
    await setSupport(undefined);
    expect(node('article', 'Edit 2 files')).toBeDefined();
    expect(node('heading', 'Edit 2 files')).toBeDefined();
    expect(node('checkbox', 'Include shown.txt')?.states).toMatchObject({ checked: 'mixed' });
    expect(node('checkbox', 'Include line 20 of shown.txt')?.states).toMatchObject({ checked: 'false' });
    expect(node('checkbox', 'Include line 2 of shown.txt')?.states).toMatchObject({ checked: 'true' });
    expect(node('group', 'Changes of shown.txt')).toBeDefined();
    // The reason has a hidden character, so that no key approves the change.
    expect(node('button', `Approve 3 of 4 changes: ${target}`)?.states['keyshortcuts']).toBeUndefined();
    expect(node('button', `Decline… ${target}`)?.states).toMatchObject({ expanded: false });
    expect(node('button', '2 changes from gamma')?.states).toMatchObject({ expanded: false });
    // A screen reader sees no cards of a group before the group is opened.
    expect(node('article', 'Edit with-1.txt')).toBeUndefined();
    expect(tree.some(({ name }) => name.includes('edit of with-1.txt'))).toBe(false);
    expect(
      tree.filter(({ role, name }) => ['button', 'checkbox', 'article', 'heading'].includes(role) && name === ''),
    ).toEqual([]);
  });

  it.each(['Dark Modern', 'Light Modern', 'Default High Contrast', 'Default High Contrast Light'])(
    'has no axe violations in %s',
    async (theme) => {
      await window.setColorTheme(theme);
      expect(await axeViolations(window, view, theme)).toEqual([]);
    },
  );

  it.each([
    ['in a side bar of 200 px', 1280, 800],
    // A window of 1280 × 1024 at 400 % has the room of a quarter of that in each direction.
    ['at 400 %', 320, 256],
  ])(
    'shows everything %s without cutting it off, has no axe violations, and lets the user decide',
    async (_, width, height) => {
      await window.setViewport(width, height);
      if (width > 320) await resizeSideBar(window, 200);
      const inner = z.object({ inner: z.number(), scrolled: z.number() });
      const size = inner.parse(
        await view.evaluate(`({ inner: innerWidth, scrolled: document.documentElement.scrollWidth })`),
      );
      expect(size.inner).toBeLessThanOrEqual(width > 320 ? 200 : 320);
      expect(size.scrolled).toBeLessThanOrEqual(size.inner);
      expect(await axeViolations(window, view)).toEqual([]);
      alpha = await connect();
      const outcome = alpha.propose([edit(`narrow-${width}.txt`)]);
      await decide(view, new RegExp(`^Approve edit of narrow-${width}`));
      expect((await outcome).status).toBe('applied');
    },
  );
});
