import { momentArgument } from './hooks/hookAdapter.ts';

/** Returns the command by which an assistant starts the hook program. @param commandLine starts the launcher, as a shell reads it */
export function hookCommand(commandLine: string): string {
  return `${commandLine} hook`;
}

/**
 * Returns the command for a hook of a moment of a session. The hook program and the launcher decide nothing for such a hook, whatever
 * fails, because a refusal would keep some assistants from ending their turn.
 */
export function momentCommand(commandLine: string): string {
  return `${hookCommand(commandLine)} ${momentArgument}`;
}

/** Returns whether a command in the settings of an assistant is one of these, whatever launcher it names. */
export function isHookCommand(command: string): boolean {
  return /[\\/]bin[\\/]drawbridge(?:\.cmd)?["']? hook(?: moment)?$/.test(command);
}
