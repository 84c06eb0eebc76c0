import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/host/longestFirst.ts';

/** Unit tests that take more than four seconds: `npm run test:quick` leaves them out. */
const slow = [
  'test/approvals/kill.test.ts',
  'test/approvals/large.test.ts',
  'test/bridge.test.ts',
  'test/bridge/relayWatching.test.ts',
  'test/conformance/conformance.test.ts',
  'test/policy/secretShapes.test.ts',
  'test/server/http.test.ts',
  'test/server/load.test.ts',
  'test/server/mcp.test.ts',
  'test/tools/edit/patch.test.ts',
  'test/vscode/edits.test.ts',
  'test/vscode/launcher/shellScript.test.ts',
];

/**
 * Host tests that ask for `sharedDrawbridge`: one window for all of them, with the settings that it gives. A host test stays alone
 * when it needs other settings, extensions, windows or programs, looks at all that the host wrote, or at the History or Activity.
 */
const shared = [
  'test/e2e/attention.test.ts',
  'test/e2e/bytes.test.ts',
  'test/e2e/changeMarks.test.ts',
  'test/e2e/changes.test.ts',
  'test/e2e/diffEditing.test.ts',
  'test/e2e/problems.test.ts',
  'test/e2e/sidebarRules.test.ts',
  'test/e2e/shared.test.ts',
];

const missing = [...slow, ...shared].filter((file) => !existsSync(new URL(file, import.meta.url)));
if (missing.length > 0) throw new Error(`Listed in vitest.config.ts, but not there: ${missing.join(', ')}`);

/** A slow machine is no failure: what must end by itself is tested by its own limit. */
const unit = { environment: 'node', testTimeout: 120_000, hookTimeout: 120_000 } as const;
const host = { environment: 'node', testTimeout: 120_000, hookTimeout: 300_000 } as const;

export default defineConfig({
  test: {
    // Most unit tests wait for something now and then; by default one core would stay idle.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/bench/**', ...slow],
        },
      },
      { test: { ...unit, name: 'slow', include: slow } },
      // Two hosts at once, whatever the machine has: each takes 1.6 GB.
      {
        test: {
          ...host,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: shared,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // Not isolated: the files of one worker find the window of the file before.
      {
        test: {
          ...host,
          name: 'shared',
          include: shared,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
