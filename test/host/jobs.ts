import { availableParallelism } from 'node:os';
import { type Count, nothing, oneFailed } from './count.ts';
import { progress } from './progress.ts';

/** One part of a test run. */
export interface Job {
  readonly name: string;
  /** Cores that the job keeps busy, more than 0; the job runs alone when that is more than the machine has. */
  readonly cores: number;
  /** Names of jobs that must have passed before; when one of them has not, this job is left out. */
  readonly needs?: readonly string[];
  run(): Promise<Count>;
}

interface Row {
  readonly name: string;
  readonly started: number;
  /** Undefined for a job that was left out. */
  readonly seconds?: number;
  readonly count: Count;
}

/**
 * Runs jobs side by side as far as the cores allow; among those that may start, the first in the list goes first. A job that
 * throws counts as one failure, and the others still run. Prints the seconds of every job at the end.
 * @param cores of the machine
 * @returns the sum of all counts
 */
export async function runJobs(jobs: readonly Job[], cores = availableParallelism()): Promise<Count> {
  checkNeeds(jobs);
  const rows = new Map<string, Row>();
  const running = new Map<string, Promise<void>>();
  const waiting = new Set(jobs);
  const start = Date.now();
  const seconds = (): number => (Date.now() - start) / 1000;
  let busy = 0;
  const begin = async (job: Job): Promise<void> => {
    const started = seconds();
    busy += job.cores;
    progress(`--- ${job.name}`);
    const count = await countOf(job);
    busy -= job.cores;
    running.delete(job.name);
    rows.set(job.name, { name: job.name, started, seconds: seconds() - started, count });
    progress(`${job.name}: ${sentence(count)}`);
  };
  while (waiting.size > 0 || running.size > 0) {
    for (const job of waiting) {
      const needs = (job.needs ?? []).map((need) => rows.get(need));
      if (needs.some((need) => need !== undefined && !hasPassed(need))) {
        waiting.delete(job);
        rows.set(job.name, { name: job.name, started: seconds(), count: nothing });
        progress(`${job.name} is left out: what it needs has failed`);
      } else if (needs.every((need) => need !== undefined) && (busy === 0 || busy + job.cores <= cores)) {
        waiting.delete(job);
        running.set(job.name, begin(job));
      }
    }
    // Promise.race() of an empty list never settles.
    if (running.size > 0) await Promise.race(running.values());
  }
  process.stdout.write(`${table([...rows.values()])}\n`);
  const counts = [...rows.values()].map(({ count }) => count);
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    failures: counts.flatMap(({ failures = [] }) => failures),
    slow: counts.flatMap(({ slow = [] }) => slow),
  };
}

/**
 * Runs jobs as the whole of a program: prints the failed and the slow tests (often only the end of a log is kept), then `N passed, N failed` as
 * the last line, and sets the exit code.
 */
export async function runProgram(jobs: readonly Job[], cores?: number): Promise<void> {
  const { passed, failed, failures = [], slow = [] } = await runJobs(jobs, cores);
  process.exitCode = failed === 0 ? 0 : 1;
  for (const test of slow) process.stdout.write(`SLOW    ${test} (passed when it ran again alone)\n`);
  for (const failure of failures) process.stdout.write(`FAILED  ${failure}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
}

function checkNeeds(jobs: readonly Job[]): void {
  const before = new Set<string>();
  for (const { name, needs = [] } of jobs) {
    const missing = needs.filter((need) => !before.has(need));
    if (missing.length > 0) throw new Error(`The job ${name} needs ${missing.join(', ')}, which must stand before it.`);
    before.add(name);
  }
}

async function countOf(job: Job): Promise<Count> {
  try {
    return await job.run();
  } catch (error) {
    progress(`${job.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return { ...oneFailed, failures: [`${job.name}: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

const hasPassed = ({ seconds, count }: Row): boolean => seconds !== undefined && count.failed === 0;

function sentence({ passed, failed }: Count): string {
  if (failed > 0) return `${passed} passed, ${failed} FAILED`;
  return passed > 0 ? `${passed} passed` : 'passed';
}

/** Returns one line for each job: its name, start, duration and result. */
function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (...[name, started, took, result]: readonly [string, string, string, string]): string =>
    `${name.padEnd(width)}  ${started.padStart(7)}  ${took.padStart(7)}  ${result}`;
  return [
    line('job', 'start s', 'took s', ''),
    ...rows.map(({ name, started, seconds, count }) =>
      line(name, started.toFixed(1), seconds?.toFixed(1) ?? '-', seconds === undefined ? 'left out' : sentence(count)),
    ),
  ].join('\n');
}
