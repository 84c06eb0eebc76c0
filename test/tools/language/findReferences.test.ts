import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { findReferences } from '#tools/language/findReferences.ts';
import { cartProject, placeIn } from './cartProject.ts';

function usedProject() {
  const run = cartProject({ '/w/.env': 'total=1\n' });
  run.language.uses.set('references src/cart.ts:8', [
    placeIn('.env', 1, 1, 5),
    placeIn('src/order.ts', 4, 18, 5),
    placeIn('src/cart.ts', 8, 17, 5),
    placeIn('src/cart.ts', 5, 5, 5),
    placeIn('src/order.ts', 1, 16, 5),
  ]);
  return run;
}

describe('find_references', () => {
  it('lists each use with its line of code, by file, and silently omits files that may not be read', async () => {
    const run = usedProject();
    const data = await run.data(findReferences, { symbol: 'total' });
    expect(data).toEqual({
      resolved: { name: 'total', kind: 'function', path: 'src/cart.ts', line: 8, column: 17 },
      relation: 'references',
      foundBy: 'language',
      uses: [
        { path: 'src/cart.ts', line: 5, column: 5, code: 'total(this);' },
        { path: 'src/cart.ts', line: 8, column: 17, code: 'export function total(cart) {' },
        { path: 'src/order.ts', line: 1, column: 16, code: "import { Cart, total } from './cart.ts';" },
        { path: 'src/order.ts', line: 4, column: 18, code: 'pay() { return total(new Cart()); }' },
      ],
      totalCount: 4,
      fileCount: 2,
      truncated: false,
    });
    expect(findReferences.render(data).text).toBe(
      [
        '4 places in 2 files, references to total (function) src/cart.ts:8:17',
        'src/cart.ts',
        '5:5\ttotal(this);',
        '8:17\texport function total(cart) {',
        'src/order.ts',
        "1:16\timport { Cart, total } from './cart.ts';",
        '4:18\tpay() { return total(new Cart()); }',
      ].join('\n'),
    );
  });

  it('reads each file once for its columns and once for its lines', async () => {
    const run = usedProject();
    await run.data(findReferences, { symbol: 'total' });
    const reads = run.files.reads.filter((path) => path === '/w/src/order.ts');
    expect(reads).toHaveLength(2);
  });

  it('lists only writes when asked for writes, and keeps uses of unknown kind', async () => {
    const run = usedProject();
    run.language.accesses.set('src/cart.ts:5', 'write');
    run.language.accesses.set('src/order.ts:4', 'read');
    const data = await run.data(findReferences, { symbol: 'total', relation: 'writes' });
    expect(data.uses.map(({ path, line, access }) => [path, line, access])).toEqual([
      ['src/cart.ts', 5, 'write'],
      ['src/cart.ts', 8, undefined],
      ['src/order.ts', 1, undefined],
    ]);
    expect(findReferences.render(data).text).toContain('5:5 write\ttotal(this);');
  });

  it('continues where a page ended, each use once', async () => {
    const run = usedProject();
    run.limits = { ...run.limits, maxResults: 3 };
    const first = await run.data(findReferences, { symbol: 'total' });
    expect(first).toMatchObject({ totalCount: 4, truncated: true });
    const second = await run.data(findReferences, { symbol: 'total', cursor: first.nextCursor });
    expect([...first.uses, ...second.uses].map(({ path, line }) => `${path}:${line}`)).toEqual([
      'src/cart.ts:5',
      'src/cart.ts:8',
      'src/order.ts:1',
      'src/order.ts:4',
    ]);
    await expect(run.data(findReferences, { symbol: 'Cart', cursor: first.nextCursor })).rejects.toThrow(
      InvalidArgumentsError,
    );
  });

  it('finding 16: honours maxResults up to one read, and says when fewer fit', async () => {
    const run = cartProject({ '/w/src/many.ts': Array.from({ length: 500 }, () => 'x.total();').join('\n') });
    const uses = Array.from({ length: 500 }, (_, at) => placeIn('src/many.ts', at + 1, 3, 5));
    run.language.uses.set('references src/cart.ts:8', uses);
    expect((await run.data(findReferences, { symbol: 'total', maxResults: 45 })).uses).toHaveLength(45);
    run.limits = { ...run.limits, maxResults: 2, listBytes: 1000, readBytes: 3000 };
    const asked = await run.data(findReferences, { symbol: 'total', maxResults: 400 });
    expect(asked.uses.length).toBeGreaterThan(15);
    expect(asked.uses.length).toBeLessThan(400);
    expect(asked.note).toBe('A page of this client ends at 3 KB, so it has fewer than maxResults.');
  });

  it('keeps a page within its limit of bytes', async () => {
    const run = cartProject({ '/w/src/many.ts': Array.from({ length: 500 }, () => 'x.total();').join('\n') });
    run.limits = { ...run.limits, listBytes: 2000 };
    const uses = Array.from({ length: 500 }, (_, at) => placeIn('src/many.ts', at + 1, 3, 5));
    run.language.uses.set('references src/cart.ts:8', uses);
    const data = await run.data(findReferences, { symbol: 'total' });
    expect(data.totalCount).toBe(500);
    expect(JSON.stringify(data).length).toBeLessThan(2000);
    expect(data.uses.length).toBeGreaterThan(5);
  });

  it.each(['implementations', 'definition', 'declaration', 'type_definition'] as const)(
    'finds the %s',
    async (relation) => {
      const run = cartProject();
      run.language.uses.set(`${relation} src/cart.ts:8`, [placeIn('src/order.ts', 2, 14, 5)]);
      expect(await run.data(findReferences, { symbol: 'total', relation })).toMatchObject({
        relation,
        foundBy: 'language',
        uses: [{ path: 'src/order.ts', line: 2, code: 'export class Order {' }],
      });
    },
  );

  it('lists places outside the workspace last, with a label and no code', async () => {
    const run = cartProject();
    const range = { firstLine: 5, firstColumn: 1, lastLine: 5, lastColumn: 9 };
    run.language.uses.set('implementations src/cart.ts:8', [
      { outside: true, path: 'a/lib.d.ts', ...range },
      placeIn('src/order.ts', 2, 14, 5),
    ]);
    const data = await run.data(findReferences, { symbol: 'total', relation: 'implementations' });
    expect(data.uses[1]).toEqual({ path: 'a/lib.d.ts', outside: true, line: 5, column: 1 });
    expect(findReferences.render(data).text).toMatch(/a\/lib\.d\.ts \(outside the workspace\)\n5:1$/);
  });

  it('lists lines with the word, marks them and gives the reason when no language service answers', async () => {
    const run = cartProject({
      '/w/a.lua': 'function shipping()\nend\nx = shipping() + shippings()\n',
      '/w/.env': 'shipping=1',
    });
    const data = await run.data(findReferences, { symbol: 'shipping' });
    expect(data).toMatchObject({
      foundBy: 'text',
      uses: [
        { path: 'a.lua', line: 1, code: 'function shipping()' },
        { path: 'a.lua', line: 3, code: 'x = shipping() + shippings()' },
      ],
      note: 'No language service answers for a.lua.',
    });
    expect(findReferences.render(data).text).toMatch(/^2 lines in 1 file, references to shipping .*, found as text\n/);
    const declarations = await run.data(findReferences, { symbol: 'shipping', relation: 'definition' });
    expect(declarations.uses.map(({ line }) => line)).toEqual([1]);
  });

  it('gives possible reasons when it finds no implementations', async () => {
    expect(await cartProject().data(findReferences, { symbol: 'total', relation: 'implementations' })).toMatchObject({
      foundBy: 'language',
      uses: [],
      note: 'No language service answers for src/cart.ts.',
    });
  });

  it('cuts a long line around the use, and hides secrets in it', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const run = cartProject({ '/w/src/min.ts': `${'a;'.repeat(1000)}total("${secret}");${'b;'.repeat(1000)}` });
    run.language.uses.set('references src/cart.ts:8', [placeIn('src/min.ts', 1, 2001, 5)]);
    const { uses } = await run.data(findReferences, { symbol: 'total' });
    expect(uses[0]?.code).toMatch(/^….*total\("\[redacted:.*…$/);
    expect(uses[0]?.code?.length).toBeLessThan(210);
  });
});
