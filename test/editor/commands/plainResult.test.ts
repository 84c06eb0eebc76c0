import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Location, Position, Range, Uri } from 'vscode';
import { plainResult } from '#editor/commands/plainResult.ts';
import { folderAt } from '../../fakes/workspace.ts';

const plain = (value: unknown): unknown => JSON.parse(plainResult(value, [folderAt('/w')]));

test('returns an empty text for a command without a result', () => {
  expect(plainResult(undefined, [])).toBe('');
});

test('returns JSON as it is', () => {
  const json = fc.jsonValue({ maxDepth: 6 });
  fc.assert(
    fc.property(json, (value) => {
      expect(plain(value)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('returns any value as JSON of bounded size', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      const text = plainResult(value, []);
      expect(text.length).toBeLessThan(200_000);
      expect(() => text === '' || JSON.parse(text)).not.toThrow();
    }),
  );
});

test('returns places in the form of arguments', () => {
  const range = new Range(0, 4, 2, 0);
  const lines = { firstLine: 1, firstColumn: 5, lastLine: 3, lastColumn: 1 };
  expect(plain([Uri.file('/w/a.ts'), Uri.file('/etc/passwd'), Uri.parse('git:///w/a.ts')])).toEqual([
    { $uri: 'a.ts' },
    { $uri: 'file:///etc/passwd' },
    { $uri: 'git:/w/a.ts' },
  ]);
  expect(plain(new Position(2, 0))).toEqual({ $position: { line: 3, column: 1 } });
  expect(plain(range)).toEqual({ $range: lines });
  expect(plain(new Location(Uri.file('/w/a.ts'), range))).toEqual({ $location: { path: 'a.ts', ...lines } });
});

test('returns a word for values that JSON does not have', () => {
  const circle: Record<string, unknown> = { name: 'a' };
  circle['self'] = circle;
  expect(plain(circle)).toEqual({ name: 'a', self: '[circular]' });
  const twice = { a: 1 };
  expect(plain([twice, twice])).toEqual([{ a: 1 }, { a: 1 }]);
  const asked = vi.fn<() => string>();
  const tricky = {
    get secret() {
      return asked();
    },
    toJSON: asked,
    run: () => 1,
  };
  expect(plain(tricky)).toEqual({ secret: '[getter]' });
  expect(asked).not.toHaveBeenCalled();
  expect(plain([() => 1, Symbol('a'), 10n, Number.NaN, /a/g, new Error('bad'), new Uint8Array(3)])).toEqual([
    '[function]',
    '[symbol]',
    '10',
    'NaN',
    '/a/g',
    { error: 'bad' },
    '[3 bytes]',
  ]);
  expect(plain([new Date(0), new Date(Number.NaN), new Map([['a', 1]]), new Set([1])])).toEqual([
    '1970-01-01T00:00:00.000Z',
    'Invalid Date',
    [['a', 1]],
    [1],
  ]);
});

test('cuts a result that is too deep, too long or too large', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 1000; level += 1) deep = [deep];
  expect(JSON.stringify(plain(deep))).toContain('[list]');
  expect(JSON.stringify(plain(Array.from({ length: 100_000 }, (_, at) => at))).length).toBeLessThan(50_000);
  expect(String(plain('x'.repeat(100_000)))).toMatch(/^x{20000}\[cut\]$/);
});
