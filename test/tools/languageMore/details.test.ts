import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError, type ReadingTool, type ToolPorts } from '../../../src/core/tool.ts';
import { getCodeLenses } from '../../../src/tools/languageMore/getCodeLenses.ts';
import { getCompletions } from '../../../src/tools/languageMore/getCompletions.ts';
import { getDocumentColors } from '../../../src/tools/languageMore/getDocumentColors.ts';
import { getDocumentHighlights } from '../../../src/tools/languageMore/getDocumentHighlights.ts';
import { getDocumentLinks } from '../../../src/tools/languageMore/getDocumentLinks.ts';
import { getFoldingRanges } from '../../../src/tools/languageMore/getFoldingRanges.ts';
import { getInlayHints } from '../../../src/tools/languageMore/getInlayHints.ts';
import { getSelectionRanges } from '../../../src/tools/languageMore/getSelectionRanges.ts';
import { getSemanticTokens } from '../../../src/tools/languageMore/getSemanticTokens.ts';
import { getSignatureHelp } from '../../../src/tools/languageMore/getSignatureHelp.ts';
import { cartProject, fileIn } from '../language/cartProject.ts';

const path = 'src/cart.ts';

function range(firstLine: number, firstColumn: number, lastColumn: number) {
  return { firstLine, firstColumn, lastLine: firstLine, lastColumn };
}

describe('get_signature_help', () => {
  it('shows every overload and marks what fits, at a place where no name stands', async () => {
    const run = cartProject();
    run.languageDetails.signatures = {
      signatures: [
        { label: 'f(a: string)', parameters: ['a: string'] },
        { label: 'f(a: number, b?: number)', documentation: 'Adds.', parameters: ['a: number', 'b?: number'] },
      ],
      activeSignature: 1,
      activeParameter: 0,
    };
    const { text } = await run.rendering(getSignatureHelp, { path: 'src/cart.ts:7:1' });
    expect(run.languageDetails.asked).toEqual(['src/cart.ts:7:1']);
    expect(text).toBe(
      [
        'At src/cart.ts:7:1, parameter 0',
        'f(a: string)',
        'parameters: a: string',
        '> f(a: number, b?: number)',
        'parameters: a: number; b?: number',
        'Adds.',
        '(signature 1 fits, from 0)',
      ].join('\n'),
    );
  });

  it('without an answer says why', async () => {
    expect(await cartProject().data(getSignatureHelp, { symbol: 'total' })).toEqual({
      path,
      line: 8,
      column: 17,
      signatures: [],
      note: 'No language service answers for src/cart.ts.',
    });
  });
});

describe('get_completions', () => {
  it('lists what begins with a prefix, in pages', async () => {
    const run = cartProject();
    run.limits = { ...run.limits, maxResults: 1 };
    run.languageDetails.completed = [
      { label: 'addItem', kind: 'method', detail: '(item: Item): void', insertText: 'addItem($1)' },
      { label: 'remove', kind: 'method' },
      { label: 'Added', kind: 'property', insertText: 'Added' },
    ];
    const asked = { path: 'src/cart.ts:5:5', prefix: 'ADD' };
    const first = await run.data(getCompletions, asked);
    expect(getCompletions.render(first).text).toMatch(
      /^src\/cart\.ts: 2 completions\naddItem \(method\) \(item: Item\): void inserts addItem\(\$1\)\n\(more: cursor \S+\)$/,
    );
    const second = await run.data(getCompletions, { ...asked, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ label: 'Added', kind: 'property' }], truncated: false });
    await expect(run.data(getCompletions, { path: 'src/cart.ts:5:6', cursor: first.nextCursor })).rejects.toThrow(
      InvalidArgumentsError,
    );
  });
});

const ofFiles: readonly ReadingTool<unknown, unknown, keyof ToolPorts>[] = [
  getInlayHints,
  getFoldingRanges,
  getSemanticTokens,
  getCodeLenses,
  getDocumentLinks,
  getDocumentColors,
];

describe('details of a file', () => {
  it('highlights: uses with their line, writes told from reads', async () => {
    const run = cartProject();
    run.languageDetails.highlighted = [{ ...range(5, 5, 10), access: 'read' }, range(8, 17, 22)];
    expect((await run.rendering(getDocumentHighlights, { symbol: 'total' })).text).toBe(
      'src/cart.ts: 2 uses\n5:5 read\ttotal(this);\n8:17\texport function total(cart) {',
    );
  });

  it('inlay hints: of the lines asked for', async () => {
    const run = cartProject();
    run.languageDetails.hints = [
      { line: 2, column: 8, label: ': Item[]', kind: 'type' },
      { line: 5, column: 11, label: 'cart:', kind: 'parameter' },
      { line: 6, column: 1, label: '?' },
    ];
    expect((await run.rendering(getInlayHints, { path, firstLine: 3 })).text).toBe(
      'src/cart.ts: 2 hints\n5:11 cart: (parameter)\n6:1 ?',
    );
  });

  it('folding ranges: lines and what they hold', async () => {
    const run = cartProject();
    run.languageDetails.folded = [
      { firstLine: 1, lastLine: 7 },
      { firstLine: 8, lastLine: 9, kind: 'comment' },
    ];
    expect((await run.rendering(getFoldingRanges, { path })).text).toBe('src/cart.ts: 2 ranges\n1-7\n8-9 comment');
  });

  it('selection ranges: the smallest first', async () => {
    const run = cartProject();
    run.languageDetails.selected = [range(5, 5, 10), { firstLine: 3, firstColumn: 3, lastLine: 6, lastColumn: 4 }];
    expect((await run.rendering(getSelectionRanges, { path: 'src/cart.ts:5:5' })).text).toBe(
      'src/cart.ts: 2 ranges\n5:5-5:10\n3:3-6:4',
    );
  });

  it('semantic tokens: the words of the lines asked for', async () => {
    const run = cartProject();
    run.languageDetails.tokens = [
      { ...range(1, 14, 18), kind: 'class', modifiers: ['declaration'] },
      { ...range(8, 17, 22), kind: 'function', modifiers: [] },
    ];
    expect((await run.rendering(getSemanticTokens, { path, lastLine: 7 })).text).toBe(
      'src/cart.ts: 1 token\n1:14 Cart class declaration',
    );
  });

  it('code lenses: titles and commands, which are not run', async () => {
    const run = cartProject();
    run.languageDetails.lenses = [
      { ...range(1, 1, 2), title: '2 references', command: 'show' },
      { ...range(8, 1, 2), title: 'new' },
    ];
    expect((await run.rendering(getCodeLenses, { path })).text).toBe(
      'src/cart.ts: 2 code lenses\n1 2 references (show)\n8 new',
    );
  });

  it('links: to files, to the web, and to nowhere when the file may not be read', async () => {
    const run = cartProject({ '/w/.env': 'x' });
    run.languageDetails.linked = [
      { ...range(1, 8, 12), file: fileIn('src/order.ts'), tooltip: 'Open' },
      { ...range(2, 3, 8), target: 'https://example.org/' },
      { ...range(3, 3, 10), file: fileIn('.env') },
    ];
    expect((await run.rendering(getDocumentLinks, { path })).text).toBe(
      [
        'src/cart.ts: 3 links',
        '1:8 clas -> src/order.ts (Open)',
        '2:3 items -> https://example.org/',
        '3:3 addItem',
      ].join('\n'),
    );
  });

  it('colors: as they are written and as they are', async () => {
    const run = cartProject({ '/w/a.css': 'a { color: red }' });
    run.languageDetails.colored = [{ ...range(1, 12, 15), color: '#ff0000' }];
    expect((await run.rendering(getDocumentColors, { path: 'a.css' })).text).toBe('a.css: 1 color\n1:12 red = #ff0000');
  });

  it.each(ofFiles)('$name: none says why, and what is no file is refused', async (tool) => {
    const run = cartProject({ '/w/.env': 'x' });
    expect(await run.data(tool, { path })).toMatchObject({
      items: [],
      totalCount: 0,
      note: 'No language service answers for src/cart.ts.',
    });
    await expect(run.data(tool, { path: 'gone.ts' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(run.data(tool, { path: 'src' })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(run.data(tool, { path: '.env' })).rejects.toMatchObject({ code: 'denied' });
  });

  it('the text of a secret does not show', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const run = cartProject({ '/w/a.md': `key ${secret}` });
    run.languageDetails.linked = [range(1, 5, 5 + secret.length)];
    expect(JSON.stringify(await run.data(getDocumentLinks, { path: 'a.md' }))).not.toContain(secret.slice(0, 20));
  });
});
