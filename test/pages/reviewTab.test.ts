import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../host/until.ts';
import type { FakeApprovals } from '../fakes/approvals.ts';
import type { OpenPage } from '../ui/page/openPage.ts';
import { inBrowser } from '../ui/page/inBrowser.ts';
import { armed, axeFindings, bar, button, card, decision, decisions, pick } from '../ui/page/onPage.ts';

const start = inBrowser();

/** A rename in 31 files, each with the same change. */
function addRename(approvals: FakeApprovals, count = 31): void {
  const files = Array.from({ length: count }, (_, index) => {
    const base = `import { formatPrice } from '../price';\n\n${'// filler\n'.repeat(5)}export const page${index} = formatPrice(${index});\n`;
    return { path: `src/pages/page${index}.ts`, base, result: base.replaceAll('formatPrice', 'formatMoney') };
  });
  const purpose = { kind: 'rename_symbol', from: 'formatPrice', to: 'formatMoney', places: count * 2 } as const;
  approvals.add({ id: 'a', tool: 'rename_symbol', purpose, indivisible: true, files });
}

describe('a rename of 31 files', () => {
  test('is a summary on its card: the headline says what happens, the first file is open, the others are folded', async () => {
    const opened = await start();
    addRename(opened.approvals);
    const article = opened.page.getByRole('article', {
      name: 'Rename formatPrice to formatMoney: 62 places in 31 files',
    });
    await article.waitFor();
    await article.getByText('0 of 31 files viewed').waitFor();
    await article.getByText('30 more files with the same change as page0.ts').waitFor();
    expect(await article.locator('.file:visible').count()).toBe(1);
    expect(await article.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(900);
    await article.getByText('30 more files with the same change as page0.ts').click();
    expect(await article.locator('.file:visible').count()).toBe(31);
    // Files are sorted as a person sorts them.
    const names = await article.locator('.file .name').allTextContents();
    expect(names.slice(0, 4)).toEqual(['page0.ts', 'page1.ts', 'page2.ts', 'page3.ts']);
    await article.getByRole('button', { name: 'Changes of src/pages/page3.ts' }).click();
    await article
      .getByRole('group', { name: 'Changes of src/pages/page3.ts' })
      .getByText('formatMoney')
      .first()
      .waitFor();
    expect(await article.locator('.row .changed').allTextContents()).toContain('Money');
  });

  test('shows the lines of the first file, also when another folder comes before it', async () => {
    const opened = await start();
    const names = ['src/pages/shop/first.ts', ...Array.from({ length: 5 }, (_, index) => `src/pages/page${index}.ts`)];
    opened.approvals.add({ id: 'a', files: names.map((path) => ({ path, base: 'one\n', result: 'two\n' })) });
    await card(opened, 'a').getByText('5 more files with the same change as first.ts').waitFor();
    expect(
      await card(opened, 'a')
        .getByRole('group', { name: /^Changes of/ })
        .count(),
    ).toBe(1);
    await card(opened, 'a').getByRole('group', { name: 'Changes of src/pages/shop/first.ts' }).waitFor();
  });

  test('is approved by one click, because its button is always in sight', async () => {
    const opened = await start({ height: 500 });
    addRename(opened.approvals);
    await (await decision(opened, 'a', /^Approve/)).click();
    await opened.page.getByText('Renamed formatPrice to formatMoney in 31 files').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('keeps which files the user viewed, also when the page is drawn anew', async () => {
    const opened = await start();
    addRename(opened.approvals);
    await card(opened, 'a').getByRole('checkbox', { name: 'Viewed: src/pages/page0.ts' }).click();
    await card(opened, 'a').getByText('1 of 31 files viewed').waitFor();
    await opened.page.reload();
    await card(opened, 'a').getByText('1 of 31 files viewed').waitFor();
    expect(await card(opened, 'a').getByRole('checkbox', { name: 'Viewed: src/pages/page0.ts' }).isChecked()).toBe(
      true,
    );
  });

  test('opens in a tab by its button', async () => {
    const opened = await start();
    addRename(opened.approvals);
    await pick(opened, 'a');
    await button(opened, 'a', /^Review in a tab/).click();
    await expect.poll(() => opened.asked).toEqual(['openReview a']);
  });
});

test('B16: shows the file that moves before the imports that follow it', async () => {
  const opened = await start();
  const importers = Array.from({ length: 6 }, (_, index) => ({
    path: `src/page${index}.ts`,
    base: `import './item';\n\n${index}\n`,
    result: `import './views/item';\n\n${index}\n`,
  }));
  const moved = { change: 'move', path: 'src/views/z.ts', to: 'src/z.ts' } as const;
  opened.approvals.add({ id: 'a', files: [...importers, moved], indivisible: true });
  await card(opened, 'a').getByText('0 of 7 files viewed').waitFor();
  expect(await card(opened, 'a').locator('.file .name').first().textContent()).toBe('z.ts');
});

describe('the review tab', () => {
  test('shows one request with its file tree, and decides it', async () => {
    const opened = await start({ width: 1200, only: 'a' });
    addRename(opened.approvals);
    opened.approvals.add({ id: 'other', files: [{ path: 'b.ts', base: 'one\n', result: 'two\n' }] });
    await card(opened, 'a').waitFor();
    expect(await opened.page.locator('article').count()).toBe(1);
    const nav = opened.page.getByRole('navigation', { name: 'Files of the change' });
    expect(await nav.getByRole('button').count()).toBe(31);
    await nav.getByRole('button', { name: 'page30.ts' }).click();
    await until(
      () => opened.page.evaluate(`document.activeElement.closest('[data-file]')?.dataset.file === '30'`),
      'the keyboard on the file',
    );
    await (await armed(opened, button(opened, 'a', /^Approve/))).click();
    await opened.page.getByText('Renamed formatPrice to formatMoney in 31 files').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('shows unchanged lines between the changes when the user asks for them', async () => {
    const opened = await start({ width: 1200, only: 'a' });
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}\n`);
    const changed = lines.with(9, 'ten\n').with(29, 'thirty\n');
    opened.approvals.add({ id: 'a', files: [{ path: 'a.ts', base: lines.join(''), result: changed.join('') }] });
    const rows = card(opened, 'a').getByRole('listitem');
    const shows = (text: string): Promise<number> => rows.filter({ hasText: text }).count();
    await card(opened, 'a').getByRole('button', { name: 'Show 17 unchanged lines' }).click();
    await rows.filter({ hasText: 'line 20 unchanged: line 20' }).waitFor();
    expect(await card(opened, 'a').getByRole('button', { name: 'Show 17 unchanged lines' }).count()).toBe(0);
    // The keyboard stays in the file when the button goes.
    expect(await opened.page.evaluate(`document.activeElement.className`)).toBe('changes');
    await card(opened, 'a').getByRole('button', { name: 'Show 20 below the change above' }).click();
    await rows.filter({ hasText: 'line 51 unchanged: line 51' }).waitFor();
    expect(await shows('line 52 unchanged')).toBe(0);
    await card(opened, 'a').getByText('69 unchanged lines').waitFor();
    await card(opened, 'a').getByRole('button', { name: 'Show 8 unchanged lines' }).click();
    await rows.filter({ hasText: 'line 1 unchanged: line 1' }).first().waitFor();
    expect(await axeFindings(opened)).toEqual([]);
    // Such lines take comments as others do.
    await card(opened, 'a').locator('[data-side="after"][data-line="20"]').click();
    await card(opened, 'a').getByRole('textbox', { name: 'Comment on line 20' }).waitFor();
  });

  test('moves comments with their lines when the change is proposed again, and shows those whose lines are gone', async () => {
    const opened = await start({ width: 1200, only: 'a' });
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`);
    const proposed = lines.with(1, 'two\n').with(6, 'seven\n');
    opened.approvals.add({ id: 'a', files: [{ path: 'a.ts', base: lines.join(''), result: proposed.join('') }] });
    for (const line of [2, 7]) {
      await card(opened, 'a')
        .getByRole('button', { name: `Comment on line ${line}` })
        .click();
      await card(opened, 'a').getByRole('textbox').fill(`on ${line}`);
      await card(opened, 'a').getByRole('button', { name: 'Add comment' }).click();
    }
    const later = (text: readonly string[]): string => ['new\n', ...text].join('');
    const [base, result] = [later(lines), later(proposed.with(6, 'other\n'))];
    opened.approvals.add({ id: 'b', files: [{ path: 'a.ts', base, result }] });
    opened.approvals.change('a', { state: 'stale', replacedBy: 'b' });
    const comments = card(opened, 'b').locator('.comment');
    await comments.filter({ hasText: /^line 3on 2/ }).waitFor();
    await comments.filter({ hasText: /^line 7these lines have changedon 7/ }).waitFor();
    expect(await comments.count()).toBe(2);
  });

  test('lays lines out side by side, and goes from change to change and from file to file', async () => {
    const opened = await start({ width: 1200, only: 'a' });
    addRename(opened.approvals, 3);
    await opened.page.getByRole('button', { name: 'Side by side' }).click();
    const pair = opened.page.locator('.pair', { hasText: 'formatMoney' }).first();
    expect(await pair.locator('.row').count()).toBe(2);
    expect(await pair.locator('.row').first().textContent()).toContain('formatPrice');
    // The parts of a file stand below each other at the full width.
    const lefts = await opened.page.evaluate<number[]>(
      `[...document.querySelectorAll('[data-file="0"] .hunk-rows')].map((rows) => rows.getBoundingClientRect().left)`,
    );
    expect(lefts.length).toBeGreaterThan(1);
    expect(new Set(lefts).size).toBe(1);
    await opened.page.keyboard.press('F7');
    const hunk = (): Promise<string> =>
      opened.page.evaluate(`(() => {
        const row = document.activeElement.closest('.row.hunk');
        return row ? row.closest('[data-file]').dataset.file + ':' + row.dataset.hunk : '';
      })()`);
    await expect.poll(hunk).toBe('0:0');
    await opened.page.keyboard.press('F7');
    await expect.poll(hunk).toBe('0:1');
    await opened.page.keyboard.press('Shift+F7');
    await expect.poll(hunk).toBe('0:0');
    await opened.page.getByRole('button', { name: 'Next file' }).click();
    await until(() => opened.page.evaluate(`document.activeElement.closest('[data-file]') !== null`), 'a file');
  });

  test('F15: has no axe violations in every theme', async () => {
    for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const) {
      const opened = await start({ width: 1200, only: 'a', theme });
      addRename(opened.approvals, 3);
      await card(opened, 'a').waitFor();
      expect([theme, await axeFindings(opened)]).toEqual([theme, []]);
      await opened.close();
    }
  });

  test('reviews a window at 400 % zoom: nothing is wider than the view, and the decision is in sight', async () => {
    const opened = await start({ width: 320, height: 256, only: 'a' });
    addRename(opened.approvals, 3);
    const approve = await armed(opened, button(opened, 'a', /^Approve/));
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    const box = await approve.boundingBox();
    expect(box && box.y + box.height).toBeLessThanOrEqual(256);
  });

  test('says that a request is no longer pending', async () => {
    const opened = await start({ width: 1200, only: 'gone' });
    await opened.page.getByText('This request is no longer pending').waitFor();
    expect(await bar(opened).getByRole('button').count()).toBe(0);
  });
});

describe('a change of 10,000 lines in 500 files', () => {
  const lines = (word: string): string => Array.from({ length: 10 }, (_, line) => `${word} ${line}\n`).join('');
  async function large(): Promise<OpenPage> {
    const opened = await start({ width: 1200, only: 'a' });
    const files = Array.from({ length: 500 }, (_, index) => ({
      path: `src/file${index}.ts`,
      base: lines(`old ${index}`),
      result: lines(`new ${index}`),
    }));
    opened.approvals.add({ id: 'a', files });
    await opened.page.getByRole('treegrid', { name: 'Changes of 500 files' }).waitFor();
    return opened;
  }
  const rows = ({ page }: OpenPage): Locator => page.locator('[role="row"]');

  test('is a grid of which only the rows near the screen are drawn, and can be approved', async () => {
    const opened = await large();
    const grid = opened.page.getByRole('treegrid');
    // Each file has its own row, the header of its hunk, ten removed lines and ten added ones.
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(500 * 22));
    expect(await rows(opened).count()).toBeLessThan(150);
    await opened.page.getByRole('navigation').getByRole('button', { name: 'file499.ts' }).click();
    await grid.locator('[data-file="499"]').getByText('new 499 9').waitFor();
    expect(await rows(opened).count()).toBeLessThan(150);
    expect(await axeFindings(opened)).toEqual([]);
    await (await armed(opened, button(opened, 'a', /^Approve/))).click();
    await opened.page.getByText('Edited 500 files').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('gives each row its place, its level and its text, also after a jump to row 9,000', async () => {
    const opened = await large();
    await opened.page.getByRole('navigation').getByRole('button', { name: 'file409.ts' }).click();
    const row = opened.page.locator('[aria-rowindex="9001"]');
    await row.getByText('old 409 0').waitFor();
    expect(await row.getAttribute('aria-level')).toBe('2');
    expect(await row.ariaSnapshot()).toContain('line 1 removed: old 409 0');
    expect(await opened.page.evaluate('document.activeElement.ariaRowIndex')).toBe('8999');
    const order = await rows(opened).evaluateAll((all) => all.map((each) => Number(each.ariaRowIndex)));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(await axeFindings(opened)).toEqual([]);
  });

  test('never loses the keyboard: the row that has it stays, and arrow keys go on from there', async () => {
    const opened = await large();
    await rows(opened).first().focus();
    for (let count = 0; count < 3; count += 1) await opened.page.keyboard.press('ArrowDown');
    const current = (): Promise<string> => opened.page.evaluate('document.activeElement.ariaRowIndex');
    expect(await current()).toBe('4');
    // The grid grows while its rows are measured.
    await until(async () => {
      await opened.page.locator('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
      return (await opened.page.locator('[data-file="499"]').count()) > 0;
    }, 'the rows of the last file');
    expect(await current()).toBe('4');
    await opened.page.keyboard.press('ArrowDown');
    await until(async () => (await current()) === '5', 'the next row to have the keyboard');
    await opened.page.keyboard.press('End');
    await until(async () => (await current()) === '11000', 'the last row to have the keyboard');
    await opened.page.keyboard.press('ArrowLeft');
    await until(async () => (await current()) === '10979', 'the row of the file to have the keyboard');
    await opened.page.keyboard.press('ArrowLeft');
    await until(
      async () => (await opened.page.getByRole('treegrid').getAttribute('aria-rowcount')) === '10979',
      'the file to be closed',
    );
    await opened.page.keyboard.press('Shift+F7');
    await until(async () => (await current()) === '10958', 'the hunk above to have the keyboard');
    await opened.page.keyboard.press('ArrowLeft');
    await until(async () => (await current()) === '10957', 'the row of the file above to have the keyboard');
    await opened.page.keyboard.press(' ');
    await opened.page.locator('.file.out[data-file="498"]').waitFor();
  });

  test('is searched as a whole, and its rows take comments', async () => {
    const opened = await large();
    await opened.page.getByRole('textbox', { name: 'Find in the change' }).fill('NEW 377 4');
    await opened.page.getByText('0 of 1', { exact: true }).waitFor();
    await opened.page.keyboard.press('Enter');
    await opened.page.getByText('1 of 1', { exact: true }).waitFor();
    const row = rows(opened).filter({ hasText: 'new 377 4' });
    await row.waitFor();
    const isInView = (): Promise<boolean> =>
      row.evaluate((element) => {
        const view = element.closest('main')?.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return view !== undefined && top > view.top && bottom < view.bottom;
      });
    await until(isInView, 'the row to be in view');
    expect(await opened.page.evaluate(`[...CSS.highlights.get('found')].map(String)`)).toEqual(['new 377 4']);
    // The keyboard stays in the field for the next result.
    expect(await opened.page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await row.locator('[data-side="after"][data-line]').click();
    await row.getByRole('textbox', { name: 'Comment on line 5' }).fill('why?');
    await row.getByRole('button', { name: 'Add comment' }).click();
    await row.getByText('why?').waitFor();
    await opened.page.getByText(/^\d+ of 10500 rows seen$/).waitFor();
  });
});

test('opens the whole change as a text, and marks blanks without changing a line', async () => {
  const opened = await start({ width: 1200, only: 'a' });
  opened.approvals.add({ id: 'a', files: [{ path: 'a.ts', base: 'one\n', result: '\tone  two\n' }] });
  const code = card(opened, 'a').locator('.row.added .code');
  await code.waitFor();
  await opened.page.getByRole('button', { name: 'Whitespace' }).click();
  await until(async () => (await code.locator('.blank').count()) === 2, 'the marks');
  expect(await code.locator('.blank').evaluateAll((all) => all.map((each) => each.dataset['mark']))).toEqual([
    '→',
    '··',
  ]);
  expect(await code.textContent()).toBe('\tone  two');
  expect(await axeFindings(opened)).toEqual([]);
  await opened.page.getByRole('button', { name: 'Open as text' }).click();
  await expect.poll(() => opened.asked).toEqual(['openText a']);
});
