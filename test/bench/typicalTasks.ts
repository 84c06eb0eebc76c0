/** One call of an assistant that changes a file. */
export type TaskCall =
  | { readonly kind: 'edit'; readonly path: string; readonly oldText?: string; readonly newText?: string }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string };

export interface TypicalTask {
  readonly title: string;
  /** Each file is changed by a call of its own, which asks as often as it can. */
  readonly calls: readonly TaskCall[];
}

/** A `package.json` with one line for each kind of key. */
export const packageJson = `{
  "name": "shop",
  "version": "1.0.0",
  "scripts": { "test": "vitest" },
  "dependencies": { "express": "5.1.0" }
}
`;

const edits = (...paths: readonly string[]): readonly TaskCall[] => paths.map((path) => ({ kind: 'edit', path }));
const creates = (...paths: readonly string[]): readonly TaskCall[] => paths.map((path) => ({ kind: 'create', path }));

/** Twenty tasks that people give to assistants, with the files that their solutions change in projects of four languages. */
export const typicalTasks: readonly TypicalTask[] = [
  { title: 'fix a bug in a function and cover it', calls: edits('src/cart/total.ts', 'test/cart/total.test.ts') },
  {
    title: 'add an endpoint',
    calls: [...creates('src/api/refunds.ts', 'test/api/refunds.test.ts'), ...edits('src/api/routes.ts', 'docs/api.md')],
  },
  {
    title: 'add a component with its style and story',
    calls: [
      ...creates('src/ui/Badge.tsx', 'src/ui/Badge.module.css', 'src/ui/Badge.stories.tsx'),
      ...edits('src/ui/index.ts'),
    ],
  },
  {
    title: 'use a new library',
    calls: [
      {
        kind: 'edit',
        path: 'package.json',
        oldText: '"express": "5.1.0"',
        newText: '"express": "5.1.0", "zod": "4.0.0"',
      },
      ...edits('src/api/orders.ts', 'src/api/users.ts'),
    ],
  },
  {
    title: 'rename a concept in twelve files',
    calls: edits(...Array.from({ length: 12 }, (_, at) => `src/catalog/part${at}.ts`)),
  },
  { title: 'write tests for a module', calls: creates('test/cart/discount.test.ts', 'test/cart/fixtures.ts') },
  { title: 'explain a feature in the documentation', calls: edits('README.md', 'docs/guide.md') },
  {
    title: 'fix the findings of the linter',
    calls: edits('src/api/orders.ts', 'src/cart/total.ts', 'src/ui/index.ts'),
  },
  {
    title: 'release a version',
    calls: [
      { kind: 'edit', path: 'package.json', oldText: '"version": "1.0.0"', newText: '"version": "1.1.0"' },
      ...edits('CHANGELOG.md'),
    ],
  },
  { title: 'read a setting from the environment', calls: edits('src/config.ts', '.env.example', 'README.md') },
  {
    title: 'add a migration',
    calls: [...creates('db/migrations/0007_refunds.sql'), ...edits('db/schema.sql', 'src/db/refunds.ts')],
  },
  { title: 'repair the build on the server', calls: edits('.github/workflows/ci.yml') },
  {
    title: 'split a large file',
    calls: [...creates('src/checkout/tax.ts', 'src/checkout/shipping.ts'), ...edits('src/checkout/index.ts')],
  },
  {
    title: 'move a helper to where it is used',
    calls: [{ kind: 'move', path: 'src/util/money.ts', to: 'src/cart/money.ts' }, ...edits('src/cart/total.ts')],
  },
  { title: 'translate the texts', calls: [...creates('i18n/de.json'), ...edits('src/i18n/index.ts')] },
  { title: 'restyle a page', calls: edits('src/ui/Checkout.tsx', 'src/ui/checkout.css', 'tailwind.config.js') },
  {
    title: 'add a script for the developers',
    calls: [
      {
        kind: 'edit',
        path: 'package.json',
        oldText: '"test": "vitest"',
        newText: '"test": "vitest", "seed": "node tools/seed.ts"',
      },
      ...creates('tools/seed.ts'),
    ],
  },
  {
    title: 'handle an error in a Go service',
    calls: edits('internal/server/handler.go', 'internal/server/handler_test.go'),
  },
  {
    title: 'add a field to a Django model',
    calls: [...edits('shop/models.py', 'shop/admin.py', 'shop/tests.py'), ...creates('shop/migrations/0004_field.py')],
  },
  { title: 'make a Rust function faster', calls: edits('src/parser.rs', 'benches/parser.rs', 'Cargo.toml') },
];
