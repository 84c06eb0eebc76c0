import type { Assistant, Machine } from '../assistant.ts';
import { joined } from '../machinePaths.ts';

export const rooCode: Assistant = {
  id: 'roo-code',
  name: 'Roo Code',
  format: 'json',
  configurationFile: (machine) => {
    const folder = extensionFolder(machine);
    return folder === undefined ? undefined : joined(machine, folder, 'settings', 'mcp_settings.json');
  },
  traces: (machine) => [extensionFolder(machine)].filter((folder) => folder !== undefined),
  programs: [],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args, disabled: false, alwaysAllow: [] }),
};

function extensionFolder(machine: Machine): string | undefined {
  const folder = machine.editorUserFolder;
  return folder === undefined ? undefined : joined(machine, folder, 'globalStorage', 'rooveterinaryinc.roo-cline');
}
