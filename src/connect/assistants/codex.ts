import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

export const codex: Assistant = {
  id: 'codex',
  name: 'Codex',
  format: 'toml',
  configurationFile: (machine) => joined(machine, folder(machine), 'config.toml'),
  traces: (machine) => [folder(machine)],
  programs: ['codex'],
  entryPath: ['mcp_servers', 'drawbridge'],
  // Codex clears the environment, and this variable tells the bridge which window's terminal it runs in.
  entry: ({ command, args }) => ({ command, args, env_vars: ['DRAWBRIDGE_WINDOW'] }),
  afterwards: 'Start a new session of Codex.',
};

function folder(machine: Machine): string {
  return folderVariable(machine, 'CODEX_HOME') ?? inHome(machine, '.codex');
}
