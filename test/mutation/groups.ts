import { globSync } from 'node:fs';
import path from 'node:path';

interface Group {
  readonly sources: readonly string[];
  /** Tests of other groups do not count, unless they are the ones that carry a call through. */
  readonly tests: readonly string[];
}

/** The process-wide file mask cannot be set in a thread, as the tests of the windows' files do. */
const serverTests = 'test/server/{auth,http,mcp,sessions,tokens}*.test.ts';

/** What is mutated, and by which tests each is judged. */
export const groups: Readonly<Record<string, Group>> = {
  policy: { sources: ['src/policy/**/*.ts'], tests: ['test/policy/**/*.test.ts'] },
  server: {
    sources: ['src/server/auth.ts', 'src/server/http.ts', 'src/server/requestHeaders.ts'],
    tests: [serverTests],
  },
  core: {
    sources: ['src/core/**/*.ts'],
    tests: ['test/{core,tools,approvals}/**/*.test.ts', serverTests],
  },
  approvals: { sources: ['src/approvals/**/*.ts'], tests: ['test/approvals/**/*.test.ts'] },
};

/** What starts processes or compares very long texts is for the whole run of the tests. */
export const tooLong = ['test/approvals/kill.test.ts', 'test/approvals/large.test.ts'];

/** The name of the variable that carries the group's name into Stryker's processes. */
export const groupVariable = 'DRAWBRIDGE_MUTATION_GROUP';

/** Absolute paths of the tests of this process's group. */
export function testFiles(): readonly string[] {
  const tests = groups[process.env[groupVariable] ?? '']?.tests ?? [];
  const found = globSync([...tests], { exclude: tooLong });
  return found.toSorted().map((file) => path.resolve(file));
}
