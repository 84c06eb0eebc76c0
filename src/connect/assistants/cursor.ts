import type { Assistant } from '../assistant.ts';
import { inHome } from '../machinePaths.ts';

export const cursor: Assistant = {
  id: 'cursor',
  name: 'Cursor',
  kind: 'editor',
  reportsAs: /^cursor/i,
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.cursor', 'mcp.json'),
  traces: (machine) => [inHome(machine, '.cursor')],
  programs: ['cursor', 'cursor-agent'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args }),
  afterwards: 'Turn on "drawbridge" in the MCP settings of Cursor if it is off there.',
};
