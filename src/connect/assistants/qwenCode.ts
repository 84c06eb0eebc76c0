import type { Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand } from '../hookCommand.ts';
import { hookAdditions, momentGroup } from '../hookGroup.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `qwen mcp add --scope user` writes. */
export const qwenCode: Assistant = {
  id: 'qwen-code',
  name: 'Qwen Code',
  kind: 'terminal',
  reportsAs: /^qwen/i,
  format: 'json',
  configurationFile: (machine) => joined(machine, folder(machine), 'settings.json'),
  traces: (machine) => [folder(machine)],
  programs: ['qwen'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Start a new session of Qwen Code.',
  parts: {
    guard: ({ commandLine }) =>
      hookAdditions({
        PreToolUse: hookGroup(commandLine, waitMilliseconds),
        PostToolUse: hookGroup(commandLine, 60_000),
        PostToolUseFailure: hookGroup(commandLine, 60_000),
        SessionStart: momentGroup(commandLine, 60_000),
        Stop: momentGroup(commandLine, 60_000),
        SessionEnd: momentGroup(commandLine, 60_000),
      }),
    // Tried with 0.24.4: without this rule, Qwen Code asks about each tool of Drawbridge once more.
    permission: () => [
      {
        kind: 'element',
        path: ['permissions', 'allow'],
        value: 'mcp__drawbridge',
        isOurs: (value) => value === 'mcp__drawbridge',
      },
    ],
  },
};

/** Twenty-one days: after its time-out, a hook lets the call pass, and Node ends timers above 24.8 days at once. */
const waitMilliseconds = 21 * 24 * 60 * 60 * 1000;

/** @param timeout milliseconds, as Qwen Code 0.24.4 takes numbers from 1,000 on */
function hookGroup(commandLine: string, timeout: number): JsonValue {
  return {
    matcher: '^(edit|write_file|notebook_edit|run_shell_command|monitor)$',
    hooks: [{ type: 'command', command: hookCommand(commandLine), timeout }],
  };
}

function folder(machine: Machine): string {
  return folderVariable(machine, 'QWEN_HOME') ?? inHome(machine, '.qwen');
}
