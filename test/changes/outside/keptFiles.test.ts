import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { headerBytes, type IndexEntry, writeIndex } from '#changes/outside/gitIndex.ts';
import { KeptFiles } from '#changes/outside/keptFiles.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hashes = [
  ['sha1', 40],
  ['sha256', 64],
] as const;

describe.each(hashes)('the files of an index with ids of %s', (hash, idLength) => {
  const entryOf = (path: string, index: number): IndexEntry => ({
    path,
    name: Buffer.from(path),
    mode: index % 2 === 0 ? 0o100644 : 0o100755,
    id: index.toString(16).padStart(idLength, '0'),
    size: 1,
    stage: 0,
    isIntended: false,
    stat: statOf(index % 2 === 0 ? 0o100644 : 0o100755),
  });
  const open = async (paths: readonly string[]): Promise<KeptFiles> => {
    const path = join(folder, 'index');
    writeFileSync(path, await writeIndex(paths.map(entryOf), hash));
    return KeptFiles.open(path, hash);
  };

  test('are found by their paths, and no other path is', async () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter((text) => !text.includes('\0'));
    const names = fc.uniqueArray(name, { maxLength: 400, size: 'max' });
    await fc.assert(
      fc.asyncProperty(names, fc.array(name), async (paths, others) => {
        const sorted = sortedByBytes(paths);
        const kept = await open(sorted);
        const known = new Map(sorted.map((path, index) => [path, entryOf(path, index)]));
        const asked = [...sorted, ...others];
        const expected = asked.map((path) => {
          const entry = known.get(path);
          return entry && { mode: entry.mode, id: entry.id };
        });
        expect(asked.map((path) => kept.find(path))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('are not told when the index was changed or is gone', async () => {
    const kept = await open(['a', 'b']);
    const path = join(folder, 'index');
    writeFileSync(path, readFileSync(path).fill(0xff, headerBytes, headerBytes + 1));
    expect(() => kept.find('a')).toThrow('was changed');
    rmSync(path);
    expect(() => kept.find('a')).toThrow('ENOENT');
  });

  test('are refused when the index is not sorted', async () => {
    await expect(open(['b', 'a'])).rejects.toThrow('not sorted');
    await expect(open(['a', 'a'])).rejects.toThrow('not sorted');
  });
});

function statOf(mode: number): Buffer {
  const stat = Buffer.alloc(40);
  stat.writeUInt32BE(mode, 24);
  return stat;
}

function sortedByBytes(paths: readonly string[]): readonly string[] {
  return paths.toSorted((one, other) => Buffer.from(one).compare(Buffer.from(other)));
}
