import type { Assistant } from '../assistant.ts';
import { inHome } from '../machinePaths.ts';

export const windsurf: Assistant = {
  id: 'windsurf',
  name: 'Windsurf',
  kind: 'editor',
  reportsAs: /^windsurf/i,
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.codeium', 'windsurf', 'mcp_config.json'),
  traces: (machine) => [inHome(machine, '.codeium', 'windsurf')],
  programs: ['windsurf'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Refresh the MCP servers in the settings of Cascade.',
};
