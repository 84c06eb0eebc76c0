import { globSync } from 'node:fs';
import path from 'node:path';

interface Group {
  readonly sources: readonly string[];
  /** Only these tests count, including tests of other groups that run whole calls. */
  readonly tests: readonly string[];
}

/** Without the tests of the files of windows, which set the umask; that is not possible in a thread. */
const serverTests = 'test/mcp/{auth,listener,sessions,tokens,protocol/mcpEndpoint}*.test.ts';

/** The sources that are mutated, and the tests for each group. */
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
  changes: {
    sources: ['src/changes/*.ts', 'src/changes/outside/**/*.ts', 'src/changes/editor/{,diff/}*.ts'],
    tests: ['test/changes/**/*.test.ts'],
  },
  /** The code that writes the user's files. */
  writing: {
    sources: ['src/files/{checkedWrite,createAndMove}.ts', 'src/changes/editor/apply/*.ts'],
    tests: ['test/files/*.test.ts', 'test/changes/editor/{edits,interrupted,recovery}*.test.ts'],
  },
};

/** Tests that start processes, race with a thread or compare very long texts, which only run with all tests. */
export const tooLong = [
  'test/changes/kill.test.ts',
  'test/changes/large.test.ts',
  'test/changes/editor/editsAllOrNothing.test.ts',
  'test/changes/editor/editsSwap.test.ts',
];

/** The name of the variable that carries the group's name into Stryker's processes. */
export const groupVariable = 'DRAWBRIDGE_MUTATION_GROUP';

/** Absolute paths of the tests of this process's group. */
export function testFiles(): readonly string[] {
  const tests = groups[process.env[groupVariable] ?? '']?.tests ?? [];
  const found = globSync([...tests], { exclude: tooLong });
  return found.toSorted().map((file) => path.resolve(file));
}
