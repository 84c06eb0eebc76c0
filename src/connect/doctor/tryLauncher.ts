import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { LauncherCommand } from '../assistant.ts';
import { isConfigurationError } from '../configurationError.ts';
import { hookProbe } from '../hooks/hookAdapter.ts';
import type { HookState, LauncherState } from './facts.ts';

const patienceMilliseconds = 10_000;
const run = promisify(execFile);

/**
 * Starts the launcher as an assistant does and asks for its version.
 * @param launcherCommand throws when no assistant can start the launcher
 */
export async function tryLauncher(path: string, launcherCommand: () => LauncherCommand): Promise<LauncherState> {
  if (!(await exists(path))) return { kind: 'missing' };
  try {
    const stdout = await outputOf(launcherCommand(), '--version', '');
    const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
    return version === undefined ? { kind: 'fails', why: stdout.trim() } : { kind: 'works', version };
  } catch (error) {
    return { kind: 'fails', why: lastWords(error) };
  }
}

/** Starts the hook program by the launcher, as an assistant does, with a probe instead of an edit. */
export async function tryHook(path: string, launcherCommand: () => LauncherCommand): Promise<HookState> {
  if (!(await exists(path))) return { kind: 'missing' };
  try {
    const stdout = await outputOf(launcherCommand(), 'hook', JSON.stringify({ [hookProbe]: true }));
    return stdout === hookProbe ? { kind: 'works' } : { kind: 'fails', why: stdout.trim() };
  } catch (error) {
    return { kind: 'fails', why: lastWords(error) };
  }
}

async function outputOf({ command, args }: LauncherCommand, last: string, input: string): Promise<string> {
  const started = run(command, [...args, last], { timeout: patienceMilliseconds, windowsHide: true });
  // A program that does not read its input may have closed it.
  started.child.stdin?.on('error', () => undefined).end(input);
  return (await started).stdout;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function lastWords(error: unknown): string {
  if (isConfigurationError(error)) return `${error.message} ${error.hint}`;
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return (said || error.message).slice(0, 500);
}
