import type { Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand } from '../hookCommand.ts';
import { hookAdditions, momentGroup } from '../hookGroup.ts';
import { inHome, joined } from '../machinePaths.ts';

/** Describes the entry of docs.factory.ai/cli/configuration/mcp, "Configuration". Droid reads the file again when it changes. */
export const droid: Assistant = {
  id: 'droid',
  name: 'Droid',
  kind: 'terminal',
  reportsAs: /^(droid|factory)/i,
  format: 'json',
  configurationFile: (machine) => inHome(machine, '.factory', 'mcp.json'),
  traces: (machine) => [inHome(machine, '.factory')],
  programs: ['droid'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args, disabled: false }),
  settingsFile,
  parts: {
    guard: ({ machine, commandLine }) =>
      hookAdditions(
        {
          PreToolUse: hookGroup(commandLine, waitSeconds),
          PostToolUse: hookGroup(commandLine, 60),
          SessionStart: momentGroup(commandLine, 60),
          Stop: momentGroup(commandLine, 60),
          SessionEnd: momentGroup(commandLine, 60),
        },
        settingsFile(machine),
      ),
  },
};

/** Twenty-one days: after its time-out, a hook lets the call pass, and Droid 0.225.2 ends timers above 24.8 days at once. */
const waitSeconds = 21 * 24 * 60 * 60;

/** Returns a group of hooks as in docs.factory.ai/reference/hooks-reference. */
function hookGroup(commandLine: string, timeout: number): JsonValue {
  return {
    matcher: 'Edit|Create|ApplyPatch|MultiEdit|Execute',
    hooks: [{ type: 'command', command: hookCommand(commandLine), timeout }],
  };
}

function settingsFile(machine: Machine): string {
  return joined(machine, inHome(machine, '.factory'), 'settings.json');
}
