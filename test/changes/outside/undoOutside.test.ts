import { existsSync, lstatSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { silenceMilliseconds } from '#changes/outside/undoOutside.ts';
import { size } from '../../size.ts';
import { claude, setUp } from './outsideSetUp.ts';

const codex = { credential: 'window', connectionId: 'codex' };

test('restores every kind of change exactly', async () => {
  const image = Buffer.from([0, 1, 2, 255]);
  const files = {
    'edit.txt': 'one\r\ntwo',
    'marked.txt': '\uFEFFmarked\n',
    'gone/deep.txt': 'gone',
    'from.txt': 'moved content',
    'run.sh': 'run',
    'both.sh': 'both',
    'image.bin': image,
    'linked.txt': 'a file',
  };
  const t = await setUp({ files });
  symlinkSync('edit.txt', t.at('link'));
  t.mode('both.sh', 0o755);
  await t.begin();
  t.write('edit.txt', 'one\ntwo\nthree');
  t.write('marked.txt', 'not marked');
  t.remove('gone');
  t.move('from.txt', 'to.txt');
  t.mode('run.sh', 0o755);
  t.write('both.sh', 'changed');
  t.mode('both.sh', 0o644);
  t.write('image.bin', Buffer.from([0, 9, 9]));
  t.write('new.bin', Buffer.from([0, 9]));
  t.write('new/folder/deep.txt', 'new');
  t.remove('link');
  symlinkSync('run.sh', t.at('link'));
  t.remove('linked.txt');
  symlinkSync('run.sh', t.at('linked.txt'));
  await t.changes.look();
  const lines = t.fileLines();
  const results = await t.undo.request(lines);
  expect(results.filter(({ status }) => status !== 'undone')).toEqual([]);
  expect(t.words()).toEqual([]);
  for (const [path, content] of Object.entries(files)) {
    expect([path, readFileSync(t.at(path))]).toEqual([path, Buffer.from(content)]);
  }
  expect([lstatSync(t.at('run.sh')).mode & 0o777, lstatSync(t.at('both.sh')).mode & 0o777]).toEqual([0o644, 0o755]);
  expect(readlinkSync(t.at('link'))).toBe('edit.txt');
  expect(lstatSync(t.at('linked.txt')).isFile()).toBe(true);
  expect(['to.txt', 'new.bin', 'new'].map((path) => existsSync(t.at(path)))).toEqual([false, false, false]);
  // The undo itself loses nothing: the history has what it replaced.
  const kept = [...t.history.contents.values()].map((bytes) => Buffer.from(bytes).toString());
  expect(kept).toEqual(expect.arrayContaining(['one\ntwo\nthree', 'new', 'changed']));
  expect([...t.history.kept.values()].map((text) => JSON.parse(text).state)).toEqual(['undone']);
});

test('G19: takes back only what is still as the line shows it', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'run.sh': 'r' } });
  await t.begin();
  t.mode('run.sh', 0o755);
  for (const path of ['a.txt', 'b.txt', 'new.txt']) t.write(path, 'outside');
  t.remove('c.txt');
  await t.changes.look();
  const lines = t.fileLines();
  t.write('b.txt', 'mine');
  t.write('new.txt', 'mine');
  t.write('c.txt', 'mine');
  t.mode('run.sh', 0o700);
  const results = await t.undo.request(lines);
  expect(new Map(results.map(({ line, status }) => [line.fsPath, status]))).toEqual(
    new Map([
      [t.at('a.txt'), 'undone'],
      [t.at('b.txt'), 'refused'],
      [t.at('c.txt'), 'refused'],
      [t.at('new.txt'), 'refused'],
      [t.at('run.sh'), 'refused'],
    ]),
  );
  expect(['a.txt', 'b.txt', 'c.txt', 'new.txt'].map(t.text)).toEqual(['a', 'mine', 'mine', 'mine']);
  expect(t.words()).toEqual(['create new.txt', 'edit b.txt', 'edit c.txt', 'mode run.sh']);
});

test('removes nothing through a link that leads elsewhere now', async () => {
  const t = await setUp({ files: { 'sub/a.txt': 'a', 'other/a.txt': 'other' } });
  await t.begin();
  t.write('sub/a.txt', 'outside');
  t.write('other/a.txt', 'outside');
  await t.changes.look();
  const lines = t.fileLines('sub/a.txt');
  t.remove('sub');
  symlinkSync('other', t.at('sub'));
  const [result] = await t.undo.request(lines);
  expect(result).toMatchObject({ status: 'refused', reason: 'it leads to another place now' });
  expect(t.text('other/a.txt')).toBe('outside');
});

test('waits for the end of the turn of every assistant', async () => {
  const t = await setUp({ files: { 'a.txt': 'a' } });
  await t.begin();
  t.write('a.txt', 'outside');
  await t.changes.look();
  t.undo.worked(claude);
  t.undo.callBegan(codex, '1');
  const undone = t.undo.request(t.fileLines());
  t.undo.turnEnded(claude);
  expect([t.undo.waiting, t.text('a.txt')]).toEqual([1, 'outside']);
  // A command may be silent for long; after it, silence counts.
  t.clock.advance(10 * silenceMilliseconds);
  expect(t.undo.waiting).toBe(1);
  t.undo.callEnded(codex, '1');
  t.clock.advance(silenceMilliseconds - 1);
  expect(t.undo.waiting).toBe(1);
  t.clock.advance(1);
  expect(t.undo.waiting).toBe(0);
  expect((await undone).map(({ status }) => status)).toEqual(['undone']);
});

test('does not wait when the user says so, or when the session ends', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  await t.begin();
  for (const path of ['a.txt', 'b.txt']) t.write(path, 'outside');
  await t.changes.look();
  t.undo.callBegan(claude, '1');
  const first = t.undo.request(t.fileLines('a.txt'));
  t.undo.undoNow();
  expect((await first).map(({ status }) => status)).toEqual(['undone']);
  const second = t.undo.request(t.fileLines('b.txt'));
  expect(t.undo.waiting).toBe(1);
  t.undo.sessionEnded(claude);
  expect((await second).map(({ status }) => status)).toEqual(['undone']);
});

test('tells each session once what was taken back', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'from.txt': 'moved', 'gone.txt': 'g' } });
  await t.begin();
  t.undo.sessionBegan(codex);
  t.write('a.txt', 'outside');
  t.write('new.txt', 'new');
  t.remove('gone.txt');
  t.move('from.txt', 'to.txt');
  await t.changes.look();
  await t.undo.request(t.fileLines());
  const words = t.undo.takeWords(claude) ?? '';
  for (const part of [
    'a.txt (as before)',
    'new.txt (deleted again)',
    'gone.txt (restored)',
    'to.txt (moved back to from.txt)',
  ]) {
    expect(words).toContain(part);
  }
  expect(t.undo.takeWords(claude)).toBeUndefined();
  expect(t.undo.takeWords(codex)).toBe(words);
});

test(
  'lists each file of many writes once with its final bytes, and undoes exactly a random half',
  { timeout: 120_000 },
  async () => {
    const [fileCount, writes] = size({ quick: [60, 300], full: [2_000, 10_000] });
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const name = (index: number): string => `folder${index % 20}/file${index}.txt`;
    const before = Array.from({ length: fileCount }, (_, index) => `original ${index}\n`);
    const t = await setUp({ files: Object.fromEntries(before.map((text, index) => [name(index), text])) });
    await t.begin();
    /** The last accepted text, and the text on disk. */
    const accepted = [...before];
    const onDisk = [...before];
    for (let count = 0; count < writes; count += 1) {
      const index = random(fileCount);
      const text = `write ${count}\n`;
      onDisk[index] = text;
      const kind = random(10);
      if (kind >= 3) {
        t.write(name(index), text);
        if (kind > 5) t.changes.fileChanged(t.at(name(index)));
      } else {
        accepted[index] = text;
        if (kind === 0) t.apply(name(index), text);
        else t.save(name(index), text);
      }
      if (count % 100 === 0) await t.changes.settled();
    }
    await t.changes.turnEnded(claude);
    const expected = onDisk.flatMap((text, index) => (text === accepted[index] ? [] : [name(index)]));
    expect(expected.length).toBeGreaterThan(fileCount / 4);
    expect(t.words()).toEqual(expected.map((path) => `edit ${path}`).toSorted());
    const half = t.fileLines().filter(() => random(2) === 0);
    const results = await t.undo.request(half);
    expect(results.filter(({ status }) => status !== 'undone')).toEqual([]);
    const undone = new Set(half.map(({ fsPath }) => fsPath));
    for (const [index, text] of onDisk.entries()) {
      expect(t.text(name(index))).toBe(undone.has(t.at(name(index))) ? accepted[index] : text);
    }
    expect(t.fileLines()).toHaveLength(expected.length - half.length);
    expect(t.errors).toEqual([]);
  },
);
