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
  isArmed,
  pick,
} from '../ui/page/onPage.ts';
import type { OpenPage } from '../ui/page/openPage.ts';

const start = inBrowser();

const edit = (path: string) => ({ path, base: 'one\ntwo\n', result: 'one\nzwei\n' });
const owner = ({ page }: OpenPage): Promise<string | null> => page.locator('footer').getAttribute('data-owner');

function addTen({ approvals }: OpenPage): readonly string[] {
  const ids = Array.from({ length: 10 }, (_, index) => `card-${index}`);
  for (const [index, id] of ids.entries()) {
    const lines = Array.from({ length: 12 }, (_line, line) => `line ${line} of ${id}\n`).join('');
    approvals.add({ id, requestedAt: index, files: [{ path: `src/${id}.ts`, base: '', result: lines }] });
  }
  return ids;
}

describe('the action bar', () => {
  test('belongs to the request at the top of the view, and names that request', async () => {
    const opened = await start({ height: 500 });
    addTen(opened);
    await until(async () => (await owner(opened)) === 'card-0', 'the first card to own the bar');
    await bar(opened).getByText('Claude Code: Edit card-0.ts').waitFor();
    await card(opened, 'card-4').evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await until(async () => (await owner(opened)) === 'card-4', 'the card at the top to own the bar');
    expect(await opened.page.locator('.approve').count()).toBe(1);
  });

  test('takes at most a third of a short side bar, also for a protected file', async () => {
    const opened = await start({ width: 250, height: 400 });
    const files = [{ ...edit('.vscode/tasks.json'), protectedBy: '**/.vscode' }];
    opened.approvals.add({ id: 'a', files });
    await opened.page.locator('.changes').last().waitFor();
    // Nothing grave is approved before its end was on screen.
    await opened.page.locator('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await decision(opened, 'a', /^Approve once/);
    const box = await bar(opened).boundingBox();
    expect(box?.height).toBeLessThanOrEqual(400 / 3);
    expect(box && box.y + box.height).toBeLessThanOrEqual(400);
    for (const name of [/^Approve once/, /^Decline…/, /^Review in a tab/, /^Open diff/]) {
      expect(await button(opened, 'a', name).isVisible(), String(name)).toBe(true);
    }
    // A grave change has no default.
    expect(await bar(opened).locator('.primary').count()).toBe(0);
  });

  test('F21: finishes a half-done change, or takes it back, by its button alone, and neither is the default', async () => {
    const opened = await start();
    const outcome = { uri: 'file:///w', change: 'edit', addedLines: 1, removedLines: 1 } as const;
    const outcomes = [
      { ...outcome, path: 'a.ts', state: 'applied' },
      { ...outcome, path: 'b.ts', state: 'not_applied' },
    ] as const;
    for (const id of ['a', 'b']) {
      opened.approvals.add({
        id,
        state: 'partly_applied',
        canUndo: true,
        files: [edit('a.ts'), edit('b.ts')],
        outcomes,
      });
    }
    await card(opened, 'a').getByText('Half done: 1 of 2 files').waitFor();
    expect(await card(opened, 'a').locator('.notes p').allTextContents()).toEqual([
      'a.ts: changed',
      'b.ts: not changed',
    ]);
    const finish = await decision(opened, 'a', /^Finish/);
    expect(await bar(opened).locator('.primary').count()).toBe(0);
    expect(await bar(opened).getByRole('button').allTextContents()).toEqual(['Finish', 'Take back', 'Diff']);
    for (const key of ['Control+Enter', 'Control+Backspace']) {
      await card(opened, 'a').locator('h3').focus();
      await opened.page.keyboard.press(key);
      await bar(opened).getByText('No key approves this').waitFor();
    }
    expect(await axeFindings(opened)).toEqual([]);
    await finish.click();
    await opened.page.getByText('Edited 2 files').waitFor();
    opened.approvals.settleResult = { status: 'undone' };
    await (await decision(opened, 'b', /^Take back/)).click();
    await opened.page.getByText('Undone: edit of 2 files').waitFor();
    expect(opened.approvals.decisions).toEqual(['finish a', 'takeBack b']);
  });

  test('A17: approves nothing that was not at rest for half a second under its own name while the user turns the wheel', async () => {
    const opened = await start({ height: 500 });
    const { page, clock } = opened;
    addTen(opened);
    const approve = page.locator('footer .approve');
    await approve.waitFor();
    await opened.settled();
    const box = await approve.boundingBox();
    if (!box) throw new Error('There is no button');
    const at = { x: box.x + 10, y: box.y + 10 };
    /** When the bar got its owner, by the clock of the host. */
    let since = clock.now();
    let last = await owner(opened);
    const look = async (): Promise<void> => {
      await opened.settled();
      const now = await owner(opened);
      if (now !== last) since = clock.now();
      last = now;
    };
    for (let turn = 0; turn < 60; turn += 1) {
      await page.mouse.move(at.x, 100);
      await page.mouse.wheel(0, 90);
      await look();
      const clicked = last;
      await page.mouse.click(at.x, at.y);
      await opened.settled();
      const [decided] = decisions(opened).splice(0);
      if (decided !== undefined) {
        expect(decided).toBe(`approve ${clicked} accepted`);
        expect(clock.now() - since).toBeGreaterThanOrEqual(500);
        break;
      }
      // The page scrolls on after the wheel.
      await look();
      clock.advance(100);
    }
    expect(opened.approvals.all.filter(({ state }) => state === 'applied').length).toBeLessThanOrEqual(1);
  });

  test('A17: starts its time anew when the owner changes', async () => {
    const opened = await start({ height: 900 });
    for (const id of ['a', 'b']) opened.approvals.add({ id, files: [edit(`src/${id}.ts`)] });
    await decision(opened, 'a', /^Approve/);
    await pick(opened, 'b');
    const approve = button(opened, 'b', /^Approve/);
    expect(await isArmed(approve)).toBe(false);
    opened.clock.advance(499);
    await opened.settled();
    expect(await isArmed(approve)).toBe(false);
    await armed(opened, approve);
  });

  test('A37: takes no click that began before the state was replaced', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit('src/a.ts')] });
    const approve = await decision(opened, 'a', /^Approve/);
    await approve.hover();
    await opened.page.mouse.down();
    opened.approvals.setText('a', 0, 'one\nmine\n');
    await opened.page.getByText('Approve my version').waitFor();
    // Even when the new state has been on screen for long enough.
    await armed(opened, approve);
    await opened.page.mouse.up();
    await opened.settled();
    expect(decisions(opened)).toEqual([]);
    await approve.click();
    await until(() => decisions(opened).length === 1, 'the decision');
  });

  test('A37: takes no click that began when another request owned the bar', async () => {
    const opened = await start();
    for (const id of ['a', 'b']) opened.approvals.add({ id, files: [edit(`src/${id}.ts`)] });
    const approve = await decision(opened, 'a', /^Approve/);
    await approve.hover();
    await opened.page.mouse.down();
    opened.approvals.change('a', { state: 'withdrawn' });
    await armed(opened, button(opened, 'b', /^Approve/));
    await opened.page.mouse.up();
    await opened.settled();
    expect(decisions(opened)).toEqual([]);
  });

  test('A17: is disarmed while the page is hidden, and starts its time anew when the page is shown', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit('src/a.ts')] });
    const approve = await decision(opened, 'a', /^Approve/);
    const show = (state: string): Promise<void> =>
      opened.page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await show('hidden');
    await until(async () => !(await isArmed(approve)), 'the bar to be disarmed');
    const before = displays(opened, 'a').length;
    await show('visible');
    await until(() => displays(opened, 'a').length === before + 1, 'a new display');
    expect(await isArmed(approve)).toBe(false);
    await armed(opened, approve);
  });

  test('A38: has no decision for a request that another page decides, and leads to that page', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit('src/a.ts')] });
    await decision(opened, 'a', /^Approve/);
    opened.elsewhere.add('a');
    opened.host.surroundingsChanged();
    await bar(opened).getByText('In review in a tab. The tab decides.').waitFor();
    expect(await opened.page.locator('footer .approve').count()).toBe(0);
    await opened.page.keyboard.press('Control+Enter');
    await bar(opened).getByRole('button', { name: 'Show the tab that reviews: Edit a.ts' }).click();
    await expect.poll(() => opened.asked).toEqual(['openReview a']);
    expect(decisions(opened)).toEqual([]);
  });

  test('F6 leads from a card to its buttons and back', async () => {
    const opened = await start();
    for (const id of ['a', 'b']) opened.approvals.add({ id, files: [edit(`src/${id}.ts`)] });
    await pick(opened, 'a');
    await card(opened, 'a').locator('h3').focus();
    await opened.page.keyboard.press('F6');
    expect(await opened.page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Approve edit of src/a.ts',
    );
    await opened.page.keyboard.press('F6');
    expect(await opened.page.evaluate('document.activeElement.textContent')).toBe('Edit a.ts');
  });

  test('says what became of a decision, and holds nothing stale', async () => {
    const opened = await start();
    const live = opened.page.locator('body > [role="status"]');
    opened.approvals.add({ id: 'a', files: [edit('src/a.ts')] });
    await expect.poll(() => live.textContent()).toContain('Approval needed');
    await (await decision(opened, 'a', /^Approve/)).click();
    await expect.poll(() => live.textContent()).toBe('The edit of src/a.ts was applied.');
    opened.approvals.add({ id: 'b', files: [edit('src/b.ts')] });
    await expect.poll(() => live.textContent()).toContain('Approval needed');
    opened.approvals.change('b', { state: 'withdrawn' });
    await expect.poll(() => live.textContent()).toBe('');
  });
});

describe('comments on lines', () => {
  test('go with the decision: by the button of a hunk or by the number of a line, with Shift for several lines', async () => {
    const opened = await start();
    opened.approvals.add({
      id: 'a',
      files: [{ path: 'src/a.ts', base: 'one\ntwo\nthree\n', result: 'eins\nzwei\ndrei\n' }],
    });
    await pick(opened, 'a');
    await card(opened, 'a').getByRole('button', { name: 'Comment on lines 1–3' }).click();
    await opened.page.getByRole('textbox', { name: 'Comment on lines 1–3' }).fill('German, please? No.');
    await opened.page.keyboard.press('Control+Enter');
    await card(opened, 'a').getByText('German, please? No.').waitFor();
    await card(opened, 'a').locator('.no[data-side="after"][data-line="1"]').click();
    await card(opened, 'a')
      .locator('.no[data-side="after"][data-line="2"]')
      .click({ modifiers: ['Shift'] });
    await opened.page.getByRole('textbox', { name: 'Comment on lines 1–2' }).fill('These two');
    await opened.page.getByRole('button', { name: 'Add comment' }).click();
    await bar(opened).getByText('2 comments go with your decision.').waitFor();
    expect(decisions(opened)).toEqual([]);
    // The comments outlive the page.
    await opened.page.reload();
    await card(opened, 'a').getByText('These two').waitFor();
    await card(opened, 'a').getByRole('button', { name: 'Delete the comment on lines 1–2' }).click();
    await pick(opened, 'a');
    await button(opened, 'a', /^Decline…/).click();
    await (await armed(opened, button(opened, 'a', /^Decline edit/))).click();
    await until(() => decisions(opened).length === 1, 'the decision');
    const comment = { file: 0, side: 'after', firstLine: 1, lastLine: 3, comment: 'German, please? No.' };
    const comments = [expect.objectContaining(comment)];
    expect(opened.received).toContainEqual(expect.objectContaining({ type: 'decline', id: 'a', comments }));
  });
});
