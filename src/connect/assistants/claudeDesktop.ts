import { readdirSync } from 'node:fs';
import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined, roamingFolder, xdgConfigFolder } from '../machinePaths.ts';

export const claudeDesktop: Assistant = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  kind: 'app',
  reportsAs: /^(claude-ai|claude desktop)/i,
  format: 'json',
  configurationFile: (machine) => joined(machine, folder(machine), 'claude_desktop_config.json'),
  traces: (machine) => [folder(machine), '/Applications/Claude.app'],
  programs: [],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Quit Claude Desktop and start it again.',
};

function folder(machine: Machine): string {
  if (machine.platform === 'darwin') return inHome(machine, 'Library', 'Application Support', 'Claude');
  if (machine.platform !== 'win32') return joined(machine, xdgConfigFolder(machine), 'Claude');
  return packagedFolder(machine) ?? joined(machine, roamingFolder(machine), 'Claude');
}

/** Returns the folder that the app of 2026 and later sees as `%APPDATA%`: Windows gives packaged programs their own. */
function packagedFolder(machine: Machine): string | undefined {
  const local = folderVariable(machine, 'LOCALAPPDATA') ?? inHome(machine, 'AppData', 'Local');
  const packages = joined(machine, local, 'Packages');
  const name = names(packages).find((each) => /^Claude_\w+$/.test(each));
  return name === undefined ? undefined : joined(machine, packages, name, 'LocalCache', 'Roaming', 'Claude');
}

function names(folderPath: string): readonly string[] {
  try {
    return readdirSync(folderPath).toSorted();
  } catch {
    return [];
  }
}
