import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import * as solutions from './languageSolutions.ts';
import { featureFiles, pageCount, validatorCount, type FeatureKind } from './project.ts';
import type { RealTask, TaskEnd } from './realTask.ts';
import { applyEdits, importers, readText, search, searchPaths, type TextEdit } from './textTools.ts';

const cart = 'src/lib/cart.ts';
const validators = 'src/lib/validators.ts';

/** In the project of `shopProject`, a fresh copy for each. */
export const realTasks: readonly RealTask[] = [
  {
    name: 'find all callers of a method and change its signature',
    async withTextTools(assistant) {
      const edits: TextEdit[] = [
        {
          path: cart,
          oldText: 'addItem(item: CartItem, quantity: number): void {',
          newText: 'addItem({ item, quantity }: { readonly item: CartItem; readonly quantity: number }): void {',
        },
      ];
      for (const { path } of await search(assistant, { query: '.addItem(', path: 'src' })) {
        // Another class has a method of that name.
        if (!(await readText(assistant, path)).includes('cart: Cart;')) continue;
        edits.push({ path, oldText: 'cart.addItem(item, 2)', newText: 'cart.addItem({ item, quantity: 2 })' });
      }
      await applyEdits(assistant, edits);
    },
    withLanguageTools: solutions.changeSignature,
    check(end) {
      changesFeatures(end, 'cart', (text) =>
        text.replace('cart.addItem(item, 2)', 'cart.addItem({ item, quantity: 2 })'),
      );
      match(textOf(end, cart), /addItem\(\{ item, quantity \}: \{/);
      equal(end.read('src/lib/wishlist.ts'), end.before.get('src/lib/wishlist.ts'));
    },
  },
  {
    name: 'rename a method that another class has too',
    async withTextTools(assistant) {
      const edits: TextEdit[] = [
        { path: cart, oldText: 'total(', newText: 'sum(', replaceAll: true },
        { path: 'src/lib/checkout.ts', oldText: 'cart.total()', newText: 'cart.sum()' },
      ];
      for (const path of await searchPaths(assistant, { query: '.total()', path: 'src/features' })) {
        if (!(await readText(assistant, path)).includes('cart: Cart;')) continue;
        edits.push({ path, oldText: 'cart.total()', newText: 'cart.sum()' });
      }
      await applyEdits(assistant, edits);
    },
    withLanguageTools: solutions.renameTo('Cart.total', 'sum'),
    check(end) {
      changesFeatures(end, 'cart', (text) => text.replace('cart.total()', 'cart.sum()'));
      doesNotMatch(textOf(end, cart), /total/);
      match(textOf(end, 'src/lib/checkout.ts'), /cart\.sum\(\)/);
      equal(end.read('src/lib/wishlist.ts'), end.before.get('src/lib/wishlist.ts'));
    },
  },
  {
    name: 'rename an interface everywhere',
    async withTextTools(assistant) {
      const paths = await searchPaths(assistant, {
        query: 'CartItem',
        wholeWord: true,
        caseSensitive: true,
        path: 'src',
      });
      await applyEdits(
        assistant,
        paths.map((path) => ({ path, oldText: 'CartItem', newText: 'CartLine', replaceAll: true })),
      );
    },
    withLanguageTools: solutions.renameTo('CartItem', 'CartLine'),
    check(end) {
      for (const [path, text] of end.before) equal(end.read(path), text.replaceAll('CartItem', 'CartLine'), path);
    },
  },
  {
    name: 'rename a function that a hundred files use',
    async withTextTools(assistant) {
      const paths = await searchPaths(assistant, {
        query: 'formatPrice',
        wholeWord: true,
        caseSensitive: true,
        path: 'src',
      });
      // Files that do not compile do not count, because their function is declared nowhere.
      const meant = paths.filter((path) => path !== 'src/broken/missingImport.ts');
      for (let at = 0; at < meant.length; at += 50) {
        const some = meant.slice(at, at + 50);
        await applyEdits(
          assistant,
          some.map((path) => ({ path, oldText: 'formatPrice', newText: 'asPrice', replaceAll: true })),
        );
      }
    },
    withLanguageTools: solutions.renameTo('formatPrice', 'asPrice'),
    check(end) {
      for (const [path, text] of end.before) {
        const isMeant = path !== 'src/broken/missingImport.ts';
        equal(end.read(path), isMeant ? text.replaceAll('formatPrice', 'asPrice') : text, path);
      }
    },
  },
  {
    name: 'move a function to a file of its own',
    async withTextTools(assistant) {
      const text = await readText(assistant, 'src/lib/text.ts');
      const moved = text.slice(text.indexOf('export function slugOf'));
      const paths = await importers(assistant, 'slugOf', 'text');
      const edits = paths.map((path) => ({
        path,
        oldText: "import { slugOf } from '../../lib/text';",
        newText: "import { slugOf } from '../../lib/slug';",
      }));
      await assistant.call('create_file', { path: 'src/lib/slug.ts', content: moved, reason: 'As asked.' });
      await applyEdits(assistant, [{ path: 'src/lib/text.ts', oldText: `\n${moved}`, newText: '' }, ...edits]);
    },
    withLanguageTools: solutions.moveFunction,
    check(end) {
      changesFeatures(end, 'slug', (text) => text.replace('lib/text', 'lib/slug'));
      match(textOf(end, 'src/lib/slug.ts').trimStart(), /^export function slugOf/);
      doesNotMatch(textOf(end, 'src/lib/text.ts'), /slugOf/);
    },
  },
  {
    name: 'fix all unused imports of a folder',
    async withTextTools(assistant) {
      const paths = await searchPaths(assistant, { query: 'import {', path: 'src/pages' });
      const edits: TextEdit[] = [];
      for (const path of paths) {
        const text = await readText(assistant, path);
        for (const [line, name = ''] of text.matchAll(/^import \{ (\w+) \} from .*\n/gm)) {
          if (text.split(name).length === 2) edits.push({ path, oldText: line, newText: '' });
        }
      }
      await applyEdits(assistant, edits);
    },
    withLanguageTools: solutions.removeUnusedImports,
    check(end) {
      for (let at = 0; at < pageCount; at += 1) {
        const path = `src/pages/Page${at}.tsx`;
        const unused = at % 2 === 0 ? 'formatPrice' : 'titleCase';
        equal(end.read(path), end.before.get(path)?.replace(new RegExp(`^import \\{ ${unused} .*\\n`, 'm'), ''), path);
      }
    },
  },
  {
    name: 'find a definition with its code',
    async withTextTools(assistant) {
      const [place] = await search(assistant, { query: 'export function checkout', path: 'src' });
      const text = await readText(assistant, place?.path ?? '');
      return {
        path: place?.path,
        code: text.slice(text.indexOf('export function checkout'), text.indexOf('\n}\n') + 2),
      };
    },
    withLanguageTools: solutions.findDefinition,
    check({ answer }) {
      deepEqual(answer, {
        path: 'src/lib/checkout.ts',
        code: 'export function checkout(cart: Cart): string {\n  return charge(cart.total());\n}',
      });
    },
  },
  {
    name: 'find the implementations of an interface',
    withTextTools: async (assistant) =>
      (await searchPaths(assistant, { query: 'implements KeyValueStore', path: 'src' })).toSorted(),
    withLanguageTools: solutions.findImplementations,
    check({ answer }) {
      const names = ['audited', 'cached', 'memory'].map((name) => `src/storage/${name}.ts`);
      deepEqual(answer, ['src/broken/missingMember.ts', ...names]);
    },
  },
  {
    name: 'find who calls a function, over two levels',
    async withTextTools(assistant) {
      const callersOf = async (name: string): Promise<readonly string[]> => {
        const callers: string[] = [];
        for (const path of await searchPaths(assistant, { query: `${name}(`, path: 'src/lib' })) {
          const text = await readText(assistant, path);
          for (const [code, caller = ''] of text.matchAll(/export function (\w+)[^]*?\n\}/g)) {
            if (caller !== name && code.includes(` ${name}(`)) callers.push(caller);
          }
        }
        return callers;
      };
      const first = await callersOf('post');
      const second = await Promise.all(first.map(callersOf));
      return [...first, ...second.flat()].toSorted();
    },
    withLanguageTools: solutions.findCallers,
    check({ answer }) {
      deepEqual(answer, ['cancelOrder', 'charge', 'checkout', 'refund']);
    },
  },
  {
    name: 'find all subclasses of a class',
    async withTextTools(assistant) {
      const classes: string[] = [];
      const waiting = ['Shape'];
      for (let base = waiting.shift(); base !== undefined; base = waiting.shift()) {
        const found = await search(assistant, { query: `extends ${base}`, wholeWord: true, path: 'src' });
        const names = found.flatMap(({ text }) => /class (\w+)/.exec(text)?.[1] ?? []);
        classes.push(...names);
        waiting.push(...names);
      }
      return classes.toSorted();
    },
    withLanguageTools: solutions.findSubclasses,
    check({ answer }) {
      deepEqual(answer, ['Circle', 'Polygon', 'Square']);
    },
  },
  {
    name: 'outline a large file',
    async withTextTools(assistant) {
      const found = await search(assistant, { query: '^export function', isRegex: true, path: validators });
      return found.map(({ text, line }) => ({ name: /function (\w+)/.exec(text)?.[1], line }));
    },
    withLanguageTools: solutions.outlineFile,
    check({ answer, before }) {
      const lines = (before.get(validators) ?? '').split('\n');
      const expected = lines.flatMap((text, at) => {
        const name = /^export function (\w+)/.exec(text)?.[1];
        return name === undefined ? [] : [{ name, line: at + 1 }];
      });
      equal(expected.length, validatorCount + 1);
      deepEqual(answer, expected);
    },
  },
  {
    name: 'find who writes a property, not who reads it',
    async withTextTools(assistant) {
      const found = await search(assistant, { query: 'session\\.user\\s*=[^=]', isRegex: true, path: 'src' });
      return found.map(({ path, line }) => `${path}:${line}`);
    },
    withLanguageTools: solutions.findWrites,
    check({ answer }) {
      deepEqual(answer, ['src/lib/session.ts:4', 'src/lib/session.ts:9']);
    },
  },
  {
    name: 'add a missing import',
    async withTextTools(assistant) {
      const path = 'src/broken/missingImport.ts';
      await readText(assistant, path);
      await search(assistant, { query: 'export function formatPrice', path: 'src' });
      const first = 'export function price(';
      const line = "import { formatPrice } from '../lib/money';\n\n";
      await applyEdits(assistant, [{ path, oldText: first, newText: `${line}${first}` }]);
    },
    withLanguageTools: solutions.fixProblem('src/broken/missingImport.ts', /^Add import from/),
    check(end) {
      match(
        textOf(end, 'src/broken/missingImport.ts'),
        /^import \{ formatPrice \} from ['"]\.\.\/lib\/money['"];\n\nexport function price/,
      );
    },
  },
  {
    name: 'fix a type error',
    async withTextTools(assistant) {
      const path = 'src/broken/wrongType.ts';
      await readText(assistant, path);
      await applyEdits(assistant, [{ path, oldText: '(cents: number): number', newText: '(cents: number): string' }]);
    },
    withLanguageTools: solutions.fixTypeError,
    check(end) {
      match(textOf(end, 'src/broken/wrongType.ts'), /twice\(cents: number\): string/);
    },
  },
  {
    name: 'implement what an interface asks for',
    async withTextTools(assistant) {
      const path = 'src/broken/missingMember.ts';
      await readText(assistant, path);
      await readText(assistant, 'src/storage/store.ts');
      const last = '    return undefined;\n  }\n';
      await applyEdits(assistant, [
        {
          path,
          oldText: last,
          newText: `${last}\n  write(key: string, value: string): void {\n    void [key, value];\n  }\n`,
        },
      ]);
    },
    withLanguageTools: solutions.fixProblem('src/broken/missingMember.ts', /^Implement interface/),
    check(end) {
      match(textOf(end, 'src/broken/missingMember.ts'), /\bwrite\(key: string, value: string\): void \{/);
    },
  },
  {
    name: 'replace the body of a function in a large file',
    async withTextTools(assistant) {
      await search(assistant, { query: 'function isEmail', path: validators, linesBefore: 3, linesAfter: 3 });
      await applyEdits(assistant, [
        { path: validators, oldText: "return text.includes('@');", newText: 'return /^[^@]+@[^@]+$/.test(text);' },
      ]);
    },
    withLanguageTools: solutions.replaceBody,
    check(end) {
      equal(
        end.read(validators),
        end.before.get(validators)?.replace("text.includes('@')", '/^[^@]+@[^@]+$/.test(text)'),
      );
    },
  },
  {
    name: 'insert a function after another',
    async withTextTools(assistant) {
      const text = await readText(assistant, 'src/lib/text.ts');
      const before = text.slice(0, text.indexOf('\n}\n') + 3);
      await applyEdits(assistant, [
        {
          path: 'src/lib/text.ts',
          oldText: before,
          newText: `${before}\nexport function shout(text: string): string {\n  return text.toUpperCase();\n}\n`,
        },
      ]);
    },
    withLanguageTools: solutions.insertFunction,
    check(end) {
      const names = [...textOf(end, 'src/lib/text.ts').matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
      deepEqual(names, ['titleCase', 'shout', 'slugOf']);
    },
  },
  {
    name: 'delete the functions that nobody uses',
    async withTextTools(assistant) {
      const path = 'src/lib/dates.ts';
      const text = await readText(assistant, path);
      const edits: TextEdit[] = [];
      for (const [code, name = ''] of text.matchAll(/export function (\w+)[^]*?\n\}\n\n?/g)) {
        const found = await search(assistant, { query: name, wholeWord: true, caseSensitive: true, path: 'src' });
        if (found.length === 1) edits.push({ path, oldText: code, newText: '' });
      }
      await applyEdits(assistant, edits);
    },
    withLanguageTools: solutions.deleteUnused,
    check(end) {
      const names = [...textOf(end, 'src/lib/dates.ts').matchAll(/function (\w+)/g)].map(([, name]) => name);
      deepEqual(names, ['today', 'inDays']);
    },
  },
  {
    name: 'organise the imports of a file',
    async withTextTools(assistant) {
      const path = 'src/untidy/imports.ts';
      const text = await readText(assistant, path);
      const imports = text.slice(0, text.indexOf('\n\n'));
      const used = imports.split('\n').filter((line) => text.split(/\{ (\w+) \}/.exec(line)?.[1] ?? '').length > 2);
      const byModule = (line: string): string => line.slice(line.indexOf(' from '));
      const sorted = used.toSorted((one, other) => (byModule(one) < byModule(other) ? -1 : 1));
      await applyEdits(assistant, [{ path, oldText: imports, newText: sorted.join('\n') }]);
    },
    withLanguageTools: solutions.organizeImports,
    check(end) {
      deepEqual(textOf(end, 'src/untidy/imports.ts').split('\n').slice(0, 3), [
        "import { formatPrice } from '../lib/money';",
        "import { titleCase } from '../lib/text';",
        '',
      ]);
    },
  },
  {
    name: 'format a file',
    async withTextTools(assistant) {
      const path = 'src/untidy/spacing.ts';
      const text = await readText(assistant, path);
      const tidy = 'export function add(a: number, b: number): number {\n    return a + b\n}\n';
      await applyEdits(assistant, [{ path, oldText: text, newText: tidy }]);
    },
    withLanguageTools: solutions.formatFile,
    check(end) {
      equal(
        textOf(end, 'src/untidy/spacing.ts'),
        'export function add(a: number, b: number): number {\n    return a + b\n}\n',
      );
    },
  },
];

function textOf(end: TaskEnd, path: string): string {
  const text = end.read(path);
  ok(text !== undefined, `${path} is gone`);
  return text;
}

/** Expects that each feature of one kind was changed as asked, and no other. */
function changesFeatures(end: TaskEnd, kind: FeatureKind, change: (text: string) => string): void {
  for (const feature of featureFiles) {
    const before = end.before.get(feature.path) ?? '';
    // A language service writes the quotes it finds in the file, if any.
    const now = end.read(feature.path)?.replaceAll('"', "'");
    equal(now, feature.kind === kind ? change(before) : before, feature.path);
  }
}
