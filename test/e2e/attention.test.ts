import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clickButton, decide, openApprovals } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome, patience } from './assistant.ts';
import { type Drawbridge, startDrawbridge, until, type Window } from './harness.ts';

let drawbridge: Drawbridge;
let window: Window;
let page: Page;
let assistant: Assistant;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: { 'typed.txt': '' }, settings: patience });
  ({ window } = drawbridge);
  ({ page } = window);
});
afterAll(() => drawbridge?.stop());

beforeEach(async () => {
  assistant = await connectAssistant(await drawbridge.record());
  await window.command('notifications.clearAll');
  await window.command('workbench.view.explorer');
});
// What a test left undecided goes with its session.
afterEach(() => assistant?.close());

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);
const onDisk = (name: string): string => readFileSync(pathOf(name), 'utf8');
const toast = (): Locator => page.locator('.notification-toast', { hasText: 'assistant' });
const badge = (): Locator => page.getByRole('tab', { name: /^Drawbridge/ }).locator('.badge-content');
const statusItem = (): Locator => page.locator('[id="drawbridge.drawbridge.status"]');

/** Proposes to make a new file's "one" a "two". */
function proposeFor(...names: string[]): Promise<Outcome> {
  for (const name of names) writeFileSync(pathOf(name), 'one\n');
  return assistant.propose(names.map((path) => ({ path, oldText: 'one', newText: 'two' })));
}

/** A document that has the keyboard. */
async function focusEditor(name: string): Promise<void> {
  await window.evaluate(async (vscode, path) => {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false, preserveFocus: false });
  }, pathOf(name));
  await until(editorHasKeyboard, 'the editor to have the keyboard');
}

const editorHasKeyboard = (): Promise<boolean> =>
  page.evaluate(`document.activeElement?.closest('.monaco-editor') !== null && document.hasFocus()`);

/** What has the keyboard in the view: its tag and its text. */
const focusedIn = (view: Frame): Promise<string> =>
  view.evaluate(`document.hasFocus() ? document.activeElement.tagName + ' ' + document.activeElement.textContent : ''`);

describe('while the view is hidden', () => {
  it('badge, status bar and a toast tell of an approval, without a path; Decline in the toast declines', async () => {
    await window.command('workbench.action.closeSidebar');
    const proposed = proposeFor('hidden.txt');
    await toast().waitFor();
    expect(await toast().locator('.notification-list-item-message').innerText()).toBe(
      'An assistant asks to edit 1 file.',
    );
    expect(
      await toast()
        .getByRole('button', { name: /^(Review|Decline|Approve)/ })
        .allInnerTexts(),
    ).toEqual(['Review', 'Decline']);
    expect(await badge().innerText()).toBe('1');
    expect(await page.getByRole('tab', { name: 'Drawbridge - 1 approval waits' }).count()).toBe(1);
    expect(await statusItem().innerText()).toContain('1 approval');
    expect(await statusItem().getAttribute('class')).toContain('warning');

    await toast().getByRole('button', { name: 'Decline' }).click();
    expect((await proposed).status).toBe('declined');
    await badge().waitFor({ state: 'hidden' });
    await until(async () => !(await statusItem().innerText()).includes('approval'), 'the status bar to calm down');
    expect(onDisk('hidden.txt')).toBe('one\n');
  });

  it('several are told in one toast, which declines none of them; Review brings up the first', async () => {
    const proposed = [proposeFor('first.txt'), proposeFor('second.txt')];
    await toast().first().waitFor();
    await until(async () => (await badge().innerText()) === '2', 'both to wait');
    expect(await statusItem().innerText()).toContain('2 approvals');
    expect(await toast().count()).toBe(1);
    await toast().getByRole('button', { name: 'Review' }).click();
    const view = await window.webview('article');
    await until(async () => (await focusedIn(view)) === 'H3 Edit first.txt', 'the headline to have the keyboard');
    await decide(view, /^Approve edit of first\.txt/, () => page.keyboard.press('Control+Backspace'));
    expect((await proposed[0])?.status).toBe('declined');
    await decide(view, /^Approve edit of second\.txt/);
    expect((await proposed[1])?.status).toBe('applied');
  });

  it('by the keyboard alone: the chord puts it on the headline, Escape leaves without a decision, Ctrl+Enter approves', async () => {
    await focusEditor('typed.txt');
    const proposed = proposeFor('chord.txt');
    await toast().waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.press('a');
    const view = await window.webview('article');
    await until(async () => (await focusedIn(view)) === 'H3 Edit chord.txt', 'the headline to have the keyboard');

    await page.keyboard.press('Escape');
    await until(editorHasKeyboard, 'the editor to have the keyboard again');
    expect(await view.getByRole('button', { name: 'Approve edit of chord.txt' }).count()).toBe(1);

    await page.keyboard.press('Control+K');
    await page.keyboard.press('a');
    await until(async () => (await focusedIn(view)) === 'H3 Edit chord.txt', 'the headline to have the keyboard');
    // Enter and Space on the headline are no decision, whenever they come.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await decide(view, /^Approve edit of chord\.txt/, () => page.keyboard.press('Control+Enter'));
    expect((await proposed).status).toBe('applied');
    expect(onDisk('chord.txt')).toBe('two\n');
    expect(onDisk('typed.txt')).toBe('');
  });

  it.each(['never', 'always'])('never takes the keyboard from the editor (reveal: %s)', async (reveal) => {
    await setSetting('drawbridge.approvals.reveal', reveal);
    await focusEditor('typed.txt');
    await window.command('editor.action.selectAll');
    await page.keyboard.press('Delete');
    const text = 'the quick brown fox jumps over the lazy dog';
    const proposed: Promise<Outcome>[] = [];
    for (const [index, letter] of text.split('').entries()) {
      if (index % 10 === 5) proposed.push(proposeFor(`while-typing-${reveal}-${index}.txt`));
      await page.keyboard.type(letter);
    }
    await until(async () => (await badge().innerText()) === String(proposed.length), 'all of them to wait');
    if (reveal === 'always') await window.webview('article');
    await page.keyboard.type('.');
    await until(
      async () => (await textOfDocument('typed.txt')) === `${text}.`,
      'what was typed to stand in the editor',
    );
    expect(await editorHasKeyboard()).toBe(true);
    await window.command('workbench.action.files.revert');
    const view = await openApprovals(window);
    for (const each of proposed) {
      await decide(view, /^Approve edit of/);
      expect((await each).status).toBe('applied');
    }
    await setSetting('drawbridge.approvals.reveal');
  });
});

describe('the view', () => {
  it('axe finds nothing, with a waiting, a protected and finished cards', async () => {
    const view = await openApprovals(window);
    writeFileSync(pathOf('Makefile'), 'one\n');
    const proposed = [
      proposeFor('axe.txt'),
      assistant.propose([{ path: 'Makefile', oldText: 'one', newText: 'two' }], 'Because\u{200B} of axe'),
    ];
    await view.getByRole('button', { name: /^Approve edit of axe/ }).waitFor();
    await view.getByRole('button', { name: /^Approve once: edit of protected Makefile/ }).waitFor();
    await view.getByRole('button', { name: /^Undo/ }).first().waitFor();
    // Axe cannot look through the frame at the side bar behind the page, and would take it for white.
    await view.evaluate(`document.body.style.background = 'var(--vscode-sideBar-background)'`);
    for (const theme of ['Dark Modern', 'Default High Contrast']) {
      await window.setColorTheme(theme);
      const { violations, passes } = await new AxeBuilder({ page })
        .include(['iframe.webview.ready', '#active-frame', 'body'])
        .analyze();
      expect([theme, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([theme, []]);
      expect(passes.length).toBeGreaterThan(15);
    }
    await decide(view, /^Approve edit of axe/);
    await decide(view, /^Approve once: edit of protected Makefile/);
    for (const each of proposed) expect((await each).status).toBe('applied');
  });

  it('is drawn again after it was hidden, with what changed meanwhile', async () => {
    let view = await openApprovals(window);
    const [kept, gone] = [proposeFor('kept.txt'), new AbortController()];
    writeFileSync(pathOf('gone.txt'), 'one\n');
    const cancelled = assistant
      .propose([{ path: 'gone.txt', oldText: 'one', newText: 'two' }], undefined, gone.signal)
      .catch(() => 'cancelled');
    await view.getByRole('button', { name: /^Approve edit of kept/ }).waitFor();
    await view.getByRole('button', { name: /^Approve edit of gone/ }).waitFor();
    await view.getByRole('button', { name: /^Decline… edit of kept/ }).click();
    await view.getByRole('textbox').fill('half a sentence');

    await window.command('workbench.view.explorer');
    gone.abort();
    expect(await cancelled).toBe('cancelled');
    const late = proposeFor('late.txt');
    await until(async () => (await badge().innerText()) === '2', 'the late one to wait');
    view = await openApprovals(window);
    await view.getByRole('button', { name: /^Approve edit of late/ }).waitFor();
    expect(await view.getByRole('button', { name: /^Approve edit of/ }).count()).toBe(2);
    await view.getByRole('heading', { name: /gone\.txt/ }).waitFor();
    expect(await view.getByRole('textbox').inputValue()).toBe('half a sentence');
    await decide(view, /^Approve edit of kept/);
    await decide(view, /^Approve edit of late/);
    expect([(await kept).status, (await late).status]).toEqual(['applied', 'applied']);
  });
});

describe('Open diff', () => {
  it('of one file: both sides read-only, the base frozen, and its button leads back to the card', async () => {
    const view = await openApprovals(window);
    const proposed = proposeFor('diff.txt');
    await clickButton(view, /^Open diff of diff\.txt/);
    const sides = await until(async () => {
      const open = await diffSides();
      return open.length === 2 ? open : undefined;
    }, 'both sides of the diff');
    expect(sides).toEqual([
      { text: 'one\n', readonly: true, side: 'base' },
      { text: 'two\n', readonly: true, side: 'proposal' },
    ]);
    expect(await activeTab()).toBe('diff.txt (proposed change)');

    writeFileSync(pathOf('diff.txt'), 'mine\n');
    await page.locator('.monaco-diff-editor .modified .view-lines').click();
    const active = () => window.evaluate((vscode) => vscode.window.activeTextEditor?.document.uri.authority);
    await until(async () => (await active()) === 'proposal', 'the keyboard to be in the proposal');
    await window.command('type', { text: 'typed into the proposal' });
    expect(await diffSides()).toEqual(sides);
    writeFileSync(pathOf('diff.txt'), 'one\n');

    await page
      .getByRole('button', { name: 'Drawbridge: Review This Approval' })
      .or(page.getByLabel('Review This Approval'))
      .first()
      .click();
    await until(async () => (await focusedIn(view)) === 'H3 Edit diff.txt', 'the headline to have the keyboard');
    await decide(view, /^Approve edit of diff\.txt/);
    expect((await proposed).status).toBe('applied');
    await window.command('workbench.action.closeAllEditors');
  });

  it('of several files: one multi-file diff, read-only too', async () => {
    const view = await openApprovals(window);
    const proposed = proposeFor('many-1.txt', 'many-2.txt');
    await clickButton(view, /^Open diff of 2 files/);
    await until(async () => /proposed change \(2 files\)/.test(await activeTab()), 'the multi-file diff');
    const sides = await until(async () => {
      const open = await diffSides();
      return open.length === 4 ? open : undefined;
    }, 'both files of the diff');
    expect(sides).toEqual([
      { text: 'one\n', readonly: true, side: 'base' },
      { text: 'one\n', readonly: true, side: 'base' },
      { text: 'two\n', readonly: true, side: 'proposal' },
      { text: 'two\n', readonly: true, side: 'proposal' },
    ]);
    await decide(view, /^Approve edit of 2 files/);
    expect((await proposed).status).toBe('applied');
    await window.command('workbench.action.closeAllEditors');
  });
});

async function textOfDocument(name: string): Promise<string> {
  return window.evaluate(
    async (vscode, path) => (await vscode.workspace.openTextDocument(path)).getText(),
    pathOf(name),
  );
}

/** What the active tab is called. */
async function activeTab(): Promise<string> {
  return window.evaluate((vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '');
}

/** The documents of ours that the editor holds, bases first. */
async function diffSides(): Promise<{ text: string; readonly: boolean; side: string }[]> {
  return window.evaluate(async (vscode) => {
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'drawbridge');
    documents.sort((a, b) => (a.uri.toString() < b.uri.toString() ? -1 : 1));
    return Promise.all(
      documents.map(async (document) => {
        const { permissions } = await vscode.workspace.fs.stat(document.uri);
        return {
          text: document.getText(),
          readonly: permissions === vscode.FilePermission.Readonly,
          side: document.uri.authority,
        };
      }),
    );
  });
}

async function setSetting(name: string, value?: string): Promise<void> {
  await window.evaluate(
    async (vscode, key, given) => {
      // JSON has no undefined, which resets a setting.
      await vscode.workspace.getConfiguration().update(key, given ?? undefined, vscode.ConfigurationTarget.Global);
    },
    name,
    value ?? null,
  );
}
