import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { claudeCodePackage, runClaude } from '../clients/claudeRun.ts';
import { codexPackage, runCodex } from '../clients/codexRun.ts';
import { installClients } from '../clients/install.ts';
import { actionBar, openApprovals } from '../e2e/approvalsPage.ts';
import { tempWorkspace } from '../e2e/harness.ts';
import { startHost } from '../host/host.ts';
import { packageExtension } from '../host/packageExtension.ts';
import { startRun, type Run } from '../host/processes.ts';
import { until } from '../host/until.ts';
import type { Measurement } from './report.ts';

const [before, after] = ['line 1\nline 2\nline 3\n', 'line 1\nline 2\nLINE 3\n'];

interface Assistant {
  readonly name: string;
  /** The folder in the home folder by which Connect finds the assistant. */
  readonly folder: string;
  /** True for an assistant that runs a hook only after the user has trusted it. */
  readonly asksForTrust: boolean;
  /** Runs the real program with a scripted model that edits `list.txt` with the assistant's own tool. */
  readonly edit: (at: { readonly home: string; readonly folder: string; readonly run: Run }) => Promise<unknown>;
}

/**
 * From the package on a fresh profile to the first reviewed edit, which the real assistant makes with its own tool: the clicks of
 * the user, and the time, in which the assistant's start and the half second of the button count.
 */
export async function benchFirstEdit(): Promise<Measurement[]> {
  const programs = await installClients([claudeCodePackage, codexPackage]);
  const assistants: readonly Assistant[] = [
    {
      name: 'Claude Code',
      folder: '.claude',
      asksForTrust: false,
      edit: ({ home, folder, run }) => {
        const path = join(folder, 'list.txt');
        const change = { file_path: path, old_string: 'line 3\n', new_string: 'LINE 3\n', replace_all: false };
        return runClaude(
          {
            program: join(programs, 'claude'),
            home,
            folder,
            permissionMode: 'acceptEdits',
            script: [[{ tool: 'Read', input: { file_path: path } }], [{ tool: 'Edit', input: change }], 'Done.'],
            seconds: 300,
          },
          run,
        );
      },
    },
    {
      name: 'Codex',
      folder: '.codex',
      asksForTrust: true,
      edit: ({ home, folder, run }) => {
        const input = '*** Begin Patch\n*** Update File: list.txt\n@@\n-line 3\n+LINE 3\n*** End Patch';
        return runCodex(
          {
            program: join(programs, 'codex'),
            home,
            folder,
            script: [[{ tool: 'apply_patch', input }], 'Done.'],
            sandbox: 'workspace-write',
            seconds: 300,
          },
          run,
        );
      },
    },
  ];
  const extension = await packageExtension();
  const rows: Measurement[] = [];
  for (const assistant of assistants) {
    const { clicks, seconds } = await firstEdit(assistant, programs, extension);
    const row = (what: string, value: number, unit: Measurement['unit'], atMost: number): Measurement => ({
      topic: 'first run',
      what: `${assistant.name}, ${what}`,
      value,
      unit,
      target: { atMost },
      detail: 'from the package on a fresh profile to the first reviewed edit of its own tool',
    });
    rows.push(
      row('clicks', clicks, 'clicks', assistant.asksForTrust ? 5 : 4),
      row('time', seconds * 1000, 'ms', 60_000),
    );
  }
  return rows;
}

async function firstEdit(
  assistant: Assistant,
  programs: string,
  extension: string,
): Promise<{ clicks: number; seconds: number }> {
  const folder = tempWorkspace({ 'list.txt': before });
  const home = tempWorkspace({}, 'user');
  mkdirSync(join(home, assistant.folder));
  if (assistant.folder === '.codex') writeFileSync(join(home, '.codex/config.toml'), '');
  const run = startRun();
  const environment = {
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    CODEX_HOME: join(home, '.codex'),
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
    await click(picker.getByRole('option', { name: new RegExp(assistant.name) }).first());
    const dialog = window.page.getByRole('dialog', { name: new RegExp(`Connect ${assistant.name}.* to Drawbridge`) });
    await click(button(dialog, 'Connect'));
    await until(() => existsSync(join(host.home, 'connected')), 'the assistant to be connected');
    if (assistant.asksForTrust) {
      const toast = window.page.locator('.notifications-toasts');
      await click(button(toast, "Trust Drawbridge's Hook"));
      await until(() => readFileSync(join(home, '.codex/config.toml'), 'utf8').includes('trusted_hash'), 'the trust');
    }
    let end: unknown;
    const ended = assistant.edit({ home, folder, run }).then((result) => (end = result));
    const page = await openApprovals(window);
    const approve = actionBar(page).getByRole('button', { name: /^Approve edit of list\.txt/ });
    const isArmed = async (): Promise<boolean> =>
      (await approve.getAttribute('aria-disabled', { timeout: 1000 })) === 'false';
    await until(async () => end !== undefined || (await isArmed()), 'the card to take clicks');
    if (end !== undefined) throw new Error(`${assistant.name} ended without a card: ${JSON.stringify(end)}`);
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
