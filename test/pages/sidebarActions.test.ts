import { describe, expect, test } from 'vitest';
import { until } from '../host/until.ts';
import { inBrowser } from '../ui/page/inBrowser.ts';
import { armed, axeFindings, bar, button, card, decision, displays, isArmed } from '../ui/page/onPage.ts';
import type { OpenPage } from '../ui/page/openPage.ts';
import { actionsScene } from '../ui/page/scene.ts';

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

describe('F15: accessibility of actions and questions', () => {
  test.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'has no axe violations in %s',
    async (theme) => {
      const opened = await start({ theme });
      actionsScene(opened.approvals);
      await decision(opened, 'ask', /^Dismiss/);
      await card(opened, 'ask').getByRole('radio').first().check();
      await card(opened, 'failed').locator('.output > summary').click();
      expect(await axeFindings(opened)).toEqual([]);
    },
  );

  test.each([
    ['at 200 px', { width: 200 }],
    // A side bar of 320 px at 400 % has the room of 80 px.
    ['at 400 %', { width: 80, height: 225 }],
  ])('keeps everything within the width of the view: %s', async (_, size) => {
    const opened = await start(size);
    actionsScene(opened.approvals);
    await card(opened, 'words').waitFor();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  });

  test('gives every element a name', async () => {
    const opened = await start();
    actionsScene(opened.approvals);
    const run = opened.page.getByRole('article', { name: 'Run command: Organize Imports' });
    await run.getByRole('group', { name: 'Arguments' }).waitFor();
    expect(await run.getByRole('list', { name: 'Files' }).innerText()).toBe('src/cart/cart.ts');
    await bar(opened).getByRole('button', { name: 'Run: Run command: Organize Imports', exact: true }).waitFor();
    const ask = opened.page.getByRole('article', { name: 'Question from Codex' });
    const choices = ask.getByRole('radiogroup', { name: 'Answers to choose from' }).getByRole('radio');
    expect(await choices.count()).toBe(3);
    await ask.getByRole('textbox', { name: 'Or answer in your own words' }).waitFor();
  });
});

describe('the card of an action', () => {
  test('runs the action by its button, once the end of its arguments was on screen', async () => {
    const opened = await start({ height: 500 });
    const lines = Array.from({ length: 1000 }, (_, line) => `argument ${line}`);
    opened.approvals.add({ id: 'a', action: { ...action, arguments: lines } });
    const run = button(opened, 'a', /^Run/);
    await bar(opened).getByText('Scroll to the end of the arguments').waitFor();
    expect(await run.getAttribute('aria-disabled')).toBe('true');
    await run.click({ force: true });
    const region = card(opened, 'a').getByRole('group', { name: 'Arguments' });
    await until(async () => {
      await region.getByRole('listitem').last().scrollIntoViewIfNeeded();
      return opened.approvals.decisions.includes('endReached a');
    }, 'the end of the arguments');
    expect(await region.getByRole('listitem').count()).toBe(1002);
    await (await armed(opened, run)).click();
    await opened.page.getByText('Run command: Fold All (done)').waitFor();
    expect(decided(opened)).toEqual(['approve a accepted']);
  });

  test('needs no scrolling without arguments; Control+Enter runs the action, and no plain key does', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', action: { ...action, arguments: undefined } });
    await card(opened, 'a').getByText('Without arguments.').waitFor();
    await decision(opened, 'a', /^Run/);
    await card(opened, 'a').locator('h3').focus();
    await opened.page.keyboard.press('Enter');
    await opened.page.keyboard.press('Space');
    await opened.page.keyboard.press('Control+Enter');
    await opened.page.getByText('Run command: Fold All (done)').waitFor();
    expect(decided(opened)).toEqual(['approve a accepted']);
  });

  test('shows the returned text when the user opens it', async () => {
    const opened = await start();
    const output = '<img src=x onerror="document.title=1">\n\u202Eend';
    opened.approvals.add({ id: 'a', state: 'applied', action, output, outputIsError: true });
    await card(opened, 'a').locator('.output > summary').click();
    const words = card(opened, 'a').getByRole('group', { name: 'Result' });
    expect(await words.innerText()).toBe('<img src=x onerror="document.title=1">\n<U+202E>end');
    expect(await words.locator('img').count()).toBe(0);
    expect(await card(opened, 'a').locator('.output .chip').innerText()).toBe('error');
  });
});

describe('the card of a question', () => {
  test('is answered by choosing with the arrow keys and pressing Enter', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    await decision(opened, 'a', /^Dismiss/);
    await card(opened, 'a').getByRole('radio').first().focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByText('Answered: question from Claude Code').waitFor();
    expect(decided(opened)).toEqual(['answer a accepted 8080']);
    await card(opened, 'a').getByText('You answered: “8080”').waitFor();
  });

  test('is answered in the user’s own text, which replaces the choice', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    await card(opened, 'a').getByRole('radio').first().check();
    await card(opened, 'a').getByRole('textbox').fill('any free port');
    expect(await card(opened, 'a').getByRole('radio', { checked: true }).count()).toBe(0);
    await (await decision(opened, 'a', /^Answer/)).click();
    await opened.page.getByText('You answered').waitFor();
    expect(decided(opened)).toEqual(['answer a accepted any free port']);
  });

  test('A17: accepts no answer before half a second has passed, and asks for an answer when none was given', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    const answer = button(opened, 'a', /^Answer/);
    await until(() => displays(opened, 'a').length === 1, 'the card to be on screen');
    opened.clock.advance(499);
    await card(opened, 'a').getByRole('radio').first().check();
    await opened.page.keyboard.press('Enter');
    await bar(opened).getByText('Look first').waitFor();
    opened.clock.advance(1);
    await until(() => isArmed(answer), 'the button to be armed');
    expect(decided(opened)).toEqual([]);
    opened.approvals.add({ id: 'b', question });
    await decision(opened, 'b', /^Dismiss/);
    await button(opened, 'b', /^Answer/).click({ force: true });
    await card(opened, 'b').getByText('Choose an answer first.').waitFor();
    expect(decided(opened)).toEqual([]);
  });

  test('is dismissed by its button or by Control+Backspace', async () => {
    const opened = await start();
    for (const id of ['a', 'b']) opened.approvals.add({ id, question });
    await (await decision(opened, 'a', /^Dismiss/)).click();
    // Its leaving moves the other one, and disarms it.
    await opened.page.getByText('Dismissed: question').waitFor();
    await decision(opened, 'b', /^Dismiss/);
    await card(opened, 'b').locator('h3').focus();
    await opened.page.keyboard.press('Control+Backspace');
    await until(async () => (await opened.page.getByText('Dismissed: question').count()) === 2, 'both dismissed');
    expect(decided(opened)).toEqual(['decline a accepted', 'decline b accepted']);
  });

  test('A2: ignores a script that chooses and clicks', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', question });
    await decision(opened, 'a', /^Dismiss/);
    await opened.page.evaluate(`
      document.querySelector('input[type=radio]').click();
      document.querySelector('input[type=radio]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      for (const button of document.querySelectorAll('.actions button')) button.click();
    `);
    await decision(opened, 'a', /^Answer/);
    expect(decided(opened)).toEqual([]);
  });

  test('keeps an unfinished answer when the page is redrawn', async () => {
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
