import { spawn } from 'node:child_process';

export interface ProgramTask {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  /** The working folder. */
  readonly folder: string;
  /** All variables that the program gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Seconds until the program is stopped; 60 by default. */
  readonly seconds?: number | undefined;
}

export interface ProgramEnd {
  /** Exit code; null when the program was stopped. */
  readonly exit: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program to its end, and then ends what it started. */
export async function runToEnd({ program, args, folder, environment, seconds = 60 }: ProgramTask): Promise<ProgramEnd> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const stop = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const timer = setTimeout(stop, seconds * 1000);
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { exit, output, errors };
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Ends the program and all that it started in its process group, hooks included. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // no process of the group is left
  }
}
