import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '#tools/index.ts';
import { fixtureCatalog } from './conformance/catalog.ts';

/**
 * The files that the build writes, without the chunks of the extension, whose names hold a hash of their content: the extension, the programs
 * that run without the editor, and the report of sizes.
 */
const built = [
  'ThirdPartyNotices.txt',
  'bridge.cjs',
  'catalog.json',
  'colours/onig.wasm.br',
  'coloursWorker.cjs',
  'drawbridge.cmd',
  'drawbridge.sh',
  'extension.mjs',
  'hook.cjs',
  'imageWorker.cjs',
  'images/mozjpeg_dec.wasm.br',
  'images/mozjpeg_enc.wasm.br',
  'images/squoosh_png_bg.wasm.br',
  'images/squoosh_resize_bg.wasm.br',
  'images/webp_dec.wasm.br',
  'meta.json',
  'policy.schema.json',
  'rules.schema.json',
  'sidebar.js',
  'syntax/c-sharp.scm.br',
  'syntax/cpp.scm.br',
  'syntax/go.scm.br',
  'syntax/java.scm.br',
  'syntax/javascript.scm.br',
  'syntax/php.scm.br',
  'syntax/python.scm.br',
  'syntax/ruby.scm.br',
  'syntax/rust.scm.br',
  'syntax/tree-sitter-bash.wasm.br',
  'syntax/tree-sitter-c-sharp.wasm.br',
  'syntax/tree-sitter-cpp.wasm.br',
  'syntax/tree-sitter-css.wasm.br',
  'syntax/tree-sitter-go.wasm.br',
  'syntax/tree-sitter-java.wasm.br',
  'syntax/tree-sitter-javascript.wasm.br',
  'syntax/tree-sitter-php.wasm.br',
  'syntax/tree-sitter-powershell.wasm.br',
  'syntax/tree-sitter-python.wasm.br',
  'syntax/tree-sitter-ruby.wasm.br',
  'syntax/tree-sitter-rust.wasm.br',
  'syntax/tree-sitter-tsx.wasm.br',
  'syntax/tree-sitter-typescript.wasm.br',
  'syntax/tree-sitter.wasm.br',
  'syntax/typescript.scm.br',
  'syntaxWorker.cjs',
  'tab.js',
  'uninstall.cjs',
];
const described = ['package.json', 'package.nls.json', '.vscodeignore'];
/** Files that only development needs or leaves behind. */
const developmentFiles = [
  'test/main.test.ts',
  'test/conformance/catalog.ts',
  '.host/e2e.json',
  'docs/tools.md',
  'build.ts',
  'dist/drawbridge.vsix',
];

/** Pictures and style sheets that the extension shows. */
function shownMedia(): readonly string[] {
  const files = readdirSync('media', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return (
    files
      .map(({ parentPath, name }) => join(parentPath, name).replaceAll('\\', '/'))
      // The READMEs show the first two from the repository, and the icon is drawn from the third.
      .filter((name) => !['media/approval.png', 'media/loop.gif', 'media/icon-source.svg'].includes(name))
      .toSorted()
  );
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-package-'));
  for (const name of ['src', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
  for (const name of described) copyFileSync(name, join(folder, name));
  execFileSync(process.execPath, [resolve('build.ts')], { cwd: folder });
  // The build takes all processors for some seconds, and the host tests run beside it.
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

const outputs = z.record(
  z.string(),
  z.object({
    inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })),
    imports: z.array(z.object({ path: z.string(), kind: z.string() })),
  }),
);

/** Returns what the build wrote for each of its parts, by output relative to the folder. */
function outputsOf(): Readonly<Record<string, z.infer<typeof outputs>>> {
  const parts = z.record(z.string(), z.object({ outputs }));
  const meta = parts.parse(JSON.parse(readFileSync(join(folder, 'dist', 'meta.json'), 'utf8')));
  return Object.fromEntries(Object.entries(meta).map(([part, made]) => [part, made.outputs]));
}

/** The chunks of the extension, relative to `dist`. */
function chunks(): readonly string[] {
  const names = Object.keys(outputsOf()['extensionHost'] ?? {}).map((name) => name.slice('dist/'.length));
  return names.filter((name) => name.startsWith('chunks/'));
}

/** Returns the paths of all files below a folder, relative to it. */
function filesBelow(within: string): readonly string[] {
  const entries = readdirSync(within, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => relative(within, join(parentPath, name)).replaceAll('\\', '/'));
}

test('the build writes exactly the files that are run', () => {
  expect(filesBelow(join(folder, 'dist')).toSorted()).toEqual([...built, ...chunks()].toSorted());
});

test('the package holds the files that are run, and none that only developers use', async () => {
  for (const file of developmentFiles) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  cpSync('media', join(folder, 'media'), { recursive: true });
  const packaged = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  const run = [...built, ...chunks()].filter((name) => name !== 'meta.json').map((name) => `dist/${name}`);
  expect(packaged.toSorted()).toEqual([...run.toSorted(), ...shownMedia(), 'package.json', 'package.nls.json']);
});

test('npm run package takes the files that vsce itself would take', async () => {
  pack();
  const packed = filesBelow(join(folder, 'dist', 'package'));
  const expected = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  expect(packed.toSorted()).toEqual(expected.toSorted());
}, 60_000);

/** Packs the extension. Returns the page of the marketplace and the manifest as they are packed. */
function pack(repository?: string): { readonly page: string; readonly manifest: unknown } {
  for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md', 'docs/marketplace.md']) cpSync(name, join(folder, name));
  const { DRAWBRIDGE_REPOSITORY: _, ...env } = process.env;
  const added = repository === undefined ? {} : { DRAWBRIDGE_REPOSITORY: repository };
  execFileSync(process.execPath, [resolve('package.ts')], { cwd: folder, env: { ...env, ...added }, stdio: 'pipe' });
  const packed = (name: string): string => readFileSync(join(folder, 'dist', 'package', name), 'utf8');
  return { page: packed('README.md'), manifest: JSON.parse(packed('package.json')) };
}

const relativeLinks = /\]\((?!https:)[^)]*\)/g;

test('the page of the marketplace has no link that leads nowhere when the address of the repository is not known', () => {
  const { page, manifest } = pack();
  expect(page).toContain('# Drawbridge');
  expect(page).toContain('Connecting each assistant');
  expect(page.match(relativeLinks)).toBeNull();
  expect(manifest).not.toHaveProperty('repository');
}, 60_000);

test('the page of the marketplace has its pictures, and the manifest its addresses, when the repository is known', () => {
  const { page, manifest } = pack('https://example.com/drawbridge/');
  expect(page).toBe(readFileSync('docs/marketplace.md', 'utf8'));
  expect(page).toContain('](../media/loop.gif)');
  expect(manifest).toMatchObject({
    repository: { type: 'git', url: 'https://example.com/drawbridge.git' },
    bugs: { url: 'https://example.com/drawbridge/issues' },
    homepage: 'https://example.com/drawbridge#readme',
    license: 'MIT',
  });
}, 60_000);

test('every file that the page of the marketplace names is in the repository', () => {
  const links = readFileSync('docs/marketplace.md', 'utf8').match(relativeLinks) ?? [];
  const files = links.map((link) => link.slice(2, -1).replace(/#.*/, ''));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(existsSync(join('docs', file)), file).toBe(true);
});

/** Returns the sources of an output of the extension and of the chunks that are loaded with it. */
function loadedWith(entry: string): readonly string[] {
  const made = outputsOf()['extensionHost'] ?? {};
  const loaded = new Set([entry]);
  // The set grows while it is walked.
  for (const name of loaded) {
    for (const { path, kind } of made[name]?.imports ?? []) if (kind === 'import-statement') loaded.add(path);
  }
  const names = [...loaded].flatMap((name) => Object.keys(made[name]?.inputs ?? {}));
  return names.map((name) => relative(process.cwd(), resolve(folder, name))).toSorted();
}

test('activation loads only the sources that are meant for it, and most of the extension is loaded later', () => {
  // The editor reads these at every start, so each further file must be on purpose.
  expect(loadedWith('dist/extension.mjs').filter((name) => !name.includes('<runtime>'))).toEqual([
    'src/connect/editor/mcpProvider.ts',
    'src/editor/extensionApi.ts',
    'src/editor/startSetting.ts',
    'src/home/stateFolder.ts',
    'src/main/extension.ts',
    'src/ui/lateTree.ts',
    'src/ui/rules/modeText.ts',
    'src/ui/statusBar.ts',
    'src/ui/statusMenu.ts',
    'src/ui/welcomeNewUser.ts',
  ]);
  const entryOf = (source: string): string =>
    Object.entries(outputsOf()['extensionHost'] ?? {}).find(([, { inputs }]) =>
      Object.keys(inputs).some((name) => name.endsWith(source)),
    )?.[0] ?? '';
  const main = loadedWith(entryOf('src/main/main.ts'));
  expect(main).toContain('src/main/main.ts');
  for (const later of ['src/connect/configuration.ts', 'src/connect/tomlFormat.ts', 'src/connect/yamlFormat.ts']) {
    expect(main).not.toContain(later);
    expect(loadedWith(entryOf('src/connect/configuration.ts'))).toContain(later);
  }
  expect(main).not.toContain('src/policy/shell/classifyCommand.ts');
  expect(main.filter((name) => /node_modules.(jsonc-parser|yaml|@decimalturn)/.test(name))).toEqual([]);
});

test('no module is in two files that the extension host loads', () => {
  // Two copies have each their own state, and an error of one is no instance of the class of the other.
  const modules = Object.values(outputsOf()['extensionHost'] ?? {}).flatMap(({ inputs }) => Object.keys(inputs));
  expect(modules.length).toBeGreaterThan(500);
  expect(modules.filter((name, index) => modules.indexOf(name) !== index)).toEqual([]);
});

test('the hook program, which runs before each edit, holds neither the MCP SDK nor the whole of zod', () => {
  const inputs = Object.keys(outputsOf()['programs']?.['dist/hook.cjs']?.inputs ?? {});
  expect(inputs.some((name) => name.endsWith('src/bridge/hook.ts'))).toBe(true);
  expect(inputs.filter((name) => /modelcontextprotocol|zod.v4.classic|write-file-atomic/.test(name))).toEqual([]);
});

test.each([
  ['sidebar.js', 'findField.tsx', 'notices.tsx'],
  ['tab.js', 'notices.tsx', 'findField.tsx'],
])(
  'the script of a page, %s, is at most 120 KB, and holds nothing that only the other page draws',
  (name, absent, present) => {
    expect(statSync(join(folder, 'dist', name)).size).toBeLessThanOrEqual(120 * 1024);
    const inputs = Object.values(outputsOf()).flatMap((made) => Object.entries(made[`dist/${name}`]?.inputs ?? {}));
    const held = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => basename(path));
    expect([held.includes(absent), held.includes(present)]).toEqual([false, true]);
  },
);

test('the bundles hold neither a fixture of the conformance suite nor the lists behind the manifest', () => {
  const meta = z.record(z.string(), z.object({ inputs: z.record(z.string(), z.unknown()) }));
  const made = meta.parse(JSON.parse(readFileSync(join(folder, 'dist', 'meta.json'), 'utf8')));
  const inputs = Object.values(made).flatMap((part) => Object.keys(part.inputs));
  // The sources lie behind a link, whose end is where this runs.
  const sources = inputs.map((name) => relative(process.cwd(), resolve(folder, name)));
  expect(sources).toContain(join('src', 'mcp', 'protocol', 'mcpEndpoint.ts'));
  expect(sources.filter((name) => /^test\b|@modelcontextprotocol.conformance/.test(name))).toEqual([]);
  // The manifest is written from these before the build.
  expect(sources.filter((name) => name.startsWith(join('src', 'main', 'contributions')))).toEqual([]);
  const { tools: fixtures } = fixtureCatalog();
  const texts = [...built, ...chunks()].map((name) => readFileSync(join(folder, 'dist', name), 'utf8')).join('');
  expect(fixtures.map(({ name }) => name)).toContain('test_simple_text');
  expect(fixtures.filter(({ name }) => texts.includes(name))).toEqual([]);
});

test('the package holds the licences of all bundled libraries', () => {
  const notices = readFileSync(join(folder, 'dist', 'ThirdPartyNotices.txt'), 'utf8').split(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
  const heads = notices.slice(1).map((notice) => notice.split('\n', 1)[0] ?? '');
  expect(heads).toEqual(
    expect.arrayContaining([expect.stringMatching(/^@modelcontextprotocol\/server 2\S+ \(Apache-2\.0\)$/)]),
  );
  expect(heads.filter((head) => !/\((MIT|ISC|Apache-2\.0|BSD-3-Clause|BlueOak-1\.0\.0)\)$/.test(head))).toEqual([]);
  expect(notices.slice(1).filter((notice) => !/copyright|blue oak|apache license/i.test(notice))).toEqual([]);
});

test('the bridge needs only Node and is smaller than 200 KiB', () => {
  const program = join(folder, 'dist', 'bridge.cjs');
  const needed = [...readFileSync(program, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? '');
  expect(needed.filter((name) => !/^(node:)?[a-z_]+(\/[a-z]+)?$/.test(name) || name === 'vscode')).toEqual([]);
  expect(statSync(program).size).toBeLessThan(200 * 1024);
});

test('the catalog of the bridge holds the tools that are on by default', () => {
  const catalog = z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.object({}) })) });
  const { tools: listed } = catalog.parse(JSON.parse(readFileSync(join(folder, 'dist', 'catalog.json'), 'utf8')));
  const offered = tools.filter(({ isOptional }) => isOptional !== true);
  expect(listed.map(({ name }) => name)).toEqual(offered.map(({ name }) => name));
});
