import { describe, expect, it } from 'vitest';
import type { OutlineSymbol } from '#base/language.ts';
import { textVersion } from '#audit/textVersion.ts';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { editSymbol } from '#tools/language/editSymbol.ts';
import { ProposeRun } from '../edit/proposeRun.ts';

const cart = `/** Goods. */
export class Cart {
  items = [];

  /** Puts it in. */
  @log
  addItem(item) {
    this.items.push(item);
  }
}
export const total = (cart) => {
  return 0;
};
const a = 1, b = 2;
`;

/** Returns a declaration that begins with the text `from` and ends with the text `to`. */
function symbol(text: string, name: string, from: string, to: string, children: readonly OutlineSymbol[] = []) {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start) + to.length;
  const placeOf = (offset: number) => {
    const lines = text.slice(0, offset).split(/\r\n|\n/);
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  };
  const [first, last, at] = [placeOf(start), placeOf(end), placeOf(text.indexOf(name, start))];
  return {
    name,
    kind: 'method',
    firstLine: first.line,
    firstColumn: first.column,
    lastLine: last.line,
    lastColumn: last.column,
    nameLine: at.line,
    nameColumn: at.column,
    children,
  };
}

function scene(text = cart) {
  const run = new ProposeRun({ '/w/cart.ts': text });
  const lf = text.replaceAll('\r\n', '\n');
  run.language.outlines.set('cart.ts', [
    symbol(lf, 'Cart', 'export class', '\n}', [
      symbol(lf, 'items', 'items', ';'),
      symbol(lf, 'addItem', 'addItem', '\n  }'),
    ]),
    symbol(lf, 'total', 'total', '\n}'),
    symbol(lf, 'b', 'b = 2', '2'),
  ]);
  const call = (name: string, operation: string, newText: string, more: object = {}) => ({
    symbol: name,
    path: 'cart.ts',
    operation,
    newText,
    ...more,
  });
  return {
    run,
    codeOf: (...given: Parameters<typeof call>) => run.codeOf(editSymbol, call(...given)),
    edited: async (...given: Parameters<typeof call>): Promise<string | undefined> => {
      const { files } = await run.propose(editSymbol, call(...given));
      const [file] = files;
      return file?.kind === 'edit' ? file.result.text : undefined;
    },
  };
}

const method = '  addItem(item) {\n    this.items.push(item);\n  }\n';

describe('edit_symbol with the operation replace', () => {
  it.each([
    ['from the left margin', 'addItem() {\n  return 1;\n}'],
    ['as deep as it stands', '  addItem() {\n    return 1;\n  }\n'],
    ['as deep, but for its first line', 'addItem() {\n    return 1;\n  }'],
  ])('indents a text written %s, and keeps the lines above the declaration', async (_how, newText) => {
    expect(await scene().edited('Cart.addItem', 'replace', newText)).toBe(
      cart.replace(method, '  addItem() {\n    return 1;\n  }\n'),
    );
  });

  it('replaces the comment and annotations too when the new text has some', async () => {
    const above = '  /** Puts it in. */\n  @log\n';
    expect(await scene().edited('addItem', 'replace', '/** New. */\naddItem() {}')).toBe(
      cart.replace(above + method, '  /** New. */\n  addItem() {}\n'),
    );
    expect(await scene().edited('addItem', 'replace', '@trace\naddItem() {}')).toBe(
      cart.replace(`  @log\n${method}`, '  @trace\n  addItem() {}\n'),
    );
  });

  it('replaces whole lines when the language service omits how they begin and end', async () => {
    expect(await scene().edited('total', 'replace', 'export function total() {}')).toBe(
      cart.replace(/export const total[^]*?};/, 'export function total() {}'),
    );
  });

  it('indents a block without an end mark by its first line', async () => {
    const text = 'class A:\n    def f(self):\n        pass\n\nx = 1\n';
    const run = new ProposeRun({ '/w/a.py': text });
    run.language.outlines.set('a.py', [symbol(text, 'f', 'def f', 'pass')]);
    const call = { symbol: 'f', path: 'a.py', operation: 'replace', newText: 'def f(self):\n    return 1\n' };
    expect((await run.propose(editSymbol, call)).files).toMatchObject([
      { result: { text: 'class A:\n    def f(self):\n        return 1\n\nx = 1\n' } },
    ]);
  });

  it('deletes the symbol when the text is empty', async () => {
    expect(await scene().edited('items', 'replace', '')).toBe(cart.replace('  items = [];\n', ''));
  });

  it('refuses a symbol that shares its lines with another, and a text that changes nothing', async () => {
    expect(await scene().codeOf('b', 'replace', 'b = 3')).toBe('unavailable');
    expect(await scene().codeOf('addItem', 'replace', method)).toBe('no_match');
  });

  it('keeps the line ends and starts from the unsaved text', async () => {
    const { run, edited } = scene(cart.replaceAll('\n', '\r\n'));
    run.files.buffers.set('/w/cart.ts', cart.replaceAll('\n', '\r\n').replace('Goods', 'Wares'));
    expect(await edited('addItem', 'replace', 'addItem() {\n  return 1;\n}')).toBe(
      cart.replace('Goods', 'Wares').replace(method, '  addItem() {\n    return 1;\n  }\n').replaceAll('\n', '\r\n'),
    );
  });
});

describe('edit_symbol with the operation insert_before or insert_after', () => {
  it('leaves a blank line, and inserts above the comment and annotations of the symbol', async () => {
    expect(await scene().edited('addItem', 'insert_before', 'clear() {\n  this.items = [];\n}')).toBe(
      cart.replace('  /** Puts', '  clear() {\n    this.items = [];\n  }\n\n  /** Puts'),
    );
    expect(await scene().edited('addItem', 'insert_after', 'clear() {}')).toBe(
      cart.replace(method, `${method}\n  clear() {}\n`),
    );
  });

  it('leaves no blank line between declarations of one line', async () => {
    expect(await scene().edited('items', 'insert_after', 'count = 0;')).toBe(
      cart.replace('items = [];\n', 'items = [];\n  count = 0;\n'),
    );
    expect(await scene().edited('items', 'insert_before', 'count = 0;')).toBe(
      cart.replace('  items = [];\n', '  count = 0;\n  items = [];\n'),
    );
  });

  it('inserts after the last line, with or without a final line end', async () => {
    for (const [text, wanted] of [
      ['function f() {\n}', 'function f() {\n}\n\nlet x;\n'],
      ['function f() {\n}\n', 'function f() {\n}\n\nlet x;\n'],
    ] as const) {
      const run = new ProposeRun({ '/w/f.ts': text });
      run.language.outlines.set('f.ts', [symbol(text, 'f', 'function', '}')]);
      const call = { symbol: 'f', path: 'f.ts', operation: 'insert_after', newText: 'let x;' };
      const { files } = await run.propose(editSymbol, call);
      expect(files).toMatchObject([
        { result: { text: expect.stringMatching(/^function f\(\) \{\n\}\n\nlet x;\n?$/) } },
      ]);
      expect(wanted).toContain('let x;');
    }
  });
});

describe('edit_symbol with the operation delete', () => {
  const deleted = async (name: string, text = cart) => {
    const { run } = scene(text);
    const { files } = await run.propose(editSymbol, { symbol: name, path: 'cart.ts', operation: 'delete' });
    const [file] = files;
    return file?.kind === 'edit' ? file.result.text : undefined;
  };

  it('removes the declaration with its comment, its annotations and one blank line', async () => {
    expect(await deleted('addItem')).toBe(
      cart.replace('\n  /** Puts it in. */\n  @log\n  addItem(item) {\n    this.items.push(item);\n  }\n', ''),
    );
    expect(await deleted('items')).toBe(cart.replace('  items = [];\n\n', ''));
    expect(await deleted('Cart')).toBe(cart.slice(cart.indexOf('export const total')));
    expect(await deleted('total')).toBe(cart.replace('export const total = (cart) => {\n  return 0;\n};\n', ''));
  });

  it('keeps the line ends of the file', async () => {
    const windows = cart.replaceAll('\n', '\r\n');
    expect(await deleted('total', windows)).toBe(
      windows.replace('export const total = (cart) => {\r\n  return 0;\r\n};\r\n', ''),
    );
  });

  it('makes the same checks as replace: shared lines, the version of a read, a reason for the card', async () => {
    const { run } = scene();
    const call = { path: 'cart.ts', operation: 'delete' };
    expect(await run.codeOf(editSymbol, { ...call, symbol: 'b' })).toBe('unavailable');
    expect(await run.codeOf(editSymbol, { ...call, symbol: 'items', version: 'v-old' })).toBe('stale_version');
    expect(editSymbol.reason(editSymbol.input.parse({ ...call, symbol: 'items', reason: 'unused' }))).toBe('unused');
  });

  it('takes no new text, and every other operation needs one', () => {
    const parse = (more: object) => () => editSymbol.input.parse({ symbol: 'a', ...more });
    expect(parse({ operation: 'delete', newText: 'x' })).toThrow(/takes no "newText"/);
    expect(parse({ operation: 'delete', newText: '' })).not.toThrow();
    expect(parse({ operation: 'replace' })).toThrow(/"newText" is missing/);
  });
});

describe('edit_symbol', () => {
  it('refuses a version other than the one that the caller read', async () => {
    expect(await scene().codeOf('items', 'replace', 'x;', { version: '0'.repeat(16) })).toBe('stale_version');
    expect(await scene().codeOf('items', 'replace', 'x;', { version: textVersion(cart) })).toBe('proposed');
  });

  it('refuses a symbol that is not found, or whose end is unknown', async () => {
    expect(await scene().codeOf('nothing', 'replace', 'x')).toBe('not_found');
    const run = new ProposeRun({ '/w/a.txt': 'word\n' });
    const call = { symbol: 'word', path: 'a.txt', operation: 'replace', newText: 'x' };
    expect(await run.codeOf(editSymbol, call)).toBe('unavailable');
  });

  it('refuses text that holds the marker of a secret', async () => {
    expect(await scene().codeOf('items', 'replace', 'k = "[redacted:jwt:0123abcd]"')).toBe('redacted_text');
  });

  it('refuses wrong arguments', () => {
    expect(() => editSymbol.input.parse({ symbol: 'a', operation: 'remove', newText: '' })).toThrow(
      InvalidArgumentsError,
    );
  });
});
