import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { alias } from '../fakes/editor/alias.ts';

const registry = path.resolve('test/mutation/registry.ts');
const ours = path.resolve('test/mutation');

/** The worker is the only test for vitest itself; the registry stores the others. */
export default defineConfig({
  resolve: { alias },
  plugins: [
    {
      name: 'registry',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === 'vitest' && importer !== undefined && !importer.startsWith(ours) ? registry : undefined,
    },
  ],
  test: { include: ['test/mutation/worker.ts'], setupFiles: ['test/mutation/shortLaws.ts'], environment: 'node' },
});
