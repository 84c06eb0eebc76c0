import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { type Count, nothing, oneFailed } from './count.ts';
import { hostFolder, repository } from './hostFolder.ts';

const report = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** Runs an npm script, and prints what it says when it has ended: others run at the same time. */
export async function npmScript(name: string, args: readonly string[] = []): Promise<Count> {
  return checked(name, start('npm', ['run', '--silent', name, ...(args.length === 0 ? [] : ['--', ...args])]));
}

/** Runs a program of `node_modules` in the same way. @param file path below `node_modules` */
export async function nodeProgram(file: string, ...args: readonly string[]): Promise<Count> {
  return checked(file, start(process.execPath, [join(repository, 'node_modules', file), ...args]));
}

async function checked(name: string, child: ChildProcess): Promise<Count> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  const [code]: (number | null)[] = await once(child, 'close');
  process.stdout.write(output);
  if (code === 0) return nothing;
  return { ...oneFailed, failures: [`${name} ended with exit code ${String(code)}; its output is above`] };
}

/**
 * Runs vitest projects, and prints line by line what they say. A snapshot that is missing fails: only a developer writes it.
 * @param label stands before each line, since others print at the same time
 * @param projects names of projects in `vitest.config.ts`
 * @param workers how many files run at once; by default what the projects say
 * @param more further arguments
 */
export async function vitest(
  label: string,
  projects: readonly string[],
  workers?: number,
  ...more: readonly string[]
): Promise<Count> {
  const { passed, failures } = await runVitest(label, projects, workers, more);
  return { passed, failed: failures.length, failures: failures.map(lineOf) };
}

/**
 * Runs host tests as `vitest` does. A wait that ran out tells of a busy machine as often as of a bug. Files in which nothing else
 * failed run a second time, one after the other, and fail when a test fails again; those that pass are named in `slow`.
 */
export async function hostTests(label: string, projects: readonly string[]): Promise<Count> {
  const { passed, failures } = await runVitest(label, projects);
  const slow = onlySlow(failures);
  if (slow.length === 0) return { passed, failed: failures.length, failures: failures.map(lineOf) };
  const files = [...new Set(slow.flatMap(({ file }) => file ?? []))];
  process.stdout.write(`${label} | a wait ran out in ${files.join(', ')}: running again, one file at a time\n`);
  const again = await runVitest(label, projects, 1, files);
  const left = [...failures.filter((each) => !slow.includes(each)), ...again.failures];
  return {
    passed: passed + Math.max(slow.length - again.failures.length, 0),
    failed: left.length,
    failures: left.map(lineOf),
    slow: slow.filter(({ file }) => !again.failures.some((each) => each.file === file)).map(lineOf),
  };
}

/** The errors of Vitest, `until`, Playwright and the MCP SDK for a wait that ran out. */
const ranOut = /timed out in \d+ms|^Error: Waited \d+ s in vain|Timeout \d+ms exceeded|Request timed out/;

/** Returns the failures in files where nothing but waits that ran out has failed. */
export function onlySlow(failures: readonly Failure[]): readonly Failure[] {
  return failures.filter(
    ({ file }) => file !== undefined && failures.every((each) => each.file !== file || ranOut.test(each.message)),
  );
}

export interface Failure {
  /** Path from the root of the repository; undefined when no file is known. */
  readonly file?: string;
  readonly test: string;
  /** The error in short, see {@link shortMessage}. */
  readonly message: string;
}

const lineOf = ({ file, test, message }: Failure): string => [file, test, message].filter(Boolean).join(': ');

async function runVitest(
  label: string,
  projects: readonly string[],
  workers?: number,
  more: readonly string[] = [],
): Promise<{ readonly passed: number; readonly failures: readonly Failure[] }> {
  const file = join(hostFolder(), `${projects.join('-')}.json`);
  mkdirSync(hostFolder(), { recursive: true });
  rmSync(file, { force: true });
  const child = start(process.execPath, [
    join(repository, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
    ...more,
    '--update=none',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface(stream).on('line', (line) => process.stdout.write(`${label} | ${line}\n`));
  }
  const [code]: (number | null)[] = await once(child, 'close');
  const { numPassedTests, testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (failed.length > 0) {
      return failed.map((each) => failure(name, each.fullName, each.failureMessages?.[0]));
    }
    // A file that could not be loaded, or whose hooks failed, has failed without a failed test in it.
    return status === 'failed' ? [failure(name, 'could not be run', message)] : [];
  });
  const isUnexplained = failures.length === 0 && (code !== 0 || numPassedTests === 0);
  const unexplained = { test: label, message: `vitest ended with ${String(code)} and names no failed test` };
  return { passed: numPassedTests, failures: isUnexplained ? [unexplained] : failures };
}

function failure(file: string, test: string, message = ''): Failure {
  return { file: relative(repository, file), test, message: shortMessage(message) };
}

/** Returns the first line of an error, with the seed of a property test, which fast-check writes on the second. */
export function shortMessage(message: string): string {
  const [first = '', second = ''] = message.split('\n', 2);
  return `${first.slice(0, 500)}${second.startsWith('{ seed: ') ? ` ${second}` : ''}`;
}

function start(command: string, args: readonly string[]): ChildProcess {
  const shell = command === 'npm' && process.platform === 'win32'; // npm is a script there
  return spawn(command, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'], shell });
}
