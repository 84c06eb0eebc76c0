import { globSync } from 'node:fs';
import path from 'node:path';

interface Group {
  readonly sources: readonly string[];
  /** Tests of other groups do not count, unless they are the ones that carry a call through. */
  readonly tests: readonly string[];
}

/** The process-wide file mask cannot be set in a thread, as the tests of the windows' files do. */
const serverTests = 'test/mcp/{auth,listener,sessions,tokens,protocol/mcpEndpoint}*.test.ts';

/** What is mutated, and by which tests each is judged. */
export const groups: Readonly<Record<string, Group>> = {
  policy: { sources: ['src/policy/**/*.ts'], tests: ['test/policy/**/*.test.ts'] },
  server: {
    sources: ['src/mcp/auth.ts', 'src/mcp/listener.ts', 'src/mcp/requestHeaders.ts'],
    tests: [serverTests],
  },
  call: {
    sources: ['src/call/**/*.ts'],
    tests: ['test/{call,tools,changes}/**/*.test.ts', serverTests],
  },
  changes: { sources: ['src/changes/**/*.ts'], tests: ['test/changes/**/*.test.ts'] },
};

/** What starts processes or compares very long texts is for the whole run of the tests. */
export const tooLong = ['test/changes/kill.test.ts', 'test/changes/large.test.ts'];

/** The name of the variable that carries the group's name into Stryker's processes. */
export const groupVariable = 'DRAWBRIDGE_MUTATION_GROUP';

/** Absolute paths of the tests of this process's group. */
export function testFiles(): readonly string[] {
  const tests = groups[process.env[groupVariable] ?? '']?.tests ?? [];
  const found = globSync([...tests], { exclude: tooLong });
  return found.toSorted().map((file) => path.resolve(file));
}
