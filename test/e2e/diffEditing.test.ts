import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle, Frame, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clickButton, openApprovals } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome } from './assistant.ts';
import { closeAll } from './editor.ts';
import { hostPatience } from '../host/until.ts';
import { type Drawbridge, until, type Window } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
/** Two changes that are far enough from each other to be two hunks, and what is left of them when the first is taken out. */
const twoEdits = [
  { oldText: 'line 3\n', newText: 'line three\n' },
  { oldText: 'line 12\n', newText: 'line twelve\nmore\n' },
];
const proposed = twoEdits.reduce((before, { oldText, newText }) => before.replace(oldText, newText), text);
const onlySecond = text.replace('line 12\n', 'line twelve\nmore\n');

let drawbridge: Drawbridge;
let window: Window;
let page: Page;
let view: Frame;
let assistant: Assistant;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({ 'readme.md': '# Nothing\n' });
  ({ window } = drawbridge);
  ({ page } = window);
});

beforeEach(async () => {
  assistant = await connectAssistant(await drawbridge.record());
  view = await openApprovals(window);
});
afterEach(async () => {
  await assistant?.close();
  await closeAll(window);
});

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);
const onDisk = (name: string): string => readFileSync(pathOf(name), 'utf8');

function propose(...names: string[]): Promise<Outcome> {
  for (const name of names) writeFileSync(pathOf(name), text);
  return assistant.propose(names.flatMap((path) => twoEdits.map((edit) => ({ path, ...edit }))));
}

const arrows = (): Locator => page.getByRole('button', { name: 'Revert Block' });
const button = (name: string): Locator => view.getByRole('button', { name, exact: true });
const rightSide = (): Locator => page.locator('.monaco-diff-editor .modified .view-lines').first();

/**
 * Decides by the button of this name, which may be redrawn, and is pressed again when the press came too early or the
 * text was changed meanwhile.
 */
async function press(name: RegExp, outcome: Promise<Outcome>): Promise<Outcome> {
  const pressed = view.getByRole('button', { name }).first();
  await pressed.waitFor();
  let isDecided = false;
  void outcome.then(() => (isDecided = true));
  await until(async () => {
    if (!isDecided) await pressed.click({ timeout: 1000 }).catch(() => undefined);
    return isDecided;
  }, `a decision by the button ${name}`);
  return outcome;
}

async function openDiff(of: string): Promise<void> {
  await clickButton(view, new RegExp(`^Open diff of ${of}`));
  await rightSide().waitFor();
  await until(async () => (await arrows().count()) > 0, 'the arrows of the diff');
}

/** Types at the end of a line (0-based) of the right side, with the keyboard there. */
async function typeAfterLine(line: number, typed: string): Promise<void> {
  await rightSide().locator('.view-line').nth(line).click();
  const active = () => window.evaluate((vscode) => vscode.window.activeTextEditor?.document.uri.authority);
  await until(async () => (await active()) === 'proposal', 'the keyboard to be on the right side');
  await page.keyboard.press('End');
  await page.keyboard.type(typed);
}

/** The texts of the right sides that the editor holds, by path. */
async function rightTexts(): Promise<Record<string, { text: string; dirty: boolean; readonly: boolean }>> {
  return window.evaluate(async (vscode) => {
    const documents = vscode.workspace.textDocuments.filter(
      ({ uri }) => uri.scheme === 'drawbridge' && uri.authority === 'proposal',
    );
    const sides = documents.map(async (document) => {
      const { permissions } = await vscode.workspace.fs.stat(document.uri);
      const readonly = permissions === vscode.FilePermission.Readonly;
      return [document.uri.path.slice(1), { text: document.getText(), dirty: document.isDirty, readonly }] as const;
    });
    return Object.fromEntries(await Promise.all(sides));
  });
}

const rightText = async (name: string): Promise<string | undefined> => (await rightTexts())[name]?.text;

/** Takes the first hunk out. Arrows are there while the diff is still computed, so that a press may be lost: it is made again then. */
async function pressArrow(name: string): Promise<void> {
  // The editor may draw it before the extension host has heard of it.
  const before = await until(() => rightText(name), `the right side of ${name}`);
  await until(async () => {
    const arrow = await arrowOfFirstHunk();
    if (arrow === undefined) return false;
    await arrow.click({ timeout: 5000 });
    return until(async () => (await rightText(name)) !== before, 'the hunk to go', 10_000);
  }, `the arrow of the first hunk of ${name}`);
}

/** By its place: the editor keeps its arrows in no certain order. */
async function arrowOfFirstHunk(): Promise<ElementHandle | undefined> {
  const line = await rightSide()
    .locator('.view-line', { hasText: /^line\sthree/ })
    .boundingBox();
  for (const arrow of await arrows().elementHandles()) {
    const box = await arrow.boundingBox();
    if (line !== null && box !== null && Math.abs(box.y - line.y) < line.height / 2) return arrow;
  }
  return undefined;
}

async function tabs(): Promise<string[]> {
  return window.evaluate((vscode) =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label),
  );
}

async function waitForNoTabs(): Promise<void> {
  await until(async () => {
    const open = await tabs();
    if (open.length > 0) throw new Error(`These tabs are open: ${open.join(', ')}`);
    return true;
  }, 'the diff to be closed');
}

describe('the editor’s own diff', () => {
  it('has a frozen base, a right side that is saved automatically, and a button that leads to the card', async () => {
    const outcome = propose('base.txt');
    await openDiff('base.txt');
    expect(await tabs()).toEqual(['base.txt (proposed change)']);
    await page.locator('.monaco-diff-editor .original .view-lines').first().click();
    await page.keyboard.type('typed into the base');
    await typeAfterLine(0, '!');
    await until(async () => (await rightTexts())['base.txt']?.dirty === false, 'the right side to be saved');
    expect(await rightText('base.txt')).toBe(proposed.replace('line 0', 'line 0!'));
    const base = await window.evaluate((vscode) =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.authority === 'base')?.getText(),
    );
    expect(base).toBe(text);
    expect(onDisk('base.txt')).toBe(text);

    await page.getByLabel('Review This Approval').first().click();
    const focused = () => view.evaluate(`document.hasFocus() ? document.activeElement.tagName : ''`);
    await until(async () => (await focused()) === 'H3', 'the headline to have the keyboard');
    await clickButton(view, /^Decline… edit of base\.txt/);
    expect((await press(/^Decline edit of base\.txt/, outcome)).status).toBe('declined');
  });

  it('claude-code#91294: applies what the user typed in the diff, and reports the difference to the model', async () => {
    const outcome = propose('mine.txt');
    await openDiff('mine.txt');
    await typeAfterLine(3, ' (mine)');
    await button('Approve my version: edit of mine.txt').waitFor();
    await view.getByText('edited by you').first().waitFor();
    const wanted = proposed.replace('line three', 'line three (mine)');
    const { status, files } = await press(/^Approve my version/, outcome);
    expect(status).toBe('applied_modified');
    expect(onDisk('mine.txt')).toBe(wanted);
    expect(files[0]?.['differenceFromProposal']).toContain('-line three\n+line three (mine)\n');
    await waitForNoTabs();
  });

  it('cline#12912: writes nothing of a declined change, whatever was typed in its diff', async () => {
    const outcome = propose('declined.txt');
    const before = statSync(pathOf('declined.txt'), { bigint: true });
    await openDiff('declined.txt');
    await typeAfterLine(3, ' (mine)');
    await button('Approve my version: edit of declined.txt').waitFor();
    await clickButton(view, /^Decline… edit of declined\.txt/);
    expect((await press(/^Decline edit of declined\.txt/, outcome)).status).toBe('declined');
    await waitForNoTabs();
    const after = statSync(pathOf('declined.txt'), { bigint: true });
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
    expect(onDisk('declined.txt')).toBe(text);
    const open = await window.evaluate((vscode) =>
      vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.path),
    );
    expect(open.filter((path) => path.endsWith('declined.txt'))).toEqual([]);
  });

  it('leaves a hunk out when the user clicks its arrow, and the card follows', async () => {
    const outcome = propose('arrow.txt');
    await openDiff('arrow.txt');
    await pressArrow('arrow.txt');
    await button('Approve 1 of 2 changes: edit of arrow.txt').waitFor();
    const boxes = view.getByRole('checkbox', { name: /^Include line/ });
    await until(async () => !(await boxes.first().isChecked()) && (await boxes.nth(1).isChecked()), 'the check boxes');
    expect(await view.getByText('edited by you').count()).toBe(0);
    expect((await press(/^Approve 1 of 2/, outcome)).status).toBe('partially_applied');
    expect(onDisk('arrow.txt')).toBe(onlySecond);
  });

  it('follows the check boxes of the card, and the card follows the diff', async () => {
    const outcome = propose('box.txt');
    await openDiff('box.txt');
    const box = view.getByRole('checkbox', { name: /^Include line/ }).first();
    await box.click();
    await until(async () => (await rightText('box.txt')) === onlySecond, 'the diff to follow');
    await box.click();
    await until(async () => (await rightText('box.txt')) === proposed, 'the diff to follow back');
    expect((await rightTexts())['box.txt']?.dirty).toBe(false);
    await typeAfterLine(0, '!');
    await button('Approve my version: edit of box.txt').waitFor();
    await clickButton(view, /^Reset to the proposal: box\.txt/);
    await until(async () => (await rightText('box.txt')) === proposed, 'the diff to be the proposal again');
    expect((await press(/^Approve edit of box\.txt/, outcome)).status).toBe('applied');
    expect(onDisk('box.txt')).toBe(proposed);
  });

  it('applies what is typed right before Approve is pressed, or ignores the press', async () => {
    const outcome = propose('quick.txt');
    await openDiff('quick.txt');
    await button('Approve edit of quick.txt').waitFor();
    await typeAfterLine(0, ' typed at the last moment');
    expect((await press(/^Approve (my version: )?edit of quick\.txt/, outcome)).status).toBe('applied_modified');
    expect(onDisk('quick.txt')).toBe(proposed.replace('line 0', 'line 0 typed at the last moment'));
  });

  it('decides nothing, asks nothing and loses nothing when its tab is closed', async () => {
    const outcome = propose('closed.txt');
    await openDiff('closed.txt');
    await typeAfterLine(0, '!');
    await until(async () => (await rightTexts())['closed.txt']?.dirty === false, 'the right side to be saved');
    await window.command('workbench.action.closeActiveEditor');
    await until(async () => (await tabs()).length === 0, 'the tab to be closed');
    expect(await page.locator('.monaco-dialog-box').count()).toBe(0);
    await button('Approve my version: edit of closed.txt').waitFor();
    await openDiff('closed.txt');
    expect(await rightText('closed.txt')).toBe(proposed.replace('line 0', 'line 0!'));
    expect((await press(/^Approve my version/, outcome)).status).toBe('applied_modified');
    expect(onDisk('closed.txt')).toBe(proposed.replace('line 0', 'line 0!'));
  });

  it('does not run formatters on the proposal', async () => {
    await setSetting('files.trimTrailingWhitespace', true);
    const spaces = text.replace('line 18\n', 'line 18  \n');
    writeFileSync(pathOf('format.txt'), spaces);
    const outcome = assistant.propose(twoEdits.map((edit) => ({ path: 'format.txt', ...edit })));
    await openDiff('format.txt');
    await pressArrow('format.txt');
    const wanted = spaces.replace('line 12\n', 'line twelve\nmore\n');
    await button('Approve 1 of 2 changes: edit of format.txt').waitFor();
    await expect.poll(() => rightText('format.txt'), { timeout: hostPatience }).toBe(wanted);
    expect((await press(/^Approve 1 of 2/, outcome)).status).toBe('partially_applied');
    expect(onDisk('format.txt')).toBe(wanted);
    await setSetting('files.trimTrailingWhitespace', undefined);
  });

  it('keeps mixed line endings after an arrow and typing, on every line that was not touched', async () => {
    const mixed = text
      .replace('line 2\n', 'line 2\r\n')
      .replace('line 3\n', 'line 3\r\n')
      .replace('line 15\n', 'line 15\r\n');
    writeFileSync(pathOf('mixed.txt'), mixed);
    const outcome = assistant.propose([
      { path: 'mixed.txt', oldText: 'line 3', newText: 'line three' },
      { path: 'mixed.txt', oldText: 'line 12\n', newText: 'line twelve\nmore\n' },
    ]);
    await openDiff('mixed.txt');
    await pressArrow('mixed.txt');
    await button('Approve 1 of 2 changes: edit of mixed.txt').waitFor();
    await typeAfterLine(0, '!');
    expect((await press(/^Approve my version/, outcome)).status).toBe('applied_modified');
    expect(onDisk('mixed.txt')).toBe(mixed.replace('line 12\n', 'line twelve\nmore\n').replace('line 0', 'line 0!'));
  });
});

describe('the editor’s diff of several files', () => {
  it('applies arrows and typed text file by file', async () => {
    const outcome = propose('one.txt', 'two.txt');
    await openDiff('2 files');
    expect(await tabs()).toEqual(['one.txt and more, proposed change (2 files)']);
    await until(async () => (await arrows().count()) === 4, 'the arrows of both files');
    await pressArrow('one.txt');
    await until(async () => (await rightText('one.txt')) === onlySecond, 'the arrow');
    await button('Approve 3 of 4 changes: edit of 2 files: one.txt, two.txt').waitFor();
    const { status, files } = await press(/^Approve 3 of 4/, outcome);
    expect(status).toBe('partially_applied');
    expect(files.map(({ path, state }) => [path, state])).toEqual([
      ['one.txt', 'applied'],
      ['two.txt', 'applied'],
    ]);
    expect([onDisk('one.txt'), onDisk('two.txt')]).toEqual([onlySecond, proposed]);
    // The title of the diff is no longer true.
    await waitForNoTabs();
  });

  it('applies what is typed in one of the files', async () => {
    const outcome = propose('three.txt', 'four.txt');
    await openDiff('2 files');
    await typeAfterLine(0, '!');
    await button('Approve my version: edit of 2 files: three.txt, four.txt').waitFor();
    expect((await press(/^Approve my version/, outcome)).status).toBe('applied_modified');
    expect([onDisk('three.txt'), onDisk('four.txt')]).toEqual([proposed.replace('line 0', 'line 0!'), proposed]);
  });

  it('closes the tab that the editor opened for typed text that was saved late', async () => {
    const outcome = propose('five.txt', 'six.txt');
    await openDiff('2 files');
    await typeAfterLine(0, '!');
    await window.evaluate(async (vscode) => {
      const isTyped = ({ uri }: { uri: { authority: string; path: string } }) =>
        uri.authority === 'proposal' && uri.path.endsWith('five.txt');
      const document = vscode.workspace.textDocuments.find(isTyped);
      if (document !== undefined) await vscode.window.showTextDocument(document, { preview: false });
    });
    await until(async () => (await tabs()).length === 2, 'the tab of the right side');
    await button('Approve my version: edit of 2 files: five.txt, six.txt').waitFor();
    expect((await press(/^Approve my version/, outcome)).status).toBe('applied_modified');
    await waitForNoTabs();
  });
});

async function setSetting(name: string, value: boolean | undefined): Promise<void> {
  await window.evaluate(
    async (vscode, key, given) => {
      // JSON has no undefined, which resets a setting.
      await vscode.workspace.getConfiguration().update(key, given ?? undefined, vscode.ConfigurationTarget.Global);
    },
    name,
    value ?? null,
  );
}
