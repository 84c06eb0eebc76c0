import type { Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand } from '../hookCommand.ts';
import { hookAdditions, momentGroup } from '../hookGroup.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

export const codex: Assistant = {
  id: 'codex',
  name: 'Codex',
  kind: 'terminal',
  reportsAs: /^codex/i,
  format: 'toml',
  configurationFile: (machine) => joined(machine, folder(machine), 'config.toml'),
  traces: (machine) => [folder(machine)],
  programs: ['codex'],
  entryPath: ['mcp_servers', 'drawbridge'],
  // Codex clears the environment, and this variable tells the bridge which window's terminal it runs in.
  entry: ({ command, args }) => ({ command, args, env_vars: ['DRAWBRIDGE_WINDOW'] }),
  afterwards: 'Start a new session of Codex.',
  parts: {
    guard: ({ machine, commandLine }) => hookAdditions(codexHookEntries(commandLine), codexHookFile(machine)),
    permission: ({ entryPath }) => [
      {
        kind: 'value',
        path: [...entryPath, 'default_tools_approval_mode'],
        value: 'approve',
        isOurs: (value) => value === 'approve',
      },
    ],
  },
};

/** Returns the file with this user's hooks. */
export function codexHookFile(machine: Machine): string {
  return joined(machine, folder(machine), 'hooks.json');
}

function folder(machine: Machine): string {
  return folderVariable(machine, 'CODEX_HOME') ?? inHome(machine, '.codex');
}

type HookEvent = 'PreToolUse' | 'PermissionRequest' | 'PostToolUse' | 'SessionStart' | 'Stop' | 'SessionEnd';

/**
 * The names by which hooks know the tools that write files or run commands. Codex 0.169.0 compares whole names, and uses
 * `apply_patch` and `Bash` of these; the others are those of its own tools and of Claude Code, should it use them some day.
 */
const guardedTools = 'apply_patch|Edit|Write|Bash|shell|shell_command|exec_command|write_stdin';

/** Thirty days, which Codex 0.169.0 accepts: after its time-out, a hook lets the call pass. */
const waitSeconds = 30 * 24 * 60 * 60;

/**
 * Returns the group of hooks for each event in `hooks.json`. It must stay as it is, byte for byte, since the user trusts exactly
 * these hooks: Codex skips, without a message, a hook that has changed in any way or has another place in the list.
 * @param commandLine starts the launcher, as a shell reads it
 */
export function codexHookEntries(commandLine: string): Readonly<Record<HookEvent, JsonValue>> {
  const group = (timeout: number): JsonValue => ({
    matcher: guardedTools,
    hooks: [{ type: 'command', command: hookCommand(commandLine), timeout }],
  });
  const moment = momentGroup(commandLine, 60);
  return {
    PreToolUse: group(waitSeconds),
    PermissionRequest: group(60),
    PostToolUse: group(60),
    SessionStart: moment,
    Stop: moment,
    SessionEnd: moment,
  };
}
