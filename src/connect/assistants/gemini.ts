import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, joined } from '../machinePaths.ts';

/** Since June 2026, personal accounts use Antigravity CLI instead (github.com/google-gemini/gemini-cli/discussions/28017). */
export const gemini: Assistant = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  format: 'json',
  configurationFile: (machine) => inFolder(machine, 'settings.json'),
  // Another Google program may have made the folder alone, so the files are checked.
  traces: (machine) => ['settings.json', 'installation_id', 'projects.json'].map((name) => inFolder(machine, name)),
  programs: ['gemini'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  note: 'only with an API key or an organisation; Antigravity CLI otherwise',
  afterwards: 'Start a new session of Gemini CLI.',
};

function inFolder(machine: Machine, name: string): string {
  return joined(machine, folderVariable(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini', name);
}
