import { defineConfig } from 'vitest/config';

/** The unit tests of what is mutated. */
export default defineConfig({
  test: {
    include: ['test/{policy,approvals,core,server}/**/*.test.ts'],
    // What starts processes or runs ten thousand interleavings is for the whole run of the tests.
    exclude: ['test/approvals/kill.test.ts', 'test/approvals/large.test.ts'],
    setupFiles: ['test/mutation/shortLaws.ts'],
    environment: 'node',
  },
});
