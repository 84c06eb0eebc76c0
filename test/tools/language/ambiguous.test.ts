import { describe, expect, it } from 'vitest';
import { findReferences } from '#tools/language/findReferences.ts';
import { findSymbols } from '#tools/language/findSymbols.ts';
import { getSymbol } from '#tools/language/getSymbol.ts';
import { matchRank } from '#tools/language/symbols/nameMatch.ts';
import type { ToolRun } from '../workspace/toolRun.ts';
import { cartProject, declared, fileIn, placeIn } from './cartProject.ts';

/** A file with an interface and a constant of one name, and a function whose name is also that of a nested one. */
function zodProject(): ToolRun {
  const text =
    'export interface Text {}\nexport const Text = 1;\nfunction parse() {\n}\nfunction outer() {\n  function parse() {}\n}\n';
  const run = cartProject({ '/w/src/schemas.ts': text });
  const nested = declared('parse', 'function', [6, 6], 12);
  run.language.outlines.set('src/schemas.ts', [
    declared('Text', 'interface', [1, 1], 18),
    declared('Text', 'variable', [2, 2], 14),
    declared('parse', 'function', [3, 4], 10),
    declared('outer', 'function', [5, 7], 10, [nested]),
  ]);
  return run;
}

/** Functions of one name in several files. */
function manySymbols(count: number) {
  const run = cartProject();
  const names = Array.from({ length: count }, (_, at) => `src/f${at}.ts`);
  run.symbols.places = names.map((path) => ({
    ...fileIn(path),
    name: 'run',
    kind: 'function',
    firstLine: 1,
    lastLine: 1,
  }));
  for (const path of names) {
    run.files.nodes.set(`/w/${path}`, 'run\n');
    run.language.outlines.set(path, [declared('run', 'function', [1, 1], 1)]);
  }
  return run;
}

describe('a name that several declarations have', () => {
  it('is answered with all of its declarations in full', async () => {
    const data = await zodProject().data(getSymbol, { symbol: 'Text', path: 'src/schemas.ts' });
    expect(data.definitions).toMatchObject([
      { name: 'Text', kind: 'interface', firstLine: 1, code: 'export interface Text {}' },
      { name: 'Text', kind: 'variable', firstLine: 2, code: 'export const Text = 1;' },
    ]);
    const both = await cartProject().data(getSymbol, { symbol: 'addItem' });
    expect(both.definitions).toMatchObject([
      { container: 'Cart', code: expect.any(String) },
      { container: 'Order', code: expect.any(String) },
    ]);
  });

  it('means the top-level declaration before nested ones', async () => {
    const { definitions } = await zodProject().data(getSymbol, { symbol: 'parse', path: 'src/schemas.ts' });
    expect(definitions).toMatchObject([{ firstLine: 3, lastLine: 4 }]);
  });

  it('is answered with a list when more than three have it', async () => {
    const run = manySymbols(5);
    const names = run.symbols.places.map(({ path }) => path);
    const { definitions, note } = await run.data(getSymbol, { symbol: 'run' });
    expect(definitions.map(({ path }) => path)).toEqual(names);
    expect(definitions.every(({ code }) => code === undefined)).toBe(true);
    expect(note).toContain('5 symbols have this name');
  });

  it('of find_references is a list of them when there are more than three', async () => {
    const run = manySymbols(5);
    const data = await run.data(findReferences, { symbol: 'run' });
    expect(data).toMatchObject({ uses: [], totalCount: 0, symbolCount: 5, resolved: { path: 'src/f0.ts' } });
    expect(findReferences.render(data).text).toBe(
      [
        '5 symbols have this name:',
        ...[0, 1, 2, 3, 4].map((at) => `run (function) src/f${at}.ts:1:1`),
        '(no uses were looked for; call again with the path and line of one symbol)',
      ].join('\n'),
    );
  });

  it('has the uses of all of them, each once', async () => {
    const run = cartProject();
    const [one, other] = [placeIn('src/cart.ts', 3, 3, 7), placeIn('src/order.ts', 3, 3, 7)];
    run.language.uses.set('references src/cart.ts:3', [one]);
    run.language.uses.set('references src/order.ts:3', [other, one]);
    const data = await run.data(findReferences, { symbol: 'addItem' });
    expect(data.uses.map(({ path }) => path)).toEqual(['src/cart.ts', 'src/order.ts']);
    expect(data.others).toEqual(['Order.addItem (method) src/order.ts:3:3']);
  });
});

describe('the order of find_symbols', () => {
  it('is the exact name, its beginning, its humps, then a part of it', async () => {
    const run = cartProject();
    const names = ['aZodstring', 'ZodCheckString', 'ZodStringFormat', 'ZodString'];
    run.symbols.places = names.map((name) => ({
      ...fileIn('src/cart.ts'),
      name,
      kind: 'class',
      firstLine: 1,
      lastLine: 1,
    }));
    run.symbols.find = async () => run.symbols.places;
    const { symbols } = await run.data(findSymbols, { query: 'ZodString' });
    expect(symbols.map(({ name }) => name)).toEqual(['ZodString', 'ZodStringFormat', 'ZodCheckString', 'aZodstring']);
  });

  it.each([
    ['addItem', 'addItem', 0],
    ['additem', 'addItem', 1],
    ['add', 'addItem', 2],
    ['ADD', 'addItem', 3],
    ['AdIt', 'addItem', 4],
    ['a_i', 'add_item', 4],
    ['Item', 'addItem', 5],
    ['xyz', 'addItem', undefined],
  ])('ranks %s for %s as %s', (query, name, rank) => {
    expect(matchRank(query, name)).toBe(rank);
  });
});
