import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide, openApprovals, textOf } from './approvalsPage.ts';
import { approvalSeconds, type Assistant, connectAssistant, type Edit } from './assistant.ts';
import { bufferOf, closeAll, openFile, typeInto } from './editor.ts';
import { type Drawbridge, startDrawbridge, until, type Window } from './harness.ts';
import { chooseInMenu, menuOf } from './rowMenu.ts';

const lines = Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join('');

let drawbridge: Drawbridge;
let window: Window;
let page: Page;
let codex: Assistant;
let claude: Assistant;

beforeAll(async () => {
  drawbridge = await startDrawbridge({
    files: { 'cart.ts': lines, 'shop.ts': lines, 'notes.ts': lines, 'mixed.ts': lines },
    settings: {
      'drawbridge.clients': {
        codex: { approvalSeconds, structured: true },
        claude: { approvalSeconds },
        gemini: { approvalSeconds },
      },
    },
  });
  ({ window } = drawbridge);
  ({ page } = window);
  await window.setViewport(1280, 1400);
  codex = await connectAssistant(await drawbridge.record(), { name: 'codex' });
  claude = await connectAssistant(await drawbridge.record(), { name: 'claude' });
});
afterAll(() => drawbridge?.stop());

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);
const onDisk = (name: string): string => readFileSync(pathOf(name), 'utf8');
const replace = (path: string, line: number, newText: string): Edit => ({
  path,
  oldText: `line ${line}\n`,
  newText: `${newText}\n`,
});
const row = (name: RegExp): Locator =>
  page.getByRole('tree', { name: 'History' }).getByRole('treeitem', { name }).first();
const call = (name: RegExp): Locator => page.getByRole('tree', { name: 'Activity' }).getByRole('treeitem', { name });
const button = (name: string): Locator => page.locator('.monaco-dialog-box').getByRole('button', { name });
const toast = (text: RegExp): Locator => page.locator('.notification-toast', { hasText: text });

/** The assistant edits files, and the user approves. @returns id of the change */
async function apply(assistant: Assistant, ...edits: Edit[]): Promise<string> {
  const outcome = assistant.propose(edits);
  await decide(await openApprovals(window), /^Approve edit of /);
  const { status, approvalId } = await outcome;
  expect(status).toBe('applied');
  return approvalId;
}

const openHistory = (): Promise<unknown> => window.command('drawbridge.history.focus');
const change = (id: string): string => `change:${id}`;
const firstLine = (name: string): string => onDisk(name).split('\n', 1)[0] ?? '';

async function diffTabs(): Promise<string[]> {
  return window.evaluate((vscode) =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input, label }) =>
        input instanceof vscode.TabInputTextDiff
          ? [`${label}: ${input.original.authority} ${input.modified.authority || input.modified.scheme}`]
          : [],
      ),
  );
}

/** Scrolls History to its newest row first, because only rows in view exist. */
const menuAtTop = (target: Locator) => async (): Promise<void> => {
  await openHistory();
  await page.keyboard.press('Home');
  await menuOf(target)();
};

describe('the History view', () => {
  it('lists what assistants changed, and shows each file before, after and now', async () => {
    await apply(codex, replace('cart.ts', 1, 'one'), replace('shop.ts', 1, 'one'));
    await openHistory();
    await row(/^Codex: 2 files changed, Today/).waitFor();
    await row(/^Edit 2 files, applied, 2 lines added, 2 removed, Codex/).click();
    const cart = row(/^cart\.ts, edited/);
    if (!(await cart.isVisible())) await page.keyboard.press('ArrowRight');
    await cart.click();
    await until(async () => (await diffTabs()).includes('cart.ts (changed by Codex): before after'), 'the diff');
    await page.locator('.view-line', { hasText: /^one$/ }).first().waitFor();

    await openFile(window, pathOf('cart.ts'));
    await typeInto(window, pathOf('cart.ts'), 'mine\n');
    await openHistory();
    await chooseInMenu(page, menuOf(cart), 'Compare with Current File');
    const compared = 'cart.ts (as Codex left it ↔ now): after file';
    const tabs = await until(async () => (await diffTabs()).find((tab) => tab === compared), 'the diff with the file');
    expect(tabs).toBe(compared);
    await closeAll(window);
  });

  it('shows everything that a session changed as one diff, in History and in Activity', async () => {
    await apply(codex, replace('cart.ts', 2, 'two'));
    const everything = page.getByRole('tab', { name: /^Codex: everything this session changed/ });
    await chooseInMenu(page, menuAtTop(row(/^Codex: 2 files changed/)), 'Show Everything This Session Changed');
    await everything.waitFor();
    // Both changes of the file are in one diff.
    for (const text of [/^one$/, /^two$/]) await page.locator('.view-line', { hasText: text }).first().waitFor();
    expect(await everything.count()).toBe(1);
    await closeAll(window);
    await window.command('drawbridge.activity.focus');
    const session = call(/^Codex: 2 files changed/);
    await session.hover();
    await session.getByRole('button', { name: 'Show Everything This Session Changed' }).click();
    await everything.waitFor();
    await closeAll(window);
  });

  it('undoes and redoes a single change', async () => {
    const id = await apply(claude, replace('notes.ts', 3, 'three'));
    await chooseInMenu(page, menuAtTop(row(/^Edit notes\.ts, applied/)), 'Undo');
    await row(/^Edit notes\.ts, undone/).waitFor();
    expect(onDisk('notes.ts')).toBe(lines);
    await window.command('drawbridge.redoChange', change(id));
    await row(/^Edit notes\.ts, applied/).waitFor();
    expect(onDisk('notes.ts')).toContain('three\n');
  });

  it('asks before it undoes a session, and keeps the work of others', async () => {
    const gemini = await connectAssistant(await drawbridge.record(), { name: 'gemini' });
    await apply(gemini, replace('shop.ts', 10, 'ten'));
    await apply(claude, replace('shop.ts', 20, 'twenty'));
    await apply(gemini, replace('shop.ts', 30, 'thirty'));
    await apply(gemini, replace('shop.ts', 35, 'thirty-five'));
    const session = row(/^gemini: 1 file changed/);
    await chooseInMenu(page, menuAtTop(session), 'Undo Session...');
    await button('Undo 3 changes').click();
    const notification = toast(/1 waits for you in Approvals/);
    await notification.getByRole('button', { name: 'Review' }).click();
    await decide(await openApprovals(window), /^Approve /);
    await until(() => onDisk('shop.ts').includes('line 10\n'), 'the session to be taken back');
    for (const line of [30, 35]) expect(onDisk('shop.ts')).toContain(`line ${line}\n`);
    expect(onDisk('shop.ts')).toContain('twenty\n');
    await gemini.close();
  });

  it('keeps the text of the user: asks about a file edited elsewhere, and shows a file edited in the same lines', async () => {
    const elsewhere = await apply(codex, replace('mixed.ts', 5, 'five'));
    const there = await apply(claude, replace('mixed.ts', 15, 'fifteen'));
    writeFileSync(pathOf('mixed.ts'), `human\n${onDisk('mixed.ts').replace('fifteen', 'fifteen, says the human')}`);
    await openHistory();
    // The command ends when its question is answered.
    void window.command('drawbridge.undoSince', change(elsewhere)).catch(() => undefined);
    await button('Undo All 2').click();
    const notification = toast(/1 waits for you in Approvals, 1 file was changed since and was not undone/);
    await notification.getByRole('button', { name: 'Show' }).click();
    await page
      .locator('.quick-input-widget')
      .getByRole('option', { name: /mixed\.ts/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /mixed\.ts: changed by claude, and since then/ }).waitFor();
    await decide(await openApprovals(window), /^Approve /);
    // Not by what is gone: a save of the editor empties the file first.
    await until(() => onDisk('mixed.ts').includes('\nline 5\n'), 'the change to be undone');
    expect(firstLine('mixed.ts')).toBe('human');
    expect(onDisk('mixed.ts')).toContain('fifteen, says the human\n');
    expect(onDisk('mixed.ts')).not.toContain('\nfive\n');
    expect(there).not.toBe(elsewhere);
    await closeAll(window);
  });

  it('is ordered by time', async () => {
    await openHistory();
    await window.command('drawbridge.arrangeHistoryByTime');
    await row(/^Today/).waitFor();
    expect(await row(/^Codex: /).count()).toBe(0);
    await window.command('drawbridge.arrangeHistoryByAssistant');
    await row(/^claude: /).waitFor();
    expect(await row(/^Today/).count()).toBe(0);
  });
});

describe('the Activity view', () => {
  it('leads from a call to its card, its diff and its history entry', async () => {
    const id = await apply(codex, replace('cart.ts', 38, 'thirty-eight'));
    await window.command('drawbridge.activity.focus');
    const made = call(/^Edited cart\.ts: approved after .*, Codex, /).first();
    // An earlier row has the same name, so the first one of that name may be another.
    const focused = page.getByRole('tree', { name: 'History' }).locator('.monaco-list-row.focused');
    const shown = focused.and(page.getByRole('treeitem', { name: /^Edit cart\.ts, applied/ }));
    await until(async () => {
      // A menu that something else closed has shown nothing.
      await window.command('drawbridge.activity.focus');
      await chooseInMenu(page, menuOf(made), 'Show in History');
      await shown.waitFor({ timeout: 5000 });
      return true;
    }, 'the row in History');
    await chooseInMenu(page, menuOf(made), 'Open Diff');
    await until(
      async () => (await diffTabs()).some((tab) => tab.endsWith('base proposal')),
      'the diff of the approval',
    );
    await chooseInMenu(page, menuOf(made), 'Show Card');
    expect(await textOf(await openApprovals(window))).toContain('Edited cart.ts');
    await chooseInMenu(page, menuOf(made), 'Why Was I Asked?');
    await page.locator('.quick-input-widget', { hasText: 'Why Was I Asked? Edit cart.ts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(id).not.toBe('');
  });

  it('filters calls by assistant, and summarises each assistant', async () => {
    await claude.call('read_file', { path: 'cart.ts' });
    await window.command('drawbridge.activity.focus');
    await call(/^Read cart\.ts: all \d+ lines, claude/)
      .first()
      .waitFor();
    void window.command('drawbridge.filterActivity').catch(() => undefined);
    const input = page.locator('.quick-input-widget');
    await input.getByRole('option', { name: /^Assistant/ }).click();
    await input
      .getByRole('checkbox', { name: /^claude/ })
      .first()
      .click();
    await page.keyboard.press('Enter');
    await page.getByText(/^Assistant: claude · \d+ of \d+ calls$/).waitFor();
    await until(async () => (await call(/, Codex, /).count()) === 0, 'the calls of codex to go');
    await call(/^claude: \d files? changed, .* read, you took /).waitFor();
    await call(/^Sessions, \d+ calls, /).hover();
    const picture = page.locator('.monaco-hover table');
    await picture.getByRole('columnheader', { name: /^Approved/ }).waitFor();
    await picture.locator('span[style*="--vscode-charts-blue"]').first().waitFor();
    await window.command('drawbridge.clearActivityFilter');
    await call(/, Codex, /)
      .first()
      .waitFor();
    expect(await page.getByText(/^Assistant: claude · /).count()).toBe(0);
  });
});

describe('the editor', () => {
  it('holds no unsaved text after changes and undos', async () => {
    expect((await bufferOf(window, pathOf('mixed.ts'))).dirty).toBe(false);
  });
});
