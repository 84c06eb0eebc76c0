import type { Assistant } from '../assistant.ts';
import { inHome } from '../machinePaths.ts';

/** The plugin and the command read the same file, as in junie.jetbrains.com/docs/junie-cli-mcp-configuration.html. */
export const junie: Assistant = {
  id: 'junie',
  name: 'Junie (JetBrains)',
  kind: 'terminal',
  reportsAs: /^junie/i,
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.junie', 'mcp', 'mcp.json'),
  traces: (machine) => [inHome(machine, '.junie')],
  programs: ['junie'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Start a new session of Junie.',
};
