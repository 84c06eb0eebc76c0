import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Host tests that take much longer than others of their size, the longest first. */
const long = ['fuzz.test.ts', 'windows.test.ts', 'rules.test.ts', 'conformance.test.ts', 'bridgeReload.test.ts'];

/**
 * Begins with the files that take longest, so that no worker is left alone with one at the end; among the others the larger
 * goes first. Files that share a window come last: the worker that has one keeps it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array that is sorted here
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (!project.config.isolate) return long.length + 1;
      const at = long.indexOf(basename(moduleId));
      return at === -1 ? long.length : at;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
