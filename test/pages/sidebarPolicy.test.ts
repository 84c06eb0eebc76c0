import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../host/until.ts';
import { inBrowser } from '../ui/page/inBrowser.ts';
import { armed, axeFindings, bar, button, card, decision, decisions, focusedCard, pick } from '../ui/page/onPage.ts';
import type { OpenPage } from '../ui/page/openPage.ts';
import { policyScene } from '../ui/page/scene.ts';

const start = inBrowser();

const edit = { path: 'src/a.ts', base: 'one\ntwo\n', result: 'one\nzwei\n' };
const opener = (opened: OpenPage, id = 'a'): Locator => button(opened, id, /^Do not ask again for/);
const menu = (opened: OpenPage): Locator => bar(opened).getByRole('menu');
const entry = (opened: OpenPage, group: string): Locator =>
  menu(opened).getByRole('group', { name: group }).getByRole('menuitem').first();
const rule = (opened: OpenPage): Locator => bar(opened).getByRole('group', { name: 'Rule to be saved' });
const save = (opened: OpenPage, id = 'a'): Locator => button(opened, id, /^Save rule and approve/);
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

async function withOne(): Promise<OpenPage> {
  const opened = await start();
  opened.approvals.add({ id: 'a', files: [edit] });
  await decision(opened, 'a', /^Approve edit/);
  return opened;
}

async function withPreview(): Promise<OpenPage> {
  const opened = await withOne();
  await opener(opened).click();
  await entry(opened, 'For this session').click();
  await rule(opened).waitFor();
  return opened;
}

describe('the accessibility of rules, counts, reads and modes', () => {
  const until1840 = Date.UTC(2026, 10, 21, 18, 40);
  test.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'has no axe violations in %s',
    async (theme) => {
      const opened = await start({ theme, mode: { mode: 'unattended', until: until1840 }, tasks: ['watch'] });
      policyScene(opened.approvals);
      await pick(opened, 'count');
      await bar(opened).getByRole('textbox').first().fill('3');
      expect(await axeFindings(opened)).toEqual([]);
      await decision(opened, 'edit', /^Approve edit/);
      await card(opened, 'edit').locator('summary').first().click();
      await opener(opened, 'edit').click();
      expect(await axeFindings(opened)).toEqual([]);
      await entry(opened, 'Always, in every workspace').click();
      await rule(opened).locator('summary').click();
      expect(await axeFindings(opened)).toEqual([]);
    },
  );

  test('B14: the entry that accepts all edits never gets the keyboard first, and only shows its rule', async () => {
    const opened = await withOne();
    const wide = menu(opened).getByRole('menuitem', { name: /^Accept edits of Claude Code for this session/ });
    await opener(opened).focus();
    await opened.page.keyboard.press('Enter');
    await expect.poll(() => isFocused(entry(opened, 'For this session'))).toBe(true);
    expect(await isFocused(wide)).toBe(false);
    await opened.page.keyboard.press('ArrowUp');
    expect(await isFocused(wide)).toBe(true);
    await opened.page.keyboard.press('Enter');
    await rule(opened).getByText('Allow edits of every file').waitFor();
    expect(opened.approvals.get('a')?.state).toBe('waiting');
    await opened.close();
  });

  test.each([
    ['at 250 px', { width: 250 }],
    ['at 200 px', { width: 200 }],
  ])('keeps everything within the width of the view, also the open menu: %s', async (_, size) => {
    const opened = await start({ ...size, mode: { mode: 'acceptEdits', until: until1840 } });
    policyScene(opened.approvals);
    await pick(opened, 'edit');
    await opener(opened, 'edit').click();
    const width = (): Promise<number> => opened.page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBeLessThanOrEqual(size.width);
    await entry(opened, 'In this workspace').click();
    await rule(opened).waitFor();
    expect(await width()).toBeLessThanOrEqual(size.width);
  });
});

describe('a rule', () => {
  test('F2: is shown exactly before it is saved, and is saved only by the click that names it', async () => {
    const opened = await withPreview();
    expect(opened.rules.all).toEqual([]);
    expect(decisions(opened)).toEqual([]);
    expect(await rule(opened).innerText()).toContain('Allow edits of src/a.ts');
    await rule(opened).locator('summary').click();
    const shown: unknown = JSON.parse(await rule(opened).locator('pre').innerText());
    await (await armed(opened, save(opened))).click();
    await card(opened, 'a').getByText('Rule saved: Allow edits of src/a.ts').waitFor();
    const [kept] = opened.rules.all;
    expect({ ...Object(shown), id: kept?.rule.id }).toEqual(kept?.rule);
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('F2: is shown, removed and put back from the finished card, with the keyboard', async () => {
    const opened = await withPreview();
    await (await armed(opened, save(opened))).click();
    await button(opened, 'a', /^Show rule/).click();
    await expect.poll(() => opened.asked).toContain('showRule r-0001');
    await button(opened, 'a', /^Remove rule/).focus();
    await opened.page.keyboard.press('Enter');
    await card(opened, 'a').getByText('Rule removed').waitFor();
    expect(opened.rules.all).toEqual([]);
    expect(await isFocused(button(opened, 'a', /^Restore rule/))).toBe(true);
    await opened.page.keyboard.press('Enter');
    await card(opened, 'a').getByText('Rule saved').waitFor();
    expect(opened.rules.all).toHaveLength(1);
  });

  test('F11: is made by no key: the chord remains plain Approve, in the menu and beside the rule too', async () => {
    const opened = await withPreview();
    await decision(opened, 'a', /^Approve edit/);
    expect(await isFocused(rule(opened))).toBe(true);
    await opened.page.keyboard.press('Enter');
    await opened.page.keyboard.press(' ');
    expect(decisions(opened)).toEqual([]);
    await opened.page.keyboard.press('Control+Enter');
    await card(opened, 'a').getByText('Edited a.ts').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
    expect(opened.rules.all).toEqual([]);
  });

  test('A17: starts the delay of its button when it appears', async () => {
    const opened = await withPreview();
    await save(opened).click({ force: true });
    expect(opened.received).not.toContainEqual(expect.objectContaining({ type: 'approveWithRule' }));
    await (await armed(opened, save(opened))).click();
    await card(opened, 'a').getByText('Rule saved').waitFor();
  });

  test('A2: is neither chosen nor saved by a script', async () => {
    const opened = await withOne();
    await opener(opened).click();
    await entry(opened, 'For this session').dispatchEvent('click');
    expect(opened.received).not.toContainEqual(expect.objectContaining({ type: 'previewRule' }));
    await entry(opened, 'For this session').click();
    await armed(opened, save(opened));
    await save(opened).dispatchEvent('click');
    expect(opened.received).not.toContainEqual(expect.objectContaining({ type: 'approveWithRule' }));
  });

  test('approves nothing when it cannot be saved, and the card explains why', async () => {
    const opened = await withPreview();
    opened.rules.failure = 'the disk is full';
    await (await armed(opened, save(opened))).click();
    await bar(opened).getByText('The rule could not be saved, so nothing was approved: the disk is full').waitFor();
    expect(decisions(opened)).toEqual([]);
    await decision(opened, 'a', /^Approve edit/);
  });

  test('is not offered where the answer counts once only', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit], judgement: { onceOnly: true } });
    await decision(opened, 'a', /^Approve edit/);
    expect(await opener(opened).count()).toBe(0);
  });

  test('is chosen with the keyboard: Alt+Down opens the menu, arrows move in it, Escape leaves it', async () => {
    const opened = await withOne();
    const { keyboard } = opened.page;
    await opener(opened).focus();
    await keyboard.press('Alt+ArrowDown');
    expect(await opener(opened).getAttribute('aria-expanded')).toBe('true');
    expect(await isFocused(menu(opened).getByRole('menuitem').nth(1))).toBe(true);
    await keyboard.press('ArrowDown');
    expect(await isFocused(menu(opened).getByRole('menuitem').nth(2))).toBe(true);
    for (let press = 0; press < 3; press += 1) await keyboard.press('ArrowUp');
    expect(await isFocused(menu(opened).getByRole('menuitem').last())).toBe(true);
    await keyboard.press('Escape');
    expect(await menu(opened).count()).toBe(0);
    expect(await isFocused(opener(opened))).toBe(true);
    await keyboard.press('ArrowDown');
    await until(() => isFocused(menu(opened).getByRole('menuitem').nth(1)), 'the keyboard to be in the menu');
    await keyboard.press('Enter');
    await until(() => isFocused(rule(opened)), 'the keyboard to be at the rule');
    await keyboard.press('Escape');
    expect(await rule(opened).count()).toBe(0);
    expect(await isFocused(opener(opened))).toBe(true);
    expect(opened.asked).toEqual([]);
    expect(opened.rules.all).toEqual([]);
  });

  test('is hidden when the files that it names are left out', async () => {
    const opened = await start();
    opened.approvals.add({ id: 'a', files: [edit, { ...edit, path: 'src/b.ts' }] });
    await opener(opened).click();
    await entry(opened, 'For this session').click();
    await rule(opened).waitFor();
    await card(opened, 'a').getByRole('checkbox', { name: 'Include src/b.ts', exact: true }).click();
    await until(async () => (await rule(opened).count()) === 0, 'the rule to be hidden');
    await opener(opened).click();
    expect(await entry(opened, 'For this session').innerText()).toBe('edits of src/a.ts');
  });
});

describe('the reason of a decision', () => {
  test('B12: is shown without opening anything; below it are one sentence with what to do, the rule, and the steps behind Details', async () => {
    const opened = await start();
    policyScene(opened.approvals);
    const why = card(opened, 'edit').locator('.why');
    const summary = why.locator('summary').first();
    expect(await summary.innerText()).toBe('Why was I asked? ask rule r-2 (user)');
    await summary.click();
    expect(await why.locator('.sentence').innerText()).toBe(
      'Your rule r-2 asks for this; you can change or remove it in the Rules view.',
    );
    const steps = why.getByRole('list', { name: 'Steps of the decision' });
    expect(await steps.isVisible()).toBe(false);
    await why.getByText('Details', { exact: true }).click();
    expect(await steps.getByRole('listitem').allTextContents()).toEqual([
      'deny rule: none matches',
      'ask rule: ask rule r-2 (user)',
    ]);
    await why.getByRole('button', { name: 'Show rule r-2' }).click();
    await expect.poll(() => opened.asked).toEqual(['showRule r-2']);
  });

  test('names the rule that allowed a change without asking, with Undo and Redo', async () => {
    const opened = await start();
    policyScene(opened.approvals);
    expect(await card(opened, 'unasked').innerText()).toContain('Applied without asking: allow rule r-7f3a (session)');
    await button(opened, 'unasked', /^Undo/).scrollIntoViewIfNeeded();
    await (await armed(opened, button(opened, 'unasked', /^Undo/))).click();
    await (await armed(opened, button(opened, 'unasked', /^Redo/))).click();
    await until(() => opened.approvals.get('unasked')?.state === 'applied', 'the change to be made again');
  });
});

describe('the count that must be typed', () => {
  const field = (opened: OpenPage): Locator => bar(opened).getByRole('textbox', { name: 'Type 37 to delete 37 files' });
  const withCount = async (): Promise<OpenPage> => {
    const opened = await start();
    opened.approvals.add({
      id: 'a',
      files: [{ path: 'dist', change: 'delete', folderFiles: 37, size: 34_816, recovery: 'not_committed' }],
      judgement: { onceOnly: true, confirmCount: 37 },
    });
    await field(opened).waitFor();
    return opened;
  };

  test('A4: enables Approve, which states what is missing', async () => {
    const opened = await withCount();
    const approve = button(opened, 'a', /^Approve delete/);
    await until(() => opened.approvals.decisions.includes('endReached a'), 'the end of the change');
    await field(opened).fill('3');
    await approve.click({ force: true });
    expect(await field(opened).getAttribute('aria-invalid')).toBe('true');
    const described = await field(opened).getAttribute('aria-describedby');
    expect(await opened.page.locator(`#${described}`).innerText()).toContain('Type the number 37');
    expect(await isFocused(field(opened))).toBe(true);
    expect(decisions(opened)).toEqual([]);
    await field(opened).fill('37');
    await (await armed(opened, approve)).click();
    await until(() => decisions(opened).length === 1, 'the decision');
    expect(opened.received).toContainEqual(expect.objectContaining({ type: 'approve', id: 'a', confirmedCount: 37 }));
  });

  test('A4: approves nothing with a key in its field; the button does, once the count is right', async () => {
    const opened = await withCount();
    await field(opened).pressSequentially('37');
    const approve = await decision(opened, 'a', /^Approve delete/);
    await opened.page.keyboard.press('Enter');
    await opened.page.keyboard.press('Control+Enter');
    await bar(opened).getByText('No key approves this').waitFor();
    expect(decisions(opened)).toEqual([]);
    await (await armed(opened, approve)).click();
    await until(() => decisions(opened).length === 1, 'the decision');
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });
});

describe('a read that asks', () => {
  const withRead = async (): Promise<OpenPage> => {
    const opened = await start();
    const { requestedAt } = opened.approvals.addRead({ id: 'read', paths: ['config/.env'] });
    opened.approvals.add({ id: 'a', files: [edit], requestedAt: requestedAt + 1000 });
    await decision(opened, 'read', /^Allow once/);
    return opened;
  };

  test('A8: has a card like a change, with its whole path and the assistant, and is allowed by a click', async () => {
    const opened = await withRead();
    const text = await card(opened, 'read').innerText();
    expect(text).toContain('Claude Code wants to read config/.env');
    expect(text).toContain('Secret');
    await button(opened, 'read', /^Allow once/).click();
    await card(opened, 'read').waitFor({ state: 'detached' });
    expect(opened.approvals.decisions).toContain('answerRead read true accepted');
  });

  test('F15: is reached, allowed and declined with the keyboard, which then moves on to the next card', async () => {
    const opened = await withRead();
    await opened.page.keyboard.press('Alt+ArrowDown');
    expect(await focusedCard(opened)).toBe('read');
    await decision(opened, 'read', /^Decline/);
    await opened.page.keyboard.press('Control+Backspace');
    await card(opened, 'read').waitFor({ state: 'detached' });
    expect(opened.approvals.decisions).toContain('answerRead read false accepted');
    expect(await focusedCard(opened)).toBe('a');
  });
});

describe('the mode', () => {
  test('is shown above the cards with its end, and with a button back to Manual', async () => {
    const opened = await start({ mode: { mode: 'acceptEdits', until: Date.UTC(2026, 10, 21, 18, 40) } });
    const banner = opened.page.getByRole('status').filter({ hasText: 'Accept edits' });
    await banner.waitFor();
    expect(await banner.locator('time').getAttribute('datetime')).toBe('2026-11-21T18:40:00.000Z');
    await banner.getByRole('button', { name: 'Back to Manual' }).focus();
    await opened.page.keyboard.press('Enter');
    await banner.waitFor({ state: 'detached' });
    expect(opened.asked).toEqual(['backToManual']);
    expect(await opened.page.evaluate('document.activeElement !== document.body')).toBe(true);
  });

  test('B28: the view says who prepares a change, below the cards', async () => {
    const status = { running: true, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] };
    const opened = await start({ status: { ...status, preparing: ['codex', ''] } });
    opened.approvals.add({ id: 'a', files: [edit] });
    await card(opened, 'a').waitFor();
    const told = opened.page.getByText('Codex is preparing a change… Unknown assistant is preparing a change…');
    expect((await told.boundingBox())?.y).toBeGreaterThan((await card(opened, 'a').boundingBox())?.y ?? Infinity);
  });

  test('B24: is named in Manual mode, too, and can be changed there', async () => {
    const opened = await start();
    await opened.page.getByText('Manual: every change asks.').waitFor();
    await opened.page.getByRole('button', { name: 'Change mode' }).click();
    await expect.poll(() => opened.asked).toEqual(['command drawbridge.setMode']);
    await opened.close();
    const wider = await start({ mode: { mode: 'acceptEdits' } });
    await wider.page.getByText(/^Accept edits/).waitFor();
    expect(await wider.page.getByText('Manual: every').count()).toBe(0);
  });

  test('offers to apply what waits when it is widened, but no delete, protected file, warning or edit that a rule asks for', async () => {
    const opened = await start({ mode: { mode: 'acceptEdits' } });
    const judgement = { explain: [{ step: 'default', detail: 'ask: default for edit in Manual mode' }] };
    const hidden = { path: 'src/h.ts', base: 'one\n', result: 'one\u202e\n' };
    const add = (id: string, facts: object): void =>
      void opened.approvals.add({ id, judgement, files: [edit], ...facts });
    add('a', {});
    add('b', { files: [{ ...edit, path: 'src/b.ts' }] });
    add('delete', { files: [{ path: 'src/d.ts', change: 'delete', base: 'one\n' }] });
    add('protected', { files: [{ ...edit, path: '.vscode/tasks.json', protectedBy: '**/.vscode' }] });
    add('hidden', { files: [hidden] });
    add('rule', { judgement: { explain: [{ step: 'ask_rule', detail: 'ask: ask rule r-1' }] } });
    const offer = opened.page.getByRole('button', { name: 'Apply 2 waiting edits' });
    const given = (): string[] => opened.approvals.decisions.filter((each) => each.startsWith('applyByMode'));
    await offer.waitFor();
    expect(await offer.getAttribute('aria-disabled')).toBe('true');
    await offer.dispatchEvent('click');
    await armed(opened, offer);
    await offer.dispatchEvent('click');
    expect(given()).toEqual([]);
    await offer.click();
    const applied = ['a', 'b'].map((id) => `applyByMode ${id} acceptEdits accepted`);
    await expect.poll(given).toEqual(applied);
    await offer.waitFor({ state: 'detached' });
  });

  test('takes no click on the offer of a widened mode for half a second after another edit joins it', async () => {
    const opened = await start({ mode: { mode: 'acceptEdits' } });
    const judgement = { explain: [{ step: 'default', detail: 'ask: default for edit in Manual mode' }] };
    opened.approvals.add({ id: 'a', judgement, files: [edit] });
    await armed(opened, opened.page.getByRole('button', { name: 'Apply the waiting edit' }));
    opened.approvals.add({ id: 'b', judgement, files: [{ ...edit, path: 'src/b.ts' }] });
    const both = opened.page.getByRole('button', { name: 'Apply 2 waiting edits' });
    await both.waitFor();
    await opened.settled();
    expect(await both.getAttribute('aria-disabled')).toBe('true');
    await armed(opened, both);
  });

  test('A2: is not changed by a script', async () => {
    const opened = await start({ mode: { mode: 'readOnly' } });
    const back = opened.page.getByRole('button', { name: 'Back to Manual' });
    await back.waitFor();
    await back.dispatchEvent('click');
    expect(opened.asked).toEqual([]);
  });
});

test('A25: warns of a task that watches the folder', async () => {
  const opened = await start({ tasks: ['watch'] });
  opened.approvals.add({ id: 'a', files: [edit] });
  await card(opened, 'a').waitFor();
  expect(await card(opened, 'a').innerText()).toContain('A running task (watch) may react to this change at once.');
});
