import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `copilot mcp add` writes; without `tools` Copilot offers no tool. */
export const copilotCli: Assistant = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  format: 'json',
  configurationFile: (machine) => inFolder(machine, 'mcp-config.json'),
  // An editor may have made the folder alone, so the files are checked.
  traces: (machine) => ['mcp-config.json', 'config.json', 'settings.json'].map((name) => inFolder(machine, name)),
  programs: ['copilot'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
  afterwards: 'Start a new session of GitHub Copilot CLI.',
};

function inFolder(machine: Machine, name: string): string {
  return joined(machine, folderVariable(machine, 'COPILOT_HOME') ?? inHome(machine, '.copilot'), name);
}
