import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../host/until.ts';
import { inBrowser } from '../ui/page/inBrowser.ts';
import {
  armed,
  axeFindings,
  bar,
  button,
  card,
  decision,
  decisions,
  focusedCard,
  isArmed,
  pick,
} from '../ui/page/onPage.ts';
import type { OpenPage } from '../ui/page/openPage.ts';

const start = inBrowser();

const edit = { path: 'src/a.ts', base: 'one\ntwo\n', result: 'one\nzwei\n' };
const guarded = { ...edit, path: '.vscode/tasks.json', protectedBy: '**/.vscode/**' };
const removal = { path: 'src/old.ts', base: 'one\n', change: 'delete' } as const;
const codex = { name: 'Codex', version: '0.169.0' };

function addTogether({ approvals }: OpenPage, ids: readonly string[], groupId = 'g'): void {
  for (const id of ids) approvals.add({ id, groupId, files: [{ ...edit, path: `src/${id}.ts` }] });
}

const header = ({ page }: OpenPage): Locator => page.locator('.group-head h3').getByRole('button');
const all = ({ page }: OpenPage): Locator => page.getByRole('button', { name: /^Approve all/ });
const order = ({ page }: OpenPage): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main > ul article')].map((each) => each.dataset.approval)`);

/** A group of three of which one needs its own decision, a card of another assistant, and both kinds of restrictions. */
function groupScene(opened: OpenPage): void {
  const { approvals } = opened;
  addTogether(opened, ['a', 'b']);
  approvals.add({ id: 'guarded', groupId: 'g', files: [guarded] });
  approvals.add({ id: 'other', client: codex, files: [edit] });
  const client = { name: 'Claude Code', version: '2' };
  approvals.restrict(
    { id: 'r-1', kind: 'paused', client: codex },
    { id: 'r-2', kind: 'declined_repeatedly', client, path: 'src/cart.ts', until: Date.UTC(2026, 10, 21, 12, 5) },
  );
}

describe('a group', () => {
  test('is closed at first: one line for each card, none of them on screen and none of them armed', async () => {
    const opened = await start();
    groupScene(opened);
    await header(opened).waitFor();
    expect(await header(opened).textContent()).toBe('3 changes from Claude Code');
    expect(await header(opened).getAttribute('aria-expanded')).toBe('false');
    const lines = await opened.page.locator('.lines > li').allTextContents();
    expect(lines).toEqual([
      expect.stringContaining('Edit a.ts'),
      expect.stringContaining('Edit b.ts'),
      expect.stringMatching(/protected/i),
    ]);
    await decision(opened, 'other', /^Approve (?!all)/);
    expect(await opened.page.getByRole('article').count()).toBe(1);
    expect(await all(opened).count()).toBe(0);
    expect(new Set(opened.approvals.decisions)).toEqual(new Set(['displayed other', 'endReached other']));
  });

  test('opens to all its cards in order, and shows how many of them can be approved together', async () => {
    const opened = await start({ height: 2000 });
    groupScene(opened);
    await header(opened).click();
    expect(await header(opened).getAttribute('aria-expanded')).toBe('true');
    await card(opened, 'guarded').waitFor();
    expect(await order(opened)).toEqual(['a', 'b', 'guarded', 'other']);
    expect(await all(opened).textContent()).toBe('Approve all (2)');
    await opened.page.getByText('2 of 3; each of the others needs a separate decision.').waitFor();
    await (await armed(opened, all(opened))).click();
    await opened.page.getByText('Edited b.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted', 'approve b accepted']);
    expect(opened.approvals.decisions.filter((entry) => entry === 'groupOpened g')).toHaveLength(1);
    await until(async () => (await header(opened).count()) === 0, 'the group to be over');
    expect(await order(opened)).toEqual(['guarded', 'other']);
    expect(await card(opened, 'guarded').isVisible()).toBe(true);
  });

  test('offers no common approval for deletes and protected files', async () => {
    const opened = await start({ height: 2000 });
    for (const [id, file] of Object.entries({ a: removal, b: guarded, c: edit }))
      opened.approvals.add({ id, groupId: 'g', files: [file] });
    await header(opened).click();
    await opened.page.getByText('Each needs a separate decision.').waitFor();
    expect(await all(opened).count()).toBe(0);
  });

  test('A4: approves no delete and no protected file in a batch, whatever a page sends', async () => {
    const opened = await start({ height: 2000 });
    const given = Object.entries({ a: removal, b: guarded, c: edit }).map(([id, file]) =>
      opened.approvals.add({ id, groupId: 'g', files: [file] }),
    );
    await header(opened).click();
    for (const { id } of given) await decision(opened, id, /^Approve (?!all)/);
    const approvals = given.map(({ id, proposalHash }) => ({ id, proposalHash }));
    opened.send({ type: 'approveAllDisplayed', groupId: 'g', display: 0, secret: opened.secret });
    opened.clock.advance(500);
    opened.send({ type: 'approveAll', groupId: 'g', approvals, secret: opened.secret });
    expect(decisions(opened)).toEqual(['approve c accepted']);
    await pick(opened, 'a');
    await bar(opened).getByText('This needs a separate decision').waitFor();
  });

  test('A17: arms its button when every change was on screen, and half a second after the bar has another owner', async () => {
    const opened = await start({ height: 400 });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    addTogether(opened, ids);
    await header(opened).click();
    await decision(opened, 'a', /^Approve (?!all)/);
    expect(await isArmed(all(opened))).toBe(false);
    await bar(opened).getByText('Look at each of these changes first').waitFor();
    await all(opened).click({ force: true });
    for (const id of ids) await decision(opened, id, /^Approve (?!all)/);
    await armed(opened, all(opened));
    await pick(opened, 'e');
    expect(await isArmed(all(opened))).toBe(false);
    await all(opened).click({ force: true });
    expect(decisions(opened)).toEqual([]);
    await (await armed(opened, all(opened))).click();
    await opened.page.getByText('Edited f.ts').waitFor();
    expect(decisions(opened)).toHaveLength(6);
  });

  test('A2: ignores a click made by a script', async () => {
    const opened = await start({ height: 2000 });
    groupScene(opened);
    await header(opened).click();
    await armed(opened, all(opened));
    await opened.page.evaluate(`
      for (const button of document.querySelectorAll('.group-actions button, .restriction button')) button.click();
    `);
    await (await armed(opened, all(opened))).click();
    await opened.page.getByText('Edited b.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted', 'approve b accepted']);
    expect(opened.approvals.restrictions).toHaveLength(2);
  });

  test('A15: keeps a refused card, shows the reason, and lets the user decide it', async () => {
    const opened = await start({ height: 2000 });
    addTogether(opened, ['a', 'b', 'c']);
    await header(opened).click();
    await armed(opened, all(opened));
    opened.send({ type: 'displayed', id: 'b', display: 0, secret: opened.secret });
    await all(opened).click();
    await opened.page.getByText('Edited c.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted', 'approve c accepted']);
    await pick(opened, 'b');
    await bar(opened).getByText('Not approved with the others').waitFor();
    await (await decision(opened, 'b', /^Approve (?!all)/)).click();
    await opened.page.getByText('Edited b.ts').waitFor();
  });

  test('counts only cards of which something is selected, and sends what each card shows', async () => {
    const opened = await start({ height: 2000 });
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`);
    const twoHunks = lines.with(2, 'second\n').with(17, 'seventeenth\n').join('');
    addTogether(opened, ['a', 'b']);
    opened.approvals.add({ id: 'c', groupId: 'g', files: [{ ...edit, base: lines.join(''), result: twoHunks }] });
    await header(opened).click();
    await opened.page.getByText('Approve all (3)').waitFor();
    const [first, second] = [
      card(opened, 'c').getByRole('checkbox').first(),
      card(opened, 'c').getByRole('checkbox').last(),
    ];
    await first.click();
    await second.click();
    await opened.page.getByText('Approve all (2)').waitFor();
    await opened.page.getByText('2 of 3;').waitFor();
    await second.click();
    await opened.page.getByText('Approve all (3)').waitFor();
    const { proposalHash } = opened.approvals.get('c') ?? {};
    await (await armed(opened, all(opened))).click();
    await until(() => decisions(opened).includes('approve c accepted'), 'the approval');
    expect(opened.received).toContainEqual(
      expect.objectContaining({ type: 'approveAll', approvals: expect.arrayContaining([{ id: 'c', proposalHash }]) }),
    );
  });

  test('takes in no card while it is open, and puts new cards last', async () => {
    const opened = await start({ height: 2000 });
    addTogether(opened, ['a', 'b']);
    await header(opened).click();
    await armed(opened, all(opened));
    await opened.page.mouse.move(319, 1999);
    await opened.page.evaluate('document.activeElement.blur()');
    addTogether(opened, ['c']);
    await card(opened, 'c').waitFor();
    expect(await header(opened).textContent()).toBe('2 changes from Claude Code');
    expect(await all(opened).textContent()).toBe('Approve all (2)');
    expect(await opened.page.locator('.grouped').count()).toBe(2);
  });

  test('A17: is not formed under the pointer, but once the pointer has left', async () => {
    const opened = await start();
    addTogether(opened, ['a']);
    await (await decision(opened, 'a', /^Approve (?!all)/)).hover();
    addTogether(opened, ['b']);
    await card(opened, 'b').waitFor();
    expect(await header(opened).count()).toBe(0);
    expect(await card(opened, 'a').isVisible()).toBe(true);
    await opened.page.mouse.move(-1, -1);
    await opened.page.dispatchEvent('#root', 'pointerleave');
    await header(opened).waitFor();
    expect(await card(opened, 'a').isVisible()).toBe(false);
  });

  test('can be closed again: then none of its cards can be decided', async () => {
    const opened = await start({ height: 2000 });
    addTogether(opened, ['a', 'b']);
    await header(opened).click();
    await decision(opened, 'a', /^Approve (?!all)/);
    const displayed = opened.approvals.decisions.length;
    await header(opened).click();
    expect(await opened.page.getByRole('article').count()).toBe(0);
    await header(opened).click();
    expect(await button(opened, 'a', /^Approve (?!all)/).getAttribute('aria-disabled')).toBe('true');
    await decision(opened, 'a', /^Approve (?!all)/);
    expect(opened.approvals.decisions.slice(displayed).filter((entry) => entry === 'displayed a')).toHaveLength(1);
  });
});

describe('the keyboard', () => {
  test('stops with Alt and arrows at the header, which Enter opens, and then at the cards', async () => {
    const opened = await start({ height: 2000 });
    const { page } = opened;
    opened.approvals.add({ id: 'first', client: codex, files: [edit] });
    addTogether(opened, ['a', 'b']);
    await header(opened).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    expect(await focusedCard(opened)).toBe('first');
    await page.keyboard.press('Alt+ArrowDown');
    const isOnHeader = (): Promise<boolean> => header(opened).evaluate((element) => element.matches(':focus'));
    expect(await isOnHeader()).toBe(true);
    await page.keyboard.press('Alt+ArrowDown');
    expect(await isOnHeader()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await header(opened).getAttribute('aria-expanded')).toBe('true');
    for (const id of ['a', 'b']) {
      await page.keyboard.press('Alt+ArrowDown');
      expect(await focusedCard(opened)).toBe(id);
    }
    for (const id of ['a', '', 'first']) {
      await page.keyboard.press('Alt+ArrowUp');
      expect(await focusedCard(opened)).toBe(id);
    }
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Space');
    expect(await header(opened).getAttribute('aria-expanded')).toBe('false');
  });

  test('approves all, and moves on to the next card', async () => {
    const opened = await start({ height: 2000 });
    const { page } = opened;
    addTogether(opened, ['a', 'b']);
    opened.approvals.add({ id: 'next', client: codex, files: [edit] });
    await page.keyboard.press('Alt+ArrowDown');
    await until(async () => (await header(opened).count()) === 1, 'the group');
    await header(opened).press('Enter');
    await armed(opened, all(opened));
    await page.keyboard.press('F6');
    for (let presses = 0; presses < 30; presses += 1) {
      if (await all(opened).evaluate((element) => element.matches(':focus'))) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Space');
    await page.getByText('Edited b.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted', 'approve b accepted']);
    await until(async () => (await focusedCard(opened)) === 'next', 'the keyboard on the next card');
  });

  test('moves to a card that the host shows, and opens its group', async () => {
    const opened = await start();
    addTogether(opened, ['a', 'b']);
    await header(opened).waitFor();
    opened.host.focus('b');
    await until(async () => (await focusedCard(opened)) === 'b', 'the keyboard on the card');
    expect(await header(opened).getAttribute('aria-expanded')).toBe('true');
    expect(opened.approvals.decisions).toContain('groupOpened g');
  });

  test('reaches a group out of view by the button that shows its header', async () => {
    const opened = await start({ height: 300 });
    opened.approvals.add({ id: 'first', client: codex, files: [edit] });
    await (await decision(opened, 'first', /^Approve (?!all)/)).hover();
    opened.approvals.add({ id: 'second', client: codex, files: [edit] });
    addTogether(opened, ['a', 'b']);
    await opened.page.getByRole('button', { name: /^[23] waiting below$/ }).waitFor();
    await opened.page.keyboard.press('Alt+ArrowUp');
    expect(await header(opened).evaluate((element) => element.matches(':focus'))).toBe(true);
  });
});

describe('declining', () => {
  const openDecline = async (opened: OpenPage): Promise<void> => {
    opened.approvals.add({ id: 'a', files: [edit] });
    await decision(opened, 'a', /^Approve (?!all)/);
    await button(opened, 'a', /^Decline…/).click();
    await decision(opened, 'a', /^Decline edit of src\/a.ts$/);
  };
  const reason = (opened: OpenPage, name: string): Locator => bar(opened).getByRole('radio', { name });

  test('sends a quick reason, a note or both', async () => {
    const opened = await start();
    await openDecline(opened);
    await bar(opened).getByText('Too broad').click();
    await bar(opened).getByRole('textbox').fill('Only addItem, please');
    await button(opened, 'a', /^Decline edit of src\/a.ts$/).click();
    await opened.page.getByText('Your reason: Too broad').waitFor();
    expect(decisions(opened)).toEqual(['decline a accepted Only addItem, please too_broad']);
  });

  test('chooses a reason with arrow keys, clears it with Space or a click, and sends it with Enter', async () => {
    const opened = await start();
    await openDecline(opened);
    await bar(opened).getByText('Stop').click();
    await bar(opened).getByText('Stop').click();
    expect(await reason(opened, 'Stop').isChecked()).toBe(false);
    await reason(opened, 'Wrong file').focus();
    await opened.page.keyboard.press('Space');
    expect(await reason(opened, 'Wrong file').isChecked()).toBe(true);
    await opened.page.keyboard.press('Space');
    expect(await reason(opened, 'Wrong file').isChecked()).toBe(false);
    await opened.page.keyboard.press('Space');
    await opened.page.keyboard.press('ArrowRight');
    await opened.page.keyboard.press('ArrowRight');
    expect(await reason(opened, 'Do it differently').isChecked()).toBe(true);
    await opened.page.keyboard.press('Control+Enter');
    await opened.page.getByText('Declined: edit of a.ts').waitFor();
    expect(decisions(opened)).toEqual(['decline a accepted do_it_differently']);
  });

  test('F8: keeps an unfinished note and reason when the page is redrawn', async () => {
    const opened = await start();
    await openDecline(opened);
    await bar(opened).getByRole('textbox').fill('no');
    await bar(opened).getByText('Wrong file').click();
    await opened.page.reload();
    await reason(opened, 'Wrong file').waitFor({ state: 'attached' });
    expect(await reason(opened, 'Wrong file').isChecked()).toBe(true);
    await decision(opened, 'a', /^Decline edit of src\/a.ts$/);
    await bar(opened).getByRole('textbox').press('Enter');
    await opened.page.getByText('Declined: edit of a.ts').waitFor();
    expect(decisions(opened)).toEqual(['decline a accepted no wrong_file']);
  });

  test.each(['Enter', 'Control+Enter'])('A16: declines and pauses with one button, pressed with %s', async (key) => {
    const opened = await start();
    await openDecline(opened);
    const pause = button(opened, 'a', /^Decline and pause this assistant, Claude Code: edit of/);
    expect(await pause.textContent()).toBe('Decline and pause this assistant');
    await bar(opened).getByText('Stop').click();
    await (await armed(opened, pause)).press(key);
    await opened.page.getByText('Declined: edit of a.ts').waitFor();
    expect(decisions(opened)).toEqual(['decline a accepted stop pause']);
  });
});

describe('restrictions', () => {
  test('A16: name the assistant and what it may not do, and are lifted by their buttons', async () => {
    const opened = await start();
    groupScene(opened);
    const { page } = opened;
    await page.getByText('Codex is paused: it can read, but cannot change anything.').waitFor();
    const text = await page.locator('.restriction').nth(1).locator('p').textContent();
    expect(text).toMatch(
      /^Edits of src\/cart\.ts by Claude Code are declined automatically until \d\d:\d\d:\d\d \(you declined three times\)\.$/,
    );
    await page.getByRole('button', { name: 'Resume Codex' }).click();
    await page.getByRole('button', { name: 'Allow again: edits of src/cart.ts by Claude Code' }).press('Enter');
    await until(async () => (await page.locator('.restriction').count()) === 0, 'none to be left');
    expect(opened.approvals.decisions.filter((entry) => entry.startsWith('lift'))).toEqual(['lift r-1', 'lift r-2']);
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  });

  test('A18: show names as text', async () => {
    const opened = await start();
    const name = `<img src=x onerror="document.title='pwned'">`;
    opened.approvals.restrict({
      id: 'r',
      kind: 'declined_repeatedly',
      client: { name, version: '' },
      path: 'a{2}\0.ts',
      until: 1,
    });
    await opened.page.getByText('a{2}').waitFor();
    expect(await opened.page.locator('.restriction img').count()).toBe(0);
    expect(await opened.page.locator('.restriction time').count()).toBe(1);
  });
});

describe('accessibility', () => {
  test.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'has no axe violations in %s',
    async (theme) => {
      const opened = await start({ theme, height: 1600 });
      groupScene(opened);
      await header(opened).waitFor();
      await decision(opened, 'other', /^Approve (?!all)/);
      expect(await axeFindings(opened)).toEqual([]);
      await header(opened).click();
      await pick(opened, 'a');
      await armed(opened, all(opened));
      await button(opened, 'a', /^Decline…/).click();
      await bar(opened).getByText('Too broad').click();
      expect(await axeFindings(opened)).toEqual([]);
    },
  );

  test.each([
    ['at 200 px', { width: 200 }],
    ['at 400 %', { width: 80, height: 225 }],
  ])('keeps everything within the width of the view: %s', async (_, size) => {
    const opened = await start(size);
    groupScene(opened);
    await header(opened).click();
    await pick(opened, 'a');
    await button(opened, 'a', /^Decline…/).click();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  });

  test('announces deletes at once, and a group in one sentence', async () => {
    const opened = await start();
    const { page, approvals } = opened;
    await page.evaluate(`
      globalThis.announced = [];
      for (const region of document.querySelectorAll('body > [role]')) new MutationObserver(() =>
        announced.push(region.getAttribute('role') + ': ' + region.textContent)).observe(region, { childList: true });
    `);
    approvals.add({ id: 'a', files: [removal] });
    await card(opened, 'a').waitFor();
    addTogether(opened, ['b', 'c']);
    await header(opened).waitFor();
    approvals.change('b', { callReturned: true });
    await header(opened).click();
    await page.getByText('no longer waits').waitFor();
    const how = 'Run “Review Next Approval” to get to';
    expect(await page.evaluate('announced')).toEqual([
      `alert: Approval needed: deletion of 1 file. ${how} it.`,
      `status: 2 approvals needed. ${how} them.`,
    ]);
  });
});

describe('F1, A16: 20 cards of 50 lines from 3 assistants', () => {
  const clients = ['Claude Code', 'Codex', 'Gemini CLI'];
  const lines = (word: string): string => Array.from({ length: 25 }, (_, line) => `${word} ${line}\n`).join('');
  const ids = Array.from({ length: 20 }, (_, index) => `card-${index}`);
  const addAll = ({ approvals }: OpenPage): void => {
    for (const [index, id] of ids.entries()) {
      const client = { name: clients[index % 3] ?? '', version: '1' };
      const file = { path: `src/${id}.ts`, base: lines('old'), result: lines('new') };
      approvals.add({ id, client, files: [file], requestedAt: index });
    }
  };

  test('keep their order, oldest first, whatever ends or comes meanwhile', async () => {
    const opened = await start();
    addAll(opened);
    await card(opened, 'card-19').waitFor();
    expect(await order(opened)).toEqual(ids);
    opened.approvals.change('card-3', { state: 'withdrawn' });
    opened.approvals.add({ id: 'late', files: [edit] });
    await card(opened, 'late').waitFor();
    expect(await order(opened)).toEqual([...ids.filter((id) => id !== 'card-3'), 'late']);
  });

  test('the page draws 20 cards at once and takes a decision', async () => {
    const opened = await start();
    await opened.page.evaluate(`
      globalThis.states = 0;
      addEventListener('message', ({ data }) => (states += data.type === 'state' ? 1 : 0));
    `);
    addAll(opened);
    await card(opened, 'card-19').waitFor();
    // Many changes in one turn make one message, and each message one drawing.
    expect(await opened.page.evaluate<number>('states')).toBeLessThan(5);
    await (await decision(opened, 'card-0', /^Approve (?!all)/)).click();
    await opened.page.getByText('Edited card-0.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve card-0 accepted']);
  });
});
