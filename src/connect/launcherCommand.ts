import type { LauncherCommand, Machine } from './assistant.ts';
import { ConfigurationError } from './configurationError.ts';
import { folderVariable, joined } from './machinePaths.ts';

/**
 * How assistants start the launcher. Windows starts no `.cmd` without a shell: there it is `cmd.exe` without the commands of
 * AutoRun, and each client puts quotation marks around a path with spaces.
 * @throws ConfigurationError for a path with characters that `cmd.exe` would take for its own, whatever the quotation marks
 */
export function launcherCommand(machine: Machine): LauncherCommand {
  const { platform, launcher } = machine;
  if (platform !== 'win32') return { command: launcher, args: [] };
  const [special] = /[&<>()@^|%,;=]/.exec(launcher) ?? [];
  if (special === undefined) return { command: commandInterpreter(machine), args: ['/d', '/c', launcher] };
  throw new ConfigurationError(
    `Windows cannot start ${launcher} from an assistant: its path has a "${special}".`,
    'Set the environment variable DRAWBRIDGE_HOME to a folder without such characters, and restart the editor.',
  );
}

/** By its whole path: clients look for a bare name in the working directory first, where a repository could put a program (A1). */
function commandInterpreter(machine: Machine): string {
  const windows = folderVariable(machine, 'SystemRoot') ?? String.raw`C:\Windows`;
  return joined(machine, windows, 'System32', 'cmd.exe');
}

/** A command as a human types it into a shell: `sh` and its kin, or `cmd.exe` on Windows. */
export function commandLine({ command, args }: LauncherCommand, platform: NodeJS.Platform): string {
  const quote = platform === 'win32' ? quotedForCmd : quotedForSh;
  return [command, ...args].map(quote).join(' ');
}

function quotedForSh(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A path cannot hold a quote on Windows. */
function quotedForCmd(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
