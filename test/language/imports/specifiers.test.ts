import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importSpecifiers } from '#language/imports/specifiers.ts';

test.each([
  [`import { a } from './a';`, './a'],
  [`import "./side.css";`, './side.css'],
  ['export * from "../b.js"', '../b.js'],
  [`import\n  type { T }\nfrom\n  './types'`, './types'],
  [`const a = require('./a');`, './a'],
  [`import a = require( "./a" );`, './a'],
  [`const page = await import(/* webpackChunkName: "p" */ './page')`, './page'],
  [`const page = await import(\`./page\`)`, './page'],
  [`type T = import('./types').T;`, './types'],
  [`require.resolve('./a.json')`, './a.json'],
  [`declare module './a' {}`, './a'],
  [`/// <reference path="./global.d.ts" />`, './global.d.ts'],
  [`import x from '.'`, '.'],
])('finds what %s imports', (text, specifier) => {
  const padded = `// ünï\r\n${text}\r\n`;
  const found = importSpecifiers(padded);
  expect(found.map((one) => one.text)).toEqual([specifier]);
  expect(padded.slice(found[0]?.offset).startsWith(`${specifier}${padded.at((found[0]?.offset ?? 0) - 1)}`)).toBe(true);
});

test.each([
  `const a = './a';`,
  `call('./a')`,
  `import a from './a`,
  `transform ("./a")`,
  `import './a\n'`,
  `from('./a')`,
])('finds no import in %s', (text) => expect(importSpecifiers(text)).toEqual([]));

test('finds every import of a file, in order and where it stands', () => {
  const name = fc.stringMatching(/^[a-z./@-]{1,12}$/);
  const form = fc.constantFrom('import x from "#";', "export * from '#'", 'require("#")', "import('#');");
  fc.assert(
    fc.property(fc.array(fc.tuple(form, name), { maxLength: 20 }), (lines) => {
      const text = lines.map(([shape, specifier]) => shape.replace('#', () => specifier)).join('\nconst other = 1;\n');
      const found = importSpecifiers(text);
      expect(found.map((one) => one.text)).toEqual(lines.map(([, specifier]) => specifier));
      for (const { offset, text: specifier } of found)
        expect(text.slice(offset, offset + specifier.length)).toBe(specifier);
    }),
  );
});

test('reads a long text without an import quickly', () => {
  for (const hostile of ['import(/* '.repeat(20_000), `import ${' '.repeat(200_000)}`, 'from "'.repeat(50_000)]) {
    expect(importSpecifiers(hostile).length).toBeLessThan(50_000);
  }
}, 2000);
