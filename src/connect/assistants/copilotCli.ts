import { mostWaitSeconds } from '#base/nativeEdit.ts';
import type { Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand } from '../hookCommand.ts';
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
        text: `${JSON.stringify(copilotHookFile(commandLine, machine.platform), undefined, 2)}\n`,
      },
    ],
  },
};

function inFolder(machine: Machine, name: string): string {
  return joined(machine, folderVariable(machine, 'COPILOT_HOME') ?? inHome(machine, '.copilot'), name);
}

/** The tools that write files; a matcher is for the whole name. */
const editTools = 'edit|create|apply_patch|str_replace_editor';

/**
 * Returns the content of a file of its own in `~/.copilot/hooks` (docs.github.com/en/copilot/reference/hooks-reference). A failing
 * hook refuses the edit, but after its time-out it lets the edit pass.
 * @param commandLine starts the launcher, as the shell of the platform reads it
 */
export function copilotHookFile(commandLine: string, platform: NodeJS.Platform): JsonValue {
  const command = `${hookCommand(commandLine)} preToolUse`;
  // PowerShell runs a quoted command only after `&`.
  const shell = platform === 'win32' ? { powershell: `& ${command}` } : { bash: command };
  const hook = { type: 'command', matcher: editTools, ...shell, timeoutSec: mostWaitSeconds };
  return { version: 1, hooks: { preToolUse: [hook] } };
}
