import { existsSync } from 'node:fs';
import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

const fileName = 'cline_mcp_settings.json';

export const cline: Assistant = {
  id: 'cline',
  name: 'Cline',
  kind: 'extension',
  reportsAs: /^@?cline/i,
  format: 'json',
  configurationFile: (machine) => {
    const file = folderVariable(machine, 'CLINE_MCP_SETTINGS_PATH');
    if (file !== undefined) return file;
    const folder = extensionFolder(machine);
    const isOld = folder !== undefined && existsSync(folder) && !existsSync(dataFolder(machine));
    return isOld
      ? joined(machine, folder, 'settings', fileName)
      : joined(machine, dataFolder(machine), 'settings', fileName);
  },
  traces: (machine) => [dataFolder(machine), extensionFolder(machine)].filter((folder) => folder !== undefined),
  programs: ['cline'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args, disabled: false }),
};

/** Returns the folder that Cline's extension and its command share since 2026. */
function dataFolder(machine: Machine): string {
  const data = folderVariable(machine, 'CLINE_DATA_DIR');
  return data ?? joined(machine, folderVariable(machine, 'CLINE_DIR') ?? inHome(machine, '.cline'), 'data');
}

/** Returns the folder in which the extension kept its settings before 2026. */
function extensionFolder(machine: Machine): string | undefined {
  const folder = machine.editorUserFolder;
  return folder === undefined ? undefined : joined(machine, folder, 'globalStorage', 'saoudrizwan.claude-dev');
}
