import type { Addition, Assistant, JsonValue, Machine } from '../assistant.ts';
import { hookCommand } from '../hookCommand.ts';
import { hookAdditions } from '../hookGroup.ts';
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

/** Returns the group of hooks for each event. Time-outs are in milliseconds. */
function geminiHookEntries(commandLine: string): Readonly<Record<string, JsonValue>> {
  const group = (timeout: number) => ({
    matcher: 'replace|write_file|run_shell_command',
    hooks: [{ type: 'command', name: 'drawbridge', command: hookCommand(commandLine), timeout }],
  });
  return { BeforeTool: group(2_147_483_000), AfterTool: group(60_000) };
}

function inFolder(machine: Machine, name: string): string {
  return joined(machine, folderVariable(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini', name);
}
