import type { LauncherCommand } from '../assistant.ts';

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
