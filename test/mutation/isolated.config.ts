import { defineConfig } from 'vitest/config';
import { alias } from '../fakes/editor/alias.ts';
import { testFiles } from './groups.ts';

/** Runs the tests of each mutant in a process of its own, which is slow and checks the results of `warm.config.ts`. */
export default defineConfig({
  resolve: { alias },
  test: { include: [...testFiles()], setupFiles: ['test/mutation/shortLaws.ts'], environment: 'node' },
});
