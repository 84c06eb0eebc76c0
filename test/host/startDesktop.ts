import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { announceWindows } from './announce.ts';
import { startRun, stopLeftovers } from './processes.ts';
import { makeProfile } from './profile.ts';
import { progress } from './progress.ts';
import { findOnPath } from './systemPackages.ts';

/** Opens the VS Code of this machine with a profile of its own, which is gone when the window closes. */
export async function startDesktop(extension: string, folder: string): Promise<void> {
  const code = findOnPath('code');
  if (code === undefined) {
    throw new Error(
      'There is no `code` command on PATH. In VS Code run "Shell Command: Install \'code\' command in PATH".',
    );
  }
  await stopLeftovers();
  const run = startRun();
  const profile = makeProfile(run.directory, { extensions: [], settings: { 'drawbridge.start': 'always' } });
  const folders = ['--user-data-dir', profile.data, '--extensions-dir', profile.extensions];
  progress('Starting VS Code');
  const env = run.environment(profile.environment);
  await promisify(execFile)(code, [...folders, '--install-extension', extension], { env });
  const window = run.spawn(code, [...folders, '--new-window', '--wait', '--disable-workspace-trust', folder], env);
  process.stdout.write('Close the window, or press Ctrl+C, to stop.\n');
  const closed = new AbortController();
  void once(window, 'exit').then(() => closed.abort());
  await announceWindows(profile.home, closed.signal);
  await run.stop();
}
