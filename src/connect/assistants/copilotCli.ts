import type { Assistant, Machine } from '../assistant.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `copilot mcp add` writes; without `tools` Copilot offers no tool. */
export const copilotCli: Assistant = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  format: 'json',
  configurationFile: (machine) => inFolder(machine, 'mcp-config.json'),
  // An editor may have made the folder alone, so the files are checked.
  traces: (machine) => ['mcp-config.json', 'config.json', 'settings.json'].map((name) => inFolder(machine, name)),
  programs: ['copilot'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
  afterwards: 'Start a new session of GitHub Copilot CLI.',
  parts: {
    guard: ({ machine, commandLine }) => [
      {
        kind: 'file',
        file: joined(machine, inFolder(machine, 'hooks'), 'drawbridge.json'),
        text: copilotHookFile(commandLine),
      },
    ],
  },
};

/** Returns the text of the file with our hooks. The input of a hook does not name its event, so the command does. */
function copilotHookFile(commandLine: string): string {
  const hook = (event: string, timeoutSec: number) => [
    {
      type: 'command',
      bash: `${commandLine} hook ${event}`,
      powershell: `& ${commandLine} hook ${event}`,
      timeoutSec,
    },
  ];
  const hooks = {
    preToolUse: hook('preToolUse', 2_147_483),
    permissionRequest: hook('permissionRequest', 2_147_483),
    postToolUse: hook('postToolUse', 60),
  };
  return `${JSON.stringify({ version: 1, hooks }, undefined, 2)}\n`;
}

function inFolder(machine: Machine, name: string): string {
  return joined(machine, folderVariable(machine, 'COPILOT_HOME') ?? inHome(machine, '.copilot'), name);
}
