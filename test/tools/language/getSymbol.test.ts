import { describe, expect, it } from 'vitest';
import { getSymbol, hoverText } from '#tools/language/getSymbol.ts';
import { cartProject, declared, placeIn } from './cartProject.ts';

const resolved = { name: 'total', kind: 'function', path: 'src/cart.ts', line: 8, column: 17 };
const code = 'export function total(cart) {\n  return cart.items.length;\n}';

describe('get_symbol', () => {
  it('returns the code, signature and documentation of a declaration', async () => {
    const run = cartProject();
    run.language.hovers.set('src/cart.ts:8', ['```typescript\nfunction total(cart: Cart): number\n```\n\nHow many.']);
    const data = await run.data(getSymbol, { symbol: 'total' });
    expect(data).toEqual({
      resolved,
      foundBy: 'language',
      signature: 'function total(cart: Cart): number',
      documentation: 'How many.',
      definitions: [{ path: 'src/cart.ts', firstLine: 8, lastLine: 10, code }],
    });
    expect(getSymbol.render(data).text).toBe(
      [
        'total (function) src/cart.ts:8:17',
        'function total(cart: Cart): number',
        '',
        'How many.',
        'Defined: src/cart.ts:8-10',
        '8\texport function total(cart) {',
        '9\t  return cart.items.length;',
        '10\t}',
      ].join('\n'),
    );
  });

  it('follows a use to its definition, and returns all of its code', async () => {
    const run = cartProject();
    run.language.uses.set('definition src/order.ts:4', [placeIn('src/cart.ts', 8, 17, 5)]);
    expect(await run.data(getSymbol, { symbol: 'total', path: 'src/order.ts:4' })).toMatchObject({
      resolved: { name: 'total', path: 'src/order.ts', line: 4, column: 18 },
      definitions: [{ name: 'total', kind: 'function', path: 'src/cart.ts', firstLine: 8, lastLine: 10, code }],
    });
  });

  it('lists several definitions, the first with its code', async () => {
    const run = cartProject();
    run.language.uses.set('definition src/order.ts:4', [
      placeIn('src/cart.ts', 3, 3, 7),
      placeIn('src/order.ts', 3, 3, 7),
    ]);
    const { definitions } = await run.data(getSymbol, { path: 'src/order.ts:4:18' });
    expect(definitions).toEqual([
      expect.objectContaining({ name: 'addItem', container: 'Cart', code: expect.stringContaining('this.items.push') }),
      { name: 'addItem', kind: 'method', container: 'Order', path: 'src/order.ts', firstLine: 3, lastLine: 3 },
    ]);
  });

  it('returns only the label and the hover text of a definition outside the workspace', async () => {
    const run = cartProject();
    const range = { firstLine: 5, firstColumn: 1, lastLine: 5, lastColumn: 9 };
    run.language.uses.set('definition src/cart.ts:4', [{ outside: true, path: 'node_modules/x/lib.d.ts', ...range }]);
    run.language.hovers.set('src/cart.ts:4', ['```ts\npush(...items): number\n```']);
    const data = await run.data(getSymbol, { symbol: 'push', path: 'src/cart.ts:4' });
    expect(data).toMatchObject({
      signature: 'push(...items): number',
      definitions: [{ path: 'node_modules/x/lib.d.ts', outside: true, firstLine: 5, lastLine: 5 }],
    });
    expect(data.definitions[0]?.code).toBeUndefined();
    expect(run.files.reads).not.toContain('node_modules/x/lib.d.ts');
  });

  describe('of a definition in a library outside the workspace', () => {
    const label = 'node_modules/x/lib.d.ts';
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const library = (text: string, path = label) => {
      const run = cartProject();
      const range = { firstLine: 2, firstColumn: 1, lastLine: 2, lastColumn: 9 };
      run.language.uses.set('definition src/cart.ts:4', [{ outside: true, path: label, ...range }]);
      run.language.libraries.set(label, { path, text });
      return run;
    };
    const asked = { symbol: 'push', path: 'src/cart.ts:4' };

    it('returns its code, redacted', async () => {
      const run = library(`first\nsecond "${secret}"\nthird`);
      const { definitions, note } = await run.data(getSymbol, asked);
      const shown = { path: label, outside: true, firstLine: 2, lastLine: 3 };
      expect(definitions).toEqual([{ ...shown, code: expect.stringMatching(/^second "\[redacted:[^\]]+\]"\nthird$/) }]);
      expect(note).toBeUndefined();
      expect(run.files.reads).not.toContain(label);
    });

    it('says that the rest of a long one cannot be read', async () => {
      const { definitions, note } = await library(`first\n${'x'.repeat(13_000)}\nthird`).data(getSymbol, asked);
      expect(definitions[0]?.code?.length).toBeLessThanOrEqual(12_000);
      expect(definitions[0]).not.toHaveProperty('nextFirstLine');
      expect(note).toContain('no tool reads on');
    });

    it.each(['node_modules/x/.env', 'node_modules/y/id_rsa'])(
      'P28: shows no code of %s, a secret file',
      async (path) => {
        const { definitions } = await library('first\nsecond', path).data(getSymbol, asked);
        expect(definitions).toEqual([{ path: label, outside: true, firstLine: 2, lastLine: 2 }]);
      },
    );
  });

  it('shows the unsaved text with LF, without secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const run = cartProject();
    run.files.buffers.set('/w/src/cart.ts', `\r\n\r\n\r\n\r\n\r\n\r\n\r\nfunction total() {\r\n "${secret}"\r\n}\r\n`);
    const { definitions } = await run.data(getSymbol, { symbol: 'total' });
    expect(definitions[0]?.code).toMatch(/^function total\(\) \{\n "\[redacted:[^\]]+\]"\n\}$/);
  });

  it('cuts long code and says where to continue reading', async () => {
    const run = cartProject({ '/w/src/long.ts': Array.from({ length: 3000 }, (_, at) => `line ${at + 1}`).join('\n') });
    run.language.outlines.set('src/long.ts', [declared('line', 'function', [1, 3000], 1)]);
    const { definitions } = await run.data(getSymbol, { symbol: 'line', path: 'src/long.ts' });
    const [first] = definitions;
    expect(first?.lastLine).toBe(3000);
    expect(Buffer.byteLength(first?.code ?? '')).toBeLessThanOrEqual(12_000);
    expect(first?.code?.split('\n')).toHaveLength((first?.nextFirstLine ?? 0) - 1);
  });

  it('shows and marks the line that a search found when no language service answers', async () => {
    const run = cartProject({ '/w/a.lua': 'function shipping()\n  return 1\nend\n' });
    const data = await run.data(getSymbol, { symbol: 'shipping' });
    expect(data).toEqual({
      resolved: { name: 'shipping', path: 'a.lua', line: 1, column: 10 },
      foundBy: 'text',
      definitions: [{ path: 'a.lua', firstLine: 1, lastLine: 4, code: 'function shipping()\n  return 1\nend\n' }],
      note: 'No language service answers for a.lua.',
    });
    expect(getSymbol.render(data).text).toContain('found as text');
  });

  it('reports that a use has no definition', async () => {
    expect(await cartProject().data(getSymbol, { path: 'src/order.ts:4:18' })).toMatchObject({
      foundBy: 'language',
      definitions: [],
      note: 'No language service answers for src/order.ts.',
    });
  });

  it('silently omits definitions in files that may not be read', async () => {
    const run = cartProject({ '/w/.env': 'total=1' });
    run.language.uses.set('definition src/order.ts:4', [placeIn('.env', 1, 1, 5), placeIn('src/cart.ts', 8, 17, 5)]);
    const { definitions } = await run.data(getSymbol, { path: 'src/order.ts:4:18' });
    expect(definitions.map(({ path }) => path)).toEqual(['src/cart.ts']);
  });
});

describe('the parts of a hover', () => {
  it.each([
    [[], {}],
    [['Only words.'], { documentation: 'Only words.' }],
    [['```ts\na\n```', '```ts\nb\n```\nMore.'], { signature: 'a', documentation: '```ts\nb\n```\nMore.' }],
    [['Words first.\n```\ncode\n```'], { signature: 'code', documentation: 'Words first.' }],
    [['```ts\n```'], {}],
  ])('are split from %j into %j', (hovers, expected) => {
    expect(hoverText(hovers)).toEqual(expected);
  });

  it('are cut when the hover is long', () => {
    const { documentation = '' } = hoverText(['x'.repeat(10_000)]);
    expect(documentation).toHaveLength(4001);
  });
});
