import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { clickButton, decide, openApprovals, readToEnd } from '../approvalsPage.ts';
import { type Answer, type Assistant, connectAssistant, type Outcome, patience } from '../assistant.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, toyLanguage } from '../harness.ts';
import { looksOf, settledLooks, withoutTabs } from '../looks.ts';

const config =
  '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"esnext"},"include":["src"]}';

const files = {
  'tsconfig.json': config,
  'src/cart.ts':
    '/** What somebody wants to buy. */\r\nexport class Cart {\r\n  addItem(name: string): string {\r\n    return name;\r\n  }\r\n}\r\n',
  'src/app.ts': "import { Cart } from './cart';\n\nexport const first = new Cart().addItem('tea');\n",
  'src/other.ts': "import { Cart } from './cart';\n\nexport const other = (cart: Cart) => cart.addItem('milk');\n",
  'src/imports.ts':
    "import { zebra } from './zebra';\nimport { Cart } from './cart';\nimport { ape } from './ape';\n\nexport const zoo = [zebra, ape];\n",
  'src/zebra.ts': 'export const zebra = 1;\n',
  'src/ape.ts': 'export const ape = 2;\n',
  'src/missing.ts': 'export const found = zebra + 1;\n',
  'src/messy.ts': 'export function messy( a:number ){\nreturn   a ;\n}\n',
  'src/unmet.ts':
    "import type { Cart } from './cart';\n\nexport interface Paid {\n  pay(cart: Cart): number;\n}\nexport class Shop implements Paid {}\nexport function never() {\n  return 1;\n  never();\n}\n",
  'data/messy.json': '{"a":1,"b":[1,2]}',
  'toy/program.toy':
    '#resources\nclass Shape\n  fn area\n    call area\n  end\nend\nimport "b.toy"\nimport "a.toy"\nfn left\n  problem here\nend\n',
  'toy/outside.toy': '#outside\nclass Far\nend\n',
  'toy/through.toy': '#linked\nclass Through\nend\n',
  'toy/contents.toy': '#resources contents\nclass Full\nend\n',
  'toy/reserved.toy': '#reserved\nclass Held\nend\n',
};

let drawbridge: Drawbridge;
let assistant: Assistant;
let page: Frame;
let folder: string;
/** A file beside the workspace. */
let elsewhere: string;

beforeAll(async () => {
  folder = tempWorkspace(files);
  elsewhere = join(folder, '../else.toy');
  writeFileSync(elsewhere, 'class Else\nend\n');
  symlinkSync(elsewhere, join(folder, 'toy/linked.toy'));
  drawbridge = await startDrawbridge({ folder, settings: patience, extensions: [toyLanguage] });
  assistant = await connectAssistant(await drawbridge.record());
  page = await openApprovals(drawbridge.window);
});
afterAll(() => drawbridge?.stop());

const text = (path: string): string => readFileSync(join(folder, path), 'utf8');

async function approved(tool: string, args: Record<string, unknown>): Promise<Outcome> {
  const changed = assistant.change(tool, args);
  const name = /^(?:Approve|Run: )/;
  await Promise.race([page.getByRole('button', { name }).first().waitFor(), changed]);
  await readToEnd(page, name);
  await decide(page, name);
  const outcome = await changed;
  expect(outcome).toMatchObject({ status: 'applied' });
  return outcome;
}

const listing = z.looseObject({
  version: z.string(),
  actions: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      kind: z.string(),
      fixes: z.array(z.string()).optional(),
      runsCommand: z.string().optional(),
    }),
  ),
});

async function actionsOf(path: string, firstLine: number, kinds?: readonly string[]) {
  const answer: Answer = await assistant.call('list_code_actions', { path, firstLine, ...(kinds && { kinds }) });
  expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
  return listing.parse(answer.structuredContent).actions;
}

async function idOf(path: string, line: number, title: RegExp | string, kinds?: readonly string[]): Promise<string> {
  const actions = await actionsOf(path, line, kinds);
  const found = actions.find((one) => (typeof title === 'string' ? one.title === title : title.test(one.title)));
  if (found === undefined) throw new Error(`${title} is not among ${actions.map((one) => one.title).join(', ')}`);
  return found.id;
}

/** Returns the arguments with which the command of the toy language ran. */
function recorded(): Promise<unknown> {
  return drawbridge.window.evaluate(async (vscode) => {
    const toy = vscode.extensions.all.find(({ id }) => id.endsWith('.toy-language') || id.endsWith('.toy'));
    return toy?.exports?.recorded;
  });
}

describe('the refactorings of TypeScript and JSON in files without a tab', () => {
  it('rename a method wherever it is used, byte for byte, and Undo reverts it', async () => {
    const before = await settledLooks(drawbridge.window);
    await approved('rename_symbol', { symbol: 'Cart.addItem', newName: 'put' });
    expect(text('src/cart.ts')).toBe(files['src/cart.ts'].replace('addItem', 'put'));
    expect(text('src/app.ts')).toBe(files['src/app.ts'].replace('addItem', 'put'));
    expect(text('src/other.ts')).toBe(files['src/other.ts'].replace('addItem', 'put'));
    await clickButton(page, /^Undo/);
    await page
      .getByRole('heading', { name: /^Undone/ })
      .first()
      .waitFor();
    for (const path of ['src/cart.ts', 'src/app.ts', 'src/other.ts'] as const) expect(text(path)).toBe(files[path]);
    expect(withoutTabs(await settledLooks(drawbridge.window))).toEqual(withoutTabs(before));
  });

  it('organise imports without formatting the rest', async () => {
    await approved('format_files', { paths: ['src/imports.ts'], steps: ['organizeImports'] });
    expect(text('src/imports.ts')).toBe(
      "import { ape } from './ape';\nimport { zebra } from './zebra';\n\nexport const zoo = [zebra, ape];\n",
    );
  });

  it('format TypeScript and JSON in one change', async () => {
    await approved('format_files', { paths: ['src/messy.ts', 'data/messy.json'] });
    expect(text('src/messy.ts')).toBe('export function messy(a: number) {\n    return a;\n}\n');
    expect(JSON.parse(text('data/messy.json'))).toEqual({ a: 1, b: [1, 2] });
    expect(text('data/messy.json')).toContain('\n');
    expect(await assistant.say('format_files', { paths: ['src/messy.ts'] })).toContain('no_match');
  });

  it('apply all automatic fixes of TypeScript', async () => {
    const before = await looksOf(drawbridge.window);
    await approved('format_files', { paths: ['src/unmet.ts'], steps: ['fixAll'] });
    expect(text('src/unmet.ts')).toContain('    pay(cart: Cart): number {');
    expect(text('src/unmet.ts')).not.toContain('  never();');
    expect(withoutTabs(await looksOf(drawbridge.window))).toEqual(withoutTabs(before));
  });

  it('add a missing import by a quick fix that names the problem', async () => {
    const before = await looksOf(drawbridge.window);
    const actions = await actionsOf('src/missing.ts', 1, ['quickfix']);
    const fix = actions.find(({ title }) => title.includes('./zebra'));
    expect(fix).toMatchObject({ kind: 'quickfix', fixes: ["Cannot find name 'zebra'."] });
    expect(fix).not.toHaveProperty('runsCommand');
    expect(await looksOf(drawbridge.window)).toEqual(before);
    await approved('apply_code_action', { id: fix?.id });
    expect(text('src/missing.ts')).toContain('import { zebra } from "./zebra";');
    expect(await assistant.say('apply_code_action', { id: fix?.id })).toContain('not_found');
  });

  it('extract by a refactoring, and refuse an action of an older text as stale', async () => {
    const stale = await idOf('src/missing.ts', 3, /^Extract to constant in enclosing scope|Move to a new file/);
    const used = await idOf('src/missing.ts', 3, /^Move to a new file/, ['refactor']);
    await approved('apply_code_action', { id: used });
    expect(existsSync(join(folder, 'src/found.ts'))).toBe(true);
    expect(await assistant.say('apply_code_action', { id: stale })).toContain('stale_version');
  });

  it('replace a method, and insert beside it', async () => {
    const newText = 'addItem(name: string): string {\n  return name.trim();\n}';
    await approved('edit_symbol', { symbol: 'Cart.addItem', operation: 'replace', newText });
    await approved('edit_symbol', { symbol: 'Cart', operation: 'insert_after', newText: 'export const none = 0;' });
    expect(text('src/cart.ts')).toBe(
      '/** What somebody wants to buy. */\r\nexport class Cart {\r\n  addItem(name: string): string {\r\n    return name.trim();\r\n  }\r\n}\r\n\r\nexport const none = 0;\r\n',
    );
  });
});

describe('the refactorings of any other language', () => {
  it.each([
    ['outside the workspace', 'Far', 'toy/outside.toy', '/else.toy'],
    ['through a link that leads out of it', 'Through', 'toy/through.toy', 'toy/linked.toy'],
  ] as const)('P17: refuse a whole edit that reaches %s, and name the path', async (_where, symbol, path, named) => {
    const refusal = await assistant.say('rename_symbol', { symbol, path, newName: 'Near' });
    expect(refusal).toContain(named);
    expect(refusal).toContain('outside_workspace');
    expect(text(path)).toBe(files[path]);
    expect(readFileSync(elsewhere, 'utf8')).toBe('class Else\nend\n');
  });

  it('report what a rename would have changed, and why the rename is refused', async () => {
    const refusal = await assistant.say('rename_symbol', { symbol: 'Held', path: 'toy/reserved.toy', newName: 'x' });
    expect(refusal).toContain('Held (class) toy/reserved.toy:2:7 is not renamed');
    expect(refusal).toContain('x is reserved.');
  });

  it('P17: refuse a whole change when a part of the change cannot be shown', async () => {
    const refusal = await assistant.say('rename_symbol', {
      symbol: 'Full',
      path: 'toy/contents.toy',
      newName: 'Empty',
    });
    expect(refusal).toContain('cannot be shown');
    expect(text('toy/contents.toy')).toBe(files['toy/contents.toy']);
  });

  it('run a command of a code action only after the user approved the command as an action', async () => {
    const actions = await actionsOf('toy/program.toy', 10);
    expect(actions.map(({ title, runsCommand }) => [title, runsCommand])).toEqual(
      expect.arrayContaining([
        ['Mend', undefined],
        ['Record', 'toy.record'],
        ['Mend and record', 'toy.record'],
        ['Bare command', 'toy.record'],
      ]),
    );
    const both = actions.find(({ title }) => title === 'Mend and record');
    const only = actions.find(({ title }) => title === 'Record');
    expect(await assistant.say('apply_code_action', { id: only?.id })).toContain('runCommand');
    await approved('apply_code_action', { id: only?.id, runCommand: true });
    expect(await recorded()).toEqual([[expect.anything(), 9]]);
    await approved('apply_code_action', { id: both?.id });
    expect(text('toy/program.toy')).toContain('  mended\n');
  });

  it('apply file operations along with a rename', async () => {
    await approved('rename_symbol', { symbol: 'Shape', path: 'toy/program.toy', newName: 'Form' });
    expect(existsSync(join(folder, 'toy/program.toy'))).toBe(false);
    expect(text('toy/Form.toy')).toContain('class Form\n');
    expect(text('toy/Form.log')).toBe('Shape became Form\n');
  });

  it('organise, fix and format in one change', async () => {
    await approved('format_files', { paths: ['toy/Form.toy'], steps: ['organizeImports', 'fixAll', 'format'] });
    expect(text('toy/Form.toy')).toContain('import "a.toy"\nimport "b.toy"\n');
  });
});
