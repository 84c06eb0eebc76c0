import { runInNewContext } from 'node:vm';

/** Does work that a bad algorithm would do for hours: that is ended, so that the test fails and the machine is free again. */
export function expectToEnd(work: () => void): void {
  runInNewContext('work()', { work }, { timeout: 4_000 });
}
