import { existsSync } from 'node:fs';
import type { Assistant, Machine } from '../assistant.ts';
import { joined, xdgConfigFolder } from '../machinePaths.ts';

/** The extension and the command share one file, as in kilo.ai/docs/automate/mcp/using-in-kilo-code. */
export const kiloCode: Assistant = {
  id: 'kilo-code',
  name: 'Kilo Code',
  kind: 'extension',
  reportsAs: /^kilo/i,
  format: 'json',
  configurationFile: (machine) => {
    const withComments = joined(machine, folder(machine), 'kilo.jsonc');
    return existsSync(withComments) ? withComments : joined(machine, folder(machine), 'kilo.json');
  },
  traces: (machine) => [folder(machine)],
  programs: ['kilo', 'kilocode'],
  entryPath: ['mcp', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
  afterwards: 'Start Kilo Code again.',
};

/** Returns the folder of the configuration, which is the same on every platform. */
function folder(machine: Machine): string {
  return joined(machine, xdgConfigFolder(machine), 'kilo');
}
