import { runInNewContext } from 'node:vm';

/** Runs work that a bad algorithm would do for hours, and ends it after a while, so that the test fails and frees the machine. */
export function expectToEnd(work: () => void): void {
  runInNewContext('work()', { work }, { timeout: 4_000 });
}
