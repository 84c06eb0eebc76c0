import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutlineSymbol } from '#base/language.ts';
import { type FoundSymbol, outlineOf } from '#language/editor/symbols/outline.ts';

type Range = readonly [number, number, number, number];
const rangeOf = ([startLine, startColumn, endLine, endColumn]: Range) => ({
  start: { line: startLine, character: startColumn },
  end: { line: endLine, character: endColumn },
});

/** What the editor hands over; it has more than what is looked at. */
const found = (symbol: object): FoundSymbol =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fake of the same class
  symbol as FoundSymbol;
const flat = (name: string, range: Range): FoundSymbol =>
  found({ name, kind: 11, containerName: '', location: { range: rangeOf(range) } });
const nested = (name: string, range: Range, nameRange: Range, children: readonly FoundSymbol[] = [], more = {}) =>
  found({
    name,
    kind: 4,
    detail: '',
    range: rangeOf(range),
    selectionRange: rangeOf(nameRange),
    children,
    ...more,
  });

const shape = ({ name, children }: OutlineSymbol): unknown =>
  children.length === 0 ? name : [name, children.map(shape)];

test('returns nested symbols in file order, 1-based', () => {
  const late = nested('late', [9, 0, 9, 5], [9, 2, 9, 6]);
  const inner = nested('inner', [2, 2, 3, 3], [2, 9, 2, 14], [], { detail: '(a: string)', tags: [1] });
  const outer = nested('outer', [1, 0, 5, 1], [1, 6, 1, 11], [nested('second', [4, 2, 4, 9], [4, 3, 4, 9]), inner]);
  const outline = outlineOf([late, outer], []);
  expect(outline.map(shape)).toEqual([['outer', ['inner', 'second']], 'late']);
  expect(outline[0]).toMatchObject({
    kind: 'class',
    firstLine: 2,
    lastLine: 6,
    lastColumn: 2,
    nameLine: 2,
    nameColumn: 7,
  });
  expect(outline[0]).not.toHaveProperty('detail');
  expect(outline[0]?.children[0]).toMatchObject({ detail: '(a: string)', isDeprecated: true });
});

test('nests symbols that the service returns as a flat list', () => {
  const outline = outlineOf(
    [
      flat('d', [8, 0, 9, 0]),
      flat('b', [1, 2, 3, 3]),
      flat('a', [0, 0, 5, 1]),
      flat('c', [2, 0, 2, 9]),
      flat('e', [8, 0, 8, 4]),
    ],
    [],
  );
  expect(outline.map(shape)).toEqual([
    ['a', [['b', ['c']]]],
    ['d', ['e']],
  ]);
});

test('searches the name when the service does not give its position', () => {
  const lines = ['@sealed', 'export class Cart<T> {', '  Cartography() {}', '  add(item) {}', '}'];
  const outline = outlineOf(
    [
      flat('Cart', [0, 0, 4, 1]),
      flat('add(item)', [3, 2, 3, 14]),
      flat('a.b->c', [2, 0, 2, 5]),
      flat('', [2, 2, 2, 4]),
    ],
    lines,
  );
  expect(outline[0]).toMatchObject({ name: 'Cart', nameLine: 2, nameColumn: 14 });
  const all = outline[0]?.children ?? [];
  expect(all.find(({ name }) => name === 'add(item)')).toMatchObject({ nameLine: 4, nameColumn: 3 });
  expect(all.find(({ name }) => name === 'a.b->c')).toMatchObject({ nameLine: 3, nameColumn: 1 });
});

test('keeps each symbol once and inside its parent, in whatever order the service returns them', () => {
  const range = fc
    .tuple(fc.nat(30), fc.nat(5), fc.nat(30), fc.nat(5))
    .map(([line, column, length, end]): Range => [line, column, line + length, length === 0 ? column + end : end]);
  fc.assert(
    fc.property(fc.array(range, { maxLength: 30 }), (ranges) => {
      const outline = outlineOf(
        ranges.map((each, at) => flat(`s${at}`, each)),
        [],
      );
      const names: string[] = [];
      const visit = (symbols: readonly OutlineSymbol[], above?: OutlineSymbol): void => {
        for (const symbol of symbols) {
          names.push(symbol.name);
          if (above !== undefined) {
            expect(symbol.firstLine).toBeGreaterThanOrEqual(above.firstLine);
            expect(symbol.lastLine).toBeLessThanOrEqual(above.lastLine);
          }
          visit(symbol.children, symbol);
        }
      };
      visit(outline);
      expect(names.toSorted()).toEqual(ranges.map((_range, at) => `s${at}`).toSorted());
    }),
  );
});
