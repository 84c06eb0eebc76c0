import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { LauncherCommand } from '../assistant.ts';
import { isConfigurationError } from '../configurationError.ts';
import type { LauncherState } from './facts.ts';

const patienceMilliseconds = 10_000;
const run = promisify(execFile);

/**
 * Starts the launcher as an assistant does and asks for its version.
 * @param launcherCommand throws when no assistant can start the launcher
 */
export async function tryLauncher(path: string, launcherCommand: () => LauncherCommand): Promise<LauncherState> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return { kind: 'missing' };
  try {
    const { command, args } = launcherCommand();
    const options = { timeout: patienceMilliseconds, windowsHide: true };
    const { stdout } = await run(command, [...args, '--version'], options);
    const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
    return version === undefined ? { kind: 'fails', why: stdout.trim() } : { kind: 'works', version };
  } catch (error) {
    return { kind: 'fails', why: lastWords(error) };
  }
}

function lastWords(error: unknown): string {
  if (isConfigurationError(error)) return `${error.message} ${error.hint}`;
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return (said || error.message).slice(0, 500);
}
