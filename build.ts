/** Bundles the extension: a tiny activation chunk, the server chunk, the sidebar's script. Sizes go to `dist/meta.json`. */
import { build, type Plugin } from 'esbuild';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { ruleJsonSchema } from './src/policy/ruleSchema.ts';

const development = process.argv.includes('--development');

await rm('dist', { recursive: true, force: true });
await mkdir('dist', { recursive: true });

const shared = {
  bundle: true,
  minify: !development,
  sourcemap: development ? ('inline' as const) : (false as const),
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
  metafile: true as const,
};

/** The activation chunk requires the other one when it needs it, instead of holding a copy. */
const mainApart: Plugin = {
  name: 'main apart',
  setup: (building) => building.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.cjs', external: true })),
};

/** The SDK brings a JSON Schema validator (a fifth of the server chunk) for answers to questions that Drawbridge never asks. */
const withoutValidator: Plugin = {
  name: 'without validator',
  setup: (building) =>
    building.onLoad({ filter: /modelcontextprotocol.server.dist.shimsNode\.mjs$/ }, () => ({
      contents: `export { default as process } from 'node:process';
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('Drawbridge asks clients for no input, so it checks none'); }
        }`,
    })),
};

const node = {
  ...shared,
  platform: 'node' as const,
  format: 'cjs' as const,
  target: 'node22',
  outExtension: { '.js': '.cjs' },
  outdir: 'dist',
};

const [extensionHost, page] = await Promise.all([
  build({
    ...node,
    entryPoints: ['src/extension.ts', 'src/main.ts'],
    // The two bundles share no module with state.
    external: ['vscode', '@vscode/ripgrep'],
    plugins: [mainApart, withoutValidator],
  }),
  build({
    ...shared,
    entryPoints: ['src/sidebar/page.ts'],
    outfile: 'dist/sidebar.js',
    platform: 'browser',
    format: 'iife',
    target: 'chrome130',
  }),
]);

// What the JSON editor checks files of rules by; a repository may only be stricter.
const strict = { properties: { rules: { items: { properties: { effect: { enum: ['deny', 'ask'] } } } } } };
await writeFile('dist/rules.schema.json', JSON.stringify(ruleJsonSchema));
await writeFile('dist/policy.schema.json', JSON.stringify({ allOf: [ruleJsonSchema, strict] }));

const outputs = { ...extensionHost.metafile.outputs, ...page.metafile.outputs };
for (const [file, { bytes }] of Object.entries(outputs)) console.log(`${file} ${(bytes / 1024).toFixed(1)} KB`);
await writeFile('dist/meta.json', JSON.stringify({ extensionHost: extensionHost.metafile, page: page.metafile }));
