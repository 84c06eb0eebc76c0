import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApprovals } from './approvalsPage.ts';
import { startHost, type Host } from '../host/host.ts';
import { windowRecordOf } from '../host/windowFile.ts';
import { axeViolationsOfCopy } from './axeOfCopy.ts';
import { openConnections } from './connectionsPane.ts';
import { packagedExtension, tempWorkspace, until, type Window } from './harness.ts';
import { themes } from './pictures.ts';

const before = '# Mine\nmodel = "of my choice"\n';

let host: Host;
let window: Window;
/** The home folder of the user, in which assistants keep their configurations. */
let home: string;
let folder: string;
/** How often the user clicked or chose. */
let clicks = 0;

const codexFile = (): string => join(home, '.codex/config.toml');
const hooksFile = (): string => join(home, '.codex/hooks.json');
const configuration = (): string => readFileSync(codexFile(), 'utf8');
const connectedFile = (): string => join(host.home, 'connected');

async function click(locator: Locator): Promise<void> {
  await locator.click();
  clicks += 1;
}

const row = (name: RegExp): Locator => window.page.locator('.quick-input-widget').getByRole('option', { name });
const dialogButton = (dialog: RegExp, name: string): Locator =>
  window.page.getByRole('dialog', { name: dialog }).getByRole('button', { name, exact: true });
const notificationButton = (name: string): Locator =>
  window.page.locator('.notifications-center').getByRole('button', { name, exact: true });

beforeAll(async () => {
  folder = tempWorkspace({ 'cart.ts': 'export {};\n' });
  home = tempWorkspace({ '.codex/config.toml': before }, 'user');
  host = await startHost({
    extensions: [],
    // There is no such folder yet, as for everybody who never had Drawbridge.
    home: join(home, '.drawbridge'),
    environment: { HOME: home, CODEX_HOME: join(home, '.codex') },
  });
  window = await host.openWindow({ folder });
});
afterAll(() => host?.stop());

/** Confirms the choice of parts, all of which are picked. */
const okButton = (): Locator =>
  window.page.locator('.quick-input-widget').getByRole('button', { name: 'OK', exact: true });

/** Starts what an assistant's configuration says, as the assistant does, and makes one call. */
async function callAsCodex(): Promise<string> {
  const command = /^command = "(?<path>[^"]+)"$/m.exec(configuration())?.groups?.['path'] ?? '';
  const client = new Client({ name: 'codex', version: '1.0.0' });
  const environment = { HOME: home, DRAWBRIDGE_HOME: host.home, PATH: '/usr/bin:/bin' };
  await client.connect(new StdioClientTransport({ command, cwd: folder, env: environment, stderr: 'ignore' }));
  try {
    return JSON.stringify(await client.callTool({ name: 'get_workspace', arguments: {} }));
  } finally {
    await client.close();
  }
}

describe('connecting an assistant', () => {
  it('takes three clicks from a fresh install to the first call, with the guard of own edits', async () => {
    const begun = performance.now();
    await window.evaluate(
      (vscode, path) => vscode.commands.executeCommand('workbench.extensions.installExtension', vscode.Uri.file(path)),
      packagedExtension(),
    );
    await click(
      window.page
        .locator('.gettingStartedContainer')
        .getByRole('button', { name: 'Connect an Assistant', exact: true }),
    );
    await click(row(/Codex/));
    const dialog = /Connect Codex.* to Drawbridge/;
    const text = await window.page.getByRole('dialog', { name: dialog }).innerText();
    expect(text).toContain('Approve its own edits before they are made');
    expect(text).toContain('~/.codex/config.toml');
    expect(text).toContain('[mcp_servers.drawbridge]');
    expect(text).toContain('~/.codex/hooks.json');
    expect(text).not.toContain('of my choice');
    expect(configuration()).toBe(before);
    await click(dialogButton(dialog, 'Connect'));
    await until(() => existsSync(connectedFile()), 'the assistant to be connected');
    expect(configuration().startsWith(before)).toBe(true);
    expect(readFileSync(hooksFile(), 'utf8')).toContain('drawbridge hook');
    const pane = await openConnections(window);
    await pane.getByRole('treeitem', { name: 'Codex, set up, never called: start Codex in this folder' }).waitFor();
    const approvals = await openApprovals(window);
    await approvals.getByText(/^Start Codex in this folder and paste the question/).waitFor();
    expect(await callAsCodex()).toContain('workspace');
    await approvals.getByText(/^Nothing is waiting for you/).waitFor();
    await pane.getByRole('treeitem', { name: /^Codex, \d calls? · connected/ }).waitFor();
    expect(readFileSync(join(host.home, 'seen', 'codex'), 'utf8')).toMatch(/^\d+\n$/);
    console.log(
      `${clicks} clicks, ${((performance.now() - begun) / 1000).toFixed(1)} s from install to the first call`,
    );
    expect(clicks).toBeLessThanOrEqual(3);
  });

  it('is reverted byte for byte', async () => {
    // A toast goes after some seconds, the list of notifications keeps it.
    await window.command('notifications.showList');
    await notificationButton('Undo').click();
    await until(() => configuration() === before, 'the configuration to be as it was');
    await until(() => !existsSync(connectedFile()), 'nothing to be connected');
    expect(configuration()).toBe(before);
    expect(existsSync(hooksFile())).toBe(false);
  });

  it('can be inspected as a diff before, and disconnected after', async () => {
    void window.command('drawbridge.connectAssistant', 'codex');
    await dialogButton(/Connect Codex/, 'Choose Parts...').click();
    await window.page.getByRole('checkbox', { name: /^Approve its own edits before they are made,/ }).waitFor();
    await okButton().click();
    const diff = window.page.locator('.monaco-diff-editor', { hasText: 'mcp_servers' });
    const show = dialogButton(/Connect Codex/, 'Show Diff');
    await show.waitFor();
    // A busy machine may lose the click on a dialog that is just being drawn.
    await until(async () => {
      if (await diff.isVisible()) return true;
      if (await show.isVisible()) await show.click({ timeout: 1000 });
      return false;
    }, 'the diff of the configuration');
    await row(/^Connect/).click();
    await until(() => existsSync(connectedFile()), 'the assistant to be connected');
    await window.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });

    void window.command('drawbridge.disconnectAssistant');
    await row(/Codex/).click();
    await dialogButton(/Disconnect Codex/, 'Disconnect').click();
    await until(() => configuration() === before, 'the configuration to be as it was');
    await until(() => !existsSync(connectedFile()), 'nothing to be connected');
    expect(configuration()).toBe(before);
  });

  it('leaves an unreadable configuration alone, and offers to open the file', async () => {
    // The editor shows three notifications at a time, and all of them in its list.
    await window.command('notifications.clearAll');
    await window.command('notifications.showList');
    writeFileSync(codexFile(), 'model = \n');
    void window.command('drawbridge.connectAssistant', 'codex');
    await window.page.getByRole('button', { name: 'Open File', exact: true }).click();
    await window.page.getByRole('tab', { name: /config\.toml/ }).waitFor();
    expect(configuration()).toBe('model = \n');
    writeFileSync(codexFile(), before);
  });
});

describe('Doctor', () => {
  it('reports the problems of this window, and its links fix them', async () => {
    await window.command('drawbridge.stop');
    await window.command('drawbridge.doctor');
    const page = await window.webview('main li.error');
    expect(await page.locator('main').innerText()).toContain('Drawbridge is stopped in this window');
    for (const theme of Object.values(themes)) {
      await window.setColorTheme(theme);
      expect(await axeViolationsOfCopy(page, 'media/doctor.css', theme), theme).toEqual([]);
    }
    const start = page.getByRole('link', { name: 'Start Drawbridge' });
    await start.click();
    await windowRecordOf(host.home, window);
    await page.getByRole('link', { name: 'Check Again' }).click();
    // Doctor reloads its page, which gets a new frame.
    const again = await window.webview('main li:not(.error):first-child');
    const text = await again.locator('main').innerText();
    expect(text).toContain('Drawbridge runs in this window, at http://127.0.0.1:');
    expect(text).toContain('The program that assistants start works.');
  });
});
