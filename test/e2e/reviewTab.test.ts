/** The tab that shows one request at the full width of the editor area. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  actionBar,
  axeViolations,
  bringUp,
  clickButton,
  decide,
  openApprovals,
  openGroups,
  readToEnd,
} from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome } from './assistant.ts';
import { type Drawbridge, until } from './harness.ts';
import { webviewIn } from '../host/window.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;
let assistant: Assistant;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({});
  assistant = await connectAssistant(await drawbridge.record());
});
afterAll(async () => {
  await assistant?.close();
  await drawbridge?.window.command('workbench.action.closeAllEditors');
});

const onDisk = (name: string): string => readFileSync(join(drawbridge.folder ?? '', name), 'utf8');

function propose(path: string): Promise<Outcome> {
  writeFileSync(join(drawbridge.folder ?? '', path), 'one\ntwo\n');
  return assistant.propose([{ path, oldText: 'two', newText: 'zwei' }]);
}

/** Opens the tab of a request by its button in the side bar. */
async function openTab(path: string): Promise<{ readonly sideBar: Frame; readonly tab: Frame }> {
  const sideBar = await openApprovals(drawbridge.window);
  await bringUp(sideBar, new RegExp(`^Approve edit of ${path}`));
  await clickButton(sideBar, /^Review in a tab/);
  return { sideBar, tab: await tabOf(path) };
}

/** Returns the page of the tab that shows the change of a file. */
const tabOf = (path: string): Promise<Frame> =>
  drawbridge.window.webview(`body[data-view="tab"] article:has-text("${path}")`);

/** Returns the paths of all files below a folder. */
const tree = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));

describe('the review tab', () => {
  it('A38: decides its request alone while it is visible, and writes exactly what it shows', async () => {
    const outcome = propose('tab.txt');
    const { sideBar, tab } = await openTab('tab.txt');
    await actionBar(sideBar).getByText('In review in a tab. The tab decides.').waitFor();
    expect(await sideBar.getByRole('button', { name: /^Approve edit of tab\.txt/ }).count()).toBe(0);
    expect(await axeViolations(drawbridge.window, tab)).toEqual([]);
    await decide(tab, /^Approve edit of tab\.txt/);
    expect((await outcome).status).toBe('applied');
    expect(onDisk('tab.txt')).toBe('one\nzwei\n');
    await tab.getByRole('heading', { name: 'Edited tab.txt' }).waitFor();
  });

  it('opens by the shortcut for a delete, which no key approves, and shows the whole change as a text', async () => {
    writeFileSync(join(drawbridge.folder ?? '', 'gone.txt'), 'one\ntwo\n');
    const outcome = assistant.change('delete_file', { path: 'gone.txt' });
    const { page } = drawbridge.window;
    const sideBar = await openApprovals(drawbridge.window);
    await bringUp(sideBar, /^Approve delete of gone\.txt/);
    await drawbridge.window.command('drawbridge.reviewNextApproval');
    const tab = await tabOf('gone.txt');
    await readToEnd(tab, /^Approve delete of gone\.txt/);
    await page.keyboard.press('Control+Enter');
    await tab.getByText(/^No key approves this/).waitFor();
    await clickButton(tab, /^Open as text/);
    const text = page.locator('.monaco-editor', { hasText: '+++ /dev/null' });
    await text.waitFor();
    expect(await text.innerText()).toContain('-two');
    await drawbridge.window.command('workbench.action.closeActiveEditor');
    await decide(await tabOf('gone.txt'), /^Approve delete of gone\.txt/);
    expect((await outcome).status).toBe('applied');
  });

  it('gives the decision back to the side bar when it is closed', async () => {
    const outcome = propose('back.txt');
    const { sideBar } = await openTab('back.txt');
    await drawbridge.window.command('workbench.action.closeActiveEditor');
    await decide(sideBar, /^Approve edit of back\.txt/);
    expect((await outcome).status).toBe('applied');
    expect(onDisk('back.txt')).toBe('one\nzwei\n');
  });

  it('teaches the page with a sample, which writes nothing and is on no record', async () => {
    const { window, host } = drawbridge;
    const before = tree(drawbridge.folder ?? '');
    await window.command('drawbridge.showSample');
    const tab = await tabOf('cart.ts');
    await tab.getByText(/^This is a sample of a request/).waitFor();
    await tab.getByRole('checkbox', { name: /^Include lines? 2\d of .*cart\.ts/ }).click();
    await tab.getByRole('button', { name: /^Approve 2 of 3/ }).waitFor();
    expect(await tab.getByRole('button', { name: /^Do not ask again/ }).count()).toBe(0);
    await clickButton(tab, /^Open diff/);
    await window.page.getByRole('tab', { name: /cart\.ts \(/ }).waitFor();
    await window.command('workbench.action.closeActiveEditor');
    await decide(await tabOf('cart.ts'), /^Approve 2 of 3/);
    await clickButton(await tabOf('cart.ts'), /^Undo edit of .*cart\.ts/);
    await (await tabOf('cart.ts')).getByRole('button', { name: /^Redo edit of .*cart\.ts/ }).waitFor();
    expect(tree(drawbridge.folder ?? '')).toEqual(before);
    expect(await assistant.say('list_changes')).not.toContain('cart.ts');
    const records = tree(host.home).map((name) => readFileSync(join(host.home, name), 'latin1'));
    expect(records.filter((text) => text.includes('src/cart.ts'))).toEqual([]);
  });

  it('A38: starts its time anew and decides alone when it is moved to another window', async () => {
    const outcome = propose('moved.txt');
    const { sideBar, tab } = await openTab('moved.txt');
    const armed = tab.getByRole('button', { name: /^Approve edit of moved\.txt/ });
    await until(async () => (await armed.getAttribute('aria-disabled')) === 'false', 'the button to take clicks');
    const opened = drawbridge.window.page.context().waitForEvent('page');
    await drawbridge.window.command('workbench.action.moveEditorToNewWindow');
    const other = await opened;
    const moved = await webviewIn(other, 'body[data-view="tab"] article:has-text("moved.txt")');
    expect(tab.isDetached()).toBe(true);
    await actionBar(sideBar).getByText('In review in a tab. The tab decides.').waitFor();
    await decide(moved, /^Approve edit of moved\.txt/);
    expect((await outcome).status).toBe('applied');
    expect(onDisk('moved.txt')).toBe('one\nzwei\n');
    await other.close();
  });

  it('is opened by a command, and a command of the editor opens the field for words, but no command decides', async () => {
    const outcome = propose('command.txt');
    const sideBar = await openApprovals(drawbridge.window);
    await bringUp(sideBar, /^Approve edit of command\.txt/);
    await drawbridge.window.command('drawbridge.openReview');
    const tab = await tabOf('command.txt');
    await drawbridge.window.command('drawbridge.declineWithWords');
    const field = tab.getByRole('textbox', { name: 'Tell the assistant why (optional)' });
    await field.fill('keep it');
    expect(onDisk('command.txt')).toBe('one\ntwo\n');
    await decide(tab, /^Decline edit of command\.txt/);
    expect(await outcome).toMatchObject({ status: 'declined', userMessage: 'keep it' });
  });

  it('leaves a command of the editor to the side bar when the keyboard is there', async () => {
    const [inTab, inSideBar] = [propose('inTab.txt'), propose('inSideBar.txt')];
    const page = await openApprovals(drawbridge.window);
    await openGroups(page, 2);
    const { sideBar } = await openTab('inTab.txt');
    await bringUp(sideBar, /^Approve edit of inSideBar\.txt/);
    await sideBar.getByRole('heading', { name: /inSideBar\.txt/ }).click();
    await drawbridge.window.command('drawbridge.declineWithWords');
    await sideBar.getByRole('textbox', { name: 'Tell the assistant why (optional)' }).fill('not this one');
    await decide(sideBar, /^Decline edit of inSideBar\.txt/);
    expect(await inSideBar).toMatchObject({ status: 'declined', userMessage: 'not this one' });
    await decide(await tabOf('inTab.txt'), /^Approve edit of inTab\.txt/);
    expect((await inTab).status).toBe('applied');
  });

  it('sends comments on lines to the assistant with the decline', async () => {
    const outcome = propose('comment.txt');
    const { tab } = await openTab('comment.txt');
    await tab.getByRole('button', { name: 'Comment on line 2' }).click();
    await tab.getByRole('textbox', { name: 'Comment on line 2' }).fill('In English, please');
    await tab.getByRole('button', { name: 'Add comment' }).click();
    await clickButton(tab, /^Decline… edit of comment\.txt/);
    await decide(tab, /^Decline edit of comment\.txt/);
    expect(await outcome).toMatchObject({
      status: 'declined',
      comments: [
        { path: 'comment.txt', side: 'after', firstLine: 2, lastLine: 2, code: 'zwei', comment: 'In English, please' },
      ],
    });
  });
});
