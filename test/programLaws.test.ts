import { build, type Plugin } from 'esbuild';
import fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { JsonSchema } from '#call/tool.ts';
import type { Run } from '#search/ripgrep/runRipgrep.ts';
import { tools } from '#tools/index.ts';
import { SearchedFolder } from './search/editor/ripgrepFixture.ts';

const { runs } = vi.hoisted(() => ({ runs: new Array<Run>() }));

vi.mock(import('#search/ripgrep/runRipgrep.ts'), async (original) => {
  const { outputOf } = await original();
  return {
    outputOf: (run, signal) => {
      runs.push(run);
      return outputOf(run, signal);
    },
  };
});

/** Modules of Node that start a program, run code or open a connection, and who may import them. */
const powerful: Readonly<Record<string, readonly string[]>> = {
  child_process: [
    // Nothing here depends on a call: the trust of Codex, the id of this boot, the program on our port, the check of our launcher,
    // and the snapshot of the folders by Git.
    'src/changes/outside/gitProgram.ts',
    'src/connect/codexTrust.ts',
    'src/connect/doctor/tryLauncher.ts',
    'src/home/hostIdentity.ts',
    'src/mcp/portHolder.ts',
    'src/search/ripgrep/findRipgrep.ts',
    'src/search/ripgrep/runRipgrep.ts',
  ],
  // Serves programs of this machine, and asks other windows of the same user whether they are alive.
  http: ['src/home/windowFiles.ts', 'src/mcp/listener.ts'],
  worker_threads: [
    // Only reads the id of its thread, for the name of a temporary file.
    'node_modules/write-file-atomic/lib/index.js',
    // The workers and what starts them. A worker reads texts and runs none of them.
    'src/colours/coloursWorker.ts',
    'src/syntax/boundedWorker.ts',
    'src/syntax/syntaxWorker.ts',
  ],
  ...Object.fromEntries(['cluster', 'vm', 'wasi', 'repl', 'inspector', 'inspector/promises'].map((name) => [name, []])),
  ...Object.fromEntries(['net', 'tls', 'https', 'http2', 'dgram', 'dns', 'dns/promises'].map((name) => [name, []])),
};

/** The same without an import, in any file. */
const powerfulCalls: readonly RegExp[] = [
  /(?<![\w#.])(?:fetch|eval|Function|WebSocket|EventSource|XMLHttpRequest|Worker)\(/,
  /\bglobalThis\s*(?:\.|\[)\s*['"]?(?:fetch|eval|Function|WebSocket|process)\b/,
  /\bprocess\.(?:binding|dlopen|getBuiltinModule|_linkedBinding)\b/,
  /\bcreateRequire\b/,
  /\b(?:createTerminal|sendText|executeTask|startDebugging|openExternal|asExternalUri)\b/,
];

/** Words in the name of a tool or field that takes a program, a network address, a revision or a notebook. */
const powerfulWords =
  /^(?:args|argv|bash|branch|browse|cell|cells|cmd|command|commands|commit|curl|debug|domain|download|env|eval|exec|execute|fetch|git|host|http|https|kernel|launch|notebook|open|program|ref|remote|request|rev|revision|run|script|shell|spawn|task|tasks|terminal|test|tests|upload|url|urls|web)$/;

/** `open_file` shows a file of the workspace; the command of a code action needs an approval of its own. */
const known: ReadonlySet<string> = new Set(['open_file open', 'apply_code_action run', 'apply_code_action command']);

describe('A10, A12, A13, A14, A24: the sources and their libraries', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'give the tool %s no argument for a command, URL, revision or notebook',
    (_, tool) => {
      // `policy/deniedCommands.ts` decides which commands may run (A2).
      if (tool.toolset === 'commands') return;
      expect(['read', 'edit', 'delete', 'ui']).toContain(tool.risk);
      const words = [tool.name, ...fieldNames(tool.input.jsonSchema)].flatMap((name) => wordsOf(name));
      const unknown = words.filter((word) => powerfulWords.test(word) && !known.has(`${tool.name} ${word}`));
      expect(unknown).toEqual([]);
    },
  );

  it.each(Object.entries(powerful))('import %s only in the listed files, libraries included', async (name, places) => {
    const importers = await importersOf(name);
    expect([...importers].toSorted()).toEqual(places);
  });

  it('neither run code nor open a connection without an import', () => {
    const found = sources().flatMap(({ path, code }) =>
      powerfulCalls.flatMap((pattern) => (pattern.exec(code)?.[0] === undefined ? [] : [`${path}: ${pattern.source}`])),
    );
    expect(found).toEqual([]);
  });

  it('start programs without a shell, with a list of arguments', () => {
    const starts = sources().flatMap(({ path, code }) =>
      Array.from(
        code.matchAll(/(?<![.\w])(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\)?\([^;]*;/g),
        ([call]) => `${path} ${call.replaceAll(/\s+/g, ' ')}`,
      ),
    );
    expect(starts).toEqual([
      expect.stringMatching(/^src\/bridge\/callingAssistant\.ts execFileSync\('\/bin\/ps', \['-A', '-ww', '-o'/),
      expect.stringMatching(
        /^src\/changes\/outside\/gitProgram\.ts spawn\(run\.program, \[\.\.\.safeSettings, .* shell: false,/,
      ),
      // The text of a plugin, which starts the launcher.
      expect.stringMatching(/^src\/connect\/assistants\/opencodePlugin\.ts spawn\(command\[0\], \[\.\.\.command/),
      expect.stringMatching(/^src\/connect\/codexTrust\.ts spawn\(codexProgram, \['app-server'\], {.* shell: false,/),
      expect.stringMatching(/^src\/home\/hostIdentity\.ts execFile\)\('\/usr\/sbin\/sysctl', \['-n', 'kern/),
      expect.stringMatching(/^src\/mcp\/portHolder\.ts execFile\)\('\/usr\/sbin\/lsof', args,/),
      // A pattern for the options of find.
      expect.stringMatching(/^src\/policy\/shell\/judgeFind\.ts exec\(\?:-batch\)/),
      expect.stringMatching(/^src\/search\/ripgrep\/findRipgrep\.ts execFile\)\(program, \['--version'\]/),
      expect.stringMatching(
        /^src\/search\/ripgrep\/runRipgrep\.ts spawn\(run\.program, run\.arguments, {.* shell: false,/,
      ),
    ]);
    expect(
      sources()
        // Elsewhere a shell is what an assistant runs its commands in.
        .filter(({ code }) => code.includes('node:child_process'))
        .flatMap(({ path, code }) => (/\bshell:(?!\s*(?:false\b|[A-Z]))/.test(code) ? [path] : [])),
    ).toEqual([]);
  });
});

/** The options that we pass to ripgrep: with a value as the next argument, and without one. */
const withValue = wordSet(
  '--regexp --before-context --after-context --glob --iglob --type-add --type --encoding --sort --path-separator',
);
const withoutValue = wordSet(
  '--case-sensitive --ignore-case --word-regexp --crlf --fixed-strings --multiline --json --no-config --files --null',
  '--hidden --no-follow --no-messages --no-ignore --no-require-git --no-ignore-parent --no-ignore-global',
);

it('A10: a search passes no text of the caller to ripgrep as an option', async () => {
  const folder = new SearchedFolder().write({ '--pre': 'x\n', '-e/--files': 'x\n', 'a.ts': '--pre=touch\n' });
  const hostile = fc.oneof(
    fc.constantFrom('--pre=touch', '--pre', '--', '-', '-f/etc/passwd', '--files', '--no-config', '-e', '-uuu', '*.-x'),
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' }).map((text) => `-${text}`),
  );
  const given = fc.record({
    pattern: hostile,
    isRegex: fc.boolean(),
    multiline: fc.boolean(),
    wholeWord: fc.boolean(),
    include: fc.array(hostile, { maxLength: 2 }),
    exclude: fc.array(hostile, { maxLength: 2 }),
    includeIgnored: fc.boolean(),
  });
  const path = fc.constantFrom('.', '--pre', '-e', '-e/--files');
  try {
    await fc.assert(
      fc.asyncProperty(given, path, async (query, within) => {
        runs.length = 0;
        // ripgrep refuses some patterns and globs; the test checks only how they were passed.
        await folder.find(query.pattern, query, within).catch(() => undefined);
        for (const run of runs) expect(strayArguments(run.arguments)).toEqual([]);
        runs.length = 0;
        await folder.names(query, within).catch(() => undefined);
        for (const run of runs) expect(strayArguments(run.arguments)).toEqual([]);
      }),
      {
        numRuns: 60,
        examples: [
          [{ ...example, include: [], exclude: [] }, '-e/--files'],
          [example, '.'],
        ],
      },
    );
  } finally {
    folder.remove();
  }
});

const example = {
  pattern: '--pre=touch',
  isRegex: false,
  multiline: false,
  wholeWord: false,
  include: ['-x'],
  exclude: ['--'],
  includeIgnored: false,
};

/** Returns the arguments that are neither a known option, nor its value, nor a path after `--`. */
function strayArguments(given: readonly string[]): readonly string[] {
  const stray: string[] = [];
  let at = 0;
  for (; at < given.length && given[at] !== '--'; at += 1) {
    const option = given[at] ?? '';
    if (withValue.has(option)) at += 1;
    else if (!withoutValue.has(option)) stray.push(option);
  }
  const places = given.slice(at + 1);
  if (given[at] !== '--' || places.length === 0) stray.push('no --');
  return [...stray, ...places.filter((place) => place !== '-' && !place.startsWith('./'))];
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

function fieldNames(schema: JsonSchema): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (!isSchema(value)) return [];
    return [...(key === 'properties' ? Object.keys(value) : []), ...fieldNames(value)];
  });
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
    .split('_');
}

/** Returns our source files without comments. */
function sources(): { readonly path: string; readonly code: string }[] {
  return globSync('src/**/*.{ts,tsx}')
    .toSorted()
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      code: readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, ''),
    }));
}

let bundle: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

/** Returns the files of the bundles, libraries included, that import a module of Node other than for types. */
async function importersOf(module: string): Promise<ReadonlySet<string>> {
  bundle ??= bundleImports();
  return (await bundle).get(module) ?? new Set();
}

async function bundleImports(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const importers = new Map<string, Set<string>>();
  const note: Plugin = {
    name: 'note imports of node',
    setup: (building) =>
      building.onResolve({ filter: /^(?:node:)?[a-z_0-9/]+$/ }, ({ path, importer }) => {
        const module = path.replace(/^node:/, '');
        const from = importer.replaceAll('\\', '/').replace(/^.*?\/(?=(?:src|node_modules)\/)/, '');
        importers.set(module, (importers.get(module) ?? new Set()).add(from));
        return undefined;
      }),
  };
  await build({
    entryPoints: [
      'src/main/extension.ts',
      'src/main/main.ts',
      'src/syntax/syntaxParser.ts',
      'src/syntax/syntaxWorker.ts',
      'src/colours/coloursWorker.ts',
    ],
    outdir: 'dist',
    bundle: true,
    write: false,
    platform: 'node',
    external: ['vscode', '@vscode/ripgrep'],
    plugins: [note],
    logLevel: 'silent',
  });
  return importers;
}
