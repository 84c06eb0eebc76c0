/**
 * `npm run test:threats -- [--host] [id...]`: in copies of the repository, takes the line of each threat row away and expects the
 * tests of the row to turn red. The repository itself is never changed.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { needsHost, needsPackage, threatRows, type ThreatRow } from './threats.ts';

/** The number of copies in use at the same time. */
const lanes = 2;
/** The time limit in milliseconds; a test that hangs without the line counts as failed. */
const testMilliseconds = 30_000;
const runMilliseconds = 10 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { host: { type: 'boolean', default: false } },
});

const wanted = threatRows().filter(
  (row) => (positionals.length === 0 || positionals.includes(row.id)) && (values.host || !needsHost(row)),
);
if (wanted.length === 0) throw new Error(`No such rows: ${positionals.join(' ')}`);

type Tests = ThreatRow['tests'];

const report = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

interface Result {
  readonly fullName: string;
  readonly isRed: boolean;
}

/** Copies every file that git tracks or would add, and links the installed packages. */
function copyRepository(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'drawbridge-threats-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    cpSync(file, path.join(copy, file), { verbatimSymlinks: true });
  }
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Returns a pattern for the full name of a test, which matches any value of a table. */
function patternOf(name: string): string {
  return name
    .split(/%[sdifjo#%]|\$\w+/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('.*');
}

/** Runs these tests; a file that does not load has no results. */
async function results(copy: string, tests: Tests): Promise<readonly Result[]> {
  const output = path.join(copy, 'report.json');
  rmSync(output, { force: true });
  const files = [...new Set(tests.map(({ file }) => file))];
  const pattern = tests.map(({ name }) => patternOf(name)).join('|');
  const vitest = path.resolve('node_modules/vitest/vitest.mjs');
  const own = ['run', '--reporter=json', `--outputFile=${output}`, `--testTimeout=${testMilliseconds}`];
  await new Promise<void>((resolve) => {
    const options = { cwd: copy, timeout: runMilliseconds, env: { ...process.env, CI: '1' }, maxBuffer: 2 ** 28 };
    execFile(process.execPath, [vitest, ...own, ...files, '-t', pattern], options, () => resolve());
  });
  const { testResults } = report.parse(JSON.parse(readFileSync(output, 'utf8')));
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, status }) => ({ fullName, isRed: status === 'failed' }));
}

function ofTest(all: readonly Result[], { name }: Tests[number]): readonly Result[] {
  const pattern = new RegExp(patternOf(name));
  return all.filter(({ fullName }) => pattern.test(fullName));
}

/** Returns what is wrong with a row; undefined when each of its tests fails without the line. */
async function tryRow(copy: string, row: ThreatRow): Promise<string | undefined> {
  const { tests, line } = row;
  const file = path.join(copy, line.file);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    whole.replace(line.find, () => line.replace),
  );
  if (needsPackage(row)) packageExtension(copy);
  try {
    const all = await results(copy, tests);
    for (const test of tests) {
      const own = ofTest(all, test);
      if (own.length === 0) return `did not run: ${test.name}`;
      if (own.every(({ isRed }) => !isRed)) return `stays green: ${test.name}`;
    }
    return undefined;
  } finally {
    writeFileSync(file, whole);
  }
}

/** Returns whether the tests of a row pass. A failed test runs again by itself, because a busy machine may have failed it. */
async function isGreen(copy: string, { tests }: ThreatRow, before: readonly Result[]): Promise<boolean> {
  const passes = (all: readonly Result[]): boolean =>
    tests.every((test) => ofTest(all, test).length > 0 && ofTest(all, test).every(({ isRed }) => !isRed));
  return passes(before) || passes(await results(copy, tests));
}

function packageExtension(copy: string): void {
  execFileSync('npm', ['run', 'package'], { cwd: copy, stdio: 'ignore' });
}

const copies = Array.from({ length: Math.min(lanes, wanted.length) }, copyRepository);
const wrong: string[] = [];
try {
  const [first = ''] = copies;
  if (wanted.some(needsPackage)) packageExtension(first);
  const before = await results(
    first,
    wanted.flatMap(({ tests }) => tests),
  );
  const queue: ThreatRow[] = [];
  for (const row of wanted) {
    if (await isGreen(first, row, before)) queue.push(row);
    else wrong.push(`${row.id} is red, or does not run, before anything was changed`);
  }
  await Promise.all(
    copies.map(async (copy) => {
      for (let row; (row = queue.shift()) !== undefined;) {
        const started = performance.now();
        const problem = await tryRow(copy, row).catch(String);
        if (problem !== undefined) wrong.push(`${row.id} ${problem}`);
        console.log(`${row.id} ${problem ?? 'red'} (${Math.round((performance.now() - started) / 1000)} s)`);
      }
    }),
  );
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
for (const each of wrong) console.error(each);
console.log(`${wanted.length - wrong.length} of ${wanted.length} rows are held by their tests.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
