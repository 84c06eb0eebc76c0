import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assistant, connectAssistant, patience } from '../assistant.ts';
import { openConnections } from '../connectionsPane.ts';
import { pick } from '../quickPick.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, until, type Window } from '../harness.ts';

const edit = { path: 'mine.txt', oldText: 'one', newText: 'two' };

const files = {
  'mine.txt': 'one\n',
  '.vscode/settings.json': JSON.stringify({ 'drawbridge.clients': { nobody: { structured: false } } }),
};

/** Chooses from a row's menu with the keyboard alone. */
async function chooseByKeyboard(window: Window, row: Locator, action: string): Promise<void> {
  // The pointer would choose another entry when the menu opens below it.
  await window.page.mouse.move(900, 700);
  const menu = window.page.locator('.monaco-menu');
  const entry = menu.getByRole('menuitem', { name: action });
  await until(async () => {
    await row.click();
    await window.page.keyboard.press('Shift+F10');
    // A redraw of the tree between the two takes the focus from the row.
    return entry.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  }, `the menu with ${action} to open`);
  await until(async () => {
    if ((await menu.locator('.action-item.focused', { hasText: action }).count()) > 0) return true;
    await window.page.keyboard.press('ArrowDown');
    return false;
  }, `the entry ${action} to have the keyboard`);
  await window.page.keyboard.press('Enter');
}

/** Clicks an action that a row shows while the pointer is over it; rows above may come and go meanwhile. */
async function clickAction(row: Locator, action: string): Promise<void> {
  const button = row.getByRole('button', { name: action, exact: true });
  await until(async () => {
    await row.hover();
    return button.click({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  }, `the action ${action} to take a click`);
}

async function confirm(window: Window, question: RegExp, act: string): Promise<void> {
  const dialog = window.page.getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: act, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('the Connections view', () => {
  let drawbridge: Drawbridge;
  let window: Window;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({ files, settings: patience });
    window = drawbridge.window;
    await drawbridge.record();
  });
  afterAll(() => drawbridge?.stop());

  const connect = async (): Promise<Assistant> => connectAssistant(await drawbridge.record());

  it('shows an assistant and its activity, pauses it, resumes it by the keyboard, and disconnects it', async () => {
    const pane = await openConnections(window);
    await pane.getByRole('treeitem', { name: /^Connect an Assistant\.\.\./ }).waitFor();
    await pane.getByRole('treeitem', { name: /^This Window, running · 127\.0\.0\.1:\d+/ }).waitFor();
    await pane.getByRole('treeitem', { name: /^Mode, Manual/ }).waitFor();

    const assistant = await connect();
    expect(await assistant.say('read_file', { path: 'mine.txt' })).toContain('one');
    await pane.getByRole('treeitem', { name: /^assistant, 1 call · connected/ }).waitFor();
    const row = pane.getByRole('treeitem', { name: /^assistant, / });
    const proposed = assistant.propose([edit]);
    await pane.getByRole('treeitem', { name: /^assistant, 1 waiting · 2 calls · connected, / }).waitFor();

    await clickAction(row, 'Pause');
    await confirm(window, /Pause assistant\?/, 'Pause');
    expect(await proposed).toMatchObject({ status: 'withdrawn', files: [{ state: 'not_applied' }] });
    await pane.getByRole('treeitem', { name: /^assistant, paused · 2 calls/ }).waitFor();
    await window.page.getByRole('button', { name: /Drawbridge is running: 1 assistant connected, 1 paused/ }).waitFor();
    await expect(assistant.propose([edit])).rejects.toThrow(/paused you.*\[denied\]/s);
    expect(await assistant.say('read_file', { path: 'mine.txt' })).toContain('one');

    // The tree no longer refreshes below the menu.
    await pane.getByRole('treeitem', { name: /^assistant, paused · 4 calls/ }).waitFor();
    await chooseByKeyboard(window, row, 'Resume');
    await pane.getByRole('treeitem', { name: /^assistant, \d+ calls · connected/ }).waitFor();
    const again = assistant.propose([edit]);
    await pane.getByRole('treeitem', { name: /^assistant, 1 waiting/ }).waitFor();

    await clickAction(row, 'Disconnect');
    await confirm(window, /Disconnect assistant\?/, 'Disconnect');
    expect(await again).toMatchObject({ status: 'withdrawn' });
    await row.waitFor({ state: 'detached' });
    await window.page
      .locator('.notification-toast', { hasText: 'assistant is disconnected. Its next request may connect it again.' })
      .waitFor();
    await expect(assistant.say('read_file', { path: 'mine.txt' })).rejects.toThrow();

    const anew = await connect();
    expect(await anew.say('read_file', { path: 'mine.txt' })).toContain('one');
    await row.waitFor();
    await anew.close();
  });

  it('shows the other windows of this user when they open and close', async () => {
    const pane = await openConnections(window);
    const folder = tempWorkspace({ 'theirs.txt': 'one\n' }, 'neighbour');
    const other = await drawbridge.host.openWindow({ folder });
    const { windowId } = await drawbridge.record(other);
    const heading = pane.getByRole('treeitem', { name: 'Other Windows, 1' });
    await heading.waitFor();
    await heading.click();
    const row = pane.getByRole('treeitem', { name: /^neighbour, running · / });
    await row.waitFor();
    await clickAction(row, 'Copy Window ID');
    await until(
      async () => (await window.evaluate(async (vscode) => vscode.env.clipboard.readText())) === windowId,
      'the id to be on the clipboard',
    );
    await other.close();
    // A window that ends without removing its file disappears within a minute.
    await heading.waitFor({ state: 'detached' });
    expect(await row.count()).toBe(0);
  });

  it('shows the result format of an assistant, which the user changes by the keyboard for all assistants of that name', async () => {
    const pane = await openConnections(window);
    const record = await drawbridge.record();
    const both = [
      await connectAssistant(record, { name: 'nobody' }),
      await connectAssistant(record, { name: 'nobody' }),
    ];
    let rounds = 0;
    const answers = () => {
      rounds += 1;
      return Promise.all(both.map((each) => each.call('read_file', { path: 'mine.txt' })));
    };
    const kinds = async () => (await answers()).map(({ content }) => content.map(({ type }) => type));
    const hasData = async () => (await answers()).map(({ structuredContent }) => structuredContent !== undefined);
    // A1: what the workspace says of it counts for nothing.
    expect(await hasData()).toEqual([true, true]);
    expect(await kinds()).toEqual([
      ['text', 'resource'],
      ['text', 'resource'],
    ]);
    const rows = pane.getByRole('treeitem', { name: /^nobody, 2 calls/ });
    // A row that still shows fewer calls would be redrawn while the menu is open.
    await until(async () => (await rows.count()) === 2, 'both rows to show two calls');
    await chooseByKeyboard(window, rows.first(), 'Change Result Format...');
    await pick(window, 'Parts of a Result');
    const data = window.page.locator('.quick-input-list .monaco-list-row[aria-label="Structured data"]');
    await data.waitFor();
    await until(async () => {
      if ((await data.getAttribute('class'))?.includes('focused') === true) return true;
      await window.page.keyboard.press('ArrowDown');
      return false;
    }, 'the keyboard to be at the structured data');
    await window.page.keyboard.press('Space');
    await window.page.keyboard.press('Enter');
    const changed = pane.getByRole('treeitem', {
      name: /^nobody, .*You changed its result format/,
    });
    await until(async () => (await changed.count()) === 2, 'both to be sent no data');
    await expect.poll(hasData).toEqual([false, false]);
    const called = pane.getByRole('treeitem', {
      name: new RegExp(`^nobody, ${rounds} calls .*You changed its result format`),
    });
    await until(async () => (await called.count()) === 2, 'both rows to show all calls');

    await chooseByKeyboard(window, changed.first(), 'Change Result Format...');
    await pick(window, 'Reset');
    await until(async () => (await changed.count()) === 0, 'both to be sent data again');
    await expect.poll(hasData).toEqual([true, true]);
    for (const each of both) await each.close();
  });

  it('starts and stops the server of this window, and shows the possible actions while the server is stopped', async () => {
    const pane = await openConnections(window);
    const own = pane.getByRole('treeitem', { name: /^This Window, running/ });
    await clickAction(own, 'Stop');
    await pane.getByRole('button', { name: 'Connect an Assistant...' }).first().waitFor();
    await pane.getByRole('button', { name: 'Start Drawbridge' }).click();
    await own.waitFor();
    expect(await drawbridge.record()).toMatchObject({ endpoint: expect.stringContaining('127.0.0.1') });
  });

  it('opens from the status bar menu', async () => {
    await window.command('workbench.view.explorer');
    await window.page.getByRole('button', { name: /^Drawbridge is running/ }).click();
    const list = window.page.locator('.quick-input-list');
    await list.getByRole('option', { name: /Run Doctor/ }).waitFor();
    const choices = (await list.getByRole('option').allInnerTexts()).join('\n');
    for (const choice of ['Connect an Assistant', 'Connections', 'Set Mode', 'Stop']) expect(choices).toContain(choice);
    await list.getByRole('option', { name: /Connections/ }).click();
    await window.page.getByRole('treeitem', { name: /^This Window, running/ }).waitFor();
  });
});
