// npm start [-- [--headless] [--desktop] [--no-build] [FOLDER]]: a real VS Code with Drawbridge running in it; with --no-build as
// it was packaged last.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './hostFolder.ts';
import { packagedExtension, packageExtension } from './packageExtension.ts';
import { progress } from './progress.ts';
import { startDesktop } from './startDesktop.ts';
import { startHeadless } from './startHeadless.ts';
import { startInBrowser } from './startInBrowser.ts';

// A stop that was asked for is a success. (What runs is stopped on exit, see processes.ts.)
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(0));

if (process.env['npm_lifecycle_event'] === 'start') stopWithParent();
try {
  await start();
} catch (error) {
  progress(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function start(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { headless: { type: 'boolean' }, desktop: { type: 'boolean' }, 'no-build': { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.headless && values.desktop) throw new Error('Choose one of --headless and --desktop.');
  if (positionals.length > 1) throw new Error(`One folder, please, not ${positionals.length}.`);
  // npm runs scripts in the repository; a relative path means the folder in which the user typed it.
  const folder = resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? repository);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is not a folder.`);
  const extension = values['no-build'] ? packagedExtension() : await packageExtension();
  if (values.desktop) await startDesktop(extension, folder);
  else if (values.headless) await startHeadless(extension, folder);
  else await startInBrowser(extension, folder);
}

/** Exits when the parent ends, since npm may be killed without a signal to this process. */
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 500).unref();
}
