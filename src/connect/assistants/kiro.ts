import type { Assistant } from '../assistant.ts';
import { inHome } from '../machinePaths.ts';

/** The editor and the command read the same file, as in kiro.dev/docs/mcp/configuration and kiro.dev/docs/cli/mcp. */
export const kiro: Assistant = {
  id: 'kiro',
  name: 'Kiro',
  kind: 'editor',
  reportsAs: /^(kiro|q dev cli)/i,
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.kiro', 'settings', 'mcp.json'),
  traces: (machine) => [inHome(machine, '.kiro')],
  programs: ['kiro', 'kiro-cli'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args, disabled: false }),
  afterwards: 'Start a new session of Kiro.',
};
