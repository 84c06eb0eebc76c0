import { describe, expect, it, test } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { getLanguageDetails } from '#tools/languageMore/getLanguageDetails.ts';
import { cartProject, fileIn } from '../language/cartProject.ts';
import { kindsOfFiles } from './kindsOfFiles.ts';

const path = 'src/cart.ts';

function range(firstLine: number, firstColumn: number, lastColumn: number) {
  return { firstLine, firstColumn, lastLine: firstLine, lastColumn };
}

describe('signature_help', () => {
  it('shows every overload and marks the active one, at a position without a name', async () => {
    const run = cartProject();
    run.languageDetails.signatures = {
      signatures: [
        { label: 'f(a: string)', parameters: ['a: string'] },
        { label: 'f(a: number, b?: number)', documentation: 'Adds.', parameters: ['a: number', 'b?: number'] },
      ],
      activeSignature: 1,
      activeParameter: 0,
    };
    const { text } = await run.rendering(getLanguageDetails, { kind: 'signature_help', path: 'src/cart.ts:7:1' });
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

  it('gives the reason when no language service answers', async () => {
    expect(await cartProject().data(getLanguageDetails, { kind: 'signature_help', symbol: 'total' })).toEqual({
      kind: 'signature_help',
      path,
      line: 8,
      column: 17,
      signatures: [],
      note: 'No language service answers for src/cart.ts.',
    });
  });
});

describe('completions', () => {
  it('lists the completions that begin with a prefix, in pages', async () => {
    const run = cartProject();
    run.limits = { ...run.limits, maxResults: 1 };
    run.languageDetails.completed = [
      { label: 'addItem', kind: 'method', detail: '(item: Item): void', insertText: 'addItem($1)' },
      { label: 'remove', kind: 'method' },
      { label: 'Added', kind: 'property', insertText: 'Added' },
    ];
    const asked = { kind: 'completions', path: 'src/cart.ts:5:5', prefix: 'ADD' };
    const first = await run.data(getLanguageDetails, asked);
    expect(getLanguageDetails.render(first).text).toMatch(
      /^src\/cart\.ts: 1 of 2 completions\naddItem \(method\) \(item: Item\): void inserts addItem\(\$1\)\n\(more: cursor \S+\)$/,
    );
    const second = await run.data(getLanguageDetails, { ...asked, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ label: 'Added', kind: 'property' }], truncated: false });
    await expect(
      run.data(getLanguageDetails, { kind: 'completions', path: 'src/cart.ts:5:6', cursor: first.nextCursor }),
    ).rejects.toThrow(InvalidArgumentsError);
  });
});

describe('get_language_details of a file', () => {
  it('lists highlights with their line, and marks writes', async () => {
    const run = cartProject();
    run.languageDetails.highlighted = [{ ...range(5, 5, 10), access: 'read' }, range(8, 17, 22)];
    expect((await run.rendering(getLanguageDetails, { kind: 'document_highlights', symbol: 'total' })).text).toBe(
      'src/cart.ts: 2 uses\n5:5 read\ttotal(this);\n8:17\texport function total(cart) {',
    );
  });

  it('lists inlay hints of the requested lines', async () => {
    const run = cartProject();
    run.languageDetails.hints = [
      { line: 2, column: 8, label: ': Item[]', kind: 'type' },
      { line: 5, column: 11, label: 'cart:', kind: 'parameter' },
      { line: 6, column: 1, label: '?' },
    ];
    expect((await run.rendering(getLanguageDetails, { kind: 'inlay_hints', path, firstLine: 3 })).text).toBe(
      'src/cart.ts: 2 hints\n5:11 cart: (parameter)\n6:1 ?',
    );
  });

  it('lists folding ranges with their kind', async () => {
    const run = cartProject();
    run.languageDetails.folded = [
      { firstLine: 1, lastLine: 7 },
      { firstLine: 8, lastLine: 9, kind: 'comment' },
    ];
    expect((await run.rendering(getLanguageDetails, { kind: 'folding_ranges', path })).text).toBe(
      'src/cart.ts: 2 ranges\n1-7\n8-9 comment',
    );
  });

  it('lists selection ranges, the smallest first', async () => {
    const run = cartProject();
    run.languageDetails.selected = [range(5, 5, 10), { firstLine: 3, firstColumn: 3, lastLine: 6, lastColumn: 4 }];
    expect((await run.rendering(getLanguageDetails, { kind: 'selection_ranges', path: 'src/cart.ts:5:5' })).text).toBe(
      'src/cart.ts: 2 ranges\n5:5-5:10\n3:3-6:4',
    );
  });

  it('lists semantic tokens of the requested lines', async () => {
    const run = cartProject();
    run.languageDetails.tokens = [
      { ...range(1, 14, 18), kind: 'class', modifiers: ['declaration'] },
      { ...range(8, 17, 22), kind: 'function', modifiers: [] },
    ];
    expect((await run.rendering(getLanguageDetails, { kind: 'semantic_tokens', path, lastLine: 7 })).text).toBe(
      'src/cart.ts: 1 token\n1:14 Cart class declaration',
    );
  });

  it('lists code lenses with titles and commands, without running them', async () => {
    const run = cartProject();
    run.languageDetails.lenses = [
      { ...range(1, 1, 2), title: '2 references', command: 'show' },
      { ...range(8, 1, 2), title: 'new' },
    ];
    expect((await run.rendering(getLanguageDetails, { kind: 'code_lenses', path })).text).toBe(
      'src/cart.ts: 2 code lenses\n1 2 references (show)\n8 new',
    );
  });

  it('lists links to files and the web, and hides the target of a link to a file that may not be read', async () => {
    const run = cartProject({ '/w/.env': 'x' });
    run.languageDetails.linked = [
      { ...range(1, 8, 12), file: fileIn('src/order.ts'), tooltip: 'Open' },
      { ...range(2, 3, 8), target: 'https://example.org/' },
      { ...range(3, 3, 10), file: fileIn('.env') },
    ];
    expect((await run.rendering(getLanguageDetails, { kind: 'document_links', path })).text).toBe(
      [
        'src/cart.ts: 3 links',
        '1:8 clas -> src/order.ts (Open)',
        '2:3 items -> https://example.org/',
        '3:3 addItem',
      ].join('\n'),
    );
  });

  it('lists colors as written and as values', async () => {
    const run = cartProject({ '/w/a.css': 'a { color: red }' });
    run.languageDetails.colored = [{ ...range(1, 12, 15), color: '#ff0000' }];
    expect((await run.rendering(getLanguageDetails, { kind: 'document_colors', path: 'a.css' })).text).toBe(
      'a.css: 1 color\n1:12 red = #ff0000',
    );
  });

  it.each(kindsOfFiles)(
    '%s gives the reason when there is no answer, and refuses a path that is not a file',
    async (kind) => {
      const run = cartProject({ '/w/.env': 'x' });
      expect(await run.data(getLanguageDetails, { kind, path })).toEqual({
        kind,
        path,
        items: [],
        totalCount: 0,
        truncated: false,
        note: 'No language service answers for src/cart.ts.',
      });
      const asked = (other: string) => run.data(getLanguageDetails, { kind, path: other });
      await expect(asked('gone.ts')).rejects.toMatchObject({ code: 'not_found' });
      await expect(asked('src')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(asked('.env')).rejects.toMatchObject({ code: 'denied' });
    },
  );

  it('hides the text of a secret', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const run = cartProject({ '/w/a.md': `key ${secret}` });
    run.languageDetails.linked = [range(1, 5, 5 + secret.length)];
    expect(JSON.stringify(await run.data(getLanguageDetails, { kind: 'document_links', path: 'a.md' }))).not.toContain(
      secret.slice(0, 20),
    );
  });
});

describe('the arguments', () => {
  it.each([
    [{ kind: 'folding_ranges', path, symbol: 'Cart' }, '"symbol": folding_ranges does not take it.'],
    [{ kind: 'folding_ranges', path, firstLine: 1 }, '"firstLine": folding_ranges does not take it.'],
    [{ kind: 'signature_help', path, cursor: 'x' }, '"cursor": signature_help does not take it.'],
    [{ kind: 'inlay_hints', path, prefix: 'a' }, '"prefix": inlay_hints does not take it.'],
    [{ kind: 'code_lenses' }, '"path": code_lenses needs a file.'],
  ])('are refused: %j', (input, message) => {
    expect(() => getLanguageDetails.input.parse(input)).toThrow(new InvalidArgumentsError(message));
  });

  it.each([{}, { path }, { kind: 'get_folding_ranges', path }, { kind: 'toString', path }])(
    'are refused without a known kind: %j',
    (input) => {
      expect(() => getLanguageDetails.input.parse(input)).toThrow(InvalidArgumentsError);
    },
  );

  it('are refused when the cursor comes from another kind', async () => {
    const run = cartProject();
    run.limits = { ...run.limits, maxResults: 1 };
    run.languageDetails.folded = [
      { firstLine: 1, lastLine: 7 },
      { firstLine: 8, lastLine: 9 },
    ];
    const { nextCursor } = await run.data(getLanguageDetails, { kind: 'folding_ranges', path });
    expect(nextCursor).toBeTypeOf('string');
    await expect(run.data(getLanguageDetails, { kind: 'code_lenses', path, cursor: nextCursor })).rejects.toThrow(
      InvalidArgumentsError,
    );
  });
});

test('validates a result by the fields of its own kind', () => {
  const page = { path, totalCount: 1, truncated: false };
  const fold = { firstLine: 1, lastLine: 2, kind: 'code' };
  const check = (data: object) => () => getLanguageDetails.output.check({ kind: 'folding_ranges', ...page, ...data });
  expect(check({ items: [fold] })).not.toThrow();
  expect(check({ items: [{ ...fold, label: 'Cart' }] })).toThrow(
    'a field that its schema does not know: items.0.label',
  );
  expect(check({ items: [{ firstLine: 1 }] })).toThrow('items.0.lastLine');
  expect(check({ items: [fold], line: 1 })).toThrow('a field that its schema does not know: line');
});
