// npm test: every check and every test; the last line is `N passed, N failed`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { hostFolder, repository } from './hostFolder.ts';
import { installServer } from './install.ts';
import { packageExtension } from './packageExtension.ts';
import { stopLeftovers } from './processes.ts';
import { progress } from './progress.ts';
import { requireBrowserAndGit } from './systemPackages.ts';

const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const nothing: Count = { passed: 0, failed: 0 };
const oneFailed: Count = { passed: 0, failed: 1 };

const counts: Count[] = [];
const checks = ['check:types', 'check:lint', 'check:format', 'check:unused'];
counts.push(...(await Promise.all(checks.map((name) => step(`npm run ${name}`, () => check(name))))));
// Waits for the network mostly.
const installing = step('test host', install);
counts.push(await step('unit tests', () => vitest('unit', 'unit-mocking')));
const packaging = await step('package', async () => {
  await packageExtension();
  return nothing;
});
const ready = { passed: 0, failed: packaging.failed + (await installing).failed };
counts.push(ready);
if (ready.failed === 0) counts.push(await step('page tests', () => vitest('pages')));
if (ready.failed === 0) counts.push(await step('host tests', () => vitest('e2e')));
await stopLeftovers();

const total = (key: keyof Count) => counts.reduce((sum, count) => sum + count[key], 0);
process.exitCode = total('failed') === 0 ? 0 : 1;
process.stdout.write(`${total('passed')} passed, ${total('failed')} failed\n`);

/** A step that throws counts as one failure; the others still run. */
async function step(name: string, work: () => Promise<Count>): Promise<Count> {
  progress(`--- ${name}`);
  try {
    return await work();
  } catch (error) {
    progress(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return oneFailed;
  }
}

async function install(): Promise<Count> {
  await stopLeftovers();
  if (process.env['DRAWBRIDGE_TEST_HOST_KIND'] !== 'desktop') {
    requireBrowserAndGit();
    await installServer();
  }
  return nothing;
}

/** Prints what the check says when it has ended: others run at the same time. */
async function check(name: string): Promise<Count> {
  const child = start('npm', ['run', '--silent', name], 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  const [code]: (number | null)[] = await once(child, 'close');
  process.stdout.write(output);
  progress(`npm run ${name} ${code === 0 ? 'passed' : 'failed'}`);
  return code === 0 ? nothing : oneFailed;
}

async function vitest(...projects: readonly string[]): Promise<Count> {
  const file = join(hostFolder(), `${projects.join('-')}.json`);
  mkdirSync(hostFolder(), { recursive: true });
  rmSync(file, { force: true });
  const program = join(repository, 'node_modules/vitest/vitest.mjs');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const args = ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const [code]: (number | null)[] = await once(start(process.execPath, [program, ...args], 'inherit'), 'close');
  const { numPassedTests, numFailedTests, testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  // A file that could not be loaded, or whose hooks failed, has failed without a failed test in it.
  const brokenFiles = testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((each) => each.status === 'failed');
  });
  const failed = numFailedTests + brokenFiles.length;
  const unexplained = (code !== 0 && failed === 0) || numPassedTests + failed === 0;
  return { passed: numPassedTests, failed: failed + (unexplained ? 1 : 0) };
}

function start(command: string, args: readonly string[], output: 'inherit' | 'pipe'): ChildProcess {
  const shell = command === 'npm' && process.platform === 'win32'; // npm is a script there
  return spawn(command, args, { cwd: repository, stdio: ['ignore', output, output], shell });
}
