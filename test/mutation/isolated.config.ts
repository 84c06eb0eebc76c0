import { defineConfig } from 'vitest/config';
import { testFiles } from './groups.ts';

/** Each mutant with the tests in a process of its own: slow, and a check of the other way. */
export default defineConfig({
  test: { include: [...testFiles()], setupFiles: ['test/mutation/shortLaws.ts'], environment: 'node' },
});
