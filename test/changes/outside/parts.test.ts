import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compose, hunksBetween } from '#changes/hunks.ts';
import { size } from '../../size.ts';
import { claude, setUp, type SetUpOptions } from './outsideSetUp.ts';

const before = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
const now = before.replace('line 3\n', 'line three\n').replace('line 12\n', '').replace('line 17\n', 'line 17\nmore\n');

async function changed(options: SetUpOptions = {}, to = now) {
  const world = await setUp({ files: { 'a.txt': before }, ...options });
  world.changes.sessionBegan(claude);
  await world.changes.ready(10_000);
  world.write('a.txt', to);
  await world.changes.turnEnded(claude);
  const parts = () => world.changes.partsOf(world.at('a.txt'));
  return {
    ...world,
    fileLines: (path = 'a.txt') => world.fileLines(path),
    words: () => world.words(),
    parts,
    keep: async (index: number) => {
      const part = (await parts())[index];
      return part !== undefined && world.changes.keepPart(world.at('a.txt'), part);
    },
    undoPart: async (index: number) => {
      const part = (await parts())[index];
      const lines = world.fileLines('a.txt').map((line) => ({ ...line, ...(part && { part }) }));
      return (await world.undo.request(lines)).map(({ status }) => status);
    },
  };
}

const starts = (parts: readonly { readonly resultStart: number }[]): readonly number[] =>
  parts.map(({ resultStart }) => resultStart);

test('returns the changed parts of a text in their order', async () => {
  const { parts } = await changed();
  expect(starts(await parts())).toEqual([3, 12, 17]);
});

test.each([
  ['a new file', 'b.txt', 'new\n'],
  ['a file that is no text', 'a.txt', Buffer.from([0, 1, 2])],
])('returns no parts of %s', async (_what, path, content) => {
  const world = await changed({}, before);
  world.write(path, content);
  await world.changes.turnEnded(claude);
  expect(world.fileLines(path)).toHaveLength(1);
  expect(await world.changes.partsOf(world.at(path))).toEqual([]);
});

test('keeps one part and lists the file with the others, which an undo takes back', async () => {
  const { keep, parts, fileLines, undo, text, words } = await changed();
  expect(await keep(1)).toBe(true);
  expect(starts(await parts())).toEqual([3, 17]);
  expect(text('a.txt')).toBe(now);
  expect((await undo.request(fileLines())).map(({ status }) => status)).toEqual(['undone']);
  expect(text('a.txt')).toBe(before.replace('line 12\n', ''));
  expect(words()).toEqual([]);
});

test('undoes one part, lists the file with the others, and tells the assistant', async () => {
  const { undoPart, parts, undo, text } = await changed();
  undo.sessionBegan(claude);
  expect(await undoPart(0)).toEqual(['undone']);
  expect(text('a.txt')).toBe(now.replace('line three\n', 'line 3\n'));
  expect(starts(await parts())).toEqual([12, 17]);
  expect(undo.takeWords(claude)).toContain('a.txt (a part around line 4 is as before)');
});

test('undoes parts that waited together for the end of the turn', async () => {
  const { parts, fileLines, undo, text, words } = await changed();
  undo.worked(claude);
  const asked = (await parts()).map((part) => undo.request(fileLines().map((line) => ({ ...line, part }))));
  undo.turnEnded(claude);
  expect((await Promise.all(asked)).flat().map(({ status }) => status)).toEqual(['undone', 'undone', 'undone']);
  expect(text('a.txt')).toBe(before);
  expect(words()).toEqual([]);
});

test('neither keeps nor undoes a part whose lines were changed since', async () => {
  const { parts, changes, fileLines, undo, at, write, text } = await changed();
  const [part] = await parts();
  if (part === undefined) throw new Error('There is no part');
  const lines = fileLines().map((line) => ({ ...line, part }));
  const later = now.replace('line three', 'line drei');
  write('a.txt', later);
  expect(await changes.keepPart(at('a.txt'), part)).toBe(false);
  await changes.settled();
  expect(await undo.request(lines)).toMatchObject([{ status: 'refused', reason: 'these lines were changed since' }]);
  expect(text('a.txt')).toBe(later);
  expect(await parts()).toHaveLength(3);
});

test('lists the difference between what the user kept and what is on disk, whatever parts the user keeps or undoes', async () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'ä\r\n', '\n');
  const lines = fc.array(line, { maxLength: 12 }).map((all) => `begin\n${all.join('')}`);
  const choices = fc.infiniteStream(fc.record({ at: fc.nat(20), isKept: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(lines, lines, choices, async (from, to, picks) => {
      const { keep, undoPart, parts, text, words } = await changed({ files: { 'a.txt': from } }, to);
      let [accepted, onDisk] = [from, to];
      for (const { at, isKept } of picks) {
        const { hunks } = hunksBetween(accepted, onDisk);
        expect(await parts()).toEqual(hunks);
        if (hunks.length === 0) break;
        const index = at % hunks.length;
        if (isKept) {
          expect(await keep(index)).toBe(true);
          accepted = compose(accepted, hunks.slice(index, index + 1));
        } else {
          expect(await undoPart(index)).toEqual(['undone']);
          onDisk = compose(accepted, hunks.toSpliced(index, 1));
        }
        expect(text('a.txt')).toBe(onDisk);
      }
      expect(words()).toEqual([]);
    }),
    { numRuns: size({ quick: 5, full: 300 }) },
  );
}, 60_000);
