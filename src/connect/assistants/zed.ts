import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined, roamingFolder, xdgConfigFolder } from '../machinePaths.ts';

export const zed: Assistant = {
  id: 'zed',
  name: 'Zed',
  kind: 'editor',
  reportsAs: /^zed/i,
  format: 'json',
  configurationFile: (machine) => joined(machine, folder(machine), 'settings.json'),
  traces: (machine) => [folder(machine)],
  programs: ['zed', 'zeditor'],
  entryPath: ['context_servers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args, env: {} }),
};

function folder(machine: Machine): string {
  if (machine.platform === 'win32') return joined(machine, roamingFolder(machine), 'Zed');
  if (machine.platform === 'darwin') return inHome(machine, '.config', 'zed');
  return joined(machine, folderVariable(machine, 'FLATPAK_XDG_CONFIG_HOME') ?? xdgConfigFolder(machine), 'zed');
}
