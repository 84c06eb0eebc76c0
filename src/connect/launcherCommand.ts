import type { LauncherCommand, Machine } from './assistant.ts';
import { ConfigurationError } from './configurationError.ts';
import { folderVariable, joined } from './machinePaths.ts';

/**
 * Returns the command by which assistants start the launcher. Windows starts no `.cmd` without a shell, so the command there
 * is `cmd.exe` without the AutoRun commands; each assistant quotes a path with spaces.
 * @throws ConfigurationError for a path with characters that `cmd.exe` interprets even inside quotation marks
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

/**
 * Returns the absolute path of `cmd.exe`: a bare name could start a program that a repository put into the working
 * directory (A1).
 */
function commandInterpreter(machine: Machine): string {
  const windows = folderVariable(machine, 'SystemRoot') ?? String.raw`C:\Windows`;
  return joined(machine, windows, 'System32', 'cmd.exe');
}

/** Returns a command line for a shell: for `sh` and similar shells, or for `cmd.exe` on Windows. */
export function commandLine({ command, args }: LauncherCommand, platform: NodeJS.Platform): string {
  const quote = platform === 'win32' ? quotedForCmd : quotedForSh;
  return [command, ...args].map(quote).join(' ');
}

function quotedForSh(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word for `cmd.exe`; a path on Windows cannot hold a quotation mark. */
function quotedForCmd(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
