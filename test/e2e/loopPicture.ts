/**
 * Makes the animated picture of the README and the pictures of the walkthrough from the running product: Claude Code, with a
 * scripted model, proposes a change in the integrated terminal, and the user leaves out a part, approves and undoes it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import gifenc from 'gifenc';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';
import { claudeCodePackage } from '../clients/claudeRun.ts';
import { installClients } from '../clients/install.ts';
import { startScriptedModel } from '../clients/scriptedModel.ts';
import { repository } from '../host/hostFolder.ts';
import { packageExtension } from '../host/packageExtension.ts';
import { clickButton, decide, openApprovals, resizeSideBar } from './approvalsPage.ts';
import { launcherOf } from './bridgeClient.ts';
import { openFile } from './editor.ts';
import { startDrawbridge, until, type Window } from './harness.ts';
import { themes } from './pictures.ts';

const size = { width: 1120, height: 700 };

const cart = `export interface Item {
  readonly name: string;
  readonly price: number;
  readonly count: number;
}

/** Returns the price of all items. */
export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

/** Returns a price as the user reads it. */
export function formatPrice(price: number): string {
  return '$' + price;
}
`;
const edits = [
  { path: 'src/cart.ts', oldText: 'sum += item.price;', newText: 'sum += item.price * item.count;' },
  { path: 'src/cart.ts', oldText: '  return sum;', newText: '  console.log(sum);\n  return sum;' },
  { path: 'src/cart.ts', oldText: "return '$' + price;", newText: 'return `$${price.toFixed(2)}`;' },
];
const prompt = 'The total ignores how many of each item there are. Fix it.';
const reason = 'Multiply by the count, and show prices with two digits.';

await packageExtension();
const programs = await installClients([claudeCodePackage]);
const model = await startScriptedModel([
  [{ tool: 'mcp__drawbridge__apply_edit', input: { edits, reason } }],
  'Done. The total counts every item now, and prices have two digits. You left out the debugging line.',
]);
const drawbridge = await startDrawbridge({
  files: { 'src/cart.ts': cart, 'src/item.ts': "export const currency = 'USD';\n" },
  settings: {
    'workbench.colorTheme': 'Dark Modern',
    'editor.minimap.enabled': false,
    'drawbridge.approvals.notify': 'off',
    'drawbridge.clients': { 'claude-code': { approvalSeconds: 600 } },
    'editor.hover.enabled': 'off',
    'terminal.integrated.tabs.enabled': false,
    // The text of the terminal is found in the page only when it is drawn as elements.
    'terminal.integrated.gpuAcceleration': 'off',
  },
});
try {
  await record(drawbridge.window);
} catch (error) {
  await drawbridge.window.screenshot('failed');
  throw error;
} finally {
  await drawbridge.stop();
  await model.stop();
}

async function record(window: Window): Promise<void> {
  await drawbridge.record();
  await window.setViewport(size.width, size.height);
  const page = await openApprovals(window);
  await openFile(window, join(drawbridge.folder ?? '', 'src/cart.ts'));
  await resizeSideBar(window, 400);
  // The card gets the room.
  await window.page.getByRole('button', { name: 'Activity Section' }).click();
  const frames: { readonly png: Buffer; readonly milliseconds: number }[] = [];
  const frame = async (milliseconds: number): Promise<void> => {
    await window.page.mouse.move(size.width - 5, 5);
    frames.push({ png: await window.page.screenshot(), milliseconds });
  };

  await typeInTerminal(window);
  await frame(2500);
  await keep(window, 'ask', window.page.locator('.part.panel'));
  await window.page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Approve edit of .*cart\.ts/ }).waitFor();
  await until(
    async () => (await page.locator('[aria-disabled="true"]', { hasText: 'Approve' }).count()) === 0,
    'the button to take clicks',
  );
  await coloured(window);
  await frame(4000);
  await keep(window, 'review', window.page.locator('.part.sidebar'));
  await page.getByRole('checkbox', { name: /^Include line 13 of/ }).click();
  await page.getByRole('button', { name: /^Approve 2 of 3/ }).waitFor();
  await frame(3000);
  await decide(page, /^Approve 2 of 3/);
  await window.page.locator('.part.panel .xterm-rows', { hasText: /Done\./ }).waitFor();
  await frame(3500);
  await clickButton(page, /^Undo edit of .*cart\.ts/);
  await page.getByRole('button', { name: /^Redo edit of .*cart\.ts/ }).waitFor();
  await frame(3000);

  await window.command('drawbridge.rules.focus');
  await window.page.getByRole('tree', { name: 'Rules' }).getByRole('treeitem').first().waitFor();
  await keep(window, 'rules', window.page.locator('.part.panel'));
  void window.command('drawbridge.connectAssistant', 'claude-code');
  const question = window.page.getByRole('dialog', { name: /Connect Claude Code/ });
  await question.getByRole('button', { name: 'Choose Parts...' }).click();
  const parts = window.page.locator('.quick-input-widget');
  await parts.getByText('Approve its own edits').first().waitFor();
  await keep(window, 'connect', parts);
  await window.page.keyboard.press('Escape');
  writeFileSync(join(repository, 'media/loop.gif'), animated(frames));
}

/** Types the command that starts Claude Code in a terminal that looks as the user's does, and does not run it yet. */
async function typeInTerminal(window: Window): Promise<void> {
  const home = join(drawbridge.host.directory, 'claude');
  mkdirSync(join(home, '.claude'), { recursive: true });
  const configuration = join(home, 'mcp.json');
  const command = launcherOf(drawbridge.host.home);
  const env = { DRAWBRIDGE_HOME: drawbridge.host.home };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { drawbridge: { command, args: [], env } } }));
  const options = `--mcp-config ${configuration} --allowedTools mcp__drawbridge`;
  const started = join(home, 'bash.rc');
  writeFileSync(
    started,
    `PS1='\\[\\e[32m\\]shop\\[\\e[0m\\] $ '\nclaude() { command claude ${options} "$@"; }\nclear\n`,
  );
  await window.evaluate(
    (vscode, shellArgs, variables) => {
      vscode.window.createTerminal({ name: 'claude', shellPath: '/bin/bash', shellArgs, env: variables }).show(true);
    },
    ['--rcfile', started],
    {
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted-model',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      MCP_TOOL_TIMEOUT: '600000',
    },
  );
  const shown = (text: RegExp) => window.page.locator('.part.panel .xterm-rows', { hasText: text });
  await shown(/shop/).waitFor();
  await window.command('workbench.action.terminal.focus');
  await window.page.keyboard.type(`claude -p "${prompt}"`);
  await shown(/Fix.it\./).waitFor();
}

/** Writes the pictures of a part of the window that the walkthrough shows in dark and in light themes. */
async function keep(window: Window, name: string, part: Locator): Promise<void> {
  for (const [kind, theme] of [
    ['light', themes.light],
    ['dark', themes.dark],
  ]) {
    await window.evaluate(async (vscode, label) => {
      const { Global } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration().update('workbench.colorTheme', label, Global);
    }, theme);
    await window.page.locator(kind === 'light' ? '.monaco-workbench.vs' : '.monaco-workbench.vs-dark').waitFor();
    await coloured(window);
    writeFileSync(join(repository, `media/walkthrough/${name}-${kind}.png`), await part.screenshot());
  }
}

/** The colours of the code come a moment after the text, and no event tells of the last one. */
function coloured(window: Window): Promise<void> {
  return window.page.waitForTimeout(2000);
}

/** Returns frames (PNG) as an animated GIF that repeats for ever. */
function animated(frames: readonly { readonly png: Buffer; readonly milliseconds: number }[]): Uint8Array {
  const gif = gifenc.GIFEncoder();
  for (const { png, milliseconds } of frames) {
    const { data, width, height } = PNG.sync.read(png);
    const palette = gifenc.quantize(data, 128);
    gif.writeFrame(gifenc.applyPalette(data, palette), width, height, { palette, delay: milliseconds, repeat: 0 });
  }
  gif.finish();
  return gif.bytes();
}
