import { mostWaitSeconds } from '#base/nativeEdit.ts';
import type { Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand, momentCommand } from '../hookCommand.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `copilot mcp add` writes; without `tools` Copilot offers no tool. */
export const copilotCli: Assistant = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  kind: 'terminal',
  reportsAs: /^(github[ -])?copilot/i,
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

/** A matcher is for the whole name of a tool. */
const editTools = 'edit|create|apply_patch|str_replace_editor';
const shellTools = 'bash|powershell|write_bash|write_powershell';

/**
 * Returns the content of a file of its own in `~/.copilot/hooks` (docs.github.com/en/copilot/reference/hooks-reference). A failing
 * hook refuses the call, but after its time-out it lets the call pass.
 * @param commandLine starts the launcher, as the shell of the platform reads it
 */
export function copilotHookFile(commandLine: string, platform: NodeJS.Platform): JsonValue {
  const hook = (command: string, timeoutSec: number, matcher?: string): JsonValue[] => [
    {
      type: 'command',
      ...(matcher !== undefined && { matcher }),
      // PowerShell runs a quoted command only after `&`.
      ...(platform === 'win32' ? { powershell: `& ${command}` } : { bash: command }),
      timeoutSec,
    },
  ];
  const [ofCall, ofMoment] = [hookCommand(commandLine), momentCommand(commandLine)];
  return {
    version: 1,
    hooks: {
      preToolUse: hook(`${ofCall} preToolUse`, mostWaitSeconds, `${editTools}|${shellTools}`),
      // The window applies edits itself, and knows when they have ended.
      postToolUse: hook(`${ofCall} postToolUse`, 60, shellTools),
      // Copilot 1.0.102 runs this one for every tool that fails.
      postToolUseFailure: hook(`${ofCall} postToolUseFailure`, 60, shellTools),
      sessionStart: hook(`${ofMoment} sessionStart`, 60),
      agentStop: hook(`${ofMoment} agentStop`, 60),
      sessionEnd: hook(`${ofMoment} sessionEnd`, 60),
    },
  };
}
