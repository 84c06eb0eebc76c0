import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Host, startHost } from '../../host/host.ts';
import { repository } from '../../host/hostFolder.ts';
import { processesOf, stopLeftovers } from '../../host/processes.ts';
import type { Window } from '../../host/window.ts';
import { isNightlyOnly } from '../../size.ts';
import { connectV1, tempWorkspace, until } from '../harness.ts';

/** A second runner, so that it can be killed while its host runs. */
function startRunner(source: string) {
  const code = `import { startHost } from ${JSON.stringify(join(repository, 'test/host/host.ts'))};\n${source}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

// Every other host test needs the parts of the host that are tested nightly only.
describe.skipIf(isNightlyOnly)('a running host', () => {
  let host: Host;
  let window: Window;
  const folder = tempWorkspace({ 'a.txt': 'alpha\n' });

  beforeAll(async () => {
    host = await startHost({ extensions: [], settings: { 'editor.tabSize': 3 } });
    window = await host.openWindow({ folder });
  });
  afterAll(() => host.stop());

  test('opens a window on a folder with the given settings', async () => {
    const seen = await window.evaluate(async (vscode, name) => {
      const folders = vscode.workspace.workspaceFolders ?? [];
      const [file] = await vscode.workspace.findFiles(name);
      const text = file && (await vscode.workspace.openTextDocument(file)).getText();
      const tabSize = vscode.workspace.getConfiguration('editor').get('tabSize');
      return { folders: folders.map(({ uri }) => uri.fsPath), text, tabSize, trusted: vscode.workspace.isTrusted };
    }, 'a.txt');
    expect(seen).toEqual({ folders: [folder], text: 'alpha\n', tabSize: 3, trusted: true });
  });

  test('reports errors of the extension host', async () => {
    await expect(window.evaluateSource('throw new Error("no such thing")')).rejects.toThrow('no such thing');
  });

  test('shows toasts', async () => {
    await window.evaluate((vscode) => void vscode.window.showInformationMessage('Here is a toast'));
    const toast = window.page.locator('.notification-toast', { hasText: 'Here is a toast' });
    await toast.waitFor();
    await window.command('notifications.clearAll');
    await toast.waitFor({ state: 'detached' });
    expect(await toast.count()).toBe(0);
  });

  test('finds a webview and sees its clicks', async () => {
    await window.evaluateSource(`
      const panel = vscode.window.createWebviewPanel('t', 'T', vscode.ViewColumn.One, { enableScripts: true });
      panel.webview.onDidReceiveMessage((message) => { state.message = message; });
      panel.webview.html = '<button id="b">b</button><script>const api = acquireVsCodeApi();' +
        'document.getElementById("b").onclick = () => api.postMessage("clicked");</script>';`);
    await (await window.webview('#b')).click('#b');
    const message = await until(() => window.evaluateSource('return state.message'), 'the click');
    expect(message).toBe('clicked');
  });

  test('changes the colour theme', async () => {
    await window.setColorTheme('Light Modern');
    expect(await window.evaluate((vscode) => vscode.window.activeColorTheme.kind)).toBe(1);
    await expect(window.setColorTheme('No Such Theme')).rejects.toThrow('No Such Theme');
  });

  test('has a new extension host after a reload', async () => {
    const before = window.extensionHostPid;
    await window.evaluateSource('state.kept = true');
    await window.reload();
    expect(window.extensionHostPid).not.toBe(before);
    expect(await window.evaluateSource('return state.kept')).toBeUndefined();
  });

  test('follows a window that opens another folder', async () => {
    const changing = await host.openWindow({ folder });
    const before = changing.extensionHostPid;
    await changing.evaluate(
      (vscode, path) => {
        void vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), { forceReuseWindow: true });
      },
      tempWorkspace({ 'c.txt': '' }, 'second'),
    );
    const name = () => changing.evaluate((vscode) => vscode.workspace.name);
    await until(async () => (await name()) === 'second', 'the second folder');
    expect(changing.extensionHostPid).not.toBe(before);
    await changing.close();
  });

  test('opens two windows at once as separate windows, and keeps one when the other closes', async () => {
    const other = tempWorkspace({ 'b.txt': '' }, 'other');
    const [empty, second] = await Promise.all([host.openWindow(), host.openWindow({ folder: other })]);
    expect(new Set([window, empty, second].map((each) => each.extensionHostPid)).size).toBe(3);
    expect(await second.evaluate((vscode) => vscode.workspace.name)).toBe('other');
    expect(await empty.evaluate((vscode) => vscode.workspace.name)).toBeUndefined();
    await empty.close();
    await second.close();
    expect(await window.evaluate((vscode) => vscode.workspace.name)).toBe('workspace');
  });
});

test.skipIf(isNightlyOnly)('an untrusted folder stays untrusted until trust is granted', async () => {
  const host = await startHost({ extensions: [], trusted: false });
  const window = await host.openWindow({ folder: tempWorkspace({ 'a.txt': '' }) });
  expect(await window.evaluate((vscode) => vscode.workspace.isTrusted)).toBe(false);
  await window.grantTrust();
  expect(await window.evaluate((vscode) => vscode.workspace.isTrusted)).toBe(true);
  await host.stop();
});

test('stop() leaves no process and no file', async () => {
  const host = await startHost({ extensions: [] });
  await host.openWindow();
  expect(processesOf(host.directory).length).toBeGreaterThan(5);
  await host.stop();
  expect(processesOf(host.directory)).toEqual([]);
  expect(existsSync(host.directory)).toBe(false);
});

test.skipIf(isNightlyOnly)(
  'stopLeftovers() cleans up after a killed runner, and leaves a live runner alone',
  async () => {
    const runner = startRunner(`
    const host = await startHost({ extensions: [] });
    await host.openWindow();
    console.log(host.directory);
    setInterval(() => {}, 1000);`);
    const [line] = await once(runner.stdout, 'data');
    const directory = String(line).trim();
    await stopLeftovers();
    expect(existsSync(directory)).toBe(true);

    runner.kill('SIGKILL');
    await once(runner, 'exit');
    expect(processesOf(directory).length).toBeGreaterThan(0);
    await stopLeftovers();
    expect(processesOf(directory)).toEqual([]);
    expect(existsSync(directory)).toBe(false);
  },
);

test.each(['SIGINT', 'SIGTERM'] as const)('a runner that ends on %s leaves no process and no file', async (signal) => {
  const runner = startRunner(`
    const host = await startHost({ extensions: [] });
    console.log(host.directory);
    setInterval(() => {}, 1000);`);
  const [line] = await once(runner.stdout, 'data');
  const directory = String(line).trim();
  runner.kill(signal);
  await once(runner, 'exit');
  await until(() => processesOf(directory).length === 0, 'all processes to end', 5000);
  expect(existsSync(directory)).toBe(false);
});

test('npm start -- --headless prints one line of JSON, and stops without leaving anything behind', async () => {
  const folder = tempWorkspace({ 'a.txt': 'alpha\n' });
  const program = join(repository, 'test/host/start.ts');
  // Other host tests take the package meanwhile, so it is not built anew.
  const child = spawn(process.execPath, [program, '--headless', '--no-build', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const line = await until(() => /^.*\n/.exec(output)?.[0], 'the line of JSON', 180_000);
  const shape = z.strictObject({
    ready: z.literal(true),
    editor: z.url(),
    mcp: z.url(),
    token: z.string(),
    home: z.string(),
    devtools: z.url(),
  });
  const ready = shape.parse(JSON.parse(line));

  const mcp = await connectV1({ endpoint: ready.mcp, token: ready.token });
  expect((await mcp.client.listTools()).tools.length).toBeGreaterThan(0);
  await mcp.close();
  const browser = await chromium.connectOverCDP(ready.devtools);
  const pages = browser.contexts().flatMap((context) => context.pages());
  expect(pages.map((page) => page.url().startsWith(new URL(ready.editor).origin))).toEqual([true]);
  await browser.close();

  const directory = join(ready.home, '..');
  expect(readFileSync(join(directory, 'token'), 'utf8')).not.toBe('');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(output).toBe(line);
  await until(() => processesOf(directory).length === 0, 'all processes to end', 5000);
  expect(existsSync(directory)).toBe(false);
});
