import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser } from '../sidebar/inBrowser.ts';
import { armed, button, card } from '../sidebar/onPage.ts';
import type { OpenPage } from '../sidebar/openPage.ts';
import { actionsScene } from '../sidebar/scene.ts';
import { axeViolations, decide, openApprovals } from './approvalsPage.ts';
import { connectAssistant, patience, type Assistant } from './assistant.ts';
import { openFile, tabsOf, typeInto } from './editor.ts';
import { startDrawbridge, until, type Drawbridge } from './harness.ts';

const start = inBrowser();

const action = {
  title: 'Run command: Fold All',
  definition: 'editor.foldAll',
  arguments: { level: 2 },
  paths: ['src/a.ts'],
  remarks: [],
};
const question = { text: 'Which port?', choices: ['3000', '8080', '9090'], allowsText: true };

const decided = ({ approvals }: OpenPage): string[] =>
  approvals.decisions.filter((entry) => /^(approve|answer|decline)/.test(entry));

describe('F15 accessibility of actions and questions', () => {
  test.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'axe finds nothing in %s',
    async (theme) => {
      const opened = await start({ theme });
      actionsScene(opened.approvals);
      await armed(button(opened, 'ask', /^Dismiss/));
      await card(opened, 'ask').getByRole('radio').first().check();
      await card(opened, 'failed').locator('.output > summary').click();
      const { violations } = await new AxeBuilder({ page: opened.page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(', ')}`)).toEqual([]);
    },
  );

  test.each([
    ['at 200 px', { width: 200 }],
    // A side bar of 320 px at 400 % has the room of 80 px.
    ['at 400 %', { width: 80, height: 225 }],
  ])('%s nothing is wider than the view', async (_, size) => {
    const opened = await start(size);
    actionsScene(opened.approvals);
    await card(opened, 'words').waitFor();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  });

  test('everything of them has a name', async () => {
    const opened = await start();
    actionsScene(opened.approvals);
    const run = opened.page.getByRole('article', { name: 'Run command: Organize Imports' });
    await run.getByRole('group', { name: 'Arguments' }).waitFor();
    expect(await run.getByRole('list', { name: 'What it is done to' }).innerText()).toBe('src/cart/cart.ts');
    await run.getByRole('button', { name: 'Run: Run command: Organize Imports', exact: true }).waitFor();
    const ask = opened.page.getByRole('article', { name: 'Question from Codex' });
    const choices = ask.getByRole('radiogroup', { name: 'Answers to choose from' }).getByRole('radio');
    expect(await choices.count()).toBe(3);
    await ask.getByRole('textbox', { name: 'Or answer in your own words' }).waitFor();
  });
});

describe('an action', () => {
  test('is run by its button, once the end of its arguments was on screen', async () => {
    const opened = await start({ height: 500 });
    const lines = Array.from({ length: 1000 }, (_, line) => `argument ${line}`);
    opened.approvals.add({ id: 'a', action: { ...action, arguments: lines } });
    const run = button(opened, 'a', /^Run/);
    await card(opened, 'a').getByText('Scroll to the end of the arguments').waitFor();
    expect(await run.getAttribute('aria-disabled')).toBe('true');
    await run.click({ force: true });
    const region = card(opened, 'a').getByRole('group', { name: 'Arguments' });
    await until(async () => {
      await region.getByRole('listitem').last().scrollIntoViewIfNeeded();
      return opened.approvals.decisions.includes('endReached a');
    }, 'the end of the arguments');
    expect(await region.getByRole('listitem').count()).toBe(1002);
    await (await armed(run)).click();
    await opened.page.getByText('Done: Run command: Fold All').waitFor();
    expect(decided(opened)).toEqual(['approve a accepted']);
  });

  test('without arguments needs no scrolling; Control+Enter runs it, and no plain key does', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', action: { ...action, arguments: undefined } });
    await card(opened, 'a').getByText('Without arguments.').waitFor();
    await armed(button(opened, 'a', /^Run/));
    await card(opened, 'a').locator('h3').focus();
    await opened.page.keyboard.press('Enter');
    await opened.page.keyboard.press('Space');
    await opened.page.keyboard.press('Control+Enter');
    await opened.page.getByText('Done: Run command: Fold All').waitFor();
    expect(decided(opened)).toEqual(['approve a accepted']);
  });

  test('shows what it returned when that is opened, as text', async () => {
    const opened = await start();
    const output = '<img src=x onerror="document.title=1">\n\u202Eend';
    opened.approvals.add({ id: 'a', state: 'applied', action, output, outputIsError: true });
    await card(opened, 'a').locator('.output > summary').click();
    const words = card(opened, 'a').getByRole('group', { name: 'What it returned' });
    expect(await words.innerText()).toBe('<img src=x onerror="document.title=1">\n<U+202E>end');
    expect(await words.locator('img').count()).toBe(0);
    expect(await card(opened, 'a').locator('.output .chip').innerText()).toBe('error');
  });
});

describe('a question', () => {
  test('is answered by choosing with the arrow keys and pressing Enter', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    await armed(button(opened, 'a', /^Dismiss/));
    await card(opened, 'a').getByRole('radio').first().focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByText('Answered: question from Claude Code').waitFor();
    expect(decided(opened)).toEqual(['answer a accepted 8080']);
    await card(opened, 'a').getByText('You answered: “8080”').waitFor();
  });

  test('is answered in words of one’s own, which take the place of what was chosen', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    await card(opened, 'a').getByRole('radio').first().check();
    await card(opened, 'a').getByRole('textbox').fill('any free port');
    expect(await card(opened, 'a').getByRole('radio', { checked: true }).count()).toBe(0);
    await (await armed(button(opened, 'a', /^Answer/))).click();
    await opened.page.getByText('You answered').waitFor();
    expect(decided(opened)).toEqual(['answer a accepted any free port']);
  });

  test('A17 Answer takes nothing before half a second, nor without an answer, which it then asks for', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    const answer = button(opened, 'a', /^Answer/);
    await answer.waitFor();
    await card(opened, 'a').getByRole('radio').first().check();
    await opened.page.keyboard.press('Enter');
    await armed(answer);
    expect(decided(opened)).toEqual([]);
    opened.approvals.add({ id: 'b', question });
    await armed(button(opened, 'b', /^Dismiss/));
    await button(opened, 'b', /^Answer/).click({ force: true });
    await card(opened, 'b').getByText('Choose an answer first.').waitFor();
    expect(decided(opened)).toEqual([]);
  });

  test('is dismissed by its button or by Control+Backspace', async () => {
    const opened = await start();
    for (const id of ['a', 'b']) opened.approvals.add({ id, question });
    await (await armed(button(opened, 'a', /^Dismiss/))).click();
    // Its leaving moves the other one, and disarms it.
    await opened.page.getByText('Dismissed: question').waitFor();
    await armed(button(opened, 'b', /^Dismiss/));
    await card(opened, 'b').locator('h3').focus();
    await opened.page.keyboard.press('Control+Backspace');
    await until(async () => (await opened.page.getByText('Dismissed: question').count()) === 2, 'both dismissed');
    expect(decided(opened)).toEqual(['decline a accepted', 'decline b accepted']);
  });

  test('A2 a script that chooses and clicks answers nothing', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    await armed(button(opened, 'a', /^Dismiss/));
    await opened.page.evaluate(`
      document.querySelector('input[type=radio]').click();
      document.querySelector('input[type=radio]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      for (const button of document.querySelectorAll('.actions button')) button.click();
    `);
    await armed(button(opened, 'a', /^Answer/));
    expect(decided(opened)).toEqual([]);
  });

  test('an answer half made is still there when the page is drawn anew', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    opened.approvals.add({ id: 'b', question });
    await card(opened, 'a').getByRole('radio').nth(1).check();
    await card(opened, 'b').getByRole('textbox').fill('any');
    await opened.page.reload();
    await card(opened, 'a').getByRole('radio', { checked: true }).waitFor();
    expect(await card(opened, 'b').getByRole('textbox').inputValue()).toBe('any');
    expect(await card(opened, 'a').getByRole('radio').nth(1).isChecked()).toBe(true);
  });
});

describe('in the editor', () => {
  let drawbridge: Drawbridge;
  let assistant: Assistant;
  let page: Frame;
  beforeAll(async () => {
    drawbridge = await startDrawbridge({
      files: { 'src/a.ts': 'export const a = 1;\n' },
      settings: {
        ...patience,
        'drawbridge.toolsets': { workspace: true, edit: true, editor: true, commands: true },
        'drawbridge.commands.allow': ['editor.foldAll'],
      },
    });
    assistant = await connectAssistant(await drawbridge.record());
    page = await openApprovals(drawbridge.window);
  });
  afterAll(async () => {
    await assistant?.close();
    await drawbridge?.stop();
  });

  test('a command runs once it is approved on its card, which axe finds nothing wrong with', async () => {
    const ended = assistant.call('run_command', { command: 'editor.foldAll', reason: 'To see the outline.' });
    const waiting = page.locator('article').filter({ hasText: 'editor.foldAll' });
    await waiting.getByText('Without arguments.').waitFor();
    expect(await axeViolations(drawbridge.window, page)).toEqual([]);
    await decide(page, /^Run: Run command: /);
    expect(await ended).toMatchObject({ structuredContent: { status: 'applied' } });
    await page.getByText(/^Done: Run command: /).waitFor();
  });

  test('a file is saved and its editor closed, each once that is approved on its card', async () => {
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
    await window.page.getByRole('treeitem', { name: /^close_editors, src\/a\.ts, assistant, done/ }).waitFor();
    await window.page.getByRole('treeitem', { name: /^run_command, editor\.foldAll, assistant, done/ }).waitFor();
    page = await openApprovals(window);
  });

  test('a question is answered by keyboard alone, and the assistant hears the answer', async () => {
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

  test('a question that is dismissed says so to the assistant', async () => {
    const ended = assistant.call('ask_user', { question: 'Shall I?' });
    await decide(page, /^Dismiss the question/);
    expect(await ended).toMatchObject({ structuredContent: { status: 'dismissed' } });
  });
});
