import { afterAll, describe, expect, it } from 'vitest';
import type { OutlineSymbol } from '#base/language.ts';
import type { NamedLanguage } from '#base/syntaxTree.ts';
import { createTestParser } from './testParser.ts';

const parser = createTestParser({ timeLimit: 60_000 });
afterAll(() => parser.dispose());

const { signal } = new AbortController();

/** Writes an outline as one line: `class Cart 1-3 { method total 2 }`. */
const written = (symbols: readonly OutlineSymbol[]): string =>
  symbols
    .map(({ kind, name, firstLine, lastLine, children }) => {
      const lines = firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`;
      return `${kind} ${name} ${lines}${children.length === 0 ? '' : ` { ${written(children)} }`}`;
    })
    .join(', ');

/** A text of each language, with its outline. */
const texts: readonly (readonly [NamedLanguage, string, string])[] = [
  [
    'python',
    'LIMIT = 3\nclass Cart(Base):\n    size = 1\n    @property\n    def total(self):\n        return 1\n\ndef add_item(cart):\n    pass\n',
    'variable LIMIT 1, class Cart 2-6 { field size 3, method total 5-6 }, function add_item 8-9',
  ],
  [
    'go',
    'package shop\n\nconst Max = 3\n\ntype Cart struct {\n\tItems []Item\n}\n\nfunc (c *Cart) AddItem(i Item) {}\n\nfunc Total(c *Cart) int { return 1 }\n',
    'constant Max 3, struct Cart 5-7 { field Items 6 }, method Cart.AddItem 9, function Total 11',
  ],
  [
    'rust',
    'pub struct Cart { items: u32 }\nimpl Cart {\n  pub fn add_item(&mut self) {}\n}\nimpl<T> Priced for Cart<T> { fn price(&self) {} }\nfn total() {}\n',
    'struct Cart 1 { field items 1 }, object impl Cart 2-4 { method add_item 3 }, object impl Priced for Cart 5 { method price 5 }, function total 6',
  ],
  [
    'java',
    'class Cart implements Priced {\n  int a, b;\n  Cart() {}\n  void addItem() {}\n  enum Kind { A, B }\n}\ninterface Priced { int price(); }\n',
    'class Cart 1-6 { field a 2, field b 2, constructor Cart 3, method addItem 4, enum Kind 5 { enum member A 5, enum member B 5 } }, interface Priced 7 { method price 7 }',
  ],
  [
    'c-sharp',
    'namespace Shop {\n  public class Cart {\n    public int Total => 3;\n    public void AddItem() {}\n  }\n}\n',
    'namespace Shop 1-6 { class Cart 2-5 { property Total 3, method AddItem 4 } }',
  ],
  [
    'cpp',
    'namespace shop {\nclass Cart {\npublic:\n  Cart();\n  int total() const;\n};\n}\nint shop::Cart::total() const { return 1; }\n',
    'namespace shop 1-7 { class Cart 2-6 { constructor Cart 4, method total 5 } }, function shop::Cart::total 8',
  ],
  [
    'php',
    '<?php\nclass Cart {\n  private $items = [];\n  public function addItem() {}\n}\nfunction total() {}\n',
    'class Cart 2-5 { property items 3, method addItem 4 }, function total 6',
  ],
  [
    'ruby',
    'module Shop\n  class Cart\n    def add_item(item)\n    end\n    def self.make; end\n  end\nend\n',
    'module Shop 1-7 { class Cart 2-6 { method add_item 3-4, method make 5 } }',
  ],
  [
    'javascript',
    'export class Cart {\n  addItem() {}\n}\nexport const total = () => 1;\nfunction pay() {}\n',
    'class Cart 1-3 { method addItem 2 }, function total 4, function pay 5',
  ],
  [
    'typescript',
    'export interface Item { name: string }\nexport const Item = 1;\nenum Kind { A }\nnamespace Shop { export const a = 1 }\n',
    'interface Item 1 { property name 1 }, variable Item 2, enum Kind 3 { enum member A 3 }, namespace Shop 4 { variable a 4 }',
  ],
  ['tsx', 'export function App() { return <b>hi</b>; }\n', 'function App 1'],
];

describe('declarations by syntax', () => {
  it.each(texts)('gives the outline of a %s text', async (language, text, expected) => {
    expect(written((await parser.declarations(language, text, signal)) ?? [])).toBe(expected);
  });

  it('names the place of the last part of a qualified name', async () => {
    const [symbol] = (await parser.declarations('cpp', 'int Cart::total() { return 1; }', signal)) ?? [];
    expect(symbol).toMatchObject({ name: 'Cart::total', nameLine: 1, nameColumn: 11, foundBy: 'syntax' });
  });

  it('counts columns in UTF-16 units and lines as the tools do', async () => {
    const text = 'x = "😀"\r\n# ö\r\ndef total(): pass\r\n';
    expect((await parser.declarations('python', text, signal))?.[1]).toMatchObject({ nameLine: 3, nameColumn: 5 });
  });

  it('gives no outline of a text that is too large', async () => {
    expect(await parser.declarations('python', '#'.repeat(1024 * 1024 + 1), signal)).toBeUndefined();
    expect(await parser.uses('python', '#'.repeat(1024 * 1024 + 1), 'a', signal)).toBeUndefined();
  });

  it('gives no more than 10,000 declarations', async () => {
    const text = Array.from({ length: 10_100 }, (_, at) => `def f${at}(): pass`).join('\n');
    expect(await parser.declarations('python', text, signal)).toHaveLength(10_000);
  });
});

/** A use, a comment and a string of each language with the name `total`. */
const uses: readonly (readonly [NamedLanguage, string, readonly string[]])[] = [
  ['python', 'total = 1 # total\n"total"\ncart.total()\nsubtotal\n', ['1:1', '3:6']],
  ['go', 'package a\nfunc total() { c.total(); a := "total" } // total\n', ['2:6', '2:18']],
  ['rust', '// total\nfn total() { self.total(); println!("total {}", total); }\n', ['2:4', '2:19', '2:49']],
  ['java', '/* total */ class A { int total() { return this.total("total"); } }\n', ['1:27', '1:49']],
  ['c-sharp', '// total\nclass A { int total() { return this.total("total"); } }\n', ['2:15', '2:37']],
  ['cpp', '// total\nint total() { return a->total("total"); }\n', ['2:5', '2:25']],
  ['php', '<?php\n// total\nfunction total() { $this->total("total"); $total; }\n', ['3:10', '3:27', '3:44']],
  ['ruby', '# total\ndef total; cart.total("total"); end\n', ['2:5', '2:17']],
  ['typescript', '// total\nfunction total() { return a.total(`total ${total}`); }\n', ['2:10', '2:29', '2:44']],
];

describe('uses by syntax', () => {
  it.each(uses)('finds a name in a %s text, not in comments and strings', async (language, text, expected) => {
    const found = await parser.uses(language, text, 'total', signal);
    expect(found?.map(({ line, column }) => `${line}:${column}`)).toEqual(expected);
  });

  it('finds no empty name', async () => {
    expect(await parser.uses('python', 'a = 1', '', signal)).toEqual([]);
  });
});
