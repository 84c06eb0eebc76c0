import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Writes the entry that `claude mcp add -s user` writes. */
export const claudeCode: Assistant = {
  id: 'claude-code',
  name: 'Claude Code',
  format: 'json',
  configurationFile: (machine) => joined(machine, folder(machine) ?? machine.home, '.claude.json'),
  traces: (machine) => {
    const settings = folder(machine) ?? inHome(machine, '.claude');
    return [settings, joined(machine, folder(machine) ?? machine.home, '.claude.json')];
  },
  programs: ['claude'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args, env: {} }),
  afterwards: 'Start a new session of Claude Code.',
};

function folder(machine: Machine): string | undefined {
  return folderVariable(machine, 'CLAUDE_CONFIG_DIR');
}
