import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined, roamingFolder, xdgConfigFolder } from '../machinePaths.ts';

export const goose: Assistant = {
  id: 'goose',
  name: 'Goose',
  kind: 'app',
  reportsAs: /^goose/i,
  format: 'yaml',
  configurationFile: (machine) => joined(machine, folder(machine), 'config.yaml'),
  traces: (machine) => [folder(machine)],
  // A database migration tool is also called `goose`, so the PATH proves nothing.
  programs: [],
  entryPath: ['extensions', 'drawbridge'],
  entry: ({ command, args }) => ({
    name: 'drawbridge',
    description: 'Works in the open editor window; changes are approved there',
    type: 'stdio',
    cmd: command,
    args,
    envs: {},
    enabled: true,
    timeout: 300,
  }),
  afterwards: 'Start a new session of Goose.',
};

function folder(machine: Machine): string {
  const root = folderVariable(machine, 'GOOSE_PATH_ROOT');
  if (root !== undefined) return joined(machine, root, 'config');
  if (machine.platform === 'win32') return joined(machine, roamingFolder(machine), 'Block', 'goose', 'config');
  if (machine.platform === 'darwin') return inHome(machine, '.config', 'goose');
  return joined(machine, xdgConfigFolder(machine), 'goose');
}
