import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutlineSymbol } from '#base/language.ts';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { findReferences } from '#tools/language/findReferences.ts';
import { getCallHierarchy } from '#tools/language/getCallHierarchy.ts';
import { declarationsIn, declarationsNamed, nearestTo } from '#tools/language/symbols/declarations.ts';
import { columnsOf, identifierAt, identifiersIn } from '#tools/language/symbols/identifiers.ts';
import { isNamed, mayBeNamed } from '#tools/language/symbols/symbolName.ts';
import type { ToolRun } from '../workspace/toolRun.ts';
import { cartProject, declared, fileIn } from './cartProject.ts';

/** Returns the symbol that an address stands for. */
async function resolved(run: ToolRun, input: { readonly symbol?: string; readonly path?: string }) {
  return (await run.data(findReferences, input)).resolved;
}

const cartAddItem = { name: 'addItem', kind: 'method', container: 'Cart', path: 'src/cart.ts', line: 3, column: 3 };
const orderAddItem = { ...cartAddItem, container: 'Order', path: 'src/order.ts' };
const total = { name: 'total', kind: 'function', path: 'src/cart.ts', line: 8, column: 17 };

describe('the address of a symbol', () => {
  it.each([
    ['its name', { symbol: 'total' }, total],
    ['its qualified name', { symbol: 'Order.addItem' }, orderAddItem],
    ['the qualified name of another language', { symbol: 'Cart::addItem' }, cartAddItem],
    ['its name with parameters', { symbol: 'Cart#addItem(item)' }, cartAddItem],
    ['its name and file', { symbol: 'addItem', path: 'src/order.ts' }, orderAddItem],
    ['its name and a line inside it', { symbol: 'addItem', path: 'src/cart.ts:5' }, cartAddItem],
    ['its name and a folder', { symbol: 'total', path: 'src' }, total],
    ['the line that declares it', { path: 'src/cart.ts:8' }, total],
    ['its position', { path: 'src/cart.ts:8:19' }, total],
    ['the position right after it', { path: 'src/cart.ts:8:22' }, total],
    [
      'its name and the line of a use',
      { symbol: 'total', path: 'src/order.ts:4' },
      { name: 'total', path: 'src/order.ts', line: 4, column: 18 },
    ],
    [
      'the position of a use',
      { path: 'src/order.ts:4:18' },
      { name: 'total', path: 'src/order.ts', line: 4, column: 18 },
    ],
    ['a file: URI and a line', { path: 'file:///w/src/cart.ts:8' }, total],
  ])('may be %s', async (_, input, expected) => {
    expect(await resolved(cartProject(), input)).toEqual(expected);
  });

  it.each([
    [{}],
    [{ symbol: ' ' }],
    [{ path: 'src/cart.ts' }],
    [{ path: 'src' }],
    [{ path: 'src/cart.ts:0' }],
    [{ symbol: 'total', line: 8 }],
  ])('is refused when it is empty or incomplete: %j', async (input) => {
    await expect(cartProject().data(findReferences, input)).rejects.toThrow(InvalidArgumentsError);
  });

  it('finds a member in its container when the language service does not list it', async () => {
    const run = cartProject();
    const find = run.symbols.find.bind(run.symbols);
    run.symbols.find = async (query, signal) => (query === 'addItem' ? [] : find(query, signal));
    expect(await resolved(run, { symbol: 'Order.addItem' })).toEqual(orderAddItem);
  });

  it('is refused when ambiguous, with the addresses of the candidates', async () => {
    const asked = { symbol: 'addItem', direction: 'incoming' };
    await expect(cartProject().data(getCallHierarchy, asked)).rejects.toMatchObject({
      code: 'ambiguous_match',
      message: '"addItem" may be one of 2: Cart.addItem (method) src/cart.ts:3, Order.addItem (method) src/order.ts:3.',
    });
  });

  it('is refused with ten of very many candidates and the count of all', async () => {
    const run = cartProject();
    const many = Array.from({ length: 50 }, (_, at) => fileIn(`src/f${at}.ts`));
    run.symbols.places = many.map((file) => ({ ...file, name: 'run', kind: 'function', firstLine: 1, lastLine: 1 }));
    for (const { fsPath } of many) run.files.nodes.set(fsPath, 'run\n');
    const refused = await run.data(getCallHierarchy, { symbol: 'run' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'ambiguous_match',
      message: expect.stringMatching(/^"run" may be one of 50: run \(function\) src\/f0\.ts:1, .* and 40 more\.$/),
    });
    expect(String(refused).length).toBeLessThan(600);
  });

  it('is refused with similar names when the name is not found', async () => {
    await expect(resolved(cartProject(), { symbol: 'additem' })).rejects.toMatchObject({
      code: 'not_found',
      message:
        'Nothing named "additem" was found in the workspace. Near: Cart.addItem() (method) src/cart.ts:3, Order.addItem (method) src/order.ts:3.',
    });
    await expect(resolved(cartProject(), { symbol: 'Total', path: 'src/cart.ts' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Nothing named "Total" was found in src/cart.ts. Near: total (function) src/cart.ts:8.',
    });
  });

  it('does not match another qualified name with the same last part', async () => {
    await expect(resolved(cartProject(), { symbol: 'Basket.addItem' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused when the file, line or column does not exist', async () => {
    await expect(resolved(cartProject(), { symbol: 'x', path: 'gone.ts' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(resolved(cartProject(), { path: 'src/cart.ts:99' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(resolved(cartProject(), { path: 'src/cart.ts:7:1' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused, with the names on the line, when the line has several names and declares none', async () => {
    await expect(resolved(cartProject(), { path: 'src/cart.ts:9' })).rejects.toMatchObject({
      code: 'ambiguous_match',
      message:
        'There are several names at src/cart.ts:9: return at column 3, cart at column 10, items at column 15, length at column 21.',
    });
  });

  it('P2: is refused when its path leads outside the workspace, also with a line', async () => {
    await expect(resolved(cartProject(), { symbol: 'total', path: '../other/a.ts:3' })).rejects.toMatchObject({
      code: 'outside_workspace',
    });
  });

  it('is found in the outlines of files that contain the word when the service lists no workspace symbols', async () => {
    const run = cartProject();
    run.symbols.places = [];
    expect(await resolved(run, { symbol: 'Order.pay' })).toEqual({
      name: 'pay',
      kind: 'method',
      container: 'Order',
      path: 'src/order.ts',
      line: 4,
      column: 3,
    });
  });

  it('takes the line that looks like a declaration when no language service answers, and lists several', async () => {
    const run = cartProject({
      '/w/a.lua': 'print(total)\nfunction shipping()\nend\nx = shipping()\n',
      '/w/b.lua': 'y = 1\nz = y\n',
    });
    expect(await resolved(run, { symbol: 'shipping' })).toEqual({
      name: 'shipping',
      path: 'a.lua',
      line: 2,
      column: 10,
    });
    await expect(resolved(run, { symbol: 'y' })).rejects.toMatchObject({
      code: 'ambiguous_match',
      message: '"y" may be one of 2: y b.lua:1: y = 1; y b.lua:2: z = y.',
    });
    await expect(resolved(run, { symbol: 'nothing', path: 'b.lua' })).rejects.toMatchObject({
      message: 'Nothing named "nothing" was found in b.lua. No language service answers for b.lua.',
    });
  });

  it('is narrowed to a folder', async () => {
    const run = cartProject({ '/w/lib/x.ts': 'function addItem() {}\n' });
    const addItem = declared('addItem', 'function', [1, 1], 10);
    run.language.outlines.set('lib/x.ts', [addItem]);
    run.symbols.places = [...run.symbols.places, { ...fileIn('lib/x.ts'), ...addItem }];
    expect(await resolved(run, { symbol: 'addItem', path: 'lib' })).toMatchObject({ path: 'lib/x.ts', line: 1 });
  });

  it('silently omits candidates in files that may not be read', async () => {
    const run = cartProject({ '/w/.env': 'total=1\n' });
    run.symbols.places = [
      ...run.symbols.places,
      { ...fileIn('.env'), name: 'total', kind: 'key', firstLine: 1, lastLine: 1 },
    ];
    expect(await resolved(run, { symbol: 'total' })).toEqual(total);
  });

  it.each([{}, { path: 'a.lua' }])('shows no secret in the line of a candidate: %j', async (where) => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const run = cartProject({ '/w/a.lua': `k = "${secret}"\nk = 2\n` });
    const refusal: unknown = await resolved(run, { symbol: 'k', ...where }).catch((error: unknown) => error);
    expect(String(refusal)).toContain('a.lua:1');
    expect(String(refusal)).not.toContain(secret);
  });
});

describe('the name of a symbol', () => {
  it.each([
    ['Cart.AddItem', [], '(*Cart).AddItem'],
    ['AddItem', [], '(Cart).AddItem'],
    ['Cart.add_item', ['impl Cart'], 'add_item'],
    ['Cart.fmt', ['impl Display for Cart'], 'fmt'],
    ['Cart', [], 'Cart<T>'],
    ['addItem', ['Cart'], 'addItem(Item) : void'],
    ['Install', [], '# Install'],
    ['cart-item', [], '.cart-item'],
    ['describe', [], 'describe("a.b") callback'],
    ['<function>', [], '<function>'],
    ['shop.Cart.addItem', ['shop', 'Cart'], 'addItem'],
  ])('matches when %s is asked for and the service reports %j %s', (wanted, containers, name) => {
    expect(isNamed(wanted, containers, name)).toBe(true);
  });

  it('may have more containers than the service reports, but no different ones', () => {
    expect(isNamed('shop.Cart.addItem', ['Cart'], 'addItem')).toBe(false);
    expect(mayBeNamed('shop.Cart.addItem', ['Cart'], 'addItem')).toBe(true);
    expect(mayBeNamed('shop.Order.addItem', ['Cart'], 'addItem')).toBe(false);
  });

  it('is found in a line as a whole word only', () => {
    expect(columnsOf('to', 'to auto to_ $to (to)')).toEqual([1, 18]);
    expect(columnsOf('', 'a')).toEqual([]);
    expect(columnsOf('#id', 'x#id #id')).toEqual([2, 6]);
    expect(identifiersIn('1a é2 + 3')).toEqual([{ name: 'é2', column: 4 }]);
    expect(identifierAt('ab cd', 3)).toEqual({ name: 'ab', column: 1 });
    expect(identifierAt('a + b', 3)).toBeUndefined();
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'd');

/** Declarations below each other, each on its own lines. */
const outline = fc
  .array(fc.tuple(name, fc.array(name, { maxLength: 4 })), { minLength: 1, maxLength: 6 })
  .map((tops) => {
    let line = 0;
    return tops.map(([top, inner]): OutlineSymbol => {
      const first = (line += 1);
      const children = inner.map((each) => declared(each, 'method', [(line += 1), line], 3));
      return declared(top, 'class', [first, (line += 1)], 7, children);
    });
  });

describe('a name among any declarations of a file', () => {
  it('is found by its qualified name, together with all declarations of the same name', () => {
    fc.assert(
      fc.property(outline, (symbols) => {
        for (const { symbol, containers } of declarationsIn(symbols)) {
          const qualified = [...containers, symbol.name].join('.');
          const found = declarationsNamed(qualified, symbols).map((each) => each.symbol);
          expect(found).toContain(symbol);
          for (const each of found) expect(each.name).toBe(symbol.name);
        }
      }),
    );
  });

  it('is taken from the declaration named on the line before a smaller one around the line', () => {
    const inner = { ...declared('a', 'method', [4, 6], 3), nameLine: 4 };
    const outer = { ...declared('a', 'class', [1, 20], 7, [inner]), nameLine: 5 };
    expect(nearestTo(5, undefined, declarationsNamed('a', [outer]))?.symbol).toBe(outer);
  });

  it('means, among equal names, the one declared on the line, else around the line, else the nearest', () => {
    fc.assert(
      fc.property(outline, name, fc.integer({ min: 1, max: 40 }), (symbols, wanted, line) => {
        const named = declarationsNamed(wanted, symbols);
        const nearest = nearestTo(line, undefined, named)?.symbol;
        const distances = named.map(({ symbol }) => Math.abs(symbol.nameLine - line));
        const holding = named.filter(({ symbol }) => symbol.firstLine <= line && line <= symbol.lastLine);
        if (nearest === undefined) expect(named).toEqual([]);
        else if (named.some(({ symbol }) => symbol.nameLine === line)) expect(nearest.nameLine).toBe(line);
        else if (holding.length > 0) expect(holding.map(({ symbol }) => symbol)).toContain(nearest);
        else expect(Math.abs(nearest.nameLine - line)).toBe(Math.min(...distances));
      }),
    );
  });
});
