import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FoundLocation, placesOfLocations } from '#language/editor/locations.ts';
import { FakeWorkspace } from '../../fakes/workspace.ts';

const folders = new FakeWorkspace().folders();
const uri = (fsPath: string, scheme = 'file') => ({ scheme, fsPath, path: fsPath });
const range = (line: number, column = 0) => ({
  start: { line, character: column },
  end: { line, character: column + 3 },
});

/** Locations with only the fields that the code reads. */
const found = (...locations: readonly object[]): readonly FoundLocation[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fake of the same class
  locations as readonly FoundLocation[];

const told = (...locations: readonly object[]): readonly string[] =>
  placesOfLocations(found(...locations), folders).map(
    ({ path, firstLine, firstColumn }) => `${path}:${firstLine}:${firstColumn}`,
  );

test('returns locations and links in path and line order, each once', () => {
  expect(
    told(
      { uri: uri('/w/b.ts'), range: range(4) },
      { targetUri: uri('/w/a.ts'), targetRange: range(1), targetSelectionRange: range(2, 7) },
      { uri: uri('/w/a.ts'), range: range(9) },
      { targetUri: uri('/w/a.ts'), targetRange: range(0) },
      { uri: uri('/w/b.ts'), range: range(4) },
      { uri: uri('/w/a.ts'), range: range(2, 7) },
    ),
  ).toEqual(['a.ts:1:1', 'a.ts:3:8', 'a.ts:10:1', 'b.ts:5:1']);
});

test('converts a location in the workspace to a file that tools accept', () => {
  expect(placesOfLocations(found({ uri: uri('/w/a.ts'), range: range(1, 2) }), folders)).toEqual([
    expect.objectContaining({
      path: 'a.ts',
      fsPath: '/w/a.ts',
      firstLine: 2,
      firstColumn: 3,
      lastLine: 2,
      lastColumn: 6,
    }),
  ]);
});

test.each([
  ['/usr/lib/code/extensions/node_modules/typescript/lib/lib.es5.d.ts', 'node_modules/typescript/lib/lib.es5.d.ts'],
  ['/v/node_modules/a/node_modules/b/index.d.ts', 'node_modules/b/index.d.ts'],
  ['/usr/include/c++/12/bits/vector.h', '12/bits/vector.h'],
  ['C:\\Users\\somebody\\sdk\\lib\\core.h', 'sdk/lib/core.h'],
  ['/etc/hosts', 'hosts'],
  ['/hosts', 'hosts'],
  [join(homedir(), 'notes.txt'), 'notes.txt'],
  [join(homedir(), '.cargo/registry/serde/src/lib.rs'), 'serde/src/lib.rs'],
])('gives only a label for %s outside the workspace', (fsPath, label) => {
  const [place] = placesOfLocations(found({ uri: uri(fsPath), range: range(0) }), folders);
  expect(place).toEqual({ outside: true, path: label, firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 4 });
});

test('treats a URI that is not a file as outside the workspace', () => {
  expect(told({ uri: uri('/w/a.ts', 'git'), range: range(0) })).toEqual(['a.ts:1:1']);
  expect(
    placesOfLocations(found({ uri: uri('/java.base/java/lang/String.class', 'jdt'), range: range(0) }), folders),
  ).toEqual([expect.objectContaining({ outside: true, path: 'java/lang/String.class' })]);
});
