/**
 * Pictures of the running product: every theme and a narrow side bar into `.screenshots`, and the one that the README shows
 * into `media`.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { packageExtension } from '../host/packageExtension.ts';
import { clickButton, openApprovals } from './approvalsPage.ts';
import { connectV1, startDrawbridge, until, type Window } from './harness.ts';

const cart = `import { Item } from './item';

const items: Item[] = [];

/** Puts an item into the cart. */
export function addItem(item: Item, qty: number): number {
  if (qty > 0) items.push(item);
  return items.length;
}
`;

const cartTest = `import { addItem } from '../src/cart';

test('rejects zero', () => {
  expect(addItem(apple, 0)).toBe(0);
});
`;

const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

await packageExtension();
const drawbridge = await startDrawbridge({
  files: {
    'src/cart.ts': cart,
    'src/item.ts': 'export interface Item {\n  name: string;\n}\n',
    'test/cart.test.ts': cartTest,
    '.vscode/tasks.json': '{\n  "version": "2.0.0"\n}\n',
    'README.md': '# Shop\n\nSells thnigs.\n',
  },
  settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false },
});
try {
  await takePictures(drawbridge.window);
} finally {
  await drawbridge.stop();
}

async function takePictures(window: Window): Promise<void> {
  const record = await drawbridge.record();
  await window.setViewport(1280, 800);
  const page = await openApprovals(window);
  await window.evaluate(
    async (vscode, path) => {
      await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    },
    join(drawbridge.folder ?? '', 'src/cart.ts'),
  );
  await resizeSideBar(window, 390);

  const claude = await connectV1(record, { name: 'claude-code' });
  const codex = await connectV1(record, { name: 'codex' });
  const propose = ({ client }: typeof claude, edits: readonly object[], reason: string) =>
    client.callTool({ name: 'apply_edit', arguments: { edits, reason } }, undefined, { timeout: 600_000 });

  const finished = propose(claude, [{ path: 'README.md', oldText: 'thnigs', newText: 'things' }], 'Fix a typo.');
  await clickButton(page, /^Approve edit of README/);
  await finished;
  const waiting = [
    propose(
      claude,
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
    ),
  ];
  await ready(page, /^Approve edit of 2 files/);
  const readme = await window.screenshot('readme');
  mkdirSync('media', { recursive: true });
  copyFileSync(readme, 'media/approval.png');

  waiting.push(
    propose(
      codex,
      [
        {
          path: '.vscode/tasks.json',
          oldText: '"2.0.0"\n',
          newText: '"2.0.0",\n  "runOptions": { "runOn": "folderOpen\u202E" }\n',
        },
      ],
      'Start the watcher.',
    ),
  );
  await page.getByRole('button', { name: /^Approve once/ }).scrollIntoViewIfNeeded();
  await ready(page, /^Approve once/);
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    await resizeSideBar(window, 390);
    await window.setViewport(1280, 1500);
    await window.screenshot(`approvals-${name}`);
    await resizeSideBar(window, 250);
    await window.screenshot(`approvals-${name}-250`);
  }
  await window.setColorTheme('Dark Modern');
  await window.setViewport(1280, 800);
  await clickButton(page, /^Open diff of 2 files/);
  await window.page.waitForSelector('.multiDiffEntry, .monaco-diff-editor');
  await window.screenshot('diff');
  const ended = Promise.allSettled(waiting);
  await Promise.all([claude.close(), codex.close()]);
  await ended;
}

/** Waits until a button is there and takes clicks, so that it is drawn as it looks most of the time. */
async function ready(page: Frame, name: RegExp): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  await until(async () => (await button.getAttribute('aria-disabled')) !== 'true', `the button ${name}`);
}

/** Drags the edge of the side bar, as a user does. */
async function resizeSideBar(window: Window, width: number): Promise<void> {
  const sideBar = await window.page.locator('.part.sidebar').boundingBox();
  if (sideBar === null) throw new Error('There is no side bar');
  const edge = sideBar.x + sideBar.width;
  await window.page.mouse.move(edge, 300);
  await window.page.mouse.down();
  await window.page.mouse.move(sideBar.x + width, 300, { steps: 5 });
  await window.page.mouse.up();
  await window.page.mouse.move(800, 600);
}
