import { defineConfig } from 'vitest/config';
import { alias } from '../fakes/editor/alias.ts';
import { testFiles } from './groups.ts';

/** Each mutant with the tests in a process of its own: slow, and a check of the other way. */
export default defineConfig({
  resolve: { alias },
  test: { include: [...testFiles()], setupFiles: ['test/mutation/shortLaws.ts'], environment: 'node' },
});
