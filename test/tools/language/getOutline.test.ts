import { describe, expect, it } from 'vitest';
import { getOutline } from '#tools/language/getOutline.ts';
import { cartProject, declared } from './cartProject.ts';

describe('get_outline', () => {
  it('shows names, kinds and lines, nested', async () => {
    const { text } = await cartProject().rendering(getOutline, { paths: ['src/cart.ts', 'src/order.ts'] });
    expect(text).toBe(
      [
        'src/cart.ts',
        '1-7 class Cart',
        ' 2 property items',
        ' 3-6 method addItem',
        '8-10 function total',
        'src/order.ts',
        '2-5 class Order',
        ' 3 method addItem',
        ' 4 method pay',
      ].join('\n'),
    );
  });

  it('stops at the requested depth, and counts the deeper symbols', async () => {
    expect(await cartProject().data(getOutline, { paths: ['src/cart.ts'], depth: 1 })).toEqual({
      files: [
        {
          path: 'src/cart.ts',
          symbols: [
            { name: 'Cart', kind: 'class', depth: 1, firstLine: 1, lastLine: 7 },
            { name: 'total', kind: 'function', depth: 1, firstLine: 8, lastLine: 10 },
          ],
          omitted: 2,
        },
      ],
    });
  });

  it('shows the other files when one file fails, and gives the reason for a file without a language service', async () => {
    const data = await cartProject({ '/w/.env': 'a', '/w/a.txt': 'a' }).data(getOutline, {
      paths: ['gone.ts', '.env', 'src', 'a.txt', 'src/order.ts'],
    });
    expect(data.failed?.map(({ path, code }) => [path, code])).toEqual([
      ['gone.ts', 'not_found'],
      ['.env', 'denied'],
      ['src', 'unavailable'],
    ]);
    expect(data.files.map(({ path, symbols, note }) => [path, symbols.length, note])).toEqual([
      ['a.txt', 0, 'No language service answers for a.txt.'],
      ['src/order.ts', 3, undefined],
    ]);
  });

  it('shows fewer levels, but the whole file, when the outline does not fit', async () => {
    const run = cartProject();
    const members = Array.from({ length: 50 }, (_, at) => declared(`member${at}`, 'method', [at + 2, at + 2], 3));
    run.language.outlines.set('src/cart.ts', [
      declared('Cart', 'class', [1, 60], 7, members),
      declared('total', 'function', [70, 80], 10),
    ]);
    run.limits = { ...run.limits, listBytes: 3000 };
    const { files, notShown } = await run.data(getOutline, { paths: ['src/cart.ts', 'src/order.ts'] });
    expect(files[0]?.symbols.map(({ name }) => name)).toEqual(['Cart', 'total']);
    expect(files[0]?.omitted).toBe(50);
    expect([...files.map(({ path }) => path), ...(notShown ?? [])]).toEqual(['src/cart.ts', 'src/order.ts']);
  });

  it('names the files that do not fit', async () => {
    const run = cartProject();
    const many = Array.from({ length: 200 }, (_, at) => declared(`name${at}`, 'function', [at + 1, at + 1], 3));
    run.language.outlines.set('src/cart.ts', many);
    run.limits = { ...run.limits, listBytes: 2000 };
    const { files, notShown } = await run.data(getOutline, { paths: ['src/cart.ts', 'src/order.ts'] });
    expect(files).toHaveLength(1);
    expect(files[0]?.omitted).toBeGreaterThan(100);
    expect(notShown).toEqual(['src/order.ts']);
  });
});
