import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../host/until.ts';
import { inBrowser } from '../ui/page/inBrowser.ts';
import { armed, axeFindings, bar, button, card, decision, decisions, focusedCard, pick } from '../ui/page/onPage.ts';
import type { OpenPage } from '../ui/page/openPage.ts';
import { kindsScene } from '../ui/page/scene.ts';

const start = inBrowser();

const numbered = (count: number, change: (line: number) => string = (line) => `line ${line}`): string =>
  Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join('');
const base = numbered(60);
const three = {
  path: 'src/a.ts',
  base,
  result: base.replace('line 2\n', 'zwei\n').replace('line 20\n', 'zwanzig\n').replace('line 50\n', 'fünfzig\n'),
};
const single = { path: 'b.ts', base: 'one\n', result: 'eins\n' };

const box = (opened: OpenPage, name: string | RegExp): Locator =>
  card(opened, 'a').getByRole('checkbox', typeof name === 'string' ? { name, exact: true } : { name });
const approve = (opened: OpenPage): Locator => button(opened, 'a', /^Approve (?!without)/);
const approveText = async (opened: OpenPage): Promise<string | null> => approve(opened).textContent();
const displayed = ({ approvals }: OpenPage): number =>
  approvals.decisions.filter((entry) => entry === 'displayed a').length;
const focusedLabel = ({ page }: OpenPage): Promise<string | null> =>
  page.evaluate(`document.activeElement.getAttribute('aria-label')`);
/** How far the cards are scrolled, in pixels. */
const scrolled = ({ page }: OpenPage): Promise<number> => page.evaluate(`document.querySelector('main').scrollTop`);
const leftOut = ({ page }: OpenPage): Promise<string[]> => page.locator('.out > .row.added').allTextContents();

/** Waits until Approve says this. */
const says = (opened: OpenPage, text: string): Promise<true> =>
  until(async () => (await approveText(opened)) === text, `Approve to say "${text}"`);

describe('the accessibility of every kind of change', () => {
  test.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'has no axe violations in %s',
    async (theme) => {
      const opened = await start({ theme });
      kindsScene(opened.approvals);
      await pick(opened, 'mixed');
      await card(opened, 'done').locator('.problems > summary').click();
      expect(await axeFindings(opened)).toEqual([]);
    },
  );

  test.each([
    ['at 200 px', { width: 200 }, 1],
    // A side bar of 320 px at 400 % has the room of 80 px.
    ['at 80 px', { width: 80, height: 225 }, 1],
    ['at 400 %', { width: 320 }, 4],
  ])('keeps everything within the width of the view: %s', async (_, size, zoom) => {
    const opened = await start(size);
    kindsScene(opened.approvals);
    await card(opened, 'mixed').waitFor();
    await opened.page.evaluate(`document.documentElement.style.zoom = ${zoom}`);
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  });

  test('gives a check box a full name, and states in words what is left out', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three, single] });
    await box(opened, 'Include src/a.ts').waitFor();
    await box(opened, 'Include line 20 of src/a.ts').click();
    await says(opened, 'Approve 3 of 4');
    const header = card(opened, 'a').getByRole('listitem').filter({ hasText: 'line 20' }).first();
    expect(await header.innerText()).toContain('left out');
    await opened.page
      .getByRole('button', { name: 'Approve 3 of 4 changes: edit of 2 files: src/a.ts, b.ts', exact: true })
      .waitFor();
  });
});

describe('the selection', () => {
  test('approves the selected hunks: the card stays as it is, and nothing has to wait', async () => {
    const opened = await start({ height: 500 });
    opened.approvals.add({ id: 'a', files: [three] });
    await armed(opened, approve(opened));
    await opened.page.evaluate(`globalThis.article = document.querySelector('article')`);
    await box(opened, 'Include line 50 of src/a.ts').scrollIntoViewIfNeeded();
    const before = await scrolled(opened);
    await box(opened, 'Include line 50 of src/a.ts').click();
    await says(opened, 'Approve 2 of 3');
    expect(await leftOut(opened)).toEqual(['line 50 added: +fünfzig']);
    expect(await approve(opened).getAttribute('aria-disabled')).toBe('false');
    expect(displayed(opened)).toBe(1);
    expect(await scrolled(opened)).toBe(before);
    expect(await opened.page.evaluate(`article === document.querySelector('article')`)).toBe(true);
    expect(await focusedLabel(opened)).toContain('line 50');
    const { proposalHash } = opened.approvals.get('a') ?? {};
    await approve(opened).click();
    await opened.page.getByText('Applied 2 of 3 changes.').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
    expect(opened.received).toContainEqual({ type: 'approve', id: 'a', proposalHash, secret: opened.secret });
  });

  test('is made with the keyboard alone: Space toggles a hunk, the chord approves from a check box', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three] });
    await armed(opened, approve(opened));
    await box(opened, 'Include line 2 of src/a.ts').focus();
    await opened.page.keyboard.press('Space');
    await says(opened, 'Approve 2 of 3');
    await opened.page.keyboard.press('Space');
    await says(opened, 'Approve');
    await opened.page.keyboard.press('Space');
    await says(opened, 'Approve 2 of 3');
    await opened.page.keyboard.press('Control+Enter');
    await opened.page.getByText('Applied 2 of 3 changes.').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('A2: ignores a script that clicks a check box', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three, single] });
    await armed(opened, approve(opened));
    await opened.page.evaluate(`for (const each of document.querySelectorAll('[type=checkbox]')) each.click()`);
    await box(opened, 'Include line 20 of src/a.ts').click();
    await says(opened, 'Approve 3 of 4');
    expect(opened.approvals.decisions.filter((entry) => entry.startsWith('select'))).toEqual([
      'selectHunk a 0 1 false',
    ]);
    expect(await leftOut(opened)).toEqual(['line 20 added: +zwanzig']);
  });

  test('shows a mixed check box for a file when a part is left out, then selects all, then none', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three, single] });
    const whole = box(opened, 'Include src/a.ts');
    const state = async (): Promise<string> => {
      const isMixed = (await opened.page.locator('.title > input:indeterminate').count()) > 0;
      return isMixed ? 'mixed' : String(await whole.isChecked());
    };
    await box(opened, 'Include line 2 of src/a.ts').click();
    await until(async () => (await state()) === 'mixed', 'the check box to be mixed');
    await whole.click();
    await says(opened, 'Approve');
    expect(await state()).toBe('true');
    expect(await box(opened, 'Include line 2 of src/a.ts').isChecked()).toBe(true);
    await whole.click();
    await says(opened, 'Approve 1 of 4');
    expect(await state()).toBe('false');
    expect(await leftOut(opened)).toHaveLength(3);
    await box(opened, 'Include line 20 of src/a.ts').click();
    await until(async () => (await state()) === 'mixed', 'the check box to be mixed again');
    await says(opened, 'Approve 2 of 4');
  });

  test('cannot be approved when it is empty: the card suggests Decline and moves no button', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [single, { ...single, path: 'c.ts' }] });
    const before = await (await armed(opened, approve(opened))).boundingBox();
    for (const name of ['Include b.ts', 'Include c.ts']) await box(opened, name).click();
    await bar(opened).getByText('Nothing is selected: decline instead.').waitFor();
    expect(await approve(opened).getAttribute('aria-disabled')).toBe('true');
    expect((await approve(opened).boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
    await opened.page.keyboard.press('Control+Enter');
    await approve(opened).click({ force: true });
    await box(opened, 'Include c.ts').click();
    await says(opened, 'Approve 1 of 2');
    expect(await approve(opened).getAttribute('aria-disabled')).toBe('false');
    expect(decisions(opened)).toEqual([]);
    expect(displayed(opened)).toBe(1);
  });

  test('leaves out hunks that depend on each other together', async () => {
    const opened = await start();
    const result = base.replace('line 2\n', 'f(\n').replace('line 20\n', ')\n').replace('line 50\n', 'fünfzig\n');
    opened.approvals.add({ id: 'a', files: [{ ...three, result }] });
    await box(opened, /^Include line 2 of/).click();
    await says(opened, 'Approve 1 of 3');
    expect(await box(opened, 'Include line 20 of src/a.ts, goes with change 1').isChecked()).toBe(false);
  });

  test('applies to rows that are fetched later too', async () => {
    const opened = await start();
    const many = {
      path: 'src/a.ts',
      base: numbered(1000),
      result: numbered(1000, (line) => (line % 5 === 3 ? 'new' : `line ${line}`)),
    };
    opened.approvals.add({ id: 'a', files: [many, single] });
    await button(opened, 'a', /^Changes of src\/a\.ts/).click();
    await box(opened, 'Include src/a.ts').click();
    await says(opened, 'Approve 1 of 201');
    const more = card(opened, 'a')
      .getByRole('button', { name: /^Show more/ })
      .first();
    const boxes = card(opened, 'a').getByRole('checkbox', { name: /of src\/a\.ts/ });
    const first = await boxes.count();
    await more.press('Enter');
    await until(async () => (await boxes.count()) > first, 'more rows');
    expect(await boxes.last().isChecked()).toBe(false);
    await boxes.last().click();
    await says(opened, 'Approve 2 of 201');
  });

  test('A15: refuses with a reason an approval right after a click that the host has not answered', async () => {
    const opened = await start();
    const { proposalHash } = opened.approvals.add({ id: 'a', files: [three] });
    await armed(opened, approve(opened));
    await box(opened, 'Include line 2 of src/a.ts').click();
    await says(opened, 'Approve 2 of 3');
    opened.send({ type: 'approve', id: 'a', proposalHash, secret: opened.secret });
    await bar(opened).getByText('The proposal on this card has been replaced.').waitFor();
    await (await armed(opened, approve(opened))).click();
    await opened.page.getByText('Applied 2 of 3 changes.').waitFor();
    expect(decisions(opened)).toEqual(['approve a changed', 'approve a accepted']);
  });

  test('A4: mixes no rows of an older drawing into the card', async () => {
    const opened = await start();
    const many = { path: 'src/a.ts', base: 'one\n', result: numbered(700) };
    opened.approvals.add({ id: 'a', files: [many] });
    await card(opened, 'a').waitFor();
    const rows = [{ kind: 'added', label: 'line 300 added:', parts: [{ text: 'forged' }] }];
    const message = { type: 'rows', id: 'a', drawing: 0, file: 0, from: 300, rows };
    await opened.page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
    await card(opened, 'a')
      .getByRole('button', { name: /^Show more/ })
      .press('Enter');
    await until(async () => (await card(opened, 'a').getByRole('listitem').count()) > 301, 'the next rows');
    expect(await card(opened, 'a').getByText('forged').count()).toBe(0);
  });

  test('A17: starts the delay again when it was made elsewhere', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three] });
    await armed(opened, approve(opened));
    opened.approvals.selectHunk('a', 0, 2, false);
    await says(opened, 'Approve 2 of 3');
    await until(() => displayed(opened) === 2, 'the delay to begin');
    expect(await approve(opened).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('F4: text that the user types in the editor', () => {
  test('A17: is shown on the card at once, marked, and starts the delay again', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three] });
    await armed(opened, approve(opened));
    opened.approvals.setText('a', 0, three.result.replace('zwei', 'deux'));
    await says(opened, 'Approve my version');
    await card(opened, 'a').getByText('edited by you').waitFor();
    expect(await card(opened, 'a').locator('.row.added').first().textContent()).toBe('line 2 added: +deux');
    expect(await card(opened, 'a').locator('.row.hunk').first().innerText()).toContain('yours');
    await until(() => displayed(opened) === 2, 'the delay to begin');
    const { proposalHash } = opened.approvals.get('a') ?? {};
    await (await armed(opened, approve(opened))).click();
    await opened.page.getByText('Applied your version.').waitFor();
    expect(opened.received).toContainEqual({ type: 'approve', id: 'a', proposalHash, secret: opened.secret });
  });

  test('is discarded by a button', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three] });
    opened.approvals.setText('a', 0, 'mine\n');
    await button(opened, 'a', /^Reset to the proposal/).click();
    await says(opened, 'Approve');
    expect(await card(opened, 'a').getByText('edited by you').count()).toBe(0);
    expect((await opened.approvals.texts('a', 0))?.current).toBe(three.result);
  });

  test('leaves the keyboard and the scroll position where they were', async () => {
    const opened = await start({ height: 250 });
    const long = { ...three, path: 'c.ts' };
    opened.approvals.add({ id: 'a', files: [three, long] });
    await armed(opened, approve(opened));
    const last = box(opened, 'Include line 50 of c.ts');
    await last.focus();
    const before = await scrolled(opened);
    expect(before).toBeGreaterThan(0);
    opened.approvals.setText('a', 0, three.result.replace('zwei', 'deux'));
    await says(opened, 'Approve my version');
    expect(await focusedLabel(opened)).toBe('Include line 50 of c.ts');
    expect(await scrolled(opened)).toBe(before);
  });
});

describe('a finished card', () => {
  test('F5: is stale at once when its file changes, and can be proposed again', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three] });
    await armed(opened, approve(opened));
    opened.approvals.change('a', { state: 'stale', canRebase: true, note: 'src/a.ts was saved.' });
    await card(opened, 'a').getByText('Changed after the proposal: src/a.ts was saved.').waitFor();
    expect(await approve(opened).count()).toBe(0);
    opened.approvals.rebaseResult = { status: 'conflict', message: 'The same lines were changed.' };
    await (await armed(opened, button(opened, 'a', /^Rebase/))).click();
    await card(opened, 'a').getByText('The same lines were changed.').waitFor();
    opened.approvals.add({ id: 'newer', files: [three] });
    opened.approvals.rebaseResult = { status: 'rebased', id: 'newer' };
    await (await armed(opened, button(opened, 'a', /^Rebase/))).click();
    await until(async () => (await focusedCard(opened)) === 'newer', 'the new card to have the keyboard');
  });

  test('links to the card that replaced it', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [three] });
    opened.approvals.add({ id: 'newer', files: [three] });
    opened.approvals.change('a', { state: 'superseded', replacedBy: 'newer' });
    await button(opened, 'a', /^Show newer/).click();
    expect(await focusedCard(opened)).toBe('newer');
    expect(await button(opened, 'newer', /^Approve/).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('A4: the card of a delete', () => {
  test('is approved only after its end was on screen, with or without lines to show', async () => {
    const opened = await start({ height: 520 });
    opened.approvals.add({ id: 'a', files: [{ change: 'delete', path: 'src/a.ts', base: numbered(500), size: 4000 }] });
    opened.approvals.add({ id: 'folder', files: [{ change: 'delete', path: 'src/old', folderFiles: 3, size: 10 }] });
    await until(() => displayed(opened) === 1, 'the card to be on screen');
    expect(await approve(opened).getAttribute('aria-disabled')).toBe('true');
    const region = opened.page.getByRole('group', { name: 'Changes of src/a.ts' });
    await until(async () => {
      await region.getByRole('listitem').last().scrollIntoViewIfNeeded();
      return opened.approvals.decisions.includes('endReached a');
    }, 'the end of the text');
    await (await armed(opened, approve(opened))).click();
    await opened.page.getByText('Deleted a.ts').waitFor();
    await (await decision(opened, 'folder', /^Approve delete of src\/old/)).click();
    await opened.page.getByText('Deleted old').waitFor();
  });
});

test('warns of a syntax error once it is found, and lets no key approve the change from then on', async () => {
  const checked = Promise.withResolvers<readonly number[]>();
  const opened = await start({
    syntaxErrors: (_, text) => (text.includes('broken') ? checked.promise : Promise.resolve([])),
  });
  opened.approvals.add({ id: 'a', files: [{ path: 'src/a.ts', base: 'one\n', result: 'broken(\n' }] });
  const own = await decision(opened, 'a', /^Approve edit/);
  expect(await own.getAttribute('aria-keyshortcuts')).toBe('Control+Enter');
  checked.resolve([1]);
  await card(opened, 'a').getByText('The proposed text has a syntax error in line 1.').waitFor();
  await until(async () => (await own.getAttribute('aria-keyshortcuts')) === null, 'the shortcut to go');
  await opened.page.keyboard.press('Control+Enter');
  expect(decisions(opened)).toEqual([]);
  // The card shows more, but no other change, so its button works still.
  await own.click();
  await until(() => decisions(opened).length > 0, 'the decision');
  expect(decisions(opened)).toEqual(['approve a accepted']);
});

test('P13: draws a bounded part of 1,000 hunks, and draws it once however many check boxes are used', async () => {
  const opened = await start();
  const count = 1000;
  const before = numbered(count * 5);
  const result = numbered(count * 5, (line) => (line % 5 === 3 ? `new ${line}` : `line ${line}`));
  opened.approvals.add({ id: 'warm', files: [single] });
  await card(opened, 'warm').waitFor();
  opened.approvals.add({ id: 'a', files: [{ path: 'src/a.ts', base: before, result }] });
  await card(opened, 'a').waitFor();
  await pick(opened, 'a');
  await opened.page.evaluate(`
    globalThis.article = document.querySelector('[data-approval="a"]');
    globalThis.redrawn = 0;
    new MutationObserver((records) => { redrawn += records.length; })
      .observe(article, { childList: true, subtree: true, characterData: true });
  `);
  for (let click = 1; click <= 10; click += 1) {
    await box(opened, `Include line ${click * 5 - 2} of src/a.ts`).click();
    await says(opened, `Approve ${count - click} of ${count}`);
  }
  // A click changes its own row and the counts, whatever the number of hunks is.
  expect(await opened.page.evaluate<number>('redrawn')).toBeLessThan(100);
  expect(await opened.page.evaluate(`article === document.querySelector('[data-approval="a"]')`)).toBe(true);
  expect(await card(opened, 'a').getByRole('listitem').count()).toBeLessThanOrEqual(600);
});
