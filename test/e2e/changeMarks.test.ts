import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clickButton, decide, openApprovals } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome } from './assistant.ts';
import { type Drawbridge, until, type Window } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

const text = Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join('');
const edits = [
  { oldText: 'line 3\n', newText: 'three\n' },
  { oldText: 'line 150\n', newText: 'one hundred and fifty\n' },
];

let drawbridge: Drawbridge;
let window: Window;
let page: Page;
let view: Frame;
let assistant: Assistant;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({ 'other.txt': 'other\n' });
  ({ window } = drawbridge);
  ({ page } = window);
});

beforeEach(async () => {
  assistant = await connectAssistant(await drawbridge.record());
});
afterEach(async () => {
  await assistant?.close();
  await window.command('workbench.action.closeAllEditors');
});

/** The assistant edits a new file, and the user approves. */
async function apply(name: string): Promise<Outcome> {
  writeFileSync(join(drawbridge.folder ?? '', name), text);
  view = await openApprovals(window);
  const outcome = assistant.propose(edits.map((edit) => ({ path: name, ...edit })));
  await decide(view, new RegExp(`^Approve edit of ${name}`));
  expect((await outcome).status).toBe('applied');
  return outcome;
}

async function open(name: string, line = 0): Promise<void> {
  await window.evaluate(
    async (vscode, path, first) => {
      const selection = new vscode.Range(first, 0, first, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false, selection });
    },
    join(drawbridge.folder ?? '', name),
    line,
  );
}

/** Lines on screen that are marked: nothing else is decorated by an extension. */
const marks = (): Locator => page.locator('.view-overlays [class*="TextEditorDecorationType"]');

/** Returns whether the Explorer marks a file as changed by an assistant. */
async function isMarked(name: string): Promise<boolean> {
  await window.command('workbench.view.explorer');
  const label = page.locator(`.explorer-folders-view .monaco-icon-label[aria-label*="/${name}"]`);
  return ((await label.getAttribute('aria-label')) ?? '').endsWith('Changed by assistant');
}

describe('a proposal that waits', () => {
  it('has a CodeLens in the editor of its file, which brings up its card', async () => {
    const path = join(drawbridge.folder ?? '', 'waits.txt');
    writeFileSync(path, text);
    await open('waits.txt');
    const outcome = assistant.propose(edits.map((edit) => ({ path: 'waits.txt', ...edit })));
    const titles = (): Promise<readonly string[]> =>
      window.evaluate(async (vscode, file) => {
        const uri = vscode.Uri.file(file);
        const lenses = await vscode.commands.executeCommand<{ command?: { title: string } }[]>(
          'vscode.executeCodeLensProvider',
          uri,
          1,
        );
        return lenses.map(({ command }) => command?.title ?? '');
      }, path);
    await until(async () => (await titles()).length > 0, 'the CodeLens');
    expect(await titles()).toEqual([expect.stringMatching(/ proposes \+2 -2 · Review$/)]);
    await marks().first().waitFor();

    await page.locator('.codelens-decoration a', { hasText: 'Review' }).click();
    view = await openApprovals(window);
    await clickButton(view, /^Decline… edit of waits\.txt/);
    await decide(view, /^Decline edit of waits\.txt/);
    expect((await outcome).status).toBe('declined');
    await until(async () => (await titles()).length === 0, 'the CodeLens to go');
    await marks().first().waitFor({ state: 'detached' });
  });
});

describe('a change of an assistant', () => {
  it('is marked in the Explorer and in the editor until the user has looked at the change', async () => {
    await apply('a.txt');
    await until(() => isMarked('a.txt'), 'the badge in the explorer');
    expect(await isMarked('other.txt')).toBe(false);

    await open('a.txt');
    await marks().first().waitFor();
    expect(await marks().count()).toBe(1);
    await marks().first().waitFor({ state: 'detached' });
    expect(await isMarked('a.txt')).toBe(true);

    await open('a.txt', 150);
    await marks().first().waitFor();
    await marks().first().waitFor({ state: 'detached' });
    await until(async () => !(await isMarked('a.txt')), 'the badge to go');
  });

  it('loses its marks when the user undoes the change', async () => {
    await apply('b.txt');
    await until(() => isMarked('b.txt'), 'the badge in the explorer');
    view = await openApprovals(window);
    await clickButton(view, /^Undo edit of b\.txt/);
    await until(async () => !(await isMarked('b.txt')), 'the badge to go');
    await open('b.txt');
    await page.locator('.view-line', { hasText: 'line 3' }).first().waitFor();
    expect(await marks().count()).toBe(0);
  });

  it('is not marked when the user has turned marks off', async () => {
    await window.evaluate(async (vscode) => {
      const { Global } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration().update('drawbridge.changes.mark', false, Global);
    });
    await apply('c.txt');
    await open('c.txt');
    await page.locator('.view-line', { hasText: 'three' }).first().waitFor();
    expect(await marks().count()).toBe(0);
    expect(await isMarked('c.txt')).toBe(false);
  });
});
