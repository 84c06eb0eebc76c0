import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import type { CommandArgument } from '#call/ports/commands.ts';
import {
  addressesIn,
  readArguments,
  uncheckedAddresses,
  withPlainAddresses,
} from '#tools/commands/commandArguments.ts';
import { at } from '../../policy/changes.ts';

const read = (...json: unknown[]) => readArguments(json, at);

/** Returns the JSON of arguments that hold no places. */
function toJson(argument: CommandArgument): unknown {
  if (argument instanceof Map) return Object.fromEntries([...argument].map(([key, value]) => [key, toJson(value)]));
  if (!Array.isArray(argument)) return argument;
  const list: readonly CommandArgument[] = argument;
  return list.map(toJson);
}

const json = fc
  .jsonValue({ maxDepth: 5 })
  .filter((value) => !/"\$/.test(JSON.stringify(value)) && !JSON.stringify(value).includes('"scheme":"'));

describe('arguments without places', () => {
  test('reach the command as they are', () => {
    fc.assert(
      fc.property(fc.array(json), (values) => {
        expect(readArguments(values, at).map(toJson)).toEqual(values);
        expect(withPlainAddresses(values, at)).toEqual(values);
        expect(addressesIn(values)).toEqual([]);
      }),
    );
  });

  test('are not taken for a place when they only resemble one', () => {
    expect(read({ path: 'a' }, { line: 1, column: 1 }).map(toJson)).toEqual([{ path: 'a' }, { line: 1, column: 1 }]);
  });
});

describe('places', () => {
  test('are converted at any depth, with 1-based lines, and whole lines unless columns are given', () => {
    expect(
      read(
        { $uri: 'src/a.ts' },
        { $position: { line: 3, column: 2 } },
        { $range: { firstLine: 3, lastLine: 5 } },
        { $range: { firstLine: 3, firstColumn: 2, lastLine: 3, lastColumn: 9 } },
        { at: [{ $location: { path: 'a.ts', firstLine: 1, lastLine: 1 } }] },
      ),
    ).toEqual([
      { kind: 'uri', path: at('src/a.ts') },
      { kind: 'position', line: 3, column: 2 },
      { kind: 'range', firstLine: 3, firstColumn: 1, lastLine: 6, lastColumn: 1 },
      { kind: 'range', firstLine: 3, firstColumn: 2, lastLine: 3, lastColumn: 9 },
      new Map([
        [
          'at',
          [
            {
              kind: 'location',
              path: at('a.ts'),
              range: { firstLine: 1, firstColumn: 1, lastLine: 2, lastColumn: 1 },
            },
          ],
        ],
      ]),
    ]);
  });

  test('list each address once, and are stored with the resolved path', () => {
    const given = [{ $uri: './a.ts' }, [{ $uri: './a.ts' }], { $location: { path: 'b', firstLine: 1, lastLine: 2 } }];
    expect(addressesIn(given)).toEqual(['./a.ts', 'b']);
    expect(withPlainAddresses(given, (address) => at(address.replace('./', '')))).toEqual([
      { $uri: 'a.ts' },
      [{ $uri: 'a.ts' }],
      { $location: { path: 'b', firstLine: 1, lastLine: 2 } },
    ]);
  });

  test.each([
    [{ $uri: 5 }],
    [{ $uri: '' }],
    [{ $uri: 'a', other: 1 }],
    [{ $position: { line: 0, column: 1 } }],
    [{ $position: [1, 1] }],
    [{ $range: { firstLine: 5, lastLine: 3 } }],
    [{ $unknown: 1 }],
    [{ $mid: 1, path: '/etc/passwd', scheme: 'file' }],
  ])('P12: are refused when written as %j, which the editor might take for another place', (value) => {
    expect(() => read(value)).toThrow(InvalidArgumentsError);
    expect(() => read({ deep: [value] })).toThrow(InvalidArgumentsError);
  });

  test('P12: are refused when a URI is given in parts', () => {
    for (const scheme of ['file', 'command', 'vscode-userdata', 'http']) {
      expect(() => read([{ scheme, path: '/x' }])).toThrow(expect.objectContaining({ code: 'scheme_not_allowed' }));
    }
  });

  test('are refused when they are nested too deeply', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100; level += 1) deep = [deep];
    expect(() => read(deep)).toThrow(InvalidArgumentsError);
  });
});

test('finds strings that may be addresses, for the approval', () => {
  const texts = ['/etc/passwd', 'file:///x', 'command:a', '~/.ssh', 'C:\\x', '../up', 'a/../../b', 'plain', 'src/a.ts'];
  expect(uncheckedAddresses([...texts, { $uri: '/w/a' }, { a: ['http://x'] }])).toEqual([
    ...texts.slice(0, 7),
    'http://x',
  ]);
});
