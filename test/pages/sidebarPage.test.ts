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
  displays,
  focusedCard,
  isArmed,
  pick,
} from '../ui/page/onPage.ts';
import type { OpenPage } from '../ui/page/openPage.ts';
import { scene } from '../ui/page/scene.ts';

const start = inBrowser();

const edit = { path: 'src/a.ts', base: 'one\ntwo\n', result: 'one\nzwei\n' };
const guarded = { ...edit, path: '.vscode/tasks.json', protectedBy: '**/.vscode/**' };
const many = (count: number): string =>
  Array.from({ length: count }, (_, line) => `const value${line} = ${line};\n`).join('');

const activeText = ({ page }: OpenPage): Promise<string> => page.evaluate(`document.activeElement.textContent`);

/** Opens "Why was I asked?" of a card while another card shows the field for a decline in the action bar. */
async function openWhy(opened: OpenPage): Promise<void> {
  scene(opened.approvals);
  await decision(opened, 'two-files', /^Approve/);
  await button(opened, 'two-files', /^Decline…/).click();
  await card(opened, 'guarded')
    .getByText(/^Why was I asked/)
    .click();
}

describe('F15: accessibility', () => {
  test.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'has no axe violations in %s',
    async (theme) => {
      const opened = await start({ theme });
      await openWhy(opened);
      await card(opened, 'guarded').getByText('Details', { exact: true }).click();
      expect(await axeFindings(opened)).toEqual([]);
    },
  );

  test('counts a click into another card, although the action bar changes its height by it', async () => {
    const opened = await start();
    await openWhy(opened);
    await card(opened, 'guarded').getByText('Details', { exact: true }).waitFor();
    expect(await opened.page.locator('article.owns').getAttribute('data-approval')).toBe('guarded');
  });

  test('has no axe violations when nothing waits', async () => {
    const opened = await start({
      status: { running: false, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] },
    });
    await opened.page.getByRole('button', { name: 'Start Drawbridge' }).waitFor();
    expect(await axeFindings(opened)).toEqual([]);
  });

  test('makes a card an article of a list, with its name, its position and full names of its buttons', async () => {
    const opened = await start();
    scene(opened.approvals);
    const first = opened.page.getByRole('article', { name: 'Edit 2 files' });
    await first.waitFor();
    expect(await first.getAttribute('aria-posinset')).toBe('1');
    expect(await first.getAttribute('aria-setsize')).toBe('2');
    const target = 'edit of 2 files: src/cart/cart.ts, test/cart.test.ts';
    const owner = opened.page.getByRole('contentinfo', { name: 'Decision: Claude Code: Edit 2 files' });
    await owner.getByRole('button', { name: `Approve ${target}`, exact: true }).waitFor();
    await owner.getByRole('button', { name: `Decline… ${target}`, exact: true }).waitFor();
    const lines = await first
      .getByRole('group', { name: 'Changes of test/cart.test.ts' })
      .getByRole('listitem')
      .allTextContents();
    expect(lines[2]).toBe('line 9 removed: −  expect(add(0)).toBe(undefined);');
  });

  test('announces each new approval once, and a protected one at once', async () => {
    const opened = await start();
    const { page, approvals } = opened;
    await page.evaluate(`
      globalThis.announced = [];
      for (const region of document.querySelectorAll('body > [role]')) new MutationObserver(() =>
        announced.push(region.getAttribute('role') + ': ' + region.textContent)).observe(region, { childList: true });
    `);
    approvals.add({ id: 'a', files: [edit] });
    await card(opened, 'a').waitFor();
    approvals.add({ id: 'b', files: [guarded] });
    await card(opened, 'b').waitFor();
    approvals.change('a', { callReturned: true });
    await page.getByText('no longer waits').waitFor();
    const words = 'Approval needed: edit of 1 file. Run “Review Next Approval” to get to it.';
    expect(await page.evaluate('announced')).toEqual([`status: ${words}`, `alert: ${words}`]);
  });

  test.each([
    ['at 200 px', { width: 200 }],
    // A side bar of 320 px at 400 % has the room of 80 px.
    ['at 400 %', { width: 80, height: 225 }],
  ])('keeps everything within the width of the view: %s', async (_, size) => {
    const opened = await start(size);
    scene(opened.approvals);
    await card(opened, 'guarded').waitFor();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  });
});

describe('the decision buttons', () => {
  test('approve exactly what the card shows with a click on Approve', async () => {
    const opened = await start();
    const { proposalHash } = opened.approvals.add({ id: 'a', files: [edit] });
    await (await decision(opened, 'a', /^Approve/)).click();
    await opened.page.getByText('Edited a.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
    expect(opened.received).toContainEqual({ type: 'approve', id: 'a', proposalHash, secret: opened.secret });
    await (await armed(opened, button(opened, 'a', /^Undo/))).click();
    await opened.page.getByText('Undone: edit of a.ts').waitFor();
  });

  test('A2: ignore a click or key made by a script', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    await decision(opened, 'a', /^Approve/);
    await opened.page.evaluate(`
      document.querySelector('h3').focus();
      for (const button of document.querySelectorAll('footer button')) button.click();
      for (const key of ['Enter', 'Backspace']) document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true }));
      document.querySelector('footer input')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    `);
    await (await decision(opened, 'a', /^Approve/)).click();
    await opened.page.getByText('Edited a.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('A17: accept no click before the host has counted half a second, and the first click after it', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    const approve = button(opened, 'a', /^Approve/);
    await until(() => displays(opened, 'a').length === 1, 'the card to be on screen');
    opened.clock.advance(499);
    await approve.click({ force: true });
    await bar(opened).getByText('Look first').waitFor();
    expect(await isArmed(approve)).toBe(false);
    expect(decisions(opened)).toEqual([]);
    opened.clock.advance(1);
    await until(() => isArmed(approve), 'the button to be armed');
    await approve.click();
    await opened.page.getByText('Edited a.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('A17: are not armed by the clock of the page', async () => {
    const opened = await start({ playwrightClock: {} });
    opened.approvals.add({ id: 'a', files: [edit] });
    const approve = button(opened, 'a', /^Approve/);
    await until(() => displays(opened, 'a').length === 1, 'the card to be on screen');
    await opened.page.clock.fastForward(60_000);
    expect(await isArmed(approve)).toBe(false);
    await armed(opened, approve);
  });

  test('A17: are not armed by a message about a display that ended', async () => {
    const opened = await start();
    for (const id of ['a', 'b']) opened.approvals.add({ id, files: [edit] });
    await pick(opened, 'b');
    const [before] = displays(opened, 'b').filter((display) => display > 0);
    await pick(opened, 'a');
    await pick(opened, 'b');
    // The page hears it before it runs this script to its end.
    await opened.page.evaluate(`new Promise((resolve) => {
      window.postMessage({ type: 'armed', display: ${before} }, '*');
      setTimeout(resolve, 1);
    })`);
    const approve = button(opened, 'b', /^Approve/);
    expect(await isArmed(approve)).toBe(false);
    opened.clock.advance(500);
    await until(() => isArmed(approve), 'the button to be armed');
  });

  test('A17: accept no click on Undo before the host has counted half a second, and the first one after it', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', state: 'applied', canUndo: true, files: [edit] });
    const undo = button(opened, 'a', /^Undo/);
    await until(() => displays(opened, 'a').length === 1, 'the card to be on screen');
    opened.clock.advance(499);
    await undo.click({ force: true });
    await card(opened, 'a').getByText('Look first').waitFor();
    opened.clock.advance(1);
    await until(() => isArmed(undo), 'the button to be armed');
    await undo.click();
    await opened.page.getByText('Undone: edit of a.ts').waitFor();
    expect(decisions(opened)).toEqual(['undo a']);
  });

  test('A17: are disarmed when their card goes away, and the click that comes then is ignored', async () => {
    const opened = await start();
    for (const id of ['a', 'b']) opened.approvals.add({ id, files: [edit] });
    const approve = await decision(opened, 'a', /^Approve/);
    const before = await approve.boundingBox();
    opened.approvals.change('a', { state: 'withdrawn' });
    const next = button(opened, 'b', /^Approve/);
    await next.waitFor();
    expect(await isArmed(next)).toBe(false);
    // The button of the next card stands in the same place.
    expect(await next.boundingBox()).toEqual(before);
    await next.click({ force: true });
    expect(decisions(opened)).toEqual([]);
    await (await armed(opened, next)).click();
    await opened.page.getByText('Edited a.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve b accepted']);
  });

  test('F1: stay armed and in place while other changes are applied without asking', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    const approve = await decision(opened, 'a', /^Approve/);
    const before = await approve.boundingBox();
    for (const id of ['one', 'two', 'three']) {
      opened.approvals.add({ id, state: 'applying', files: [edit] });
      await card(opened, id).waitFor();
      opened.approvals.change(id, { state: 'applied' });
      await opened.page.locator(`section [data-approval="${id}"]`).waitFor();
    }
    expect(await approve.boundingBox()).toEqual(before);
    expect(await isArmed(approve)).toBe(true);
  });

  test('A17: explain that a click came too early, and move nothing', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    const approve = button(opened, 'a', /^Approve/);
    await until(() => displays(opened, 'a').length === 1, 'the delay to begin');
    const before = await approve.boundingBox();
    await approve.click({ force: true });
    const words = bar(opened).locator('.decision > .refusal');
    await until(async () => (await words.textContent())?.startsWith('Look first'), 'an answer');
    expect(await approve.boundingBox()).toEqual(before);
    await armed(opened, approve);
    expect(await words.textContent()).toBe('');
    expect(decisions(opened)).toEqual([]);
  });

  test('A17: leave new cards last, whatever is done meanwhile', async () => {
    const opened = await start();
    for (const id of ['a', 'b', 'c']) opened.approvals.add({ id, files: [edit] });
    await card(opened, 'c').waitFor();
    const order = await opened.page.evaluate(
      `[...document.querySelectorAll('article')].map((each) => each.dataset.approval)`,
    );
    expect(order).toEqual(['a', 'b', 'c']);
  });

  test('offer an optional note for Decline, which survives hiding the view', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    await button(opened, 'a', /^Decline…/).click();
    await opened.page.keyboard.type('wrong file');
    await opened.page.reload();
    const field = bar(opened).getByRole('textbox', { name: 'Tell the assistant why (optional)' });
    await field.waitFor();
    expect(await field.inputValue()).toBe('wrong file');
    await decision(opened, 'a', /^Decline edit/);
    await field.press('Control+Enter');
    await opened.page.getByText('You said: “wrong file”').waitFor();
    expect(decisions(opened)).toEqual(['decline a accepted wrong file']);
  });

  test('A15: leave a card that works when a decision is refused', async () => {
    const opened = await start();
    const { proposalHash } = opened.approvals.add({ id: 'a', files: [edit] });
    const approve = await decision(opened, 'a', /^Approve/);
    opened.send({ type: 'displayed', id: 'a', display: 0, secret: opened.secret });
    await approve.click();
    await bar(opened).getByText('Look first').waitFor();
    await (await armed(opened, approve)).click();
    await opened.page.getByText('Edited a.ts').waitFor();
    opened.send({ type: 'approve', id: 'a', proposalHash, secret: opened.secret });
    await opened.settled();
    // Whether the late decision reaches the queue depends on when the finished line is drawn.
    expect(decisions(opened).filter((each) => each.endsWith('accepted'))).toEqual(['approve a accepted']);
  });

  test('A4, F12: approve a protected change only after its last line was on screen', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [{ ...guarded, result: many(1000) }] });
    await pick(opened, 'a');
    const approve = button(opened, 'a', /^Approve once/);
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await card(opened, 'a').locator('h3').focus();
    await opened.page.keyboard.press('Control+Enter');
    await bar(opened).getByText('No key approves this').waitFor();
    await opened.page.getByText('Scroll to the end of the change to approve it.').waitFor();
    const region = opened.page.getByRole('group', { name: 'Changes of .vscode/tasks.json' });
    await region.focus();
    await until(async () => {
      await opened.page.keyboard.press('End');
      return opened.approvals.decisions.includes('endReached a');
    }, 'the end of the change');
    await armed(opened, approve);
    await opened.page.keyboard.press('Control+Enter');
    await opened.settled();
    expect(decisions(opened)).toEqual([]);
    await approve.click();
    await opened.page.getByText('Edited tasks.json').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });
});

describe('the keyboard', () => {
  test('reaches, decides and leaves cards without a mouse, and moves on to the next headline', async () => {
    const opened = await start();
    const { page } = opened;
    for (const id of ['a', 'b', 'c'])
      opened.approvals.add({ id, files: [{ ...edit, path: `src/${id}.ts` }], client: { name: id, version: '' } });
    await decision(opened, 'a', /^Approve/);
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    expect(await focusedCard(opened)).toBe('b');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Control+d');
    await expect.poll(() => opened.asked).toEqual(['openDiff a']);
    await decision(opened, 'a', /^Approve/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Edited a.ts').waitFor();
    await until(async () => (await focusedCard(opened)) === 'b', 'focus on b');
    expect(await activeText(opened)).toBe('Edit b.ts');
    await decision(opened, 'b', /^Approve/);
    await page.keyboard.press('Control+Backspace');
    await page.getByText('Declined: edit of b.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted', 'decline b accepted']);
    await page.keyboard.press('Escape');
    await expect.poll(() => opened.asked.at(-1)).toBe('leave');
    await decision(opened, 'c', /^Approve/);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Edited c.ts').waitFor();
    await until(async () => (await activeText(opened)).startsWith('Nothing is waiting'), 'focus on the heading');
  });

  test('F11: stays where it is after a decision elsewhere and when a new card comes', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    await card(opened, 'a').waitFor();
    opened.approvals.add({ id: 'b', files: [edit] });
    await card(opened, 'b').waitFor();
    opened.approvals.change('a', { state: 'withdrawn' });
    await opened.page.getByText('Withdrawn').first().waitFor();
    expect(await opened.page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  test('F11: types into the note: deleting a word declines nothing, and Escape closes the note', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    await decision(opened, 'a', /^Approve/);
    await button(opened, 'a', /^Decline…/).click();
    await decision(opened, 'a', /^Decline edit/);
    await opened.page.keyboard.type('two words');
    await opened.page.keyboard.press('Control+Backspace');
    expect(await bar(opened).getByRole('textbox').inputValue()).toBe('two ');
    await opened.page.keyboard.press('Escape');
    expect(await bar(opened).getByRole('textbox').count()).toBe(0);
    expect(opened.asked).toEqual([]);
    expect(decisions(opened)).toEqual([]);
  });

  test('moves to the headline of a card that the host shows, and the buttons wait again', async () => {
    const opened = await start({ height: 300 });
    for (const id of ['a', 'b', 'c']) opened.approvals.add({ id, files: [edit] });
    await decision(opened, 'a', /^Approve/);
    opened.host.focus('c');
    await until(() => opened.approvals.decisions.includes('displayed c'), 'the card to be displayed');
    expect(await focusedCard(opened)).toBe('c');
    expect(await button(opened, 'c', /^Approve/).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('F7: a waiting card that is out of view', () => {
  test('is scrolled into view while nobody uses the page', async () => {
    const opened = await start({ height: 300 });
    opened.approvals.add({ id: 'a', files: [edit] });
    await decision(opened, 'a', /^Approve/);
    opened.approvals.add({ id: 'b', files: [edit] });
    await until(() => opened.approvals.decisions.includes('displayed b'), 'the new card to be on screen');
    expect(await opened.page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  test('is announced by a button that shows it, in both directions, also by the keyboard', async () => {
    const opened = await start({ height: 360 });
    const { page, approvals } = opened;
    approvals.add({ id: 'a', files: [edit] });
    await (await decision(opened, 'a', /^Approve/)).hover();
    approvals.add({ id: 'b', files: [edit] });
    approvals.add({ id: 'c', files: [edit] });
    await page.getByRole('button', { name: '2 waiting below' }).press('Enter');
    await page.getByRole('button', { name: '1 waiting above' }).waitFor();
    expect(await focusedCard(opened)).toBe('b');
    expect(await button(opened, 'b', /^Approve/).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: '1 waiting above' }).click();
    expect(await focusedCard(opened)).toBe('a');
    for (const id of ['a', 'b', 'c']) approvals.change(id, { state: 'withdrawn' });
    await until(async () => (await page.getByRole('button', { name: /waiting (above|below)/ }).count()) === 0, 'none');
    expect(decisions(opened)).toEqual([]);
  });
});

describe('the page', () => {
  test('A18: draws markup in path, lines, reason and names as text, and runs no script', async () => {
    const opened = await start();
    const attack = `<img src=x onerror="document.title='pwned'">`;
    const script = `</script><script>document.title='pwned'</script>`;
    const errors: string[] = [];
    opened.page.on('pageerror', (error) => errors.push(String(error)));
    opened.approvals.add({
      id: 'a',
      reason: script,
      client: { name: attack, version: script },
      files: [{ path: `src/${attack}`, base: 'one\n', result: `${attack}${script}\n` }],
    });
    await card(opened, 'a').waitFor();
    const text = await card(opened, 'a').textContent();
    expect(text).toContain(`The assistant says: ${script}`);
    expect(text).toContain(`+${attack}${script}`);
    expect(await card(opened, 'a').locator('.name').textContent()).toBe(attack);
    expect(await opened.page.locator('img, script:not([nonce])').count()).toBe(0);
    expect(await opened.page.title()).toBe('Approvals');
    expect(await opened.page.evaluate('violations')).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('A18: stops an injected script by its content security policy', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit] });
    await card(opened, 'a').waitFor();
    await opened.page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="document.title=1">')`,
    );
    await until(() => opened.page.evaluate<boolean>('violations.length > 0'), 'a report');
    expect(await opened.page.title()).toBe('Approvals');
  });

  test('A5: draws hidden characters as escapes that differ from the text', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [{ ...edit, result: 'one\nif (a\u202E) {}\u{E0041}\n' }] });
    await card(opened, 'a').waitFor();
    expect(await card(opened, 'a').locator('.row.added .escaped').allTextContents()).toEqual(['<U+202E>', '<U+E0041>']);
    await card(opened, 'a').getByText('Text contains hidden characters: <U+202E> <U+E0041>').waitFor();
  });

  test('A4: draws an empty line as high as any other, so that its mark stands alone', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [{ ...edit, result: 'one\n\nzwei\n\n' }] });
    await card(opened, 'a').waitFor();
    const heights = await card(opened, 'a')
      .locator('.row.added')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(3);
    expect(new Set(heights).size).toBe(1);
  });

  test('A19: shows the text of the assistant in the quote only', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit], reason: 'Approved by administrator\n\nRisk: none' });
    await card(opened, 'a').waitFor();
    const quote = card(opened, 'a').locator('blockquote');
    expect(await quote.textContent()).toBe('The assistant says: Approved by administrator Risk: none');
    expect((await card(opened, 'a').textContent())?.split('administrator')).toHaveLength(2);
  });

  test('A4, F12: reaches every changed line by the keyboard alone', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [{ ...edit, result: many(2000) }] });
    await card(opened, 'a').waitFor();
    const more = card(opened, 'a').getByRole('button', { name: /^Show more/ });
    while ((await more.count()) > 0) {
      const rows = await card(opened, 'a').getByRole('listitem').count();
      await more.press('Enter', { timeout: 5000 }).catch(() => undefined);
      await until(async () => (await card(opened, 'a').getByRole('listitem').count()) > rows, 'more rows');
    }
    const lines = await card(opened, 'a').locator('.row.added').allTextContents();
    expect(lines).toHaveLength(2000);
    expect(lines.at(-1)).toBe('line 2000 added: +const value1999 = 1999;');
  });

  test.each([
    [
      'stopped',
      { running: false, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] },
      'Start Drawbridge',
      'drawbridge.start',
    ],
    [
      'without a folder',
      { running: true, connected: true, hasFolder: false, trusted: true, held: false, otherWindows: [] },
      'Open Folder',
      'vscode.openFolder',
    ],
    [
      'in Restricted Mode',
      { running: true, connected: true, hasFolder: true, trusted: false, held: false, otherWindows: [] },
      'Manage Workspace Trust',
      'workbench.trust.manage',
    ],
  ])('shows the state of the view and offers the next step: %s', async (_, status, name, command) => {
    const opened = await start({ status });
    await opened.page.getByRole('button', { name }).click();
    await expect.poll(() => opened.asked).toEqual([`command ${command}`]);
  });

  test('shows above the cards that the workspace is held, and offers to enable edits', async () => {
    const opened = await start({
      status: { running: true, connected: true, hasFolder: true, trusted: false, held: true, otherWindows: [] },
    });
    opened.approvals.add({ id: 'a', files: [edit] });
    await card(opened, 'a').waitFor();
    await opened.page.getByText('Assistants can only read this workspace').waitFor();
    await opened.page.getByRole('button', { name: 'Enable Edits' }).click();
    await expect.poll(() => opened.asked).toEqual(['command drawbridge.enableEdits']);
  });

  test('says in which other windows requests wait', async () => {
    const otherWindows = [
      { name: 'shop', waiting: 1 },
      { name: 'team', waiting: 3 },
    ];
    const { page } = await start({
      status: { running: true, connected: true, hasFolder: true, trusted: true, held: false, otherWindows },
    });
    const notice = page.getByRole('status', { name: 'Other windows' });
    await notice.waitFor();
    expect(await notice.getByRole('paragraph').allTextContents()).toEqual([
      '1 request waits for you in the window “shop”.',
      '3 requests wait for you in the window “team”.',
    ]);
  });

  test('is drawn again after a reload with all cards', async () => {
    const opened = await start();
    scene(opened.approvals);
    await card(opened, 'over').waitFor();
    // Whether the end of a protected change was on screen is found out a moment after the card is drawn.
    const text = async (): Promise<string> =>
      (await opened.page.locator('main').innerText()).replace('Scroll to the end of the change to approve it.\n\n', '');
    const before = await text();
    await opened.page.reload();
    await card(opened, 'over').waitFor();
    await expect.poll(text).toBe(before);
  });

  test.each([
    ['one line of 5 MB', `${'x'.repeat(5_000_000)}\n`],
    ['3,000 changed lines', many(3000)],
  ])('P13: draws a bounded part of a card with %s, and is usable at once', async (what, result) => {
    const opened = await start();
    opened.approvals.add({ id: 'warm', files: [edit] });
    await card(opened, 'warm').waitFor();
    const drawn = opened.page.evaluate(`new Promise((resolve) => {
      new MutationObserver(() => {
        if (document.querySelector('[data-approval="a"]')) requestAnimationFrame(() => setTimeout(resolve));
      }).observe(document.body, { childList: true, subtree: true });
    })`);
    const begin = performance.now();
    opened.approvals.add({ id: 'a', files: [{ ...edit, result }] });
    await drawn;
    console.log(`A card with ${what} was drawn after ${(performance.now() - begin).toFixed(0)} ms`);
    expect(await card(opened, 'a').getByRole('listitem').count()).toBeLessThanOrEqual(600);
    expect((await card(opened, 'a').textContent())?.length).toBeLessThan(50_000);
    await (await decision(opened, 'a', /^Approve without reading everything/)).click();
    await opened.page.getByText('Edited a.ts').waitFor();
  });
});
