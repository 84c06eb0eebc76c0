import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallItem } from '#base/language.ts';
import { getCallHierarchy } from '#tools/language/getCallHierarchy.ts';
import { getTypeHierarchy } from '#tools/language/getTypeHierarchy.ts';
import { walkHierarchy } from '#tools/language/symbols/hierarchy.ts';
import { callGraph, cartProject, declared, hierarchyItem, placeIn, typeGraph } from './cartProject.ts';

describe('get_call_hierarchy', () => {
  const graph = callGraph({ total: ['pay', 'addItem'], pay: ['main'], addItem: ['main'], main: ['total'] });

  it('follows callers level by level, and marks a repeated caller without following it again', async () => {
    const run = cartProject();
    run.language.calls.set('src/cart.ts:8', [graph('total')]);
    const data = await run.data(getCallHierarchy, { symbol: 'total', depth: 5 });
    expect(getCallHierarchy.render(data).text).toBe(
      [
        '5 callers of total (function) src/cart.ts:8:17',
        'pay (function) src/pay.ts:1, calls at 1',
        '  main (function) src/main.ts:1, calls at 1',
        '    total (function) src/total.ts:1, calls at 1 (see above or below)',
        'addItem (function) src/addItem.ts:1, calls at 2',
        '  main (function) src/main.ts:1, calls at 1 (see above or below)',
      ].join('\n'),
    );
    expect(data.calls[2]).toEqual({
      name: 'total',
      kind: 'function',
      depth: 3,
      path: 'src/total.ts',
      line: 1,
      isRepeated: true,
      callLines: [1],
    });
  });

  it('is one level deep unless asked for more, in either direction', async () => {
    const run = cartProject();
    const directions: string[] = [];
    const root: CallItem = {
      ...hierarchyItem('total', 'src/cart.ts', 8),
      calls: async (direction) => {
        directions.push(direction);
        return [{ item: graph('pay'), lines: [7, 9] }];
      },
    };
    run.language.calls.set('src/cart.ts:8', [root]);
    expect((await run.data(getCallHierarchy, { symbol: 'total' })).calls).toHaveLength(1);
    expect(await run.data(getCallHierarchy, { symbol: 'total', direction: 'outgoing' })).toMatchObject({
      direction: 'outgoing',
      calls: [{ name: 'pay', callLines: [7, 9] }],
    });
    expect(directions).toEqual(['incoming', 'outgoing']);
  });

  it('omits callers in files that may not be read, and their own callers', async () => {
    const run = cartProject({ '/w/.env': 'x' });
    const hidden: CallItem = { ...graph('pay'), place: placeIn('.env', 1, 1) };
    const root: CallItem = { ...graph('total'), calls: async () => [{ item: hidden, lines: [1] }] };
    run.language.calls.set('src/cart.ts:8', [root]);
    expect(await run.data(getCallHierarchy, { symbol: 'total', depth: 3 })).toMatchObject({ calls: [] });
  });

  it('says so when no language service answers', async () => {
    expect(await cartProject().data(getCallHierarchy, { symbol: 'total' })).toMatchObject({
      calls: [],
      note: 'No language service answers for src/cart.ts.',
    });
  });

  it('says when there are more than fit', async () => {
    const run = cartProject();
    run.language.calls.set('src/cart.ts:8', [
      callGraph({ total: Array.from({ length: 300 }, (_, at) => `f${at}`) })('total'),
    ]);
    const data = await run.data(getCallHierarchy, { symbol: 'total' });
    expect(data.calls).toHaveLength(200);
    expect(data.truncated).toBe(true);
    run.limits = { ...run.limits, listBytes: 2000 };
    expect(JSON.stringify(await run.data(getCallHierarchy, { symbol: 'total' })).length).toBeLessThan(2000);
  });
});

describe('get_type_hierarchy', () => {
  const graph = typeGraph({ supertypes: { Cart: ['Base'], Base: ['Root'] }, subtypes: { Cart: ['BigCart'] } });

  it('shows supertypes and subtypes, or only one of them', async () => {
    const run = cartProject();
    run.language.types.set('src/cart.ts:1', [graph('Cart')]);
    const data = await run.data(getTypeHierarchy, { symbol: 'Cart', depth: 2 });
    expect(getTypeHierarchy.render(data).text).toBe(
      [
        'Types around Cart (class) src/cart.ts:1:14',
        '^ Base (function) src/Base.ts:1',
        '  ^ Root (function) src/Root.ts:1',
        'v BigCart (function) src/BigCart.ts:1',
      ].join('\n'),
    );
    const { types } = await run.data(getTypeHierarchy, { symbol: 'Cart', direction: 'subtypes' });
    expect(types.map(({ name, relation }) => [name, relation])).toEqual([['BigCart', 'subtypes']]);
  });

  it('says so when no language service answers', async () => {
    const data = await cartProject().data(getTypeHierarchy, { symbol: 'Cart' });
    expect(data.note).toBe('No language service answers for src/cart.ts.');
    expect(getTypeHierarchy.render(data).text).toContain(': none');
  });
});

describe('get_type_hierarchy without a type hierarchy of the language service', () => {
  const text = [
    'export class Tea<T extends Array<T>>',
    '  extends Base<() => void, { a: 1 }>',
    '  implements',
    '    Iterable<T>,',
    '    Drink {',
    '  extends = Secret;',
    '}',
  ].join('\n');

  function teaProject() {
    const run = cartProject({ '/w/src/tea.ts': text, '/w/src/base.ts': 'class Base {}\n', '/w/.env': 'x' });
    const { outlines, uses } = run.language;
    outlines.set('src/tea.ts', [declared('Tea', 'class', [1, 7], 14), declared('brew', 'function', [7, 7], 1)]);
    outlines.set('src/base.ts', [declared('Base', 'class', [1, 1], 7), declared('Drink', 'interface', [2, 2], 11)]);
    uses.set('definition src/tea.ts:2', [placeIn('src/base.ts', 1, 7, 4)]);
    const library = { firstLine: 9, firstColumn: 11, lastLine: 9, lastColumn: 19 };
    uses.set('definition src/tea.ts:4', [{ outside: true, path: 'node_modules/lib.d.ts', ...library }]);
    uses.set('definition src/tea.ts:5', [placeIn('src/base.ts', 2, 11, 5)]);
    uses.set('definition src/tea.ts:6', [placeIn('src/cart.ts', 1, 14, 4)]);
    uses.set('implementations src/base.ts:1', [
      placeIn('.env', 1, 1),
      placeIn('src/base.ts', 1, 7, 4),
      placeIn('src/tea.ts', 1, 1, 40),
      placeIn('src/tea.ts', 7, 1, 1),
    ]);
    return run;
  }

  it('shows implementations as subtypes and the names of heritage clauses as supertypes, and says so', async () => {
    const run = teaProject();
    const data = await run.data(getTypeHierarchy, { symbol: 'Tea', path: 'src/tea.ts', direction: 'supertypes' });
    expect(getTypeHierarchy.render(data).text.split('\n').slice(0, -1)).toEqual([
      'Types around Tea (class) src/tea.ts:1:14',
      '^ Base (class) src/base.ts:1',
      '^ Iterable (type) node_modules/lib.d.ts:9 (outside the workspace)',
      '^ Drink (interface) src/base.ts:2',
    ]);
    expect(data.note).toContain('No language service gives this hierarchy');
    const { types } = await run.data(getTypeHierarchy, { symbol: 'Base', path: 'src/base.ts', direction: 'subtypes' });
    expect(types.map(({ name, path, line }) => `${name} ${path}:${line}`)).toEqual(['Tea src/tea.ts:1']);
  });

  it('follows a use to its type, and gives the reason when the symbol is not a type', async () => {
    const run = teaProject();
    const use = { symbol: 'Base', path: 'src/tea.ts:2', direction: 'subtypes' };
    expect(await run.data(getTypeHierarchy, use)).toMatchObject({ types: [{ name: 'Tea' }] });
    expect(await run.data(getTypeHierarchy, { symbol: 'brew', path: 'src/tea.ts' })).toMatchObject({
      types: [],
      note: 'No language service answers for src/tea.ts.',
    });
  });

  it('says when there are more than fit', async () => {
    const run = teaProject();
    const many = Array.from({ length: 300 }, (_, at) => declared(`T${at}`, 'class', [at + 1, at + 1], 7));
    run.language.outlines.set('src/cart.ts', many);
    run.language.uses.set(
      'implementations src/base.ts:1',
      many.map(({ nameLine }) => placeIn('src/cart.ts', nameLine, 7, 2)),
    );
    const data = await run.data(getTypeHierarchy, { symbol: 'Base', path: 'src/base.ts', direction: 'subtypes' });
    expect(data).toMatchObject({ types: { length: 200 }, truncated: true });
  });
});

const names = ['a', 'b', 'c', 'd', 'e'] as const;
const graphs = fc.record(
  Object.fromEntries(names.map((name) => [name, fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 })])),
);

describe('walkHierarchy over any call graph', () => {
  it('follows no item twice, misses no item within the depth, and keeps to the limit of entries', async () => {
    await fc.assert(
      fc.asyncProperty(
        graphs,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 30 }),
        async (graph, depth, most) => {
          const followed: string[] = [];
          const item = callGraph(graph);
          const follow = async (each: CallItem) => {
            followed.push(each.name);
            return each.calls('incoming', new AbortController().signal);
          };
          const { entries, isCut } = await walkHierarchy([item('a')], follow, depth, most);
          expect(new Set(followed).size).toBe(followed.length);
          expect(entries.length).toBeLessThanOrEqual(most);
          const firsts = entries.filter(({ isRepeated }) => !isRepeated).map((each) => each.item.name);
          expect(new Set(firsts).size).toBe(firsts.length);
          if (!isCut) expect(new Set([...firsts, 'a'])).toEqual(within(graph, depth));
        },
      ),
    );
  });
});

/** Names that are at most so many steps away from `a`. */
function within(graph: Readonly<Record<string, readonly string[]>>, depth: number): Set<string> {
  const met = new Set(['a']);
  for (let step = 0; step < depth; step += 1)
    for (const name of new Set(met)) for (const next of graph[name] ?? []) met.add(next);
  return met;
}
