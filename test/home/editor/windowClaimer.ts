import { once } from 'node:events';
import { claimWindow } from '#home/editor/windowClaim.ts';

/** Another window on a folder, for tests: claims it on request and keeps running. */
const [folder = '', home = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const { windowId } = await claimWindow({
  storage: { scheme: 'file', fsPath: folder },
  home,
  patienceMilliseconds: 0,
});
process.stdout.write(`${windowId}\n`);
setInterval(() => undefined, 60_000);
