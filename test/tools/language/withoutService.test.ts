import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { findReferences } from '#tools/language/findReferences.ts';
import { findSymbols } from '#tools/language/findSymbols.ts';
import { getOutline } from '#tools/language/getOutline.ts';
import { getSymbol } from '#tools/language/getSymbol.ts';
import { createTestParser } from '../../syntax/testParser.ts';
import type { ToolRun } from '../workspace/toolRun.ts';
import { cartProject } from './cartProject.ts';

const parser = createTestParser({ timeLimit: 60_000 });
afterAll(() => parser.dispose());
afterEach(() => void vi.restoreAllMocks());

const python = `class Cart:
    def add_item(self, item):  # add_item
        self.items.append(item)

def main(cart):
    cart.add_item("add_item")
`;
const rust = `struct Cart {}
impl Cart {
    fn add_item(&mut self) {}
}
fn main() { Cart {}.add_item(); }
`;

/** A project of TypeScript, which has a service, and of languages that have none. */
function mixedProject(more: Readonly<Record<string, string>> = {}): ToolRun {
  const run = cartProject({
    '/w/py/app.py': python,
    '/w/rs/main.rs': rust,
    '/w/x.lua': 'function Cart()\nend\n',
    ...more,
  });
  run.syntax = parser;
  return run;
}

describe('languages without a service', () => {
  it('outlines a Python file by its syntax, and marks it', async () => {
    const data = await mixedProject().data(getOutline, { paths: ['py/app.py'] });
    expect(data.files).toMatchObject([
      {
        foundBy: 'syntax',
        symbols: [
          { name: 'Cart', kind: 'class', depth: 1, firstLine: 1, lastLine: 3 },
          { name: 'add_item', kind: 'method', depth: 2, firstLine: 2, lastLine: 3 },
          { name: 'main', kind: 'function', depth: 1 },
        ],
        note: 'No language service answers for py/app.py.',
      },
    ]);
    expect(getOutline.render(data).text).toContain('py/app.py (found by syntax)');
  });

  it('finds the references of a Python method in Python files, not in comments, strings or other languages', async () => {
    const run = mixedProject({ '/w/py/other.py': 'def go(cart):\n    cart.add_item(1)\n', '/w/doc.md': 'add_item\n' });
    const data = await run.data(findReferences, { symbol: 'Cart.add_item', path: 'py/app.py' });
    expect(data).toMatchObject({ foundBy: 'syntax', resolved: { name: 'add_item', container: 'Cart', line: 2 } });
    expect(data.uses.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
      'py/app.py:2:9',
      'py/app.py:6:10',
      'py/other.py:2:10',
    ]);
    expect(findReferences.render(data).text).toContain('found by syntax');
  });

  it('answers for a name that two languages declare, each with the uses of its own files', async () => {
    const data = await mixedProject().data(findReferences, { symbol: 'add_item' });
    expect(data.uses.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'py/app.py:2',
      'py/app.py:6',
      'rs/main.rs:3',
      'rs/main.rs:5',
    ]);
    expect(data.others).toEqual(['impl Cart.add_item (method) rs/main.rs:3:8']);
  });

  it('finds the definition of a use by its syntax', async () => {
    const run = mixedProject();
    expect((await run.data(findReferences, { path: 'py/app.py:6:10', relation: 'definition' })).uses).toMatchObject([
      { path: 'py/app.py', line: 2, column: 9 },
    ]);
    expect(await run.data(getSymbol, { path: 'py/app.py:6:10' })).toMatchObject({
      foundBy: 'syntax',
      definitions: [{ name: 'add_item', container: 'Cart', path: 'py/app.py', firstLine: 2, lastLine: 3 }],
    });
  });

  it('lists symbols of every language with a grammar, and says which languages it looked at and how', async () => {
    const data = await mixedProject().data(findSymbols, { query: 'Cart' });
    expect(data.symbols.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'class src/cart.ts',
      'class py/app.py',
      'struct rs/main.rs',
      'object rs/main.rs',
    ]);
    expect(data.looked).toEqual({ service: ['TypeScript'], syntax: ['Python', 'Rust'], none: ['Lua'] });
    expect(findSymbols.render(data).text).toContain(
      '(looked at: TypeScript by language services; Python, Rust by syntax; Lua not looked at)',
    );
  });

  it('finds a symbol by the humps of its name', async () => {
    const run = mixedProject({ '/w/a.go': 'package a\nfunc AddShopItem() {}\n' });
    expect((await run.data(findSymbols, { query: 'AdIt', path: 'a.go' })).symbols).toMatchObject([
      { name: 'AddShopItem' },
    ]);
  });

  it('prefers the name that a line declares to the keyword before it', async () => {
    const { resolved } = await mixedProject().data(findReferences, { path: 'py/app.py:2' });
    expect(resolved).toMatchObject({ name: 'add_item', line: 2, column: 9 });
    const unknown = cartProject({ '/w/a.lua': 'function shipping(a)\nend\n' });
    expect((await unknown.data(findReferences, { path: 'a.lua:1' })).resolved).toMatchObject({ name: 'shipping' });
  });

  it('takes `cart.total()` for `Cart.total` when that is the only one', async () => {
    const run = cartProject({ '/w/py/app.py': 'def main(cart):\n    cart.add_item()\n' });
    run.syntax = parser;
    expect(await run.data(getSymbol, { symbol: 'cart.addItem()' })).toMatchObject({
      resolved: { name: 'addItem', container: 'Cart', path: 'src/cart.ts' },
    });
    expect(await run.data(getSymbol, { symbol: 'cart.addItem()', path: 'src/cart.ts' })).toMatchObject({
      resolved: { container: 'Cart' },
    });
  });

  it('looks at no closed file and shows no secret', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const run = mixedProject({
      '/w/.git/keys.py': 'def add_item(): pass\n',
      '/w/py/token.py': `class Token:\n    key = "${secret}"\n    def use(self): pass\n`,
    });
    const found = await run.data(findSymbols, { query: 'add_item' });
    expect(found.symbols.map(({ path }) => path)).toEqual(['py/app.py', 'rs/main.rs']);
    const { uses } = await run.data(findReferences, { symbol: 'Cart.add_item', path: 'py/app.py' });
    expect(uses.map(({ path }) => path)).not.toContain('.git/keys.py');
    const outline = await run.data(getOutline, { paths: ['py/token.py', '.git/keys.py'] });
    expect(JSON.stringify(outline)).not.toContain(secret);
    expect(outline.failed).toMatchObject([{ code: 'denied' }]);
    // The redacted text is parsed: a part of the secret is no name.
    expect((await run.data(findSymbols, { query: secret })).symbols).toEqual([]);
  });
});

describe('a language service that is still loading', () => {
  /** Every time limit has run out. */
  const noTime = (): void => void vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());

  it('gives the symbols that the syntax tells, says so, and says what to do', async () => {
    const run = mixedProject();
    run.symbols.isLoading = true;
    const time = vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => AbortSignal.abort());
    const data = await run.data(findSymbols, { query: 'Cart' });
    expect(time).toHaveBeenCalled();
    expect(data.symbols[0]).toMatchObject({ name: 'Cart', path: 'py/app.py' });
    expect(data.symbols).toContainEqual(expect.objectContaining({ name: 'Cart', path: 'src/cart.ts' }));
    expect(data.looked).toEqual({ syntax: ['Python', 'Rust', 'TypeScript'], none: ['Lua'] });
    expect(data.note).toContain('still loading: call again');
  });

  it('gives the definition by syntax when the outline does not come in time', async () => {
    const run = mixedProject();
    run.symbols.isLoading = true;
    run.language.outline = () => new Promise(() => undefined);
    noTime();
    const data = await run.data(getSymbol, { symbol: 'Order', path: 'src/order.ts' });
    expect(data).toMatchObject({
      foundBy: 'syntax',
      definitions: [{ path: 'src/order.ts', firstLine: 2, lastLine: 5, code: expect.stringContaining('class Order') }],
      note: 'No language service answers for src/order.ts.',
    });
  });
});
