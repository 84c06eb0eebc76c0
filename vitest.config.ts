import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { alias } from './test/fakes/editor/alias.ts';
import { LongestFirst } from './test/host/longestFirst.ts';
import { hostPatience } from './test/host/until.ts';

const unitTests = {
  include: ['test/**/*.test.ts'],
  exclude: ['test/e2e/**', 'test/pages/**', 'test/bench/**'],
};

const containing = (files: readonly string[], words: RegExp): string[] =>
  files.filter((file) => words.test(readFileSync(file, 'utf8')));

/** Tests that replace a module; they need modules of their own, the others share theirs and start three times as fast. */
const mockingTests = containing(globSync(unitTests.include, { exclude: unitTests.exclude }), /\bvi\.(mock|doMock)\(/);

/**
 * Host tests that ask for `sharedDrawbridge`: one window for all of them, with the settings that it gives. A host test stays alone
 * when it needs other settings, extensions, windows or programs, looks at all that the host wrote, or at the History or Activity.
 */
const sharingTests = containing(globSync('test/e2e/*.test.ts'), /\bsharedDrawbridge\b/);

/** A unit test that waits longer than 15 s is a bug of the test; what needs longer is no unit test. */
const unit = { environment: 'node', testTimeout: 15_000, hookTimeout: 15_000 } as const;
/** A slow machine is no failure: what must end by itself is tested by its own limit. */
const host = {
  environment: 'node',
  testTimeout: 400_000,
  hookTimeout: 400_000,
  expect: { poll: { timeout: hostPatience } },
} as const;

export default defineConfig({
  test: {
    // Most unit tests wait for something now and then; by default one core would stay idle.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      reporter: ['json-summary'],
      reportsDirectory: '.coverage',
      reportOnFailure: true,
    },
    // Of a failure in CI often only the message is kept, so the message has the values whole.
    chaiConfig: { truncateThreshold: 4000 },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          ...unit,
          name: 'unit',
          include: unitTests.include,
          exclude: [...unitTests.exclude, ...mockingTests],
          isolate: false,
        },
      },
      { resolve: { alias }, test: { ...unit, name: 'unit-mocking', include: mockingTests, pool: 'threads' } },
      {
        test: {
          // The approvals page in a browser, without an editor around it.
          ...host,
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          globalSetup: 'test/ui/page/browserServer.ts',
        },
      },
      // Two hosts at once, whatever the machine has: each takes 1.6 GB.
      {
        test: {
          ...host,
          name: 'e2e',
          include: ['test/e2e/*.test.ts'],
          exclude: sharingTests,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // Not isolated: the files of one worker find the window of the file before.
      {
        test: {
          ...host,
          name: 'shared',
          include: sharingTests,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // Host tests of what seldom breaks, or needs many windows or minutes.
      {
        test: {
          ...host,
          name: 'nightly',
          include: ['test/e2e/nightly/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
