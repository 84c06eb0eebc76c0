import { mostWaitSeconds } from '#base/nativeEdit.ts';
import type { Addition, Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand, momentCommand } from '../hookCommand.ts';
import { hookAdditions } from '../hookGroup.ts';
import { folderVariable, joined } from '../machinePaths.ts';

/** Since June 2026, personal accounts use Antigravity CLI instead (github.com/google-gemini/gemini-cli/discussions/28017). */
export const gemini: Assistant = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  kind: 'terminal',
  reportsAs: /^gemini/i,
  format: 'json',
  configurationFile: (machine) => inFolder(machine, 'settings.json'),
  // Another Google program may have made the folder alone, so the files are checked.
  traces: (machine) => ['settings.json', 'installation_id', 'projects.json'].map((name) => inFolder(machine, name)),
  programs: ['gemini'],
  entryPath: ['mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  note: 'only with an API key or an organisation; Antigravity CLI otherwise',
  afterwards: 'Start a new session of Gemini CLI.',
  asksAnyway: true,
  parts: {
    guard: ({ commandLine }) => hookAdditions(geminiHookEntries(commandLine)),
    permission: ({ entryPath }) => [
      { kind: 'value', path: [...entryPath, 'trust'], value: true, isOurs: (value) => value === true },
    ],
    only: () =>
      ['replace', 'write_file'].map((value): Addition => ({ kind: 'element', path: ['tools', 'exclude'], value })),
  },
};

function inFolder(machine: Machine, name: string): string {
  return joined(machine, folderVariable(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini', name);
}

type GeminiEvent = 'BeforeTool' | 'AfterTool' | 'SessionStart' | 'AfterAgent' | 'SessionEnd';

/**
 * Returns the groups of `hooks` in `settings.json`, by event (geminicli.com/docs/hooks/reference).
 * @param commandLine starts the launcher, as the shell of Gemini CLI reads it
 */
export function geminiHookEntries(commandLine: string): Readonly<Record<GeminiEvent, JsonValue>> {
  const moment = group(momentCommand(commandLine), 60_000);
  return {
    // After its time-out, a hook lets the call pass. Node has no timer longer than 24 days, and ends a longer one at once.
    BeforeTool: hookGroup(commandLine, mostWaitSeconds * 1000),
    AfterTool: hookGroup(commandLine, 60_000),
    SessionStart: moment,
    AfterAgent: moment,
    SessionEnd: moment,
  };
}

/** @param timeout milliseconds */
function hookGroup(commandLine: string, timeout: number): JsonValue {
  // Without anchors, tools of servers whose name has one of these words would match too.
  return { matcher: '^(replace|write_file|run_shell_command)$', ...group(hookCommand(commandLine), timeout) };
}

function group(command: string, timeout: number) {
  return { hooks: [{ name: 'drawbridge', type: 'command', command, timeout }] };
}
