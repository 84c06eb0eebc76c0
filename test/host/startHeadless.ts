import { startHost } from './host.ts';
import { progress } from './progress.ts';
import { windowRecordOf } from './windowFile.ts';

/** Opens a window in a Chromium of our own and prints one line of JSON on stdout when Drawbridge runs in it. */
export async function startHeadless(extension: string, folder: string): Promise<void> {
  progress('Starting VS Code');
  const host = await startHost({ extensions: [extension], settings: { 'drawbridge.start': 'always' } });
  const window = await host.openWindow({ folder });
  const { endpoint, token } = await windowRecordOf(host.home, window);
  const ready = {
    ready: true,
    editor: host.address({ folder }),
    mcp: endpoint,
    token,
    home: host.home,
    devtools: host.devtools(),
  };
  progress('Ready; SIGINT or SIGTERM stops everything');
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}
