import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `qwen mcp add --scope user` writes. */
export const qwenCode: Assistant = {
  id: 'qwen-code',
  name: 'Qwen Code',
  format: 'json',
  configurationFile: (machine) => joined(machine, folder(machine), 'settings.json'),
  traces: (machine) => [folder(machine)],
  programs: ['qwen'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Start a new session of Qwen Code.',
};

function folder(machine: Machine): string {
  return folderVariable(machine, 'QWEN_HOME') ?? inHome(machine, '.qwen');
}
