import { existsSync } from 'node:fs';
import type { Assistant, Machine } from '../assistant.ts';
import { opencodePlugin } from './opencodePlugin.ts';
import { joined, xdgConfigFolder } from '../machinePaths.ts';

export const opencode: Assistant = {
  id: 'opencode',
  name: 'opencode',
  kind: 'terminal',
  reportsAs: /^opencode/i,
  format: 'json',
  // opencode merges both files, and the one with comments wins.
  configurationFile: (machine) => {
    const withComments = joined(machine, folder(machine), 'opencode.jsonc');
    return existsSync(withComments) ? withComments : joined(machine, folder(machine), 'opencode.json');
  },
  traces: (machine) => [folder(machine)],
  programs: ['opencode'],
  entryPath: ['mcp', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
  afterwards: 'Start opencode again.',
  parts: {
    guard: ({ machine, launcher }) => [
      {
        kind: 'file',
        file: joined(machine, folder(machine), 'plugins', 'drawbridge.js'),
        text: opencodePlugin(launcher),
      },
    ],
    // This permission is for every tool that changes files.
    only: () => [{ kind: 'value', path: ['permission', 'edit'], value: 'deny' }],
  },
};

/** Returns the folder of the configuration, which is the same on every platform. */
function folder(machine: Machine): string {
  return joined(machine, xdgConfigFolder(machine), 'opencode');
}
