import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const unitTests = {
  include: ['test/**/*.test.ts'],
  exclude: ['test/e2e/**', 'test/pages/**', 'test/bench/**'],
};

/** Tests that replace a module; they need modules of their own, the others share theirs and start three times as fast. */
const mockingTests = globSync(unitTests.include, { exclude: unitTests.exclude }).filter((path) =>
  /\bvi\.(mock|doMock)\(/.test(readFileSync(path, 'utf8')),
);

/** A unit test that waits longer than 15 s is a bug of the test; what needs longer is no unit test. */
const unit = { environment: 'node', testTimeout: 15_000, hookTimeout: 15_000 } as const;
/** A slow machine is no failure: what must end by itself is tested by its own limit. */
const host = { environment: 'node', testTimeout: 120_000, hookTimeout: 300_000 } as const;

export default defineConfig({
  test: {
    // Most unit tests wait for something now and then; by default one core would stay idle.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['json-summary'],
      reportsDirectory: '.coverage',
      reportOnFailure: true,
    },
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: unitTests.include,
          exclude: [...unitTests.exclude, ...mockingTests],
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-mocking', include: mockingTests, pool: 'threads' } },
      {
        test: {
          // The approvals page in a browser, without an editor around it.
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          environment: 'node',
          globalSetup: 'test/sidebar/browserServer.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { ...host, name: 'e2e', include: ['test/e2e/**/*.test.ts'], fileParallelism: false } },
    ],
  },
});
