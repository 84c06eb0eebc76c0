import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../host/until.ts';
import { actionBar, bringUp, clickButton, decide, openApprovals, readToEnd, waitingCards } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome } from './assistant.ts';
import { type Drawbridge } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('');
const old = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`old/${index}.txt`, `${index}\n`]));

let drawbridge: Drawbridge;
let page: Frame;
const assistants: Assistant[] = [];

beforeAll(async () => {
  const files = {
    'src/a.ts': lines,
    'src/b.ts': lines,
    'src/c.ts': lines,
    'src/d.ts': lines,
    '.env': 'KEY=1\n',
    ...old,
  };
  drawbridge = await sharedDrawbridge(files);
  page = await openApprovals(drawbridge.window);
});
afterEach(async () => {
  await Promise.all(assistants.splice(0).map((assistant) => assistant.close()));
});

async function connect(): Promise<Assistant> {
  const assistant = await connectAssistant(await drawbridge.record());
  assistants.push(assistant);
  return assistant;
}

const change = (assistant: Assistant, path: string, line: number, text = 'changed'): Promise<Outcome> =>
  assistant.propose([{ path, oldText: `line ${line}\n`, newText: `${text} ${line}\n` }]);
const waiting = (): Promise<number> => waitingCards(page).count();

/** Opens the menu of rules of the card for a path. Returns the action bar. */
async function openRuleMenu(path: string): Promise<ReturnType<typeof actionBar>> {
  await bringUp(page, new RegExp(`^Approve edit of ${path}$`));
  const bar = actionBar(page);
  await bar.getByRole('button', { name: /^Do not ask again for/ }).click();
  return bar;
}

/** Saves the first rule of a scope by the card of a path, and approves with it. */
async function saveRule(path: string, scope: string): Promise<void> {
  const bar = await openRuleMenu(path);
  await bar.getByRole('group', { name: scope }).getByRole('menuitem').first().click();
  await decide(page, /^Save rule and approve/);
}

describe('rules made on a card', () => {
  it('F1: ask once for 50 edits of one file when one click saves a rule', async () => {
    const assistant = await connect();
    const first = change(assistant, 'src/a.ts', 0);
    const editor = drawbridge.window.page;
    const count = editor.locator('.pane-header .description', { hasText: 'waiting' });
    await count.filter({ hasText: '1 waiting' }).waitFor();
    await saveRule('src/a.ts', 'For this session');
    expect((await first).status).toBe('applied');
    await until(async () => (await count.count()) === 0, 'nothing to be counted');
    await editor.evaluate(`
      globalThis.counted = [];
      const note = () => counted.push(...[...document.querySelectorAll('.pane-header .description')]
        .map(({ textContent }) => textContent).filter((text) => text.includes('waiting')));
      globalThis.counting = new MutationObserver(note);
      counting.observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    for (let line = 1; line < 50; line += 1) {
      expect(await change(assistant, 'src/a.ts', line)).toMatchObject({ status: 'applied' });
    }
    expect(await waiting()).toBe(0);
    expect(await editor.evaluate('counting.disconnect(), counted')).toEqual([]);
    expect(readFileSync(join(drawbridge.folder ?? '', 'src/a.ts'), 'utf8')).not.toMatch(/^line [1-4]?\d$/m);
    await page
      .getByText(/^Applied without asking: allow rule r-\w+ \(session\)/)
      .first()
      .waitFor();
  });

  it('B14: accept all edits of one assistant for its session; a delete and another assistant still ask', async () => {
    const assistant = await connect();
    const first = change(assistant, 'src/b.ts', 10);
    const bar = await openRuleMenu('src/b.ts');
    await bar.getByRole('menuitem', { name: /^Accept edits of .* for this session/ }).click();
    await bar.getByText('Allow edits of every file').waitFor();
    await decide(page, /^Save rule and approve/);
    expect((await first).status).toBe('applied');
    expect((await change(assistant, 'src/b.ts', 11)).status).toBe('applied');
    expect((await change(assistant, 'src/d.ts', 12)).status).toBe('applied');
    expect(await waiting()).toBe(0);
    const deleted = assistant.change('delete_file', { path: 'src/b.ts' });
    await clickButton(page, /^Decline… delete of src\/b\.ts/);
    await decide(page, /^Decline delete of src\/b\.ts/);
    expect((await deleted).status).toBe('declined');
    const other = change(await connect(), 'src/b.ts', 13);
    await decide(page, /^Approve edit of src\/b\.ts/);
    expect((await other).status).toBe('applied');
  });

  it('F3: do not serve another assistant with a session rule', async () => {
    const owner = await connect();
    const first = change(owner, 'src/c.ts', 0);
    await saveRule('src/c.ts', 'For this session');
    await first;
    const other = change(await connect(), 'src/c.ts', 1);
    await decide(page, /^Approve edit of src\/c\.ts/);
    expect((await other).status).toBe('applied');
  });

  it('A20, F2: ask again for another file after "always" on one; the rule is in the Rules view and is removed from its card', async () => {
    const assistant = await connect();
    const first = change(assistant, 'src/d.ts', 0);
    const bar = await openRuleMenu('src/d.ts');
    await bar.getByRole('group', { name: 'Always, in every workspace' }).getByRole('menuitem').first().click();
    await bar.getByText('Allow edits of src/d.ts').waitFor();
    await bar.getByText('As JSON').click();
    const shown: unknown = JSON.parse(await bar.locator('pre').innerText());
    await decide(page, /^Save rule and approve/);
    await first;
    const rulesFile = join(drawbridge.host.home, 'rules.json');
    const { rules } = JSON.parse(readFileSync(rulesFile, 'utf8'));
    expect(rules).toEqual([expect.objectContaining(Object(shown))]);
    const other = change(assistant, 'src/b.ts', 0);
    await decide(page, /^Approve edit of src\/b\.ts/);
    expect((await other).status).toBe('applied');
    expect((await change(assistant, 'src/d.ts', 1)).status).toBe('applied');
    await clickButton(page, /^Show rule: Allow edits of src\/d\.ts/);
    const row = drawbridge.window.page.getByRole('treeitem', { name: /Allow edits of src\/d\.ts/ });
    await row.waitFor();
    page = await openApprovals(drawbridge.window);
    await clickButton(page, /^Remove rule: Allow edits of src\/d\.ts/);
    await page.getByText('Rule removed: Allow edits of src/d.ts').waitFor();
    await until(() => JSON.parse(readFileSync(rulesFile, 'utf8')).rules.length === 0, 'the rule to be gone');
    const again = change(assistant, 'src/d.ts', 2);
    await decide(page, /^Approve edit of src\/d\.ts/);
    expect((await again).status).toBe('applied');
  });
});

it('A4: delete many files only after the user typed their count', async () => {
  const assistant = await connect();
  const deleted = assistant.change('delete_file', { path: 'old' });
  const field = page.getByRole('textbox', { name: 'Type 25 to delete 25 files' });
  await Promise.race([field.waitFor(), deleted]);
  await field.fill('25');
  await readToEnd(page, /^Approve delete of old/);
  await decide(page, /^Approve delete of old/);
  expect((await deleted).status).toBe('applied');
});

it('A8: read a secret once after a click when a rule of the user asks for it, and not at all when the user declines', async () => {
  const assistant = await connect();
  const read = (): Promise<boolean> => assistant.call('read_file', { path: '.env' }).then(({ isError }) => !isError);
  expect(await read()).toBe(false);
  const rule = { id: 'r-env', effect: 'ask', class: 'read', paths: ['.env'] };
  const rulesFile = join(drawbridge.host.home, 'rules.json');
  writeFileSync(rulesFile, JSON.stringify({ version: 1, rules: [rule] }), { mode: 0o600 });
  const card = page.getByRole('button', { name: /^Allow once: read of \.env/ });
  let first = read();
  // Before the window has heard of the rule, it is refused at once.
  await until(async () => {
    const shown = card.waitFor().then(() => true);
    shown.catch(() => undefined);
    if (await Promise.race([shown, first.then(() => false)])) return true;
    first = read();
    return false;
  }, 'the rule to be in force');
  await decide(page, /^Allow once: read of \.env/);
  expect(await first).toBe(true);
  const again = read();
  await decide(page, /^Decline read of \.env/);
  expect(await again).toBe(false);
});
