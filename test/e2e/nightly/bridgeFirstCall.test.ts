import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { type Bridge, startBridge } from '../bridgeClient.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, until } from '../harness.ts';

const configuration = z.looseObject({
  mcpServers: z.object({ drawbridge: z.looseObject({ command: z.string(), args: z.array(z.string()) }) }),
});

let drawbridge: Drawbridge;
let userHome: string;
let folder: string;
let bridge: Bridge | undefined;

beforeAll(async () => {
  userHome = tempWorkspace({}, 'user');
  mkdirSync(join(userHome, '.claude'));
  drawbridge = await startDrawbridge({
    files: { 'a.txt': 'one\n' },
    home: join(userHome, '.drawbridge'),
    environment: { HOME: userHome },
    settings: { 'drawbridge.start': 'whenConnected' },
  });
  folder = drawbridge.folder ?? '';
});
afterAll(async () => {
  await bridge?.close();
  await drawbridge?.stop();
});

it('needs four clicks from a fresh .vsix to the first call of a newly connected assistant', async ({ annotate }) => {
  const { page } = drawbridge.window;
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    await target.click();
    clicks += 1;
  };
  const begun = performance.now();
  await click(page.getByRole('tab', { name: /^Drawbridge/ }).first());
  const view = await drawbridge.window.webview('[role="list"], [role="region"], h2');
  await click(view.getByRole('button', { name: 'Connect an Assistant...' }).first());
  await click(page.locator('.quick-input-list .monaco-list-row', { hasText: 'Claude Code' }).first());
  await click(page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }));
  const file = join(userHome, '.claude.json');
  await until(() => existsSync(file), 'the configuration of Claude Code');
  const { command, args } = configuration.parse(JSON.parse(readFileSync(file, 'utf8'))).mcpServers.drawbridge;
  const environment = { HOME: userHome };
  bridge = await startBridge({
    home: drawbridge.host.home,
    directory: folder,
    command: [command, ...args],
    environment,
  });
  await until(async () => (await bridge?.call('read_file', { path: 'a.txt' }))?.isError !== true, 'the first answer');
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  await annotate(`${clicks} clicks, ${seconds} s`);
  expect(clicks).toBeLessThanOrEqual(4);
  expect(await bridge.windowId()).toBe((await drawbridge.record()).windowId);
});

it('H13: keeps every token out of configurations, the launcher, the environment, command lines and messages of the bridge', async () => {
  const { token, windowId } = await drawbridge.record();
  const out = join(folder, 'environment.txt');
  await drawbridge.window.evaluate((vscode, path) => {
    vscode.window.createTerminal('assistant').sendText(`env > '${path}.part' && mv '${path}.part' '${path}'`);
  }, out);
  await until(() => existsSync(out), 'the environment of a terminal');
  expect(readFileSync(out, 'utf8')).toContain(`DRAWBRIDGE_WINDOW=${windowId}`);

  const spellings = [token, token.slice(0, 8), Buffer.from(token).toString('base64').replace(/=+$/, '')];
  const windowFile = join(drawbridge.host.home, 'windows', `${windowId}.json`);
  const pid = bridge?.pid ?? 0;
  const files = [...filesBelow(userHome), ...filesBelow(folder), `/proc/${pid}/environ`, `/proc/${pid}/cmdline`];
  expect(files).toContain(windowFile);
  const holds = (content: string): boolean => spellings.some((spelling) => content.includes(spelling));
  expect(files.filter((file) => holds(readFileSync(file, 'latin1')))).toEqual([windowFile]);
  expect(holds(bridge?.stderr() ?? '')).toBe(false);
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
