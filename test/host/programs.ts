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
  numFailedTests: z.int(),
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
  const { numPassedTests, numFailedTests, testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  // A file that could not be loaded, or whose hooks failed, has failed without a failed test in it.
  const brokenFiles = testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((each) => each.status === 'failed');
  });
  const failed = numFailedTests + brokenFiles.length;
  const unexplained = (code !== 0 && failed === 0) || numPassedTests + failed === 0;
  return {
    passed: numPassedTests,
    failed: failed + (unexplained ? 1 : 0),
    failures: [
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => failureLine(name, fullName, failureMessages?.[0])),
      ),
      ...brokenFiles.map(({ name, message }) => failureLine(name, 'could not be run', message)),
      ...(unexplained ? [`${label}: vitest ended with ${String(code)} and names no failed test`] : []),
    ],
  };
}

function failureLine(file: string, test: string, message = ''): string {
  return `${relative(repository, file)}: ${test}: ${(message.split('\n', 1)[0] ?? '').slice(0, 500)}`;
}

function start(command: string, args: readonly string[]): ChildProcess {
  const shell = command === 'npm' && process.platform === 'win32'; // npm is a script there
  return spawn(command, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'], shell });
}
