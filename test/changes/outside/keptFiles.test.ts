import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headerBytes, type IndexEntry, writeIndex } from '#changes/outside/gitIndex.ts';
import { KeptFiles } from '#changes/outside/keptFiles.ts';
import { temporaryFolder } from './snapshots.ts';

const hashes = [
  ['sha1', 40],
  ['sha256', 64],
] as const;

describe.each(hashes)('KeptFiles with ids of %s', (hash, idLength) => {
  const entryOf = (path: string, index: number): IndexEntry => {
    const mode = index % 2 === 0 ? 0o100644 : 0o100755;
    const stat = Buffer.alloc(40);
    stat.writeUInt32BE(mode, 24);
    const id = index.toString(16).padStart(idLength, '0');
    return { path, name: Buffer.from(path), mode, id, size: 1, stage: 0, isIntended: false, stat };
  };
  const open = async (path: string, paths: readonly string[]): Promise<KeptFiles> => {
    writeFileSync(path, await writeIndex(paths.map(entryOf), hash));
    return KeptFiles.open(path, hash);
  };

  test('finds each file by its path, and no file by another path', async () => {
    const path = join(temporaryFolder(), 'index');
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter((text) => !text.includes('\0'));
    const names = fc.uniqueArray(name, { maxLength: 400, size: 'max' });
    await fc.assert(
      fc.asyncProperty(names, fc.array(name), async (paths, others) => {
        const sorted = sortedByBytes(paths);
        const kept = await open(path, sorted);
        const known = new Map(sorted.map((each, index) => [each, entryOf(each, index)]));
        const asked = [...sorted, ...others];
        const expected = asked.map((each) => {
          const entry = known.get(each);
          return entry && { mode: entry.mode, id: entry.id };
        });
        expect(asked.map((each) => kept.find(each))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('tells no file when the index was changed or is gone', async () => {
    const path = join(temporaryFolder(), 'index');
    const kept = await open(path, ['a', 'b']);
    writeFileSync(path, readFileSync(path).fill(0xff, headerBytes, headerBytes + 1));
    expect(() => kept.find('a')).toThrow('was changed');
    rmSync(path);
    expect(() => kept.find('a')).toThrow('ENOENT');
  });

  test('refuses an index that is not sorted', async () => {
    const path = join(temporaryFolder(), 'index');
    await expect(open(path, ['b', 'a'])).rejects.toThrow('not sorted');
    await expect(open(path, ['a', 'a'])).rejects.toThrow('not sorted');
  });
});

function sortedByBytes(paths: readonly string[]): readonly string[] {
  return paths.toSorted((one, other) => Buffer.from(one).compare(Buffer.from(other)));
}
