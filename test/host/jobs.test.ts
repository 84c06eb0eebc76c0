import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Count, oneFailed } from './count.ts';
import { type Job, runJobs } from './jobs.ts';

const passed: Count = { passed: 1, failed: 0 };
let written: string[];

beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** Returns jobs that end when the test ends them, and the names of the jobs that have begun. */
function jobsByHand(...rows: readonly Omit<Job, 'run'>[]) {
  const begun: string[] = [];
  const ends = new Map<string, (count: Count) => void>();
  const jobs = rows.map((row): Job => {
    const { promise, resolve } = Promise.withResolvers<Count>();
    ends.set(row.name, resolve);
    return { ...row, run: () => (begun.push(row.name), promise) };
  });
  /** Lets the queue take its next steps after it. */
  const end = async (name: string, count: Count = passed): Promise<void> => {
    ends.get(name)?.(count);
    await new Promise(setImmediate);
  };
  return { jobs, begun, end };
}

it('runs jobs side by side while there are cores, and a later one when an earlier one does not fit', async () => {
  const { jobs, begun, end } = jobsByHand(
    { name: 'one', cores: 1 },
    { name: 'wide', cores: 2 },
    { name: 'small', cores: 1 },
    { name: 'last', cores: 0.5 },
  );
  const total = runJobs(jobs, 2);
  expect(begun).toEqual(['one', 'small']);
  await end('one');
  expect(begun).toEqual(['one', 'small', 'last']);
  await end('small');
  expect(begun).toHaveLength(3);
  await end('last');
  expect(begun).toEqual(['one', 'small', 'last', 'wide']);
  await end('wide');
  expect(await total).toMatchObject({ passed: 4, failed: 0 });
});

it('runs a job that wants more cores than there are when nothing else runs', async () => {
  const { jobs, begun, end } = jobsByHand({ name: 'wide', cores: 8 });
  const total = runJobs(jobs, 2);
  expect(begun).toEqual(['wide']);
  await end('wide');
  expect(await total).toMatchObject(passed);
});

it('begins a job when the job it needs has passed, and skips it when that job has failed', async () => {
  const { jobs, begun, end } = jobsByHand(
    { name: 'install', cores: 1 },
    { name: 'package', cores: 1 },
    { name: 'host tests', cores: 1, needs: ['install', 'package'] },
    { name: 'after', cores: 1, needs: ['host tests'] },
  );
  const total = runJobs(jobs, 4);
  await end('install');
  expect(begun).toEqual(['install', 'package']);
  await end('package', oneFailed);
  expect(begun).toHaveLength(2);
  expect(await total).toMatchObject({ passed: 1, failed: 1 });
  expect(written.join('')).toMatch(/^host tests .* left out$/m);
  expect(written.join('')).toMatch(/^after .* left out$/m);
});

it('counts a job that throws as one failure, and runs the others', async () => {
  const throws: Job = { name: 'throws', cores: 1, run: () => Promise.reject(new Error('broken')) };
  const { jobs, end } = jobsByHand({ name: 'other', cores: 1 });
  const total = runJobs([throws, ...jobs], 1);
  await new Promise(setImmediate);
  await end('other');
  expect(await total).toEqual({ passed: 1, failed: 1, failures: ['throws: broken'], slow: [] });
  expect(written.join('')).toMatch(/^throws +\d+\.\d +\d+\.\d {2}0 passed, 1 FAILED$/m);
});

it('refuses a job whose needed job is not listed before it', async () => {
  const { jobs } = jobsByHand({ name: 'early', cores: 1, needs: ['late'] }, { name: 'late', cores: 1 });
  await expect(runJobs(jobs, 1)).rejects.toThrow('early needs late');
});
