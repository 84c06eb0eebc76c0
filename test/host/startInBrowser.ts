import { spawn } from 'node:child_process';
import { announceWindows } from './announce.ts';
import { startRun, stopLeftovers } from './processes.ts';
import { progress } from './progress.ts';
import { startServer } from './server.ts';
import { findOnPath } from './systemPackages.ts';

/** Starts the embedded VS Code server and opens it in the default browser, or says where it is. */
export async function startInBrowser(extension: string, folder: string): Promise<void> {
  await stopLeftovers();
  progress('Starting the VS Code server');
  const server = await startServer(startRun(), {
    extensions: [extension],
    settings: { 'drawbridge.start': 'always' },
  });
  const address = server.address({ folder });
  process.stdout.write(`\nVS Code with Drawbridge: ${address}\n`);
  if (!openInBrowser(address)) process.stdout.write('No browser was found here: open that address in one.\n');
  process.stdout.write('Ctrl+C stops it.\n');
  await announceWindows(server.profile.home);
}

/** The browser is the user’s own: it is not ours to stop. */
function openInBrowser(address: string): boolean {
  const opener = findOnPath('xdg-open');
  const hasScreen = (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '') !== '';
  if (opener === undefined || !hasScreen) return false;
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
  child.once('error', (error) => progress(`${opener} failed: ${error.message}`));
  child.unref();
  return true;
}
