import { describe, expect, it } from 'vitest';
import { findSymbols } from '#tools/language/findSymbols.ts';
import { cartProject, fileIn } from './cartProject.ts';

describe('find_symbols', () => {
  it('lists declarations in the order of the language service, with container and lines', async () => {
    const data = await cartProject().data(findSymbols, { query: 'add' });
    expect(data).toEqual({
      symbols: [
        { name: 'addItem()', kind: 'method', container: 'Cart', path: 'src/cart.ts', firstLine: 3, lastLine: 6 },
        { name: 'addItem', kind: 'method', container: 'Order', path: 'src/order.ts', firstLine: 3, lastLine: 3 },
      ],
      totalCount: 2,
      truncated: false,
    });
    expect(findSymbols.render(data).text).toBe(
      '2 symbols\nCart.addItem() (method) src/cart.ts:3-6\nOrder.addItem (method) src/order.ts:3',
    );
  });

  it('searches below a folder, or in a file', async () => {
    const run = cartProject();
    run.symbols.places = [
      ...run.symbols.places,
      { ...fileIn('srcs/x.ts'), name: 'add', kind: 'x', firstLine: 1, lastLine: 1 },
    ];
    expect(await run.data(findSymbols, { query: 'add', path: 'src' })).toMatchObject({ totalCount: 2 });
    expect(await run.data(findSymbols, { query: 'add', path: 'src/order.ts' })).toMatchObject({ totalCount: 1 });
    await expect(run.data(findSymbols, { query: 'add', path: 'gone' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('continues where a page ended, each symbol once', async () => {
    const run = cartProject();
    run.limits = { ...run.limits, maxResults: 1 };
    const first = await run.data(findSymbols, { query: 'add' });
    const second = await run.data(findSymbols, { query: 'add', cursor: first.nextCursor });
    expect([...first.symbols, ...second.symbols].map(({ container }) => container)).toEqual(['Cart', 'Order']);
    expect([first.truncated, second.truncated]).toEqual([true, false]);
    expect(second.nextCursor).toBeUndefined();
  });

  it('keeps a page within its limit of bytes', async () => {
    const run = cartProject();
    run.limits = { ...run.limits, listBytes: 1500 };
    const place = { ...fileIn('src/a.ts'), kind: 'function', firstLine: 1, lastLine: 2 };
    run.symbols.places = Array.from({ length: 100 }, (_, at) => ({ ...place, name: `name${at}` }));
    const { symbols, totalCount } = await run.data(findSymbols, { query: 'name' });
    expect(totalCount).toBe(100);
    expect(JSON.stringify(symbols).length).toBeLessThan(1500);
  });

  it('gives possible reasons when it finds no symbol', async () => {
    expect(await cartProject().data(findSymbols, { query: 'nothing' })).toMatchObject({
      symbols: [],
      note: expect.stringContaining('search_code'),
    });
  });
});
