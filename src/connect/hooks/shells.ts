import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import type { Shell } from '#base/nativeCommand.ts';

const byName: Readonly<Record<string, Shell>> = {
  bash: 'bash',
  sh: 'bash',
  dash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  nu: 'nu',
  cmd: 'cmd',
  powershell: 'powershell',
  pwsh: 'powershell',
};

/** Returns the shell that a program is, by the name of its file. A POSIX `sh` counts as bash. @param program a path or a name */
export function shellOf(program: string | undefined): Shell {
  const name = basename((program ?? '').replaceAll('\\', '/')).toLowerCase();
  return byName[name.replace(/\.exe$/, '')] ?? 'other';
}

/** Returns the shell in the user database, which Codex uses; `other` for a user without a name. */
export function loginShell(): Shell {
  try {
    return shellOf(userInfo().shell ?? undefined);
  } catch {
    return 'other';
  }
}

/** Returns whether a program can be started. @param path absolute */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
