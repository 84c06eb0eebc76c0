/**
 * `npm run test:mutation -- lines [--check] [--only id,id] [--room room] [--known] [--find] [--host] [--lanes n]`: applies each mutation of
 * `lines.json` to a copy of the repository and runs its killers; for those without a killer, the unit tests of their room.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { laneAnswer, type LaneAnswer, type LaneQuestion } from './laneMessages.ts';
import { needsHost, problemsOf, readLines, testsOfRoom, type Line } from './lines.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** Only checks that each text occurs exactly once and each killer exists. */
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
    room: { type: 'string' },
    /** Ignores the killers of the list and searches for one among the unit tests of the room. */
    find: { type: 'boolean', default: false },
    /** Leaves out the mutations that no test kills, which would need all tests of their rooms. */
    known: { type: 'boolean', default: false },
    /** Runs killers that need a browser or an editor as well. */
    host: { type: 'boolean', default: false },
    lanes: { type: 'string', default: String(availableParallelism()) },
    /** Writes what became of each mutation, as JSON. */
    report: { type: 'string' },
  },
});

/** The time limit in milliseconds for the tests of one mutation; a mutation that exceeds it made a test hang. */
const patience = 240_000;
/** The same for tests that need a browser or an editor. */
const hostPatience = 900_000;
const notCopied: ReadonlySet<string> = new Set([
  '.git',
  '.bench',
  '.screenshots',
  '.mutation',
  '.clients',
  '.coverage',
]);
/** Folders that no test writes to. */
const linked: ReadonlySet<string> = new Set(['node_modules', 'dist', '.host']);

type Outcome = 'killed' | 'survived' | 'hung';

interface Result {
  readonly line: Line;
  readonly outcome: Outcome | 'skipped' | 'no tests';
  /** The test file that failed. */
  readonly killer?: string;
  readonly message?: string;
  readonly milliseconds: number;
}

/** A copy of the repository with a process that runs tests. The work tree itself is never changed. */
class Lane {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'drawbridge-mutation-')));
  #process: ChildProcess | undefined;
  /** Files that were restored since the last run. */
  #restored: readonly string[] = [];

  constructor() {
    cpSync('.', this.folder, {
      recursive: true,
      filter: (source) => !notCopied.has(source) && !linked.has(source) && !source.endsWith('.vsix'),
    });
    for (const name of linked) if (existsSync(name)) symlinkSync(path.resolve(name), path.join(this.folder, name));
  }

  /** Runs tests, with a mutation or without one. */
  async run(tests: readonly string[], line?: Line): Promise<LaneAnswer | 'hung'> {
    if (line === undefined) return this.#ask({ changed: this.#restored, tests });
    const file = path.join(this.folder, line.file);
    const original = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      original.replace(line.find, () => line.replace),
    );
    try {
      return await this.#ask({ changed: [...this.#restored, line.file], tests });
    } finally {
      writeFileSync(file, original);
      this.#restored = [line.file];
    }
  }

  end(): void {
    this.#kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ask(question: LaneQuestion): Promise<LaneAnswer | 'hung'> {
    const child = this.#process ?? (await this.#start());
    const over = new AbortController();
    const late = new Error('It took too long.');
    const end = (): void => over.abort(new Error('The process that runs the tests has ended.'));
    const timer = setTimeout(() => over.abort(late), question.tests.some(needsHost) ? hostPatience : patience);
    child.once('exit', end);
    try {
      const answer = once(child, 'message', { signal: over.signal });
      child.send(question);
      const [message] = await answer;
      return laneAnswer.parse(message);
    } catch (error) {
      this.#kill();
      if (over.signal.reason === late) return 'hung';
      throw over.signal.aborted ? over.signal.reason : error;
    } finally {
      clearTimeout(timer);
      child.off('exit', end);
    }
  }

  async #start(): Promise<ChildProcess> {
    // A process group of its own, so that what a test starts ends with it.
    const child = fork(path.join(this.folder, 'test/mutation/lane.ts'), [], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Snapshots are compared, never written.
      env: { ...process.env, CI: 'true' },
    });
    this.#process = child;
    this.#restored = [];
    await once(child, 'message', { signal: AbortSignal.timeout(patience) });
    return child;
  }

  #kill(): void {
    const pid = this.#process?.pid;
    this.#process = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
}

/** Returns the tests for a mutation; without `--host` none that need a browser or an editor. */
function testsOf(line: Line): readonly string[] {
  const tests = line.killedBy.length === 0 || values.find ? testsOfRoom(line) : line.killedBy;
  return values.host ? tests : tests.filter((test) => !needsHost(test));
}

/** Runs tests, and runs a failed test again, because a flaky failure kills no mutation. */
async function confirmed(lane: Lane, tests: readonly string[], line: Line): Promise<LaneAnswer | 'hung'> {
  const first = await lane.run(tests, line);
  if (first === 'hung' || first.failed.length === 0 || first.failed.some(needsHost)) return first;
  const again = await lane.run(first.failed, line);
  return again === 'hung' || again.failed.length > 0 ? again : lane.run(tests, line);
}

async function tryLine(lane: Lane, line: Line): Promise<Result> {
  const tests = testsOf(line);
  if (tests.length === 0) {
    return { line, outcome: line.killedBy.some(needsHost) ? 'skipped' : 'no tests', milliseconds: 0 };
  }
  const started = performance.now();
  const answer = await confirmed(lane, tests, line);
  const milliseconds = performance.now() - started;
  if (answer === 'hung') return { line, outcome: 'hung', milliseconds };
  const [killer] = answer.failed;
  if (killer === undefined && !answer.hasUnhandledErrors) {
    if (answer.passed === 0) throw new Error(`${line.id}: no test ran of ${tests.join(', ')}`);
    return { line, outcome: 'survived', milliseconds };
  }
  return { line, outcome: 'killed', ...(killer !== undefined && { killer }), message: answer.message, milliseconds };
}

/** Returns why a result fails the run: a listed mutation survives, or an unlisted one is killed. */
function faultOf({ line, outcome, killer }: Result): string | undefined {
  const isListed = line.killedBy.length > 0;
  if (outcome === 'no tests') return `${line.id}: its room has no unit tests`;
  if (outcome === 'survived' && isListed) return `${line.id}: survives ${line.killedBy.join(', ')}`;
  if ((outcome === 'killed' || outcome === 'hung') && !isListed) {
    return `${line.id}: is killed now; list its killer: ${killer ?? `one of ${testsOf(line).join(', ')}`}`;
  }
  return undefined;
}

async function inLanes<Job>(
  lanes: readonly Lane[],
  jobs: readonly Job[],
  work: (lane: Lane, job: Job) => Promise<void>,
) {
  const left = [...jobs];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let job = left.shift(); job !== undefined; job = left.shift()) await work(lane, job);
    }),
  );
}

/** Returns the test files that killed a mutation, but also fail without one. */
async function failingWithout(lanes: readonly Lane[], results: readonly Result[]): Promise<readonly string[]> {
  const killers = [...new Set(results.flatMap(({ killer }) => killer ?? []))];
  const failing: string[] = [];
  await inLanes(lanes, killers, async (lane, killer) => {
    const answer = await lane.run([killer]);
    if (answer === 'hung' || answer.failed.length > 0) failing.push(killer);
  });
  return failing;
}

function printTable(results: readonly Result[]): void {
  const rooms = Map.groupBy(results, ({ line }) => line.room);
  const row = (name: string, own: readonly Result[]): void => {
    const count = (...outcomes: readonly Result['outcome'][]): string =>
      String(own.filter(({ outcome }) => outcomes.includes(outcome)).length).padStart(9);
    console.log(name.padEnd(10) + count('killed', 'hung') + count('survived') + count('skipped'));
  };
  console.log(`\n${''.padEnd(10)}   killed survived  skipped`);
  for (const [room, own] of rooms) row(room, own);
  row('all', results);
}

async function run(lines: readonly Line[]): Promise<boolean> {
  const lanes: Lane[] = [];
  const end = (): void => {
    for (const lane of lanes) lane.end();
  };
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  for (let count = 0; count < Math.min(Number(values.lanes), lines.length); count += 1) lanes.push(new Lane());
  const results: Result[] = [];
  await inLanes(lanes, lines, async (lane, line) => {
    const result = await tryLine(lane, line);
    results.push(result);
    const seconds = (result.milliseconds / 1000).toFixed(1).padStart(6);
    console.log(`${result.outcome.padEnd(8)} ${seconds} s  ${line.id}  ${result.killer ?? ''}`);
  });
  const failing = await failingWithout(lanes, results);
  end();
  if (values.report !== undefined) {
    const told = results.map(({ line: { id }, outcome, killer, message }) => ({ id, outcome, killer, message }));
    writeFileSync(values.report, `${JSON.stringify(told, undefined, 2)}\n`);
  }
  printTable(results);
  if (results.some(({ outcome }) => outcome === 'skipped'))
    console.log('Those that only a page or an editor kills are tried with --host.');
  const faults = [
    ...results.flatMap((result) => faultOf(result) ?? []),
    ...failing.map((test) => `${test} fails without any mutation`),
  ];
  for (const fault of faults) console.error(fault);
  return faults.length === 0;
}

const all = readLines();
const only = values.only?.split(',');
const lines = all.filter(
  ({ id, room, killedBy }) =>
    (only?.includes(id) ?? true) && (values.room ?? room) === room && !(values.known && killedBy.length === 0),
);
const problems = problemsOf(all);
for (const problem of problems) console.error(problem);
if (lines.length === 0) console.error('No mutation of the list is meant.');
if (values.check) console.log(`${all.length} mutations, ${problems.length} problems`);
const isGood = problems.length === 0 && lines.length > 0 && (values.check || (await run(lines)));
process.exitCode = isGood ? 0 : 1;
