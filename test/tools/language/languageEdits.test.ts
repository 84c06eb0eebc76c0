import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import type { LanguageEdits, ResourceEdit, TextEdit } from '#language/refactorings.ts';
import { appliedEdits } from '#tools/language/edits/textEdits.ts';
import { renameSymbol } from '#tools/language/renameSymbol.ts';
import type { FakeNode } from '../../fakes/files.ts';
import { languageEdits, replacing } from '../../fakes/refactorings.ts';
import { ProposeRun } from '../edit/proposeRun.ts';
import { declared } from './cartProject.ts';

const cart = 'export class Cart {}\n';

/** Returns a run whose language service answers a rename with these edits. */
function scene(edits: LanguageEdits, nodes: Readonly<Record<string, FakeNode>> = {}) {
  const run = new ProposeRun({ '/w/cart.ts': cart, '/w/app.ts': 'new Cart();\n', ...nodes });
  run.language.outlines.set('cart.ts', [declared('Cart', 'class', [1, 1], 14)]);
  run.refactorings.edits = edits;
  const input = { symbol: 'Cart', path: 'cart.ts', newName: 'Basket' };
  return { run, propose: () => run.propose(renameSymbol, input), codeOf: () => run.codeOf(renameSymbol, input) };
}

const inCart = replacing('/w/cart.ts', cart, 'Cart', 'Basket');
const inApp = replacing('/w/app.ts', 'new Cart();\n', 'Cart', 'Basket');
const at = (address: string): TextEdit => ({ address, offset: 0, length: 0, newText: 'x' });
const create = (address: string, more: Partial<Extract<ResourceEdit, { kind: 'create' }>> = {}): ResourceEdit => ({
  kind: 'create',
  address,
  ifExists: 'fail',
  ...more,
});
const rename = (address: string, to: string, ifExists: 'fail' | 'ignore' = 'fail'): ResourceEdit => ({
  kind: 'rename',
  address,
  to,
  ifExists,
});
const remove = (address: string, more: object = {}): ResourceEdit => ({
  kind: 'delete',
  address,
  isRecursive: false,
  ifMissing: 'fail',
  ...more,
});

describe('a rename', () => {
  it.each([
    ['cart.ts', 'a b'],
    ['cart.ts', '1a'],
    ['cart.ts', 'a.b'],
    ['cart.ts', ''],
    ['cart.py', 'a-b'],
    ['cart.py', '$a'],
    ['cart.rb', 'a b'],
  ])('in %s to the invalid name "%s" is an error and no card', async (path, newName) => {
    const { run } = scene(languageEdits([inCart]), { '/w/cart.py': cart, '/w/cart.rb': cart });
    for (const each of ['cart.py', 'cart.rb']) run.language.outlines.set(each, [declared('Cart', 'class', [1, 1], 14)]);
    await expect(run.propose(renameSymbol, { symbol: 'Cart', path, newName })).rejects.toThrow(InvalidArgumentsError);
    expect(run.refactorings.asked).toEqual([]);
  });

  it.each([
    ['cart.ts', '#größe$'],
    ['cart.rb', 'empty?'],
    ['cart.md', 'Two words'],
  ])('in %s to "%s" is passed on', async (path, newName) => {
    const { run } = scene(languageEdits([inCart]), { '/w/cart.md': cart, '/w/cart.rb': cart });
    for (const each of ['cart.md', 'cart.rb']) run.language.outlines.set(each, [declared('Cart', 'class', [1, 1], 14)]);
    await run.propose(renameSymbol, { symbol: 'Cart', path, newName });
    expect(run.refactorings.asked).toEqual([`rename ${path}:1:14 ${newName}`]);
  });

  it('of an interface and a constant of one name is a rename of one symbol', async () => {
    const { run, propose } = scene(languageEdits([inCart]));
    run.language.outlines.set('cart.ts', [
      declared('Cart', 'interface', [1, 1], 14),
      declared('Cart', 'variable', [1, 1], 15),
    ]);
    await propose();
    expect(run.refactorings.asked).toEqual(['rename cart.ts:1:14 Basket']);
    run.language.outlines.set('cart.ts', [
      declared('Cart', 'method', [1, 1], 14),
      declared('Cart', 'method', [1, 1], 15),
    ]);
    await expect(propose()).rejects.toMatchObject({ code: 'ambiguous_match' });
  });
});

describe('P17: edits of a language service that touch a refused file', () => {
  it.each<[string, LanguageEdits, string]>([
    ['a file outside', languageEdits([inCart, at('/home/u/.bashrc'), inApp]), '/home/u/.bashrc'],
    ['a secret file', languageEdits([inCart, at('/w/.env')]), '/w/.env'],
    ['a file that no assistant may change', languageEdits([inCart, at('/w/.git/hooks/pre-commit')]), '.git/hooks'],
    ['a private folder', languageEdits([inCart, at('/w/private/x')]), '/w/private/x'],
    ['a document that is not a file', languageEdits([inCart, at('untitled:Untitled-1')]), 'untitled:Untitled-1'],
    ['a file created outside', languageEdits([inCart], [create('/etc/cron.d/x')]), '/etc/cron.d/x'],
    ['a file deleted outside', languageEdits([inCart], [remove('/etc/passwd')]), '/etc/passwd'],
    ['a file moved in from outside', languageEdits([inCart], [rename('/etc/passwd', '/w/passwd')]), '/etc/passwd'],
    ['a file moved outside', languageEdits([inCart], [rename('/w/app.ts', '/srv/app.ts')]), '/srv/app.ts'],
    ['the target of a link', languageEdits([inCart, at('/w/link')]), '/w/link'],
  ])('are refused as a whole when they touch %s, and the error names that path', async (_what, edits, named) => {
    const { run, propose } = scene(edits, { '/w/link': { link: '/home/u/.bashrc' }, '/home/u/.bashrc': '' });
    const error: unknown = await propose().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(?:outside_workspace|denied)$/),
      message: expect.stringMatching(/nothing was changed/),
    });
    expect(String(error)).toContain(named);
    expect(run.files.reads.filter((path) => path !== '/w/cart.ts')).toEqual([]);
  });

  it('are refused with one list of all refused paths', async () => {
    const elsewhere = Array.from({ length: 30 }, (_, index) => at(`/srv/${index}`));
    const { propose } = scene(languageEdits([inCart, at('/etc/passwd'), at('/w/.env'), ...elsewhere]));
    await expect(propose()).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringMatching(/\/etc\/passwd, \/w\/\.env, \/srv\/0, .*, and 12 more; nothing was changed/),
    });
  });

  it('are judged as protected as a whole when one file is protected', async () => {
    const { run } = scene(languageEdits([inCart, at('/w/.vscode/settings.json')]), { '/w/.vscode/settings.json': '' });
    const { decision } = await run.judged(renameSymbol, { symbol: 'Cart', path: 'cart.ts', newName: 'B' });
    expect(decision).toMatchObject({ effect: 'ask', protectedBy: [undefined, '**/.vscode'] });
  });
});

describe('edits of a language service', () => {
  it('become one indivisible change when they touch several files', async () => {
    const { run, propose } = scene(languageEdits([inApp, inCart]));
    expect(await propose()).toMatchObject({
      indivisible: true,
      files: [
        { kind: 'edit', path: { path: 'app.ts' }, result: { text: 'new Basket();\n' } },
        { kind: 'edit', path: { path: 'cart.ts' }, result: { text: 'export class Basket {}\n' } },
      ],
    });
    expect(run.refactorings.asked).toEqual(['rename cart.ts:1:14 Basket']);
  });

  it('can be approved in part when they touch one file', async () => {
    expect(await scene(languageEdits([inCart])).propose()).not.toHaveProperty('indivisible');
  });

  it('apply to the unsaved text, and to the target of a link', async () => {
    const { run, propose } = scene(languageEdits([replacing('/w/link.ts', '// new\nnew Cart();\n', 'Cart', 'B')]), {
      '/w/link.ts': { link: 'app.ts' },
    });
    run.files.buffers.set('/w/app.ts', '// new\nnew Cart();\n');
    expect((await propose()).files).toMatchObject([
      { path: { path: 'app.ts' }, base: { source: 'buffer' }, result: { text: '// new\nnew B();\n' } },
    ]);
  });

  it('may name a moved file by its old or its new path', async () => {
    const moved = rename('/w/cart.ts', '/w/shop/basket.ts');
    for (const edit of [inCart, { ...inCart, address: '/w/shop/basket.ts' }]) {
      expect((await scene(languageEdits([edit], [moved])).propose()).files).toMatchObject([
        { kind: 'edit', path: { path: 'cart.ts' }, result: { text: 'export class Basket {}\n' } },
        { kind: 'move', path: { path: 'cart.ts' }, to: { path: 'shop/basket.ts' } },
      ]);
    }
  });

  it('may name a file in a moved folder by its new path', async () => {
    const text = 'Cart\n';
    const edits = languageEdits([replacing('/w/new/a.ts', text, 'Cart', 'B')], [rename('/w/old', '/w/new')]);
    expect((await scene(edits, { '/w/old/a.ts': text }).propose()).files).toMatchObject([
      { kind: 'edit', path: { path: 'old/a.ts' }, result: { text: 'B\n' } },
      { kind: 'move', path: { path: 'old' }, isFolder: true },
    ]);
  });

  it('become the text of a file that they create', async () => {
    const texts = [at('/w/new.ts'), { address: '/w/new.ts', offset: 0, length: 0, newText: '\r\ny\n' }];
    expect((await scene(languageEdits(texts, [create('/w/new.ts')])).propose()).files).toMatchObject([
      { kind: 'create', path: { path: 'new.ts' }, result: { text: 'x\ny\n' } },
    ]);
  });

  it('create a file over an existing one only when they say so', async () => {
    expect(await scene(languageEdits([], [create('/w/app.ts')])).codeOf()).toBe('unavailable');
    const ignored = languageEdits([inCart, inApp], [create('/w/app.ts', { ifExists: 'ignore' })]);
    expect((await scene(ignored).propose()).files).toMatchObject([{ kind: 'edit' }, { kind: 'edit' }]);
    const over = languageEdits([], [create('/w/app.ts', { ifExists: 'overwrite' })]);
    expect((await scene(over).propose()).files).toMatchObject([
      { kind: 'edit', overwrites: true, result: { text: '' } },
    ]);
    const both = languageEdits([at('/w/app.ts')], [create('/w/app.ts', { ifExists: 'overwrite' })]);
    expect((await scene(both).propose()).files).toMatchObject([{ overwrites: true, result: { text: 'x' } }]);
  });

  it('delete files and whole folders, even when they also edit the deleted file', async () => {
    const { files } = await scene(languageEdits([inApp, inCart], [remove('/w/app.ts')])).propose();
    expect(files).toMatchObject([
      { kind: 'edit', path: { path: 'cart.ts' } },
      { kind: 'delete', path: { path: 'app.ts' } },
    ]);
    const nodes = { '/w/d/x': '' };
    expect(await scene(languageEdits([], [remove('/w/d')]), nodes).codeOf()).toBe('unavailable');
    expect(await scene(languageEdits([], [remove('/w/d', { isRecursive: true })]), nodes).codeOf()).toBe('proposed');
    const gone = languageEdits([inCart], [remove('/w/gone', { ifMissing: 'ignore' })]);
    expect((await scene(gone).propose()).files).toMatchObject([{ kind: 'edit' }]);
    expect(await scene(languageEdits([], [remove('/w/gone')])).codeOf()).toBe('not_found');
  });

  it('never move over an existing file, and never both move and delete the same file', async () => {
    expect(await scene(languageEdits([], [rename('/w/cart.ts', '/w/app.ts')])).codeOf()).toBe('unavailable');
    const kept = languageEdits([inCart], [rename('/w/cart.ts', '/w/app.ts', 'ignore')]);
    expect((await scene(kept).propose()).files).toMatchObject([{ kind: 'edit' }]);
    const twice = languageEdits([], [rename('/w/cart.ts', '/w/b.ts'), remove('/w/cart.ts')]);
    expect(await scene(twice).codeOf()).toBe('unavailable');
  });

  it('are refused as a whole when they overlap, lie beyond the end or touch a missing or read-only file', async () => {
    const overlapping = languageEdits([inCart, { ...inCart, offset: inCart.offset + 1 }]);
    expect(await scene(overlapping).codeOf()).toBe('unavailable');
    expect(await scene(languageEdits([inApp, { ...inCart, offset: 1000 }])).codeOf()).toBe('unavailable');
    expect(await scene(languageEdits([inApp, at('/w/gone.ts')])).codeOf()).toBe('not_found');
    const { run, codeOf } = scene(languageEdits([inCart, inApp]));
    run.files.facts.set('/w/app.ts', { readonly: true });
    expect(await codeOf()).toBe('unavailable');
  });
});

describe('appliedEdits', () => {
  const path = { path: 'a.ts' };

  it('gives new lines the line end of their place, and keeps all others', () => {
    const base = 'a\r\nb\nc\r\n';
    const edits = [
      { offset: 0, length: 1, newText: 'x\ny' },
      { offset: 3, length: 1, newText: 'x\r\ny' },
    ];
    expect(appliedEdits(path, base, edits)).toBe('x\r\ny\r\nx\ny\nc\r\n');
    expect(appliedEdits(path, 'a\r\nb\r\n', [{ offset: 0, length: 6, newText: 'a\nb\nc\n' }])).toBe('a\r\nb\r\nc\r\n');
  });

  it('keeps the order of insertions at one place, and puts them before a replacement there', () => {
    const edits = [
      { offset: 1, length: 1, newText: 'B' },
      { offset: 1, length: 0, newText: '1' },
      { offset: 1, length: 0, newText: '2' },
    ];
    expect(appliedEdits(path, 'abc', edits)).toBe('a12Bc');
  });

  it('returns the same text for any order of the edits', () => {
    const pieces = fc.array(
      fc.record({ kept: fc.string({ maxLength: 5 }), old: fc.string({ maxLength: 5 }), newText: fc.string() }),
    );
    const plain = (text: string): string => text.replaceAll(/[\r\n]/g, '');
    fc.assert(
      fc.property(pieces, fc.nat(), (given, turn) => {
        let [base, wanted] = ['', ''];
        const edits = given.map(({ kept, old, newText }) => {
          base += `|${plain(kept)}`;
          const edit = { offset: base.length, length: plain(old).length, newText: plain(newText) };
          base += plain(old);
          wanted += `|${plain(kept)}${plain(newText)}`;
          return edit;
        });
        const turned = [...edits.slice(turn % (edits.length + 1)), ...edits.slice(0, turn % (edits.length + 1))];
        expect(appliedEdits(path, base, turned)).toBe(wanted);
      }),
    );
  });
});
