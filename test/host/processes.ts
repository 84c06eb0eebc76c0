import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { hostFolder } from './hostFolder.ts';

/** Says "this process belongs to that run": inherited by everything a process starts, so nothing can slip out of it. */
const mark = 'DRAWBRIDGE_HOST_RUN';

const runRecord = z.object({ directory: z.string(), runner: z.int(), runnerStart: z.string() });
type RunRecord = z.infer<typeof runRecord>;

/** A temporary directory and every process started in its name. After `stop` neither is left. */
export interface Run {
  /** Absolute and short: sockets below it must stay under 108 characters. */
  readonly directory: string;
  /** Starts a process in a group of its own, with pipes on stdout and stderr. */
  spawn(command: string, args: readonly string[], environment?: NodeJS.ProcessEnv): ChildProcess;
  /** Environment for a process that somebody else starts for this run (Playwright). */
  environment(extra?: NodeJS.ProcessEnv): Record<string, string>;
  /** SIGTERM to what `spawn` started, five seconds of patience, SIGKILL to whatever still carries the mark. */
  stop(): Promise<void>;
}

const running = new Set<string>();
let signalsHandled = false;

/** Starts a run. It is written down, so that the next start cleans up behind a runner that was killed. */
export function startRun(): Run {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'db-')));
  mkdirSync(join(directory, 't'));
  const record: RunRecord = { directory, runner: process.pid, runnerStart: startTime(process.pid) ?? '' };
  mkdirSync(recordsFolder(), { recursive: true });
  writeFileSync(recordFile(directory), JSON.stringify(record));
  running.add(directory);
  handleSignals();
  const children: ChildProcess[] = [];
  const environment = (extra: NodeJS.ProcessEnv = {}): Record<string, string> => {
    // TMPDIR: sockets and scratch files of the editor and the browser go away with the run.
    const all = { ...cleanEnvironment(), TMPDIR: join(directory, 't'), ...extra, [mark]: directory };
    return Object.fromEntries(
      Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
  };
  return {
    directory,
    environment,
    spawn(command, args, extra) {
      const child = spawn(command, args, {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: environment(extra),
      });
      children.push(child);
      return child;
    },
    async stop() {
      for (const { pid } of children) if (pid !== undefined) signal(-pid, 'SIGTERM');
      for (let waited = 0; waited < 5000 && processesOf(directory).length > 0; waited += 50) await sleep(50);
      await remove(directory);
      running.delete(directory);
    },
  };
}

/**
 * Stops the processes and removes the directories of runs whose runner is gone.
 * @returns how many such runs there were
 */
export async function stopLeftovers(): Promise<number> {
  mkdirSync(recordsFolder(), { recursive: true });
  let stopped = 0;
  for (const name of readdirSync(recordsFolder())) {
    const record = readRecord(join(recordsFolder(), name));
    if (record === undefined || isAlive(record)) continue;
    // Another runner may remove the same run at this moment, which must not fail the run that starts now.
    await remove(record.directory).catch(() => undefined);
    stopped += 1;
  }
  return stopped;
}

/** Process ids that carry the mark of `directory` in their environment or name it in their command line. */
export function processesOf(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  const needle = `${mark}=${directory}\0`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      // Chromium writes its title over the environment of its children; their command line still names the profile.
      const commandLine = readProcess(pid, 'cmdline');
      return commandLine.includes(`${directory}/`) || `${readProcess(pid, 'environ')}\0`.includes(needle);
    })
    .filter((pid) => !hasEnded(pid));
}

async function remove(directory: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const left = processesOf(directory);
    if (left.length === 0) break;
    for (const pid of left) signal(pid, 'SIGKILL');
    await sleep(20);
  }
  removeFiles(directory);
}

function removeFiles(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  rmSync(recordFile(directory), { force: true });
}

/** On a signal or a plain exit nothing may stay behind, whatever the caller forgot. */
function handleSignals(): void {
  if (signalsHandled) return;
  signalsHandled = true;
  process.on('exit', () => {
    for (const directory of running) {
      for (const pid of processesOf(directory)) signal(pid, 'SIGKILL');
      removeFiles(directory);
    }
  });
  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    process.once(name, () => process.exit(128 + number));
  }
}

function isAlive(record: RunRecord): boolean {
  try {
    process.kill(record.runner, 0);
  } catch {
    return false;
  }
  if (hasEnded(record.runner)) return false;
  return record.runnerStart === '' || startTime(record.runner) === record.runnerStart;
}

function readRecord(file: string): RunRecord | undefined {
  try {
    return runRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined; // being written or removed by another runner
  }
}

/** Field 22 of /proc/PID/stat, clock ticks since boot; it distinguishes a reused process id (Linux only). */
function startTime(pid: number): string | undefined {
  return readProcess(pid, 'stat').split(') ').at(-1)?.split(' ')[19];
}

/** Ended, but not yet collected by its parent: still listed, still taking signals. */
function hasEnded(pid: number): boolean {
  return /^\d+ \(.*\) Z/s.test(readProcess(pid, 'stat'));
}

function readProcess(pid: number, file: 'cmdline' | 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // ended, or not ours to read
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // already gone
  }
}

/** The environment without what a surrounding editor, npm or test runner put there for itself. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(VSCODE_|ELECTRON_|npm_|VITEST|DRAWBRIDGE_)|^(NODE_OPTIONS|NODE_ENV|NODE_PATH|TEST|INIT_CWD)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !own.test(key)));
}

function recordsFolder(): string {
  return join(hostFolder(), 'run');
}

function recordFile(directory: string): string {
  return join(recordsFolder(), `${basename(directory)}.json`);
}
