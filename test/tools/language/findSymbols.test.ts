import { describe, expect, it } from 'vitest';
import { findSymbols } from '#tools/language/findSymbols.ts';
import { cartProject, fileIn } from './cartProject.ts';

describe('find_symbols', () => {
  it('lists equally good declarations in the order of the language service, with container and lines', async () => {
    const data = await cartProject().data(findSymbols, { query: 'add' });
    expect(data).toEqual({
      symbols: [
        { name: 'addItem()', kind: 'method', container: 'Cart', path: 'src/cart.ts', firstLine: 3, lastLine: 6 },
        { name: 'addItem', kind: 'method', container: 'Order', path: 'src/order.ts', firstLine: 3, lastLine: 3 },
      ],
      totalCount: 2,
      truncated: false,
      looked: { service: ['TypeScript'] },
    });
    expect(findSymbols.render(data).text).toBe(
      [
        '2 symbols',
        'Cart.addItem() (method) src/cart.ts:3-6',
        'Order.addItem (method) src/order.ts:3',
        '(looked at: TypeScript by language services)',
      ].join('\n'),
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

  it('finding 16: honours maxResults up to one read, and says when fewer fit', async () => {
    const run = cartProject();
    const place = { ...fileIn('src/a.ts'), kind: 'function', firstLine: 1, lastLine: 2 };
    run.symbols.places = Array.from({ length: 100 }, (_, at) => ({ ...place, name: `name${at}` }));
    expect((await run.data(findSymbols, { query: 'name', maxResults: 3 })).symbols).toHaveLength(3);
    run.limits = { ...run.limits, maxResults: 2, listBytes: 1500, readBytes: 3000 };
    const asked = await run.data(findSymbols, { query: 'name', maxResults: 90 });
    expect(asked.symbols.length).toBeGreaterThan(15);
    expect(asked.symbols.length).toBeLessThan(90);
    expect(asked.note).toBe('A page of this client ends at 3 KB, so it has fewer than maxResults.');
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

  it('keeps the symbols of one kind, and says which kinds there are when none is of it', async () => {
    const run = cartProject();
    expect((await run.data(findSymbols, { query: 'Cart', kind: 'Class' })).symbols.map(({ name }) => name)).toEqual([
      'Cart',
    ]);
    expect(await run.data(findSymbols, { query: 'Cart', kind: 'enum' })).toMatchObject({
      symbols: [],
      totalCount: 0,
      note: 'No symbol of that name has this kind; there are: class.',
    });
  });

  it('adds the code of each symbol as far as the page has room, also of one whose service tells only its name', async () => {
    const run = cartProject();
    run.symbols.places = run.symbols.places.map((place) =>
      place.container === 'Cart' ? { ...place, lastLine: place.firstLine } : place,
    );
    const data = await run.data(findSymbols, { query: 'addItem', withCode: true });
    expect(data.symbols).toMatchObject([
      {
        container: 'Cart',
        firstLine: 3,
        lastLine: 6,
        code: '  addItem(item) {\n    this.items.push(item);\n    total(this);\n  }',
      },
      { container: 'Order', firstLine: 3, lastLine: 3, code: '  addItem(item) {}' },
    ]);
    expect(findSymbols.render(data).text).toContain('Cart.addItem (method) src/cart.ts:3-6\n3\t  addItem(item) {\n4\t');
    run.limits = { ...run.limits, listBytes: 700 };
    const page = await run.data(findSymbols, { query: 'addItem', withCode: true });
    expect(page).toMatchObject({ totalCount: 2, truncated: true, symbols: [{ container: 'Cart' }] });
    expect(findSymbols.render(page).text).toMatch(/^1 of 2 symbols\n/);
    const next = await run.data(findSymbols, { query: 'addItem', withCode: true, cursor: page.nextCursor });
    expect(next.symbols).toMatchObject([{ container: 'Order', code: '  addItem(item) {}' }]);
  });

  it('shows no code of a file that the caller may not read, and no secret', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const run = cartProject({
      '/w/src/keys.ts': `export const addItemKey = '${token}';\n`,
      '/w/.env': 'addItemEnv=1\n',
    });
    run.symbols.places = ['src/keys.ts', '.env'].map((path) => ({
      ...fileIn(path),
      name: 'addItemKey',
      kind: 'variable',
      firstLine: 1,
      lastLine: 1,
    }));
    const { symbols } = await run.data(findSymbols, { query: 'addItem', withCode: true });
    expect(JSON.stringify(symbols)).not.toContain(token);
    expect(JSON.stringify(symbols)).not.toContain('addItemEnv=1');
  });

  it('gives possible reasons when it finds no symbol', async () => {
    expect(await cartProject().data(findSymbols, { query: 'nothing' })).toMatchObject({
      symbols: [],
      note: expect.stringContaining('search_code'),
    });
  });
});
