import type { Addition, Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand } from '../hookCommand.ts';
import { hookAdditions, momentGroup } from '../hookGroup.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `claude mcp add -s user` writes. */
export const claudeCode: Assistant = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'terminal',
  reportsAs: /^claude[ -]?code/i,
  format: 'json',
  configurationFile: (machine) => joined(machine, folder(machine) ?? machine.home, '.claude.json'),
  traces: (machine) => {
    const settings = folder(machine) ?? inHome(machine, '.claude');
    return [settings, joined(machine, folder(machine) ?? machine.home, '.claude.json')];
  },
  programs: ['claude'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args, env: {} }),
  afterwards: 'Start a new session of Claude Code.',
  settingsFile,
  parts: {
    guard: ({ machine, commandLine }) =>
      hookAdditions(
        {
          PreToolUse: hookGroup(commandLine, waitSeconds),
          PostToolUse: hookGroup(commandLine, 60),
          // It runs in place of PostToolUse when a command fails.
          PostToolUseFailure: hookGroup(commandLine, 60),
          SessionStart: momentGroup(commandLine, 60),
          Stop: momentGroup(commandLine, 60),
          SessionEnd: momentGroup(commandLine, 60),
        },
        settingsFile(machine),
      ),
    // A rule for the whole server; without it, Claude Code asks about each tool of Drawbridge once more.
    permission: ({ machine }) => [
      element(machine, ['permissions', 'allow'], 'mcp__drawbridge', (value) => value === 'mcp__drawbridge'),
    ],
    only: ({ machine }) =>
      ['Edit', 'Write', 'NotebookEdit'].map((tool) => element(machine, ['permissions', 'deny'], tool)),
  },
};

/** The tools that write files or run commands. Hooks of other tools would slow them down for nothing. */
const guardedTools = 'Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|Monitor';

/** Thirty days, which Claude Code 2.1.329 accepts: after its time-out, a hook lets the call pass. */
const waitSeconds = 30 * 24 * 60 * 60;

/** Returns a group of hooks as in code.claude.com/docs/en/hooks. */
function hookGroup(commandLine: string, timeout: number): JsonValue {
  return { matcher: guardedTools, hooks: [{ type: 'command', command: hookCommand(commandLine), timeout }] };
}

function settingsFile(machine: Machine): string {
  return joined(machine, folder(machine) ?? inHome(machine, '.claude'), 'settings.json');
}

function element(
  machine: Machine,
  path: readonly string[],
  value: JsonValue,
  isOurs?: (found: unknown) => boolean,
): Addition {
  return { kind: 'element', file: settingsFile(machine), path, value, ...(isOurs && { isOurs }) };
}

function folder(machine: Machine): string | undefined {
  return folderVariable(machine, 'CLAUDE_CONFIG_DIR');
}
