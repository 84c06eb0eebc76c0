/** Runs test files as the parent process asks, in one Vitest that stays: what was not changed is not transformed again. */
import path from 'node:path';
import { createVitest } from 'vitest/node';
import { laneQuestion, type LaneAnswer } from './laneMessages.ts';

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  // A module that was loaded before would lack the mutation, or still have the previous one.
  isolate: true,
  maxWorkers: 1,
  // A mutation may keep a test waiting for ever.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  update: 'none',
  reporters: [{}],
});

async function run(changed: readonly string[], tests: readonly string[]): Promise<LaneAnswer> {
  for (const file of changed) vitest.invalidateFile(path.resolve(file));
  const wanted = new Set(tests.map((test) => path.resolve(test)));
  const specifications = (await vitest.globTestSpecifications([...tests])).filter(({ moduleId }) =>
    wanted.has(moduleId),
  );
  // Vitest would report earlier runs too.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = testModules.filter((module) => !module.ok());
  const [first] = failed.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allTests('failed')].flatMap((test) => test.result().errors ?? []),
  ]);
  const passed = testModules.reduce((sum, { children }) => sum + [...children.allTests('passed')].length, 0);
  return {
    passed,
    failed: failed.map(({ moduleId }) => path.relative('.', moduleId).replaceAll('\\', '/')),
    message: first?.message ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : ''),
    hasUnhandledErrors: unhandledErrors.length > 0,
  };
}

process.on('message', (message) => {
  const { changed, tests } = laneQuestion.parse(message);
  run(changed, tests).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
