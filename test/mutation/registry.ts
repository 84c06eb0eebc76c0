/** Replaces `vitest` while mutants are tried: it stores the tests, so that one process can run them repeatedly. */
import { performance } from 'node:perf_hooks';

export { expect, vi } from 'vitest';

type Action = () => unknown;

interface Hooks {
  readonly before: Action[];
  readonly after: Action[];
}

export interface KeptTest {
  /** The file and the full name; the same in every process. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly run: Action;
  readonly hooks: readonly Hooks[];
}

/** Every test of the files that were imported so far. */
export const kept: KeptTest[] = [];

// Tests may replace the clock by a fake.
const [startTimer, stopTimer] = [setTimeout, clearTimeout];

const lastActions: Action[] = [];
let file = '';
let names: string[] = [];
let hooks: Hooks[] = [];
let finished: Action[] = [];

/** Sets the file of the tests that are imported from now on. */
export function startFile(path: string): void {
  file = path;
  names = [];
  hooks = [{ before: [], after: [] }];
}

/** Runs the hooks that follow the last test. */
export async function endAll(): Promise<void> {
  for (const action of lastActions) await action();
}

/** Tests and groups come with their function last, or with a time limit after it. */
function actionOf(given: readonly unknown[], values: readonly unknown[] = []): Action {
  const action = given.find((value) => typeof value === 'function');
  if (action === undefined) throw new Error('A test has no function.');
  return () => Reflect.apply(action, undefined, values);
}

function keep(name: string, run: Action): void {
  const fullName = [...names, name].join(' > ');
  const twins = kept.filter((other) => other.file === file && other.name === fullName).length;
  kept.push({ id: `${file}#${fullName}#${twins}`, name: fullName, file, run, hooks: [...hooks] });
}

function group(name: string, fill: Action): void {
  names.push(name);
  hooks.push({ before: [], after: [] });
  fill();
  hooks.pop();
  names.pop();
}

function each(use: (name: string, run: Action) => void) {
  return (table: readonly unknown[]) =>
    (name: string, ...given: readonly unknown[]): void => {
      for (const [index, row] of table.entries()) {
        use(`${name} #${index}`, actionOf(given, Array.isArray(row) ? row : [row]));
      }
    };
}

function define(name: string, ...given: readonly unknown[]): void {
  keep(name, actionOf(given));
}

function leaveOut(): void {}

const variants = {
  each: each(keep),
  runIf: (wanted: unknown) => (wanted ? define : leaveOut),
  skipIf: (unwanted: unknown) => (unwanted ? leaveOut : define),
};

export const it = Object.assign(define.bind(undefined), variants);
export const test = Object.assign(define.bind(undefined), variants);

function defineGroup(name: string, ...given: readonly unknown[]): void {
  group(name, actionOf(given));
}

export const describe = Object.assign(defineGroup.bind(undefined), {
  each: each(group),
  runIf: (wanted: unknown) => (wanted ? defineGroup : leaveOut),
});

export function beforeEach(action: Action): void {
  hooks.at(-1)?.before.push(action);
}

export function afterEach(action: Action): void {
  hooks.at(-1)?.after.unshift(action);
}

export function beforeAll(action: Action): void {
  let done: Promise<unknown> | undefined;
  beforeEach(() => (done ??= Promise.resolve(action())));
}

export function afterAll(action: Action): void {
  lastActions.unshift(action);
}

export function onTestFinished(action: Action): void {
  finished.unshift(action);
}

async function runWithHooks({ run, hooks: around }: KeptTest): Promise<void> {
  const lastOfTest: Action[] = [];
  finished = lastOfTest;
  try {
    for (const action of around.flatMap(({ before }) => before)) await action();
    await run();
  } finally {
    for (const action of around.toReversed().flatMap(({ after }) => after)) await action();
    for (const action of lastOfTest) await action();
  }
}

export interface Run {
  /** The message of a failed test. */
  readonly failure?: string;
  readonly milliseconds: number;
}

/** Runs one test. One that needs longer than `limit` milliseconds has failed. */
export async function runTest(keptTest: KeptTest, limit: number): Promise<Run> {
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = startTimer(() => resolve('It did not end in time.'), limit);
  });
  const ended = runWithHooks(keptTest).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const failure = await Promise.race([ended, late]);
  stopTimer(timer);
  return { ...(failure !== undefined && { failure }), milliseconds: performance.now() - start };
}
