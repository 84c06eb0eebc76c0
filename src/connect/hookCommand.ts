/** Returns the command by which an assistant starts the hook program. @param commandLine starts the launcher, as a shell reads it */
export function hookCommand(commandLine: string): string {
  return `${commandLine} hook`;
}

/** Returns whether a command in the settings of an assistant is one of `hookCommand`, whatever launcher it names. */
export function isHookCommand(command: string): boolean {
  return /[\\/]bin[\\/]drawbridge(?:\.cmd)?["']? hook$/.test(command);
}
