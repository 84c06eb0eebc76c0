/** Imports the tests once and then runs them for one mutant after the other, as the runner requests. */
/* oxlint-disable unicorn/require-post-message-target-origin -- a channel between threads has no origin */
import { once } from 'node:events';
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

/** Imports the tests into fresh modules, which have no state from before. */
async function load(files: readonly string[]): Promise<LoadedTests> {
  mutation.activeMutant = undefined;
  vi.resetModules();
  const registry = await import('./registry.ts');
  for (const file of files) {
    registry.startFile(file);
    await import(/* @vite-ignore */ file);
  }
  return { tests: registry.kept, run: registry.runTest, end: registry.endAll };
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
