import type { Assistant } from '../assistant.ts';
import { inHome } from '../machinePaths.ts';

/** The successor of Gemini CLI. The file is named in antigravity.google/docs/cli/gcli-migration, "Directory mapping". */
export const antigravityCli: Assistant = {
  id: 'antigravity-cli',
  name: 'Antigravity CLI',
  kind: 'terminal',
  reportsAs: /^antigravity/i,
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.gemini', 'config', 'mcp_config.json'),
  traces: (machine) => [inHome(machine, '.gemini', 'antigravity-cli')],
  programs: ['agy'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Start a new session of Antigravity CLI.',
};
