import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindsOfFiles } from '../../tools/languageMore/kindsOfFiles.ts';
import { type Assistant, connectAssistant, textOfAnswer } from '../assistant.ts';
import { setSetting } from '../editor.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, toyLanguage, until } from '../harness.ts';
import { looksOf } from '../looks.ts';

const files = {
  'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"esnext","target":"esnext"},"include":["src"]}',
  'src/cart.ts': [
    "import { readFile } from './disk';",
    '/** Adds an item. */',
    'export function addItem(name: string, count = 1) {',
    '  const known = name.trim();',
    '  return readFile(known, count);',
    '}',
    "addItem('tea', 2);",
    '',
  ].join('\n'),
  'src/disk.ts': 'export const readFile = (path: string, times: number): string => path.repeat(times);\n',
  'src/broken.ts': 'export function half(first: string) {\n  return first.\n',
  'web/site.css': '.cart { color: rgb(255, 0, 0) }\n@import "more.css";\n',
  'web/guide.md': '# Guide\n\nSee [the cart](../src/cart.ts), [the web](https://example.com/a%20b), [it](#guide).\n',
  'web/run.sh': 'greet() { echo hello; }\n',
  'toy/program.toy': [
    '#',
    'fn round(value, unit)',
    '  get value',
    'end',
    'fn main',
    '  call round(1, 2',
    '  link https://toy.example/book',
    '  color #ff8800',
    'end',
    'import "other.toy"',
    'import "../../../elsewhere.toy"',
    '',
  ].join('\n'),
  'toy/other.toy': '#\nvar last\n',
  'toy/silent.toy': '#nothing\nfn quiet\nend\n',
  'toy/failing.toy': '#throws\nfn loud\nend\n',
};

let drawbridge: Drawbridge;
let assistant: Assistant;

beforeAll(async () => {
  drawbridge = await startDrawbridge({
    folder: tempWorkspace(files),
    extensions: [toyLanguage],
    settings: {
      'drawbridge.toolsets': { language_more: true },
      'typescript.inlayHints.variableTypes.enabled': true,
      'typescript.inlayHints.parameterNames.enabled': 'all',
      'typescript.referencesCodeLens.enabled': true,
    },
  });
  assistant = await connectAssistant(await drawbridge.record());
  await drawbridge.window.evaluate(
    async (vscode, path) => {
      await vscode.env.clipboard.writeText('what the user copied');
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
      editor.selection = new vscode.Selection(1, 0, 1, 3);
    },
    join(drawbridge.folder ?? '', 'toy/other.toy'),
  );
});
afterAll(() => drawbridge?.stop());

/** Returns the text of get_language_details for files without a tab; expects that everything the user sees is unchanged. */
async function say(kind: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const before = await looksOf(drawbridge.window);
  const answer = await assistant.call('get_language_details', { kind, ...args });
  const text = textOfAnswer(answer);
  expect(answer.isError, text).not.toBe(true);
  expect(await looksOf(drawbridge.window)).toEqual(before);
  return text;
}

it.each<[string, Record<string, unknown>, readonly string[]]>([
  ['signature_help', { path: 'src/cart.ts:7:16' }, ['parameter 1', '> addItem(name: string, count?: number): string']],
  ['signature_help', { path: 'toy/program.toy:6:17' }, ['parameter 1', '> round(value, unit)', 'Calls **round**.']],
  ['completions', { path: 'src/cart.ts:4:22', prefix: 'tr' }, ['trim (method)', 'trimEnd (method)']],
  ['completions', { path: 'toy/program.toy:6:9', prefix: 'LAST' }, ['last (function) var inserts last($1)']],
  ['completions', { path: 'src/broken.ts:2:16', prefix: 'toUpper' }, ['toUpperCase (method)']],
  ['document_highlights', { path: 'src/cart.ts:4', symbol: 'known' }, ['4:9 write', '5:19']],
  ['document_highlights', { path: 'toy/program.toy', symbol: 'round' }, ['2:4', '6:8']],
  [
    'inlay_hints',
    { path: 'src/cart.ts' },
    ['4:14 : string (type)', '7:9 name: (parameter)', '7:16 count: (parameter)'],
  ],
  ['inlay_hints', { path: 'toy/program.toy', firstLine: 3, lastLine: 6 }, ['3:12 (get)', '6:13 : result (type)']],
  ['folding_ranges', { path: 'src/cart.ts' }, ['3-5']],
  ['folding_ranges', { path: 'toy/program.toy' }, ['2-4 region', '5-9 region']],
  ['selection_ranges', { path: 'src/cart.ts:4:17' }, ['4:17-4:21', '1:1-']],
  ['selection_ranges', { path: 'toy/program.toy:6:9' }, ['6:8-6:13', '6:1-6:18', '1:1-']],
  [
    'semantic_tokens',
    { path: 'src/cart.ts', firstLine: 4, lastLine: 4 },
    ['4:9 known variable declaration', '4:17 name parameter'],
  ],
  ['semantic_tokens', { path: 'toy/program.toy' }, ['2:4 round function declaration']],
  ['code_lenses', { path: 'src/disk.ts' }, ['1 2 references (editor.action.showReferences)']],
  ['code_lenses', { path: 'toy/program.toy' }, ['2 1 uses (toy.record)']],
  [
    'document_links',
    { path: 'web/guide.md' },
    ['../src/cart.ts -> src/cart.ts', '-> https://example.com/a%20b', '#guide -> web/guide.md'],
  ],
  [
    'document_links',
    { path: 'toy/program.toy' },
    ['-> https://toy.example/book', 'other.toy -> toy/other.toy', '-> elsewhere.toy'],
  ],
  ['document_colors', { path: 'web/site.css' }, ['1:16 rgb(255, 0, 0) = #ff0000']],
  ['document_colors', { path: 'toy/program.toy' }, ['8:9 #ff8800 = #ff8800']],
])('%s of %j', async (kind, args, expected) => {
  const text = await say(kind, args);
  for (const part of expected) expect(text).toContain(part);
});

it.each(['toy/silent.toy:2:4', 'toy/failing.toy:2:4'])(
  'names the service that returns nothing for %s',
  async (place) => {
    const [path] = place.split(':');
    // For completions, highlights and selections the editor falls back on the words of the text.
    expect(await say('signature_help', { path: place })).toContain('drawbridge.toy-language');
    for (const kind of kindsOfFiles) {
      expect(await say(kind, { path }), kind).toContain('drawbridge.toy-language');
    }
  },
);

it('reports a language without an extension', async () => {
  expect(await say('semantic_tokens', { path: 'web/run.sh' })).toContain('"shellscript"');
});

it('applies a rule of the user and a setting that name a kind', async () => {
  const { host } = drawbridge;
  const rule = { id: 'no-lenses', effect: 'deny', tools: ['get_code_lenses'], paths: ['toy/**'] };
  writeFileSync(join(host.home, 'rules.json'), JSON.stringify({ version: 1, rules: [rule] }), { mode: 0o600 });
  const answer = async (kind: string, path: string): Promise<string> =>
    textOfAnswer(await assistant.call('get_language_details', { kind, path }));
  await until(
    async () => (await answer('code_lenses', 'toy/program.toy')).includes('A rule of the user (no-lenses) denies this'),
    'the rule to count',
  );
  expect(await answer('code_lenses', 'src/disk.ts')).toContain('2 references');
  expect(await answer('folding_ranges', 'toy/program.toy')).toContain('2-4 region');
  await setSetting(drawbridge.window, 'drawbridge.toolsets', { language_more: true, get_folding_ranges: false });
  await until(
    async () => (await answer('folding_ranges', 'toy/program.toy')).includes('has turned this kind'),
    'the setting to count',
  );
});
