import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Answer, type Assistant, connectAssistant, textOfAnswer } from './assistant.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, toyLanguage } from './harness.ts';
import { size } from '../size.ts';
import { type Looks, looksOf } from './looks.ts';
import { reactProject } from './reactProject.ts';

const webFiles = {
  'web/data.json': '{\n  "shop": { "open": true },\n  "items": [1, 2]\n}\n',
  'web/style.css': '.cart { color: red }\n\n.cart .total {\n  color: blue;\n}\n',
  'web/page.html': '<html>\n  <body>\n    <main id="shop"><p>x</p></main>\n  </body>\n</html>\n',
  'web/guide.md': '# Guide\n\n## Install\n\ntext\n\n## Use\n',
  'web/run.sh': 'greet() { echo hello; }\ngreet\n',
};

/** The same program in both shapes of outline and of definitions. */
const toyProgram = (options: string, suffix: string): string =>
  [
    options,
    `class Shape${suffix}`,
    `  fn area${suffix}(scale, unit)`,
    `    call round${suffix}`,
    `    set radius${suffix}`,
    '  end',
    'end',
    `class Circle${suffix} : Shape${suffix}`,
    `  fn oldArea${suffix}`,
    `    call area${suffix}`,
    '  end',
    'end',
    `fn round${suffix}(value)`,
    `  get radius${suffix}`,
    `  call area${suffix}`,
    'end',
    `var radius${suffix} : Circle${suffix}`,
    '',
  ].join('\n');

const toyFiles = {
  'toy/nested.toy': toyProgram('#plain', ''),
  'toy/flat.toy': toyProgram('#flat strings', 'F'),
  'toy/links.toy': toyProgram('#links twice outside', 'L'),
  'toy/circle.toy': '#\nclass Hen : Egg\nend\nclass Egg : Hen\nend\n',
  'toy/silent.toy': toyProgram('#nothing', 'N'),
  'toy/failing.toy': toyProgram('#throws', 'T'),
};

let drawbridge: Drawbridge;
let assistant: Assistant;
let before: Looks;

const looks = (): Promise<Looks> => looksOf(drawbridge.window);

async function start(folder: string): Promise<void> {
  drawbridge = await startDrawbridge({ folder, extensions: [toyLanguage] });
  assistant = await connectAssistant(await drawbridge.record());
}

/** Data and text of an answer that is no error. */
async function ask(tool: string, args: Readonly<Record<string, unknown>>): Promise<{ data: unknown; text: string }> {
  const answer: Answer = await assistant.call(tool, args);
  const text = textOfAnswer(answer);
  expect(answer.isError, text).not.toBe(true);
  return { data: answer.structuredContent, text };
}

const locations = (data: unknown): string[] =>
  z
    .looseObject({ uses: z.array(z.looseObject({ path: z.string(), line: z.int() })) })
    .parse(data)
    .uses.map(({ path, line }) => `${path}:${line}`);

/** Expects that everything the user sees is unchanged (a promise of every read tool). */
const unchanged = (): void => {
  beforeEach(async () => {
    before = await looks();
  });
  afterEach(async () => {
    expect(await looks()).toEqual(before);
  });
};

describe('the first call in a window without open files', () => {
  beforeAll(async () => {
    drawbridge = await startDrawbridge({ extensions: [toyLanguage] });
  });
  afterAll(() => drawbridge?.stop());
  const { files } = reactProject(20);

  /** Tool, arguments and answer; each in a window of its own, in which no language service runs. */
  type Case = readonly [title: string, tool: string, args: object, expected: object];
  const quick: readonly Case[] = [
    [
      'references of TypeScript',
      'find_references',
      { path: 'src/price.ts', symbol: 'price' },
      { totalCount: 61, fileCount: 21, foundBy: 'language' },
    ],
    [
      'symbols of a language whose extension does not run yet',
      'find_symbols',
      { query: 'oldAreaF' },
      { symbols: [expect.objectContaining({ name: 'oldAreaF', path: 'toy/flat.toy' })] },
    ],
  ];
  const further: readonly Case[] = [
    [
      'symbols of TypeScript',
      'find_symbols',
      { query: 'Component7' },
      { symbols: expect.arrayContaining([expect.objectContaining({ name: 'Component7', path: 'src/shop/c7.tsx' })]) },
    ],
    [
      'a symbol by its name alone',
      'get_symbol',
      { symbol: 'Component7' },
      { foundBy: 'language', resolved: expect.objectContaining({ path: 'src/shop/c7.tsx', line: 8 }) },
    ],
    [
      'an alias of an import',
      'get_symbol',
      { path: 'src/shop/c3.tsx:1', symbol: 'price' },
      { definitions: [expect.objectContaining({ path: 'src/price.ts', firstLine: 2 })] },
    ],
    ['the callers', 'get_call_hierarchy', { symbol: 'price' }, { calls: expect.objectContaining({ length: 40 }) }],
    [
      'the outline of CSS',
      'get_outline',
      { paths: ['web/style.css'] },
      { files: [expect.objectContaining({ symbols: expect.objectContaining({ length: 2 }) })] },
    ],
  ];

  it.each(size<readonly Case[]>({ quick, full: [...quick, ...further] }))('%s', async (_what, tool, args, expected) => {
    const folder = tempWorkspace({ ...files, ...webFiles, ...toyFiles });
    const window = await drawbridge.host.openWindow({ folder });
    assistant = await connectAssistant(await drawbridge.record(window));
    const empty = await looksOf(window);
    // A service that is still loading is answered for by the syntax; the assistant calls again, as such an answer says.
    await expect.poll(async () => (await ask(tool, { ...args })).data).toMatchObject(expected);
    expect(await looksOf(window)).toEqual(empty);
    await window.close();
  });
});

describe('a project of 500 components with files that do not compile', () => {
  beforeAll(async () => {
    await start(tempWorkspace({ ...reactProject(500).files, ...webFiles, ...toyFiles }));
    await drawbridge.window.evaluate(
      async (vscode, path) => {
        await vscode.env.clipboard.writeText('what the user copied');
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
        editor.selection = new vscode.Selection(7, 3, 7, 9);
        editor.revealRange(new vscode.Range(3, 0, 3, 0), vscode.TextEditorRevealType.AtTop);
      },
      join(drawbridge.folder ?? '', 'src/shop/c2.tsx'),
    );
  });
  afterAll(() => drawbridge?.stop());
  unchanged();

  it('lists every use once, page by page', async () => {
    // While the service loads the project, the syntax answers for it, or nothing does on a slow machine.
    const first = async (): Promise<unknown> => (await ask('find_references', { symbol: 'price' })).data;
    await expect.poll(first).toMatchObject({ foundBy: 'language' });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await ask('find_references', { symbol: 'price', ...(cursor !== undefined && { cursor }) });
      found.push(...locations(data));
      cursor = z.looseObject({ nextCursor: z.string().optional() }).parse(data).nextCursor;
    } while (cursor !== undefined);
    expect(found).toHaveLength(1501);
    expect(found.filter((place) => place.startsWith('src/shop/c499.tsx'))).toHaveLength(3);
  });

  it('returns a component with its code, signature, documentation and type', async () => {
    const { data, text } = await ask('get_symbol', { symbol: 'Component42' });
    expect(data).toMatchObject({
      signature: expect.stringContaining('function Component42('),
      documentation: expect.stringContaining('Shows item 42.'),
      definitions: [{ path: 'src/shop/c42.tsx', firstLine: 8, code: expect.stringContaining('price(42)') }],
    });
    expect(text).toContain('Shows item 42.');
  });

  it.each([
    ['implementations', 'Priced', 501],
    ['type_definition', 'defaultItem', 1],
    ['definition', 'price', 1],
  ])('finds %s of %s', async (relation, symbol, totalCount) => {
    const { data } = await ask('find_references', { symbol, relation });
    expect(data).toMatchObject({ totalCount, foundBy: 'language' });
  });

  it('shows a location outside the workspace as a label', async () => {
    const { data, text } = await ask('find_references', {
      path: 'src/price.ts:3',
      symbol: 'Math',
      relation: 'definition',
    });
    expect(locations(data).every((place) => place.startsWith('node_modules/typescript/lib/lib.'))).toBe(true);
    expect(text).toContain('outside the workspace');
    expect(text).not.toContain(drawbridge.host.directory);
  });

  it('answers about broken code as far as possible', async () => {
    expect((await ask('get_outline', { paths: ['src/broken.tsx'] })).text).toContain('Broken');
    expect((await ask('get_symbol', { symbol: 'Broken' })).data).toMatchObject({ foundBy: 'language' });
  });

  it('finds super- and subtypes, for which TypeScript has no hierarchy, and reports how', async () => {
    const { data } = await ask('get_type_hierarchy', { symbol: 'Item7', direction: 'supertypes' });
    const note = expect.stringContaining('No language service gives this hierarchy');
    expect(data).toMatchObject({ types: [{ name: 'Priced', path: 'src/price.ts', line: 5 }], note });
    const { data: below } = await ask('get_type_hierarchy', { symbol: 'Priced', direction: 'subtypes' });
    expect(below).toMatchObject({ truncated: true, note });
  });

  it('uses the unsaved text, not the file', async () => {
    const change = (text: string): Promise<void> =>
      drawbridge.window.evaluate(
        async (vscode, path, typed) => {
          const edit = new vscode.WorkspaceEdit();
          const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
          if (document === undefined) throw new Error(`${path} is not open`);
          const end = document.positionAt(document.getText().length);
          if (typed === '')
            edit.delete(document.uri, new vscode.Range(document.lineCount - 2, 0, end.line, end.character));
          else edit.insert(document.uri, end, typed);
          await vscode.workspace.applyEdit(edit);
        },
        join(drawbridge.folder ?? '', 'src/shop/c2.tsx'),
        text,
      );
    await change('export const unsavedName = 1;\n');
    expect((await ask('get_outline', { paths: ['src/shop/c2.tsx'] })).text).toContain('unsavedName');
    expect((await ask('get_symbol', { symbol: 'unsavedName' })).text).toContain('export const unsavedName = 1;');
    await drawbridge.window.evaluate(async (vscode) => vscode.commands.executeCommand('undo'));
    expect((await ask('get_outline', { paths: ['src/shop/c2.tsx'] })).text).not.toContain('unsavedName');
    before = await looks();
  });

  it.each([
    ['web/data.json', ['shop', 'open', 'items']],
    ['web/style.css', ['.cart', '.cart .total']],
    ['web/page.html', ['html', 'body']],
    ['web/guide.md', ['# Guide', '## Install', '## Use']],
  ])('outlines %s', async (path, names) => {
    const { text } = await ask('get_outline', { paths: [path], depth: 4 });
    for (const name of names) expect(text).toContain(name);
  });

  it('reads the current text of a file without a tab, however often the file changed on disk', async () => {
    const path = join(drawbridge.folder ?? '', 'web/changing.ts');
    const twoFunctions = 'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n';
    const outlined = async (text: string): Promise<string> => {
      writeFileSync(path, text);
      return (await ask('get_outline', { paths: ['web/changing.ts'] })).text;
    };
    const both = await outlined(twoFunctions);
    expect(both).toContain('5-7 function two');
    expect(await outlined(twoFunctions.slice(twoFunctions.indexOf('export function two')))).toContain(
      '1-3 function two',
    );
    expect(await outlined(twoFunctions)).toBe(both);
  });

  it('reports a language without a service, and still finds words', async () => {
    expect((await ask('get_outline', { paths: ['web/run.sh'] })).text).toContain('"shellscript"');
    const { data } = await ask('find_references', { path: 'web/run.sh:2', symbol: 'greet' });
    expect(data).toMatchObject({ foundBy: 'text', note: expect.stringContaining('"shellscript"') });
  });

  describe('a language service with answers of every shape', () => {
    it.each([
      ['nested symbols', 'toy/nested.toy', ''],
      ['flat symbols', 'toy/flat.toy', 'F'],
      ['nested symbols of a file with links', 'toy/links.toy', 'L'],
    ])('outlines %s', async (_what, path, suffix) => {
      const { data } = await ask('get_outline', { paths: [path], depth: 3 });
      const { files } = z
        .looseObject({ files: z.array(z.looseObject({ symbols: z.array(z.looseObject({ name: z.string() })) })) })
        .parse(data);
      const found = files[0]?.symbols.map((each) => [each.name, each['depth'], each['firstLine'], each['lastLine']]);
      expect(found).toEqual([
        [`Shape${suffix}`, 1, 2, 7],
        [`area${suffix}`, 2, 3, 6],
        [`Circle${suffix}`, 1, 8, 12],
        [`oldArea${suffix}`, 2, 9, 11],
        [`round${suffix}`, 1, 13, 16],
        [`radius${suffix}`, 1, 17, 17],
      ]);
    });

    it.each(['', 'F', 'L'])('returns the uses and the documentation of a qualified name (%s)', async (suffix) => {
      const { data } = await ask('find_references', { symbol: `Shape${suffix}.area${suffix}` });
      const file = { '': 'nested', F: 'flat', L: 'links' }[suffix];
      expect(locations(data)).toEqual([3, 10, 15].map((line) => `toy/${file}.toy:${line}`));
      const symbol = await ask('get_symbol', { symbol: `area${suffix}` });
      expect(symbol.data).toMatchObject({
        signature: `fn area${suffix}(scale, unit)`,
        documentation: expect.stringContaining(`Documentation of **area${suffix}**`),
        definitions: [expect.objectContaining({ code: expect.stringContaining(`call round${suffix}`) })],
      });
      expect(symbol.text).not.toMatch(/command:|hidden|file:/);
    });

    it('returns location links, each location once, including a location outside the workspace', async () => {
      const { data } = await ask('find_references', {
        path: 'toy/links.toy:4',
        symbol: 'roundL',
        relation: 'definition',
      });
      expect(locations(data)).toEqual(['toy/links.toy:13', 'node_modules/toy/lib/library.toy:3']);
    });

    it.each([
      ['type_definition', 'radius', ['toy/nested.toy:8']],
      ['declaration', 'Shape', ['toy/nested.toy:2']],
      ['implementations', 'Shape', ['toy/nested.toy:8']],
      ['writes', 'radius', ['toy/nested.toy:5', 'toy/nested.toy:17']],
    ])('%s', async (relation, symbol, expected) => {
      expect(locations((await ask('find_references', { symbol, relation })).data)).toEqual(expected);
    });

    it('ends at calls and types that form a cycle', async () => {
      expect((await ask('get_call_hierarchy', { symbol: 'area', depth: 5 })).text).toContain('round');
      expect((await ask('get_call_hierarchy', { symbol: 'area', depth: 5, direction: 'outgoing' })).text).toContain(
        'round',
      );
      expect((await ask('get_type_hierarchy', { symbol: 'Hen', depth: 5 })).text).toContain('Egg');
    });

    it.each(['toy/silent.toy', 'toy/failing.toy'])('names the service that returns nothing for %s', async (path) => {
      const { text } = await ask('get_outline', { paths: [path] });
      expect(text).toContain('drawbridge.toy-language');
    });
  });

  it('answers about the target of a link under its own path', async () => {
    const elsewhere = tempWorkspace({ 'a.ts': 'export const a = 1;\n' });
    symlinkSync(join(drawbridge.folder ?? '', 'src/shop'), join(drawbridge.folder ?? '', 'linked'));
    symlinkSync(elsewhere, join(drawbridge.folder ?? '', 'leaves'));
    const { data } = await ask('find_references', { path: 'linked/c9.tsx', symbol: 'Component9' });
    expect(locations(data)).toEqual(['src/shop/c9.tsx:8']);
    const leading = await assistant.call('get_symbol', { path: 'leaves/a.ts', symbol: 'a' });
    expect(leading.isError).toBe(true);
  });

  it('leaves no additional file open', async () => {
    const open = await drawbridge.window.evaluate((vscode) =>
      vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.path),
    );
    expect(open.filter((path) => !path.endsWith('src/shop/c2.tsx'))).toEqual([]);
  });
});
