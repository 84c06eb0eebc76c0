/**
 * The uninstall script: the editor runs it with plain Node after the extension was uninstalled (`vscode:uninstall`).
 */
import { dirname, join } from 'node:path';
import { removeLauncher } from '#home/launcher/removeLauncher.ts';
import { stateFolder } from '#home/stateFolder.ts';

const [, program] = process.argv;
if (program === undefined) throw new Error('The path of this program is not known.');
removeLauncher(stateFolder().home, join(dirname(program), 'bridge.cjs')).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
