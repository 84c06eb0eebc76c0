import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { claudeCodePackage, runClaude } from '../clients/claudeRun.ts';
import { installClients } from '../clients/install.ts';
import { actionBar, openApprovals } from '../e2e/approvalsPage.ts';
import { tempWorkspace } from '../e2e/harness.ts';
import { startHost } from '../host/host.ts';
import { packageExtension } from '../host/packageExtension.ts';
import { startRun, type Run } from '../host/processes.ts';
import { until } from '../host/until.ts';
import type { Measurement } from './report.ts';

const [before, after] = ['line 1\nline 2\nline 3\n', 'line 1\nline 2\nLINE 3\n'];

/**
 * From the package on a fresh profile to the first reviewed edit, which the real Claude Code makes with its own tool: the clicks of
 * the user, and the time, in which the assistant's start and the half second of the button count.
 */
export async function benchFirstEdit(): Promise<Measurement[]> {
  const programs = await installClients([claudeCodePackage]);
  const { clicks, seconds } = await firstEdit(join(programs, 'claude'), await packageExtension());
  const row = (what: string, value: number, unit: Measurement['unit'], atMost: number): Measurement => ({
    topic: 'first run',
    what: `Claude Code, ${what}`,
    value,
    unit,
    target: { atMost },
    detail: 'from the package on a fresh profile to the first reviewed edit of its own tool',
  });
  return [row('clicks', clicks, 'clicks', 4), row('time', seconds * 1000, 'ms', 60_000)];
}

/** Runs the real program with a scripted model that edits `list.txt` with the assistant's own tool. */
function editByClaude(program: string, home: string, folder: string, run: Run): Promise<unknown> {
  const path = join(folder, 'list.txt');
  const change = { file_path: path, old_string: 'line 3\n', new_string: 'LINE 3\n', replace_all: false };
  return runClaude(
    {
      program,
      home,
      folder,
      permissionMode: 'acceptEdits',
      script: [[{ tool: 'Read', input: { file_path: path } }], [{ tool: 'Edit', input: change }], 'Done.'],
      seconds: 300,
    },
    run,
  );
}

async function firstEdit(program: string, extension: string): Promise<{ clicks: number; seconds: number }> {
  const folder = tempWorkspace({ 'list.txt': before });
  const home = tempWorkspace({}, 'user');
  // Connect finds the assistant by this folder.
  mkdirSync(join(home, '.claude'));
  const run = startRun();
  const environment = {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
  };
  const host = await startHost({ extensions: [], home: join(home, '.drawbridge'), environment });
  try {
    const window = await host.openWindow({ folder });
    let clicks = 0;
    const click = async (locator: Locator): Promise<void> => {
      await locator.click();
      clicks += 1;
    };
    const button = (scope: Locator, name: string): Locator => scope.getByRole('button', { name, exact: true });
    const picker = window.page.locator('.quick-input-widget');
    const begun = performance.now();
    await window.evaluate(
      (vscode, path) => vscode.commands.executeCommand('workbench.extensions.installExtension', vscode.Uri.file(path)),
      extension,
    );
    await click(button(window.page.locator('.gettingStartedContainer'), 'Connect an Assistant'));
    await click(picker.getByRole('option', { name: /Claude Code/ }).first());
    const dialog = window.page.getByRole('dialog', { name: /Connect Claude Code to Drawbridge/ });
    await click(button(dialog, 'Connect'));
    await until(() => existsSync(join(host.home, 'connected')), 'the assistant to be connected');
    let end: unknown;
    const ended = editByClaude(program, home, folder, run).then((result) => (end = result));
    const page = await openApprovals(window);
    const approve = actionBar(page).getByRole('button', { name: /^Approve edit of list\.txt/ });
    const isArmed = async (): Promise<boolean> =>
      (await approve.getAttribute('aria-disabled', { timeout: 1000 })) === 'false';
    await until(async () => end !== undefined || (await isArmed()), 'the card to take clicks');
    if (end !== undefined) throw new Error(`Claude Code ended without a card: ${JSON.stringify(end)}`);
    await click(approve);
    await until(() => readFileSync(join(folder, 'list.txt'), 'utf8') === after, 'the edit to be written');
    const seconds = (performance.now() - begun) / 1000;
    await ended;
    return { clicks, seconds };
  } finally {
    await host.stop();
    await run.stop();
  }
}
