/**
 * Bundles the extension: a tiny activation chunk, the server chunk, the editing of configurations, the sidebar's script, the workers that parse, colour
 * and scale images with their files; and the programs that run without the editor: the bridge, with what it has to lie beside, and what uninstalling runs. Sizes go to `dist/meta.json`.
 */
import { build, type Metafile, type Plugin } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { isOnByItself } from './src/call/windowCatalog.ts';
import { engineFile } from './src/colours/colourMessages.ts';
import { codecFiles } from './src/files/imageScaler.ts';
import { listTools } from './src/mcp/protocol/lists.ts';
import { ruleJsonSchema } from './src/policy/ruleSchema.ts';
import { grammars, runtimeFile, tagFiles } from './src/syntax/grammars.ts';
import { packedSuffix } from './src/syntax/packedFile.ts';
import { tools } from './src/tools/index.ts';

const development = process.argv.includes('--development');

await rm('dist', { recursive: true, force: true });
for (const folder of ['syntax', 'colours', 'images']) await mkdir(join('dist', folder), { recursive: true });

const shared = {
  bundle: true,
  minify: !development,
  sourcemap: development ? ('inline' as const) : (false as const),
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
  metafile: true as const,
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

/** The other form of this library hides its own files from the bundler. */
const plainJsonc = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/** The script of the review page in one of its places. */
const page = (name: string, place: 'sideBar' | 'tab') =>
  build({
    ...shared,
    entryPoints: ['src/ui/page/page.tsx'],
    outfile: `dist/${name}.js`,
    platform: 'browser',
    format: 'iife',
    target: 'chrome130',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { PLACE: JSON.stringify(place) },
  });

const [extensionHost, workers, programs, sideBar, tab] = await Promise.all([
  build({
    ...node,
    entryPoints: ['src/main/extension.ts'],
    // ES modules can be split: each `import()` begins a chunk, and a module that two chunks need is in a third one, once.
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    // Some libraries are CommonJS: they call `require` for what Node brings, and ask where they are.
    banner: {
      js:
        "import { createRequire as requireFor } from 'node:module';" +
        'const require = requireFor(import.meta.url), __filename = import.meta.filename;',
    },
    external: ['vscode'],
    alias: plainJsonc,
    plugins: [withoutValidator],
  }),
  build({
    ...node,
    entryPoints: ['src/syntax/syntaxWorker.ts', 'src/colours/coloursWorker.ts', 'src/files/imageWorker.ts'],
    entryNames: '[name]',
    alias: plainJsonc,
    // The codecs of images look where they are, and do without.
    logOverride: { 'empty-import-meta': 'silent' },
  }),
  build({
    ...node,
    // Assistants may start the bridge with an older Node than the editor's.
    target: 'node20',
    entryPoints: ['src/bridge/bridge.ts', 'src/bridge/hook.ts', 'src/bridge/uninstall.ts'],
  }),
  page('sidebar', 'sideBar'),
  page('tab', 'tab'),
]);

// What the JSON editor checks files of rules by; a repository may only be stricter.
const strict = { properties: { rules: { items: { properties: { effect: { enum: ['deny', 'ask'] } } } } } };
await writeFile('dist/rules.schema.json', JSON.stringify(ruleJsonSchema));
await writeFile('dist/policy.schema.json', JSON.stringify({ allOf: [ruleJsonSchema, strict] }));

// What the bridge answers while no window is open: what a window has on by itself.
await writeFile('dist/catalog.json', JSON.stringify(listTools(tools.filter(isOnByItself))));
for (const launcher of ['drawbridge.sh', 'drawbridge.cmd']) {
  await copyFile(`src/home/launcher/${launcher}`, `dist/${launcher}`);
}

// A grammar is a table of numbers: brotli packs it into a third less than the .vsix would, and the worker unpacks it in 3 ms. The best
// quality of brotli would save another tenth, and take 25 times as long.
const pack = async (source: string, file: string, to: string): Promise<void> => {
  const bytes = await readFile(join(source, file));
  const quality = development ? constants.BROTLI_MIN_QUALITY : 9;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(join('dist', to, `${file}${packedSuffix}`), brotliCompressSync(bytes, { params }));
};
for (const file of [runtimeFile, ...Object.values(grammars)]) {
  await pack(join('node_modules', '@vscode', 'tree-sitter-wasm', 'wasm'), file, 'syntax');
}
for (const file of new Set(Object.values(tagFiles))) await pack(join('src', 'syntax', 'tags'), file, 'syntax');
await pack(join('node_modules', 'vscode-oniguruma', 'release'), engineFile, 'colours');
for (const [source, file] of Object.entries(codecFiles)) {
  await pack(join('node_modules', '@jsquash', source), file, 'images');
}

const outputs = {
  ...extensionHost.metafile.outputs,
  ...workers.metafile.outputs,
  ...programs.metafile.outputs,
  ...sideBar.metafile.outputs,
  ...tab.metafile.outputs,
};
await writeFile('dist/ThirdPartyNotices.txt', await thirdPartyNotices(Object.values(outputs)));
for (const [file, { bytes }] of Object.entries(outputs)) console.log(`${file} ${(bytes / 1024).toFixed(1)} KB`);
await writeFile(
  'dist/meta.json',
  JSON.stringify({
    extensionHost: extensionHost.metafile,
    workers: workers.metafile,
    programs: programs.metafile,
    page: sideBar.metafile,
    tab: tab.metafile,
  }),
);

/** The licences of the libraries that are in the bundles, which ask to be passed on with them. */
async function thirdPartyNotices(bundles: readonly Metafile['outputs'][string][]): Promise<string> {
  const inputs = bundles.flatMap((bundle) => Object.entries(bundle.inputs));
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  const folders = used.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const notices = await Promise.all([...new Set(folders)].map(noticeOf));
  const words = 'Drawbridge contains parts of the libraries below, each under the licence that follows its name.';
  return [words, ...notices.toSorted()].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** @throws Error when a library comes without the text of its licence */
async function noticeOf(folder: string): Promise<string> {
  const manifest = z.object({
    name: z.string(),
    version: z.string(),
    license: z.string(),
    main: z.string().optional(),
  });
  const { name, version, license, main } = manifest.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  const files = await readdir(folder, { recursive: true });
  const textsOf = (pattern: RegExp): Promise<string[]> =>
    Promise.all(files.filter((file) => pattern.test(file)).map((file) => readFile(join(folder, file), 'utf8')));
  /** Some keep it at the end of their README, or in the comment with which their program begins. */
  const licenceWithin = async (): Promise<string | undefined> => {
    const [readme = ''] = await textsOf(/^readme/i);
    const inReadme = /^licen[cs]e\b.*/ims.exec(readme)?.[0];
    if (inReadme !== undefined || main === undefined) return inReadme;
    const comment = /^(?:\/\/.*\n)+/.exec(await readFile(join(folder, main), 'utf8'))?.[0] ?? '';
    return comment.includes('Permission is hereby granted') ? comment.replaceAll(/^\/\/ ?/gm, '') : undefined;
  };
  const texts = await textsOf(/^(licen[cs]e|notice)|\blicense\.codec\.md$/i);
  const text = texts.length > 0 ? texts.join('\n') : await licenceWithin();
  if (text === undefined) throw new Error(`${name} comes without the text of its licence (${license}): add it by hand`);
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}
