import fc from 'fast-check';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { afterMove, mayLeadTo, movedSpecifier } from '#language/imports/movedSpecifier.ts';

const moved = (specifier: string, importer: string, target: string, from: string, to: string): string | undefined =>
  movedSpecifier({ specifier, importer, target }, { from, to });

describe('an import of a file that moves', () => {
  test.each([
    ['the ending stays left out', './lib/a', '/w/lib/a.ts', '/w/util/b.ts', './util/b'],
    ['a .js that stands for a .ts stays one', './lib/a.js', '/w/lib/a.ts', '/w/util/b.ts', './util/b.js'],
    ['.mjs stands for .mts', './lib/a.mjs', '/w/lib/a.mts', '/w/b.mts', './b.mjs'],
    ['.js becomes .mjs when the script does', './lib/a.js', '/w/lib/a.ts', '/w/a.mts', './a.mjs'],
    ['.jsx stays for .tsx', './lib/a.jsx', '/w/lib/a.tsx', '/w/b.tsx', './b.jsx'],
    ['.js stays for .tsx', './lib/a.js', '/w/lib/a.tsx', '/w/b.tsx', './b.js'],
    ['the whole name stays whole', './lib/a.ts', '/w/lib/a.ts', '/w/b.tsx', './b.tsx'],
    ['a file that is no script', './lib/a.css', '/w/lib/a.css', '/w/b.scss', './b.scss'],
    ['declarations', './lib/a', '/w/lib/a.d.ts', '/w/types/a.d.ts', './types/a'],
    ['an ending that cannot be left out is written', './lib/a', '/w/lib/a.ts', '/w/lib/a.mts', './lib/a.mjs'],
    ['index stays left out', './lib', '/w/lib/index.ts', '/w/core/index.ts', './core'],
    ['index that gets a name', './lib', '/w/lib/index.ts', '/w/core.ts', './core'],
    ['a name that becomes index', './lib/a', '/w/lib/a.ts', '/w/lib/a/index.ts', './lib/a/index'],
    ['a final slash stays', './lib/', '/w/lib/index.ts', '/w/core/index.ts', './core/'],
    ['index beside the importer', '.', '/w/index.ts', '/w/core/index.ts', './core'],
    ['index that comes beside the importer', './core', '/w/core/index.ts', '/w/index.ts', '.'],
    ['a folder above', './lib/a', '/w/lib/a.ts', '/v/a.ts', '../v/a'],
    ['a hidden folder is no relative path', './lib/a', '/w/lib/a.ts', '/w/.lib/a.ts', './.lib/a'],
  ])('%s', (_what, specifier, from, to, expected) => {
    expect(moved(specifier, '/w/main.ts', from, from, to)).toBe(expected);
  });

  test.each([
    ['@/lib/a', '/w/src/lib/a.ts', '/w/src/util/b.ts', '@/util/b'],
    ['~lib/a.js', '/w/src/lib/a.ts', '/w/src/lib/deep/a.ts', '~lib/deep/a.js'],
    ['src/lib/a', '/w/src/lib/a.ts', '/w/src/b.ts', 'src/b'],
    ['@lib/a', '/w/src/lib/a.ts', '/w/src/util/a.ts', './util/a'],
    ['@/lib', '/w/src/lib/index.ts', '/w/src/core/index.ts', '@/core'],
    ['@acme/core', '/w/packages/core/main.ts', '/w/packages/core/first.ts', undefined],
  ])('the alias %s', (specifier, from, to, expected) => {
    expect(moved(specifier, '/w/src/main.ts', from, from, to)).toBe(expected);
  });
});

describe('movedSpecifier after the move of a folder', () => {
  const [from, to] = ['/w/lib', '/w/core/library'];

  test.each([
    ['an import from outside', './lib/a.js', '/w/main.ts', '/w/lib/a.ts', './core/library/a.js'],
    ['an import of the folder itself', './lib', '/w/main.ts', '/w/lib/index.ts', './core/library'],
    ['an alias', '~/lib/a', '/w/main.ts', '/w/lib/a.ts', '~/core/library/a'],
    ['an import that leads out of it', '../main', '/w/lib/a.ts', '/w/main.ts', '../../main'],
    ['an import inside it', './b', '/w/lib/a.ts', '/w/lib/b.ts', undefined],
    ['an import through its own name', '../lib/b', '/w/lib/a.ts', '/w/lib/b.ts', './b'],
    ['an alias inside it', '~/lib/b', '/w/lib/a.ts', '/w/lib/b.ts', '~/core/library/b'],
    ['a neighbour whose name begins alike', './library/a', '/w/main.ts', '/w/library/a.ts', undefined],
  ])('%s', (_what, specifier, importer, target, expected) => {
    expect(moved(specifier, importer, target, from, to)).toBe(expected);
  });
});

/** As a bundler would, in a world where only the target exists. */
function resolves(specifier: string, importer: string, target: string): boolean {
  const place = join(dirname(importer), specifier).replace(/(?<=.)\/$/, '');
  const source = place.replace(/\.([cm]?)jsx?$/, '.$1ts');
  const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];
  return endings.some((ending) => place + ending === target) || [source, `${source}x`].includes(target);
}

const folder = fc
  .array(fc.constantFrom('a', 'b', '.c', 'index'), { maxLength: 3 })
  .map((names) => ['/w', ...names].join('/'));
const script = fc
  .tuple(folder, fc.constantFrom('x', 'y', 'index'), fc.constantFrom('.ts', '.tsx'))
  .map(([where, name, ending]) => `${where}/${name}${ending}`);
const style = fc.constantFrom('whole', 'short', 'compiled', 'folder');

/** What an author would have written. */
function written(importer: string, target: string, how: string): string | undefined {
  const place = {
    whole: target,
    short: target.replace(/\.tsx?$/, ''),
    compiled: target.replace(/\.tsx?$/, '.js'),
    folder: /\/index\.tsx?$/.test(target) ? dirname(target) : undefined,
  }[how];
  if (place === undefined) return undefined;
  return movedSpecifier(
    { specifier: './anchor.ts', importer, target: join(dirname(importer), 'anchor.ts') },
    { from: join(dirname(importer), 'anchor.ts'), to: place },
  );
}

test('keeps an import leading to the same file after any move of a file or folder', () => {
  fc.assert(
    fc.property(
      script,
      script,
      folder,
      script,
      fc.boolean(),
      style,
      (importer, target, anyFolder, newFile, moveFile, how) => {
        const specifier = written(importer, target, how);
        fc.pre(importer !== target && specifier !== undefined && resolves(specifier, importer, target));
        const move = moveFile ? { from: target, to: newFile } : { from: anyFolder, to: `/v${anyFolder}` };
        fc.pre(move.from !== move.to && newFile !== importer && !move.to.startsWith(`${move.from}/`));
        const after = movedSpecifier({ specifier, importer, target }, move) ?? specifier;
        const context = `${specifier} in ${importer} of ${target}: ${after}`;
        expect(resolves(after, afterMove(importer, move), afterMove(target, move)), context).toBe(true);
        expect(mayLeadTo(specifier, importer, target), context).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test('changes nothing when the move does not concern the import', () => {
  expect(moved('./a/../b', '/w/main.ts', '/w/b.ts', '/w/c.ts', '/w/d.ts')).toBeUndefined();
  expect(moved('react', '/w/lib/a.ts', '/w/node_modules/react/index.d.ts', '/w/lib', '/w/core')).toBeUndefined();
});
