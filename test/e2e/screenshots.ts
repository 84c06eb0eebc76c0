/**
 * Pictures of the running product: what the side bar shows, in every theme and narrow too, and the editor's diff beside it,
 * into `.screenshots`, and the one that the README shows into `media`.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { packageExtension } from '../host/packageExtension.ts';
import { repository } from '../host/hostFolder.ts';
import {
  bringUp,
  clickButton,
  decide,
  openApprovals,
  openGroups,
  readToEnd,
  resizeSideBar,
  waitingCards,
} from './approvalsPage.ts';
import { type Assistant, connectAssistant } from './assistant.ts';
import { openFile } from './editor.ts';
import { startDrawbridge, until, type Window } from './harness.ts';
import { narrow, themes, wide } from './pictures.ts';

const cart = `import { Item } from './item';

const items: Item[] = [];

/** Puts an item into the cart. */
export function addItem(item: Item, qty: number): number {
  if (qty > 0) items.push(item);
  return items.length;
}

/** Takes everything out again. */
export function empty(): void {
  items.length = 0;
}

/** What is in the cart, in the order in which it was put there. */
export function list(): string {
  return items.map(({ name }) => name).join(', ');
}
`;

const cartTest = `import { addItem } from '../src/cart';

test('rejects zero', () => {
  expect(addItem(apple, 0)).toBe(0);
});
`;

const mixedPatch = `*** Begin Patch
*** Update File: src/cart.ts
@@
-  if (qty <= 0) throw new RangeError('qty must be positive');
+  if (qty < 1) throw new RangeError('qty must be positive');
@@
-  return items.map(({ name }) => name).join(', ');
+  return items.map(({ name }) => name.trim()).join(', ');
*** Update File: test/cart.test.ts
@@
-test('rejects zero', () => {
+test('refuses zero', () => {
*** Add File: src/quantity.ts
+/** The most of one thing that anybody may buy at a time. */
+export const most = 99;
*** Delete File: src/basket.ts
*** End Patch
`;

/** The assistants wait until the pictures are taken, and get structured results. */
const patience = { approvalSeconds: 600, structured: true };

await packageExtension();
const drawbridge = await startDrawbridge({
  files: {
    'src/cart.ts': cart,
    'src/item.ts': 'export interface Item {\n  name: string;\n}\n',
    'src/basket.ts': "/** Of the old shop. */\nexport { addItem } from './cart';\n",
    'src/app.ts': "import { list } from './cart';\n\nconsole.log(list());\n",
    'src/logo.ts': 'export const logo = 1;\n',
    'test/cart.test.ts': cartTest,
    '.vscode/tasks.json': '{\n  "version": "2.0.0"\n}\n',
    '.env': 'KEY=1\n',
    ...Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`old/${index}.ts`, 'export {};\n'])),
    'README.md': '# Shop\n\nSells thnigs.\n',
    'NOTES.md': `# Notes\n\n${'A line.\n'.repeat(20)}The end.\n`,
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es2024", "dom"] } }\n',
  },
  settings: {
    'workbench.colorTheme': 'Dark Modern',
    'editor.minimap.enabled': false,
    'drawbridge.approvals.notify': 'off',
    'drawbridge.clients': { 'claude-code': patience, codex: patience, Cursor: patience },
    'drawbridge.toolsets': { workspace: true, edit: true, language: true, editor: true, commands: true },
    'drawbridge.commands.allow': ['editor.foldLevel2'],
  },
});
try {
  await takePictures(drawbridge.window);
} catch (error) {
  await drawbridge.window.screenshot('failed');
  throw error;
} finally {
  await drawbridge.stop();
}

async function takePictures(window: Window): Promise<void> {
  const record = await drawbridge.record();
  await window.setViewport(1280, 800);
  const page = await openApprovals(window);
  await openFile(window, pathOf('src/cart.ts'));
  await resizeSideBar(window, wide);
  const claude = await connectAssistant(record, { name: 'claude-code' });
  const codex = await connectAssistant(record, { name: 'codex' });
  await pictureReadme(window, page, claude);
  // The rest of the side bar is for the cards.
  await window.page.getByRole('button', { name: 'Activity Section' }).click();
  await endInEveryWay(page, claude);
  await pictureKinds(window, page, codex);
  await pictureActions(window, page, codex);
  await pictureGroup(window, page, claude);
  await pictureRules(window, page, codex);
  await codex.close();
  await pictureMany(window, page);
  await pictureDiff(window, page);
}

/** An edit of two files that waits, above one that is done. */
async function pictureReadme(window: Window, page: Frame, claude: Assistant): Promise<void> {
  void claude.propose([{ path: 'README.md', oldText: 'thnigs', newText: 'things' }], 'Fix a typo.');
  await decide(page, /^Approve edit of README/);
  void claude.propose(
    [
      {
        path: 'src/cart.ts',
        oldText: '  if (qty > 0) items.push(item);\n',
        newText: "  if (qty <= 0) throw new RangeError('qty must be positive');\n  items.push(item);\n",
      },
      {
        path: 'test/cart.test.ts',
        oldText: '  expect(addItem(apple, 0)).toBe(0);\n',
        newText: '  expect(() => addItem(apple, 0)).toThrow(RangeError);\n',
      },
    ],
    'Zero quantities slipped into orders; make addItem refuse them.',
  );
  await window.setViewport(1280, 940);
  await ready(page, /^Approve edit of 2 files/);
  const readme = await window.screenshot('readme');
  mkdirSync(join(repository, 'media'), { recursive: true });
  copyFileSync(readme, join(repository, 'media/approval.png'));
  await decide(page, /^Approve edit of 2 files/);
}

/** Cards that are over: out of date, with new problems, declined with a reason. */
async function endInEveryWay(page: Frame, claude: Assistant): Promise<void> {
  const declined = claude.propose([{ path: 'src/logo.ts', oldText: 'logo = 1', newText: 'logo = 2' }]);
  await clickButton(page, /^Decline… edit of src\/logo/);
  await page.getByRole('radio', { name: 'Do it differently' }).check({ force: true });
  await page.getByRole('textbox').fill('keep the logo');
  await decide(page, /^Decline edit of src\/logo/);
  await declined;
  const stale = claude.propose([{ path: 'NOTES.md', oldText: 'The end.', newText: 'That is all.' }]);
  await bringUp(page, /^Approve edit of NOTES/);
  writeFileSync(pathOf('NOTES.md'), `# My notes\n\n${'A line.\n'.repeat(20)}The end.\n`);
  await stale;
  const problem = claude.propose([{ path: 'src/cart.ts', oldText: 'items.length;', newText: 'items.size;' }]);
  await decide(page, /^Approve edit of src\/cart/);
  await problem;
  await page.getByText(/^1 new problem/).click();
}

/** A card of every kind of change, with what a user did with it. */
async function pictureKinds(window: Window, page: Frame, codex: Assistant): Promise<void> {
  const waiting = [codex.change('apply_edit', { patch: mixedPatch, reason: 'Round off the cart.' })];
  await page.getByRole('checkbox', { name: 'Include line 19 of src/cart.ts' }).click();
  await clickButton(page, /^test\/cart\.test\.ts, open diff/);
  await typeIntoDiff(window, 0, ' // of the shop');
  await readToEnd(page, /^Approve my version/);
  const isDirty = () => window.evaluate((vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty ?? false);
  await until(async () => !(await isDirty()), 'the right side to be saved');
  await window.command('workbench.action.closeActiveEditor');
  waiting.push(codex.change('delete_file', { path: 'src/logo.ts' }));
  await readToEnd(page, /^Approve delete of src\/logo/);
  waiting.push(codex.change('move_file', { path: 'src/item.ts', to: 'src/shop/item.ts' }));
  await readToEnd(page, /^Approve (move|change) of/);
  const tasks = { path: '.vscode/tasks.json', oldText: '"2.0.0"\n' };
  waiting.push(
    codex.propose(
      [{ ...tasks, newText: '"2.0.0",\n  "runOptions": { "runOn": "folderOpen\u202E" }\n' }],
      'Start the watcher.',
    ),
  );
  await readToEnd(page, /^Approve once/);
  await inEveryTheme(window, page, 'kinds', 2600);
  for (let left = waiting.length; left > 0; left -= 1) {
    const decline = page.getByRole('button', { name: /^Decline… / }).first();
    if ((await decline.count()) > 0 && (await page.locator('footer .decline').count()) === 0) await decline.click();
    await decide(page, /^Decline /);
  }
  await Promise.all(waiting);
}

/** A command and a question that wait, above those that are over. */
async function pictureActions(window: Window, page: Frame, codex: Assistant): Promise<void> {
  const answered = codex.call('ask_user', { question: 'Which port?', choices: ['3000', '8080'] });
  await page.getByRole('radio', { name: '8080' }).check();
  await decide(page, /^Answer the question/);
  await answered;
  const command = { command: 'editor.foldLevel2', arguments: '[{"direction":"up\u202E"}]', reason: 'For an overview.' };
  const waiting = [codex.call('run_command', command)];
  await bringUp(page, /^Run: /);
  const choices = ['Delete them when the cart is loaded', 'Keep them, and show a warning'];
  waiting.push(codex.call('ask_user', { question: 'What shall become of orders of zero things?', choices }));
  await openGroups(page, 2);
  await page.getByRole('radio', { name: choices[1] ?? '' }).check();
  await inEveryTheme(window, page, 'actions', 1400);
  await clickButton(page, /^Decline… Run/);
  await decide(page, /^Decline Run/);
  await decide(page, /^Dismiss the question/);
  await Promise.all(waiting);
}

/** Cards that came together, and what assistants may not do now. */
async function pictureGroup(window: Window, page: Frame, claude: Assistant): Promise<void> {
  const other = await connectAssistant(await drawbridge.record(), { name: 'Cursor' });
  const paused = other.propose([{ path: 'src/app.ts', oldText: 'list()', newText: 'list().length' }]);
  await clickButton(page, /^Decline… edit of src\/app/);
  await decide(page, /^Decline and pause/);
  await paused;
  for (let times = 0; times < 3; times += 1) {
    const declined = claude.propose([{ path: 'src/app.ts', oldText: 'list()', newText: `list(${times})` }]);
    await clickButton(page, /^Decline… edit of src\/app/);
    await decide(page, /^Decline edit of src\/app/);
    await declined;
  }
  void claude.propose([{ path: 'README.md', oldText: 'Shop', newText: 'The Shop' }], 'Its name.');
  void claude.propose([{ path: 'src/basket.ts', oldText: 'old shop', newText: 'old store' }]);
  void claude.change('delete_file', { path: 'src/logo.ts' });
  await page.getByRole('button', { name: /changes from Claude Code$/ }).waitFor();
  await inEveryTheme(window, page, 'group-closed', 1100);
  await openGroups(page, 3);
  await inEveryTheme(window, page, 'group-open', 1900);
  await Promise.all([claude.close(), other.close()]);
}

/** A rule before it is saved, files that are counted, a read that asks, and the mode above them. */
async function pictureRules(window: Window, page: Frame, codex: Assistant): Promise<void> {
  const rule = { id: 'r-env', effect: 'ask', class: 'read', paths: ['.env'] };
  const rulesFile = join(drawbridge.host.home, 'rules.json');
  writeFileSync(rulesFile, JSON.stringify({ version: 1, rules: [rule] }), { mode: 0o600 });
  const waiting: Promise<unknown>[] = [
    codex.propose([{ path: 'README.md', oldText: '# Shop', newText: '# The Shop' }], 'Its name.'),
    codex.change('delete_file', { path: 'old' }),
  ];
  const read = page.getByRole('button', { name: /^Allow once/ });
  await until(async () => {
    const asked = codex.call('read_file', { path: '.env' });
    waiting.push(asked);
    // Before the window has heard of the rule, it is refused at once.
    return Promise.race([read.waitFor().then(() => true), asked.then(() => false)]);
  }, 'the read to ask');
  await openGroups(page, 3);
  const chosen = window.command('drawbridge.setMode');
  await window.page.getByRole('option', { name: /Accept edits/ }).click();
  await chosen;
  await clickButton(page, /^Do not ask again for/);
  await window.screenshot('rule-menu');
  await page.getByRole('group', { name: 'For this session' }).getByRole('menuitem').nth(1).click();
  await page.getByText('As JSON').click();
  await inEveryTheme(window, page, 'rules', 1900);
  await clickButton(page, /^Back to Manual/);
  await decide(page, /^Decline read of/);
  for (let left = 2; left > 0; left -= 1) {
    await clickButton(page, /^Decline… /);
    await decide(page, /^Decline (edit|delete)/);
  }
  await Promise.all(waiting);
}

/** A change of 31 files: its summary in the side bar, and its review tab. */
async function pictureMany(window: Window, page: Frame): Promise<void> {
  const claude = await connectAssistant(await drawbridge.record(), { name: 'claude-code' });
  const names = Array.from({ length: 31 }, (_, index) => `src/pages/${index % 4 === 0 ? 'shop/' : ''}page${index}.ts`);
  mkdirSync(pathOf('src/pages/shop'), { recursive: true });
  for (const [index, name] of names.entries()) {
    const call = index % 10 === 3 ? `log(\`Total: \${formatPrice(sum)} (\${index})\`)` : 'show(formatPrice(total))';
    writeFileSync(
      pathOf(name),
      `import { formatPrice } from 'price';\n\nexport function page(total: number) {\n  ${call};\n}\n`,
    );
  }
  const edits = names.map((path) => ({ path, oldText: 'formatPrice', newText: 'formatMoney', replaceAll: true }));
  const proposed = claude.propose(edits, 'The function formats any amount, not only prices.');
  await bringUp(page, /^Approve edit of 31 files/);
  await inEveryTheme(window, page, 'many', 1000);
  await window.setViewport(1280, 800);
  await resizeSideBar(window, narrow);
  await clickButton(page, /^Review in a tab/);
  const tab = await window.webview('body[data-view="tab"] article');
  await tab
    .getByRole('checkbox', { name: /^Viewed: / })
    .first()
    .check();
  await tab.getByRole('button', { name: 'Next change' }).click();
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    await window.screenshot(`tab-${name}`);
  }
  await tab.getByRole('button', { name: 'Side by side' }).click();
  await window.setColorTheme(themes.dark);
  await settled(tab);
  await window.screenshot('tab-side-by-side-dark');
  await clickButton(tab, /^Decline… /);
  await decide(tab, /^Decline edit/);
  await proposed;
  await claude.close();
  await window.command('workbench.action.closeAllEditors');
}

/** The editor's own diff, whose right side the user may write, beside the card that follows. */
async function pictureDiff(window: Window, page: Frame): Promise<void> {
  const claude = await connectAssistant(await drawbridge.record(), { name: 'claude-code' });
  await until(async () => (await waitingCards(page).count()) === 0, 'the cards before it to go');
  void claude.propose(
    [
      { path: 'src/cart.ts', oldText: 'Puts an item', newText: 'Puts one item or more' },
      { path: 'src/cart.ts', oldText: 'Takes everything out again.', newText: 'Takes everything out.' },
    ],
    'Say what the functions do.',
  );
  await window.setViewport(1280, 800);
  await resizeSideBar(window, wide);
  await clickButton(page, /^Open diff of src\/cart/);
  await typeIntoDiff(window, 5, ' // always');
  await ready(page, /^Approve my version/);
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    await window.screenshot(`diff-${name}`);
  }
  await claude.close();
}

/** Types at the end of a line (0-based) of the right side of the open diff, which has the keyboard when the diff has it. */
async function typeIntoDiff(window: Window, line: number, text: string): Promise<void> {
  await window.page.getByRole('button', { name: 'Revert Block' }).first().waitFor();
  // A diff that is still opening gives the keyboard away again.
  await until(async () => {
    await window.command('workbench.action.focusActiveEditorGroup');
    return window.page.evaluate<boolean>(`document.activeElement?.closest('.monaco-diff-editor') != null`);
  }, 'the diff to have the keyboard');
  await window.page.keyboard.press('Control+Home');
  for (let down = 0; down < line; down += 1) await window.page.keyboard.press('ArrowDown');
  await window.page.keyboard.press('End');
  await window.page.keyboard.type(text);
}

/** Pictures of the side bar alone. @param height of the window, in pixels, so that everything is on it */
async function inEveryTheme(window: Window, page: Frame, what: string, height: number): Promise<void> {
  await window.page.mouse.move(900, 700);
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    for (const width of [wide, narrow]) {
      await window.setViewport(1280, height);
      await resizeSideBar(window, width);
      await settled(page);
      const path = join(repository, '.screenshots', `${what}-${name}${width === narrow ? `-${width}` : ''}.png`);
      await window.page.locator('.part.sidebar').screenshot({ path, animations: 'disabled' });
    }
  }
}

/** Waits until every button takes clicks that will take any, as it looks most of the time. */
async function settled(page: Frame): Promise<void> {
  await page.evaluate(`document.querySelector('main').scrollTo(0, 0)`);
  const early = page.locator('footer button[aria-disabled="true"]:visible');
  await until(async () => (await early.count()) === 0, 'every button to take clicks', 3000).catch(() => undefined);
}

/** Waits until a button is there and takes clicks, so that it is drawn as it looks most of the time. */
async function ready(page: Frame, name: RegExp): Promise<void> {
  const button = await bringUp(page, name);
  await until(async () => (await button.getAttribute('aria-disabled')) !== 'true', `the button ${name}`);
}

function pathOf(name: string): string {
  return join(drawbridge.folder ?? '', name);
}
