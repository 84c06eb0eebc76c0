import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, decide, openApprovals } from './approvalsPage.ts';
import { connectAssistant, type Assistant } from './assistant.ts';
import { openFile, tabsOf, typeInto } from './editor.ts';
import type { Drawbridge } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

describe('actions and questions in the editor', () => {
  let drawbridge: Drawbridge;
  let assistant: Assistant;
  let page: Frame;
  beforeAll(async () => {
    drawbridge = await sharedDrawbridge(
      { 'src/a.ts': 'export const a = 1;\n' },
      {
        'drawbridge.toolsets': { workspace: true, edit: true, editor: true, commands: true },
        'drawbridge.commands.allow': ['editor.foldAll'],
      },
    );
    assistant = await connectAssistant(await drawbridge.record());
    page = await openApprovals(drawbridge.window);
  });
  afterAll(() => assistant?.close());

  test('run a command after the user approves its card, and the card has no axe violations', async () => {
    const ended = assistant.call('run_command', { command: 'editor.foldAll', reason: 'To see the outline.' });
    const waiting = page.locator('article').filter({ hasText: 'editor.foldAll' });
    await waiting.getByText('Without arguments.').waitFor();
    expect(await axeViolations(drawbridge.window, page)).toEqual([]);
    await decide(page, /^Run: Run command: /);
    expect(await ended).toMatchObject({ structuredContent: { status: 'applied' } });
    await page.getByText(/^Run command: .* \(done\)$/).waitFor();
  });

  test('save a file and close its editor, each after the user approves its card', async () => {
    const { window } = drawbridge;
    const path = join(drawbridge.folder ?? '', 'src/a.ts');
    await openFile(window, path);
    await typeInto(window, path, '// Mine.\n');
    const saved = assistant.call('save_files');
    await decide(page, /^Approve: Save src\/a\.ts/);
    expect(await saved).toMatchObject({ structuredContent: { status: 'applied', output: 'src/a.ts: saved' } });
    expect(readFileSync(path, 'utf8')).toMatch(/^\/\/ Mine\./);
    const closed = assistant.call('close_editors', { paths: ['src/a.ts'] });
    await decide(page, /^Approve: Close src\/a\.ts/);
    expect(await closed).toMatchObject({ structuredContent: { status: 'applied', output: 'src/a.ts: closed' } });
    expect(await tabsOf(window)).toEqual([]);
    await window.command('drawbridge.activity.focus');
    // The view is low, and rows out of view are not drawn.
    await window.page.getByRole('treeitem', { name: /^Sessions, / }).click();
    await window.page.keyboard.press('ArrowLeft');
    await window.page.getByRole('treeitem', { name: /^Closed the editors of a\.ts: approved after / }).waitFor();
    await window.page.getByRole('treeitem', { name: /^Ran the command editor\.foldAll: approved after / }).waitFor();
    page = await openApprovals(window);
  });

  test('answer a question by keyboard alone, and the assistant gets the answer', async () => {
    const { window } = drawbridge;
    const ended = assistant.call('ask_user', { question: 'Which port?', choices: ['3000', '8080'] });
    const choices = page.getByRole('radiogroup', { name: 'Answers to choose from' }).getByRole('radio');
    await choices.first().waitFor();
    expect(await axeViolations(window, page)).toEqual([]);
    await window.page.locator('#drawbridge\\.drawbridge\\.status').getByText('1 question').waitFor();
    await choices.first().focus();
    await window.page.keyboard.press('ArrowDown');
    await decide(page, /^Answer the question/, () => choices.nth(1).press('Enter'));
    expect(await ended).toMatchObject({ structuredContent: { status: 'answered', answer: '8080' } });
    await page.getByText('You answered: “8080”').waitFor();
  });

  test('report a dismissed question to the assistant', async () => {
    const ended = assistant.call('ask_user', { question: 'Shall I?' });
    await decide(page, /^Dismiss the question/);
    expect(await ended).toMatchObject({ structuredContent: { status: 'dismissed' } });
  });
});
