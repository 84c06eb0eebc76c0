/** Imports the tests once and then runs them for one mutant after the other, as the runner requests. */
/* oxlint-disable unicorn/require-post-message-target-origin -- a channel between threads has no origin */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { inject, test, vi } from 'vitest';
import { channelName, questionSchema, type Question } from './questions.ts';
import type { KeptTest, Run } from './registry.ts';

interface Coverage {
  readonly static: Record<string, number>;
  readonly perTest: Record<string, Record<string, number>>;
}

/** The global state that the mutated sources read. */
interface Mutation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
}

interface LoadedTests {
  readonly tests: readonly KeptTest[];
  readonly run: (keptTest: KeptTest, limit: number) => Promise<Run>;
  readonly end: () => Promise<void>;
}

type MutantRun = Extract<Question, { kind: 'mutantRun' }>;

const firstRunLimit = 60_000;
const mutation: Mutation = {};
const milliseconds = new Map<string, number>();
let hits: Coverage = { static: {}, perTest: {} };
let warm: LoadedTests;

/** The modules that tests have replaced. */
const replaced = new Set<string>();

/**
 * Imports the tests into fresh modules, which have no state from before. Each test that replaces a module gets modules of its
 * own, because a module that was imported earlier would keep what another test put in the place of that module.
 */
async function load(files: readonly string[]): Promise<LoadedTests> {
  mutation.activeMutant = undefined;
  const replacing = new Map(files.map((file) => [file, modulesReplacedBy(file)]));
  const alone = files.filter((file) => replacing.get(file)?.length !== 0);
  const runs = new Map<KeptTest, LoadedTests['run']>();
  const ends: LoadedTests['end'][] = [];
  for (const part of [files.filter((file) => !alone.includes(file)), ...alone.map((file) => [file])]) {
    for (const module of replaced) vi.doUnmock(module);
    vi.resetModules();
    const registry = await import('./registry.ts');
    for (const file of part) {
      registry.startFile(file);
      await import(/* @vite-ignore */ file);
      for (const module of replacing.get(file) ?? []) replaced.add(module);
    }
    for (const keptTest of registry.kept) runs.set(keptTest, registry.runTest);
    ends.push(registry.endAll);
  }
  return {
    tests: [...runs.keys()],
    run: (keptTest, limit) =>
      runs.get(keptTest)?.(keptTest, limit) ?? Promise.reject(new Error(`No test ${keptTest.id}`)),
    async end() {
      for (const end of ends) await end();
    },
  };
}

/** Returns the names of the modules that a test file replaces. */
function modulesReplacedBy(file: string): readonly string[] {
  const calls = readFileSync(file, 'utf8').matchAll(/^vi\.mock\((?:import\()?'(?<module>[^']+)'/gm);
  return [...calls].flatMap(({ groups }) => groups?.['module'] ?? []);
}

async function dryRun(): Promise<object> {
  const results: object[] = [];
  for (const each of warm.tests) {
    mutation.currentTestId = each.id;
    const run = await warm.run(each, firstRunLimit);
    milliseconds.set(each.id, run.milliseconds);
    // Stryker's numbers for passed and failed tests.
    const outcome = run.failure === undefined ? { status: 0 } : { status: 1, failureMessage: run.failure };
    results.push({
      id: each.id,
      name: each.name,
      fileName: each.file,
      timeSpentMs: run.milliseconds,
      ...outcome,
    });
  }
  mutation.currentTestId = undefined;
  hits = structuredClone(mutation.mutantCoverage ?? hits);
  return { status: 'complete', tests: results, mutantCoverage: hits };
}

interface MutantResult {
  readonly status: 'killed' | 'survived';
  readonly nrOfTests: number;
  readonly killedBy?: readonly string[];
  readonly failureMessage?: string;
}

/** Runs the tests, the quickest first, until one fails. */
async function tryMutant(
  loaded: LoadedTests,
  { mutant, tests, hasHitLimit }: MutantRun,
): Promise<{ readonly result: MutantResult; readonly isSpoilt: boolean }> {
  const wanted = tests && new Set(tests);
  const duration = ({ id }: KeptTest): number => milliseconds.get(id) ?? 0;
  const reaching = loaded.tests.filter(({ id }) => wanted?.has(id) ?? true);
  let nrOfTests = 0;
  for (const each of reaching.toSorted((one, other) => duration(one) - duration(other))) {
    nrOfTests += 1;
    const limit = duration(each) * 5 + 1500;
    mutation.activeMutant = mutant;
    mutation.hitCount = 0;
    mutation.hitLimit = hasHitLimit ? (hits.perTest[each.id]?.[mutant] ?? 0) * 20 + 2000 : undefined;
    const { failure } = await loaded.run(each, limit);
    mutation.activeMutant = undefined;
    mutation.hitLimit = undefined;
    if (failure === undefined) continue;
    const isSpoilt = (await loaded.run(each, limit)).failure !== undefined;
    return { result: { status: 'killed', killedBy: [each.id], failureMessage: failure, nrOfTests }, isSpoilt };
  }
  return { result: { status: 'survived', nrOfTests }, isSpoilt: false };
}

/** Runs a mutant, and runs it again in fresh modules when state of the modules may have changed the result. */
async function mutantRun(question: MutantRun): Promise<MutantResult> {
  const { result, isSpoilt } = await tryMutant(warm, question);
  if (result.status === 'killed' && !isSpoilt) return result;
  if (isSpoilt) warm = await load(inject('mutationTests'));
  const wanted = question.tests && new Set(question.tests);
  const files = warm.tests.filter(({ id }) => wanted?.has(id) ?? true).map(({ file }) => file);
  const fresh = await load([...new Set(files)]);
  const again = await tryMutant(fresh, question);
  await fresh.end();
  return again.result;
}

// oxlint-disable-next-line vitest/expect-expect -- it is no test of its own
test('answers the runner', async () => {
  Reflect.set(globalThis, '__stryker__', mutation);
  warm = await load(inject('mutationTests'));
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('ready');
  for (;;) {
    const [message] = await once(channel, 'message');
    const question = questionSchema.parse(message instanceof MessageEvent ? message.data : undefined);
    if (question.kind === 'end') break;
    channel.postMessage(question.kind === 'dryRun' ? await dryRun() : await mutantRun(question));
  }
  channel.close();
});
