import * as z from 'zod';
import type { Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand, isHookCommand } from '../hookCommand.ts';
import { folderVariable, inHome, joined } from '../machinePaths.ts';

/** Describes the entry that `claude mcp add -s user` writes. */
export const claudeCode: Assistant = {
  id: 'claude-code',
  name: 'Claude Code',
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
  settings: {
    file: (machine) => joined(machine, folder(machine) ?? inHome(machine, '.claude'), 'settings.json'),
    elements: (commandLine) => ({
      guard: [
        { path: ['hooks', 'PreToolUse'], value: hookGroup(commandLine, waitSeconds), isOurs: isOurGroup },
        { path: ['hooks', 'PostToolUse'], value: hookGroup(commandLine, 60), isOurs: isOurGroup },
      ],
      // A rule for the whole server; without it, Claude Code asks about each tool of Drawbridge once more.
      permission: [
        {
          path: ['permissions', 'allow'],
          value: 'mcp__drawbridge',
          isOurs: (value) => value === 'mcp__drawbridge',
        },
      ],
    }),
  },
};

/** The tools that write files. Hooks of other tools would slow them down for nothing. */
const editTools = 'Edit|MultiEdit|Write|NotebookEdit';

/** Thirty days, which Claude Code 2.1.329 accepts: after its time-out, a hook lets the edit pass. */
const waitSeconds = 30 * 24 * 60 * 60;

/** Returns a group of hooks as in code.claude.com/docs/en/hooks. */
function hookGroup(commandLine: string, timeout: number): JsonValue {
  return { matcher: editTools, hooks: [{ type: 'command', command: hookCommand(commandLine), timeout }] };
}

const group = z.object({ hooks: z.tuple([z.object({ command: z.string() })]) });

function isOurGroup(value: unknown): boolean {
  return isHookCommand(group.safeParse(value).data?.hooks[0].command ?? '');
}

function folder(machine: Machine): string | undefined {
  return folderVariable(machine, 'CLAUDE_CONFIG_DIR');
}
