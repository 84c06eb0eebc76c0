import type { Assistant, Machine } from '../assistant.ts';
import { joined } from '../machinePaths.ts';

/** The extension was shut down in May 2026 (github.com/RooCodeInc/Roo-Code, README). Installed copies go on working. */
export const rooCode: Assistant = {
  id: 'roo-code',
  name: 'Roo Code',
  kind: 'extension',
  reportsAs: /^roo/i,
  format: 'json',
  configurationFile: (machine) => {
    const folder = extensionFolder(machine);
    return folder === undefined ? undefined : joined(machine, folder, 'settings', 'mcp_settings.json');
  },
  traces: (machine) => [extensionFolder(machine)].filter((folder) => folder !== undefined),
  programs: [],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args, disabled: false, alwaysAllow: [] }),
  note: 'shut down in May 2026',
};

function extensionFolder(machine: Machine): string | undefined {
  const folder = machine.editorUserFolder;
  return folder === undefined ? undefined : joined(machine, folder, 'globalStorage', 'rooveterinaryinc.roo-cline');
}
