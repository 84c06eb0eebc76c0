import type { Assistant } from '../assistant.ts';
import { inHome } from '../machinePaths.ts';

/** Describes the entry of docs.factory.ai/cli/configuration/mcp, "Configuration". Droid reads the file again when it changes. */
export const droid: Assistant = {
  id: 'droid',
  name: 'Droid (Factory)',
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.factory', 'mcp.json'),
  traces: (machine) => [inHome(machine, '.factory')],
  programs: ['droid'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args, disabled: false }),
};
