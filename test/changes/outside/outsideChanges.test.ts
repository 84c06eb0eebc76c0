import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256Of } from '#changes/outside/diskEntry.ts';
import { git } from './repository.ts';
import { claude, setUp } from './outsideSetUp.ts';

const tick = (): Promise<void> => setTimeout(50);

test('lists each file once with its final bytes, whatever the watcher says', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'same.txt': 's', 'lost.txt': 'l' } });
  await t.begin();
  for (const text of ['1', '2', '3']) {
    t.write('a.txt', text);
    t.changes.fileChanged(t.at('a.txt'));
    await t.changes.settled();
  }
  t.changes.fileChanged(t.at('same.txt'));
  t.write('lost.txt', 'lost');
  await t.changes.settled();
  expect(t.words()).toEqual(['edit a.txt']);
  await t.changes.turnEnded(claude);
  expect(t.words()).toEqual(['edit a.txt', 'edit lost.txt']);
  const [line] = t.fileLines('a.txt');
  expect(line?.files[0]?.now).toMatchObject({ sha256: sha256Of(Buffer.from('3')) });
  t.write('a.txt', 'a');
  t.changes.fileChanged(t.at('a.txt'));
  await t.changes.settled();
  expect(t.words()).toEqual(['edit lost.txt']);
  expect(t.errors).toEqual([]);
});

test('says that the editor does not report changes when no event named an edited file', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'late.txt': 'l', 'seen.txt': 's', 'gone/b.txt': 'b' } });
  await t.begin();
  t.write('seen.txt', 'seen');
  t.changes.fileChanged(t.at('seen.txt'));
  t.write('a.txt', 'changed');
  t.write('late.txt', 'changed');
  t.write('new/c.txt', 'new');
  t.remove('gone');
  await t.changes.turnEnded(claude);
  expect(t.changes.gaps()).toEqual([]);
  t.changes.fileChanged(t.at('late.txt'));
  await t.changes.settled();
  let told: readonly string[] = [];
  t.changes.onDidChange(() => (told = t.changes.gaps()));
  t.clock.advance(10_000);
  expect(told).toEqual([expect.stringMatching(/^VS Code did not report a changed file, .* files\.watcherExclude/)]);
  // The event came very late, so the editor does report changes.
  t.changes.fileChanged(t.at('a.txt'));
  expect(t.changes.gaps()).toEqual([]);
});

test('looks shortly after an event of the watcher', async () => {
  const t = await setUp({ files: { 'a.txt': 'a' } });
  await t.begin();
  let count = 0;
  t.changes.onDidChange(() => (count += 1));
  t.write('a.txt', 'b');
  t.changes.fileChanged(t.at('a.txt'));
  expect(t.clock.pendingTimers).toBe(1);
  t.clock.advance(1_000);
  await expect.poll(() => count).toBeGreaterThan(0);
  expect(t.words()).toEqual(['edit a.txt']);
});

test('excludes what the editor and Drawbridge wrote by its bytes, whenever that is reported', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' } });
  await t.begin();
  // The report comes before the look, after it, and for bytes that another program has overwritten.
  t.save('a.txt', 'saved');
  t.write('b.txt', 'ours');
  await t.changes.look();
  expect(t.words()).toEqual(['edit b.txt']);
  t.changes.writtenByUs(t.at('b.txt'), sha256Of(Buffer.from('ours')));
  t.save('c.txt', 'saved');
  t.write('c.txt', 'overwritten');
  t.remove('d.txt');
  t.changes.writtenByUs(t.at('d.txt'), undefined);
  await t.changes.look();
  expect(t.words()).toEqual(['edit c.txt']);
  const [line] = t.fileLines('c.txt');
  expect([line?.source, line?.canUndo]).toEqual(['written', true]);
  expect(Buffer.from((await line?.files[0]?.before.content()) ?? []).toString()).toBe('saved');
  // The editor's later save is no outside change either, and the earlier text of the editor counts as one.
  t.save('c.txt', 'saved again');
  t.write('a.txt', 'a');
  await t.changes.look();
  expect(t.words()).toEqual(['edit a.txt']);
});

test('lists a new file that Drawbridge or the editor wrote when a program makes it executable', async () => {
  const t = await setUp({ files: { 'a.txt': 'a' } });
  await t.begin();
  t.apply('new.sh', 'echo 1\n');
  await t.changes.look();
  expect(t.words()).toEqual([]);
  t.mode('new.sh', 0o755);
  await t.changes.look();
  expect(t.words()).toEqual(['mode new.sh']);
});

test('names the command during which a file changed, and no command for others', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'b.txt': 'b', 'gone.txt': 'g', 'named.txt': 'n', 'sub/c.txt': 'c' } });
  await t.begin();
  t.write('b.txt', 'other');
  await tick();
  t.changes.callBegan(claude, '1', 'sed -i s/a/b/ a.txt');
  t.write('a.txt', 'by the command');
  t.remove('sub/c.txt');
  await t.changes.callEnded(claude, '1');
  await tick();
  t.remove('gone.txt');
  t.changes.fileChanged(t.at('gone.txt'));
  await tick();
  t.changes.callBegan(claude, '2', 'Edit named.txt');
  await t.changes.callEnded(claude, '2', [{ fsPath: t.at('named.txt') }]);
  await tick();
  t.write('late.txt', 'x');
  await tick();
  await t.changes.callEnded(claude, '3', [{ fsPath: t.at('late.txt') }], 'Write late.txt');
  await tick();
  t.write('named.txt', 'after the call');
  await t.changes.turnEnded(claude);
  const { duringCalls, byOthers } = t.changes.changes();
  const headlines = duringCalls.flatMap((line) =>
    line.type === 'file' ? [[line.fsPath, line.calls.map(({ headline }) => headline)] as const] : [],
  );
  expect(new Map(headlines)).toEqual(
    new Map([
      [t.at('a.txt'), ['sed -i s/a/b/ a.txt']],
      [t.at('sub/c.txt'), ['sed -i s/a/b/ a.txt']],
      [t.at('named.txt'), ['Edit named.txt']],
      [t.at('late.txt'), ['Write late.txt']],
    ]),
  );
  const others = byOthers.flatMap((line) => (line.type === 'file' ? [line.fsPath] : []));
  expect(others.toSorted()).toEqual([t.at('b.txt'), t.at('gone.txt')]);
});

test('says what happened to a file: create, edit, delete, move, mode, link and binary', async () => {
  const t = await setUp({
    files: {
      'edit.txt': 'e',
      'gone.txt': 'g',
      'from.txt': 'moved content',
      'run.sh': 'r',
      'image.bin': 'text',
      x: 'x',
    },
  });
  await t.begin();
  t.write('new.txt', 'n');
  t.write('edit.txt', 'f');
  t.remove('gone.txt');
  t.move('from.txt', 'to.txt');
  t.mode('run.sh', 0o755);
  t.write('image.bin', Buffer.from([0, 1]));
  t.remove('x');
  symlinkSync('edit.txt', t.at('x'));
  await t.changes.look();
  expect(t.words()).toEqual([
    'binary image.bin',
    'create new.txt',
    'delete gone.txt',
    'edit edit.txt',
    'link x',
    'mode run.sh',
    'move to.txt from from.txt',
  ]);
  expect(t.fileLines().every(({ canUndo }) => canUndo)).toBe(true);
});

test('calls nothing a move that is not certain', async () => {
  const t = await setUp({ files: { 'one.txt': 'same', 'two.txt': 'same', 'empty.txt': '' } });
  await t.begin();
  t.move('one.txt', 'three.txt');
  t.remove('two.txt');
  t.move('empty.txt', 'nothing.txt');
  await t.changes.look();
  expect(t.words()).toEqual([
    'create nothing.txt',
    'create three.txt',
    'delete empty.txt',
    'delete one.txt',
    'delete two.txt',
  ]);
});

test('lists a secret file by name, keeps nothing of it and offers no undo', async () => {
  const t = await setUp({ files: { '.env': 'TOKEN=1' } });
  await t.begin();
  t.write('.env', 'TOKEN=2');
  t.write('sub/.env.new', 'TOKEN=3');
  t.changes.callBegan(claude, '1', 'x');
  await t.changes.callEnded(claude, '1', [{ fsPath: t.at('.env'), original: Buffer.from('TOKEN=1') }]);
  await t.changes.look();
  const lines = t.fileLines();
  expect(lines.map(({ isSecret, canUndo }) => [isSecret, canUndo])).toEqual([
    [true, false],
    [true, false],
  ]);
  const results = await t.undo.request(lines);
  expect(results.map(({ status }) => status)).toEqual(['refused', 'refused']);
  expect(await t.changes.keep(lines.map(({ id }) => id))).toEqual([]);
  expect(t.words()).toEqual([]);
  expect([...t.history.contents.values()]).toEqual([]);
  t.write('.env', 'TOKEN=4');
  await t.changes.look();
  expect(t.words()).toEqual(['edit .env']);
});

test('is listed again when it changes after it was kept, and not before', async () => {
  const t = await setUp({ files: { 'a.txt': 'a' } });
  await t.begin();
  t.write('a.txt', 'b');
  t.write('new.txt', 'n');
  await t.changes.look();
  const ids = t.fileLines().map(({ id }) => id);
  t.write('new.txt', 'changed meanwhile');
  expect(await t.changes.keep(ids)).toEqual(ids.filter((id) => id.includes('new.txt')));
  await t.changes.look();
  expect(t.words()).toEqual(['create new.txt']);
  t.write('a.txt', 'c');
  await t.changes.look();
  const [line] = t.fileLines('a.txt');
  expect(line?.source).toBe('kept');
  expect(Buffer.from((await line?.files[0]?.before.content()) ?? []).toString()).toBe('b');
});

test('shows a branch switch of the user as one line, beside what else changed', async () => {
  const files = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`f${index}.txt`, `main ${index}`]));
  const t = await setUp({ files });
  git(t.root, 'checkout', '-q', '-b', 'other');
  for (let index = 0; index < 50; index += 1) t.write(`f${index}.txt`, `other ${index}`);
  t.remove('f79.txt');
  t.write('only-other.txt', 'o');
  git(t.root, 'add', '-A');
  git(t.root, 'commit', '-qm', 'other');
  git(t.root, 'checkout', '-q', 'main');
  await t.begin();
  t.write('f70.txt', 'outside');
  git(t.root, 'checkout', '-q', 'other');
  t.write('f0.txt', 'outside after the switch');
  for (let index = 0; index < 20; index += 1) t.changes.fileChanged(t.at(`f${index}.txt`));
  await t.changes.settled();
  expect(t.words()).toEqual(['edit f0.txt', 'edit f70.txt', 'switch main other 51']);
  const [line] = t.fileLines('f0.txt');
  expect(Buffer.from((await line?.files[0]?.before.content()) ?? []).toString()).toBe('main 0');
  // What an assistant does to a file of the switch later is compared with the commit.
  t.changes.callBegan(claude, '1', 'echo');
  t.write('f1.txt', 'by the command');
  await t.changes.callEnded(claude, '1');
  await t.changes.look();
  expect(t.fileLines('f1.txt')[0]).toMatchObject({ source: 'commit', kind: 'edit' });
  // A later write is no part of the switch, even when its bytes are those of the commit.
  t.save('f2.txt', 'work of the user');
  t.write('f2.txt', 'other 2');
  await t.changes.look();
  expect(t.words()).toEqual(['edit f0.txt', 'edit f1.txt', 'edit f2.txt', 'edit f70.txt', 'switch main other 51']);
  const ids = t.lines().map(({ id }) => id);
  expect(await t.changes.keep(ids)).toEqual([]);
  await t.changes.look();
  expect(t.words()).toEqual([]);
});

test('takes nothing of an assistant out of the list when the user commits it', async () => {
  const t = await setUp({ files: { 'a.txt': 'a' } });
  await t.begin();
  t.changes.callBegan(claude, '1', 'sed');
  t.write('a.txt', 'by the command');
  await t.changes.callEnded(claude, '1');
  await tick();
  await t.changes.turnEnded(claude);
  await tick();
  git(t.root, 'commit', '-qam', 'by the user');
  await t.changes.look();
  await t.changes.look();
  expect(t.words()).toEqual(['edit a.txt']);
});

test('lists each file when a command of an assistant moved the branch', async () => {
  const t = await setUp({ files: { 'a.txt': 'one', 'b.txt': 'one' } });
  t.write('a.txt', 'two');
  git(t.root, 'commit', '-qam', 'two');
  await t.begin();
  t.changes.callBegan(claude, '1', 'git reset --hard HEAD~1');
  git(t.root, 'reset', '-q', '--hard', 'HEAD~1');
  await t.changes.callEnded(claude, '1');
  await t.changes.look();
  expect(t.words()).toEqual(['edit a.txt']);
  expect(t.changes.changes().duringCalls).toHaveLength(1);
});

test('shows an ignored folder as one line', async () => {
  const t = await setUp({ files: { '.gitignore': 'dist/\nold/\n' } });
  t.write('old/a.js', 'a');
  await t.begin();
  t.changes.callBegan(claude, '1', 'npm run build');
  for (let index = 0; index < 30; index += 1) t.write(`dist/${index}.js`, 'built');
  await t.changes.callEnded(claude, '1');
  t.write('old/a.js', 'b');
  for (const path of ['dist/1.js', 'dist/2.js', 'old/a.js']) t.changes.fileChanged(t.at(path));
  await t.changes.look();
  expect(t.words()).toEqual(['ignored dist 2', 'ignored old 1']);
  await t.changes.keep(t.lines().map(({ id }) => id));
  await t.changes.look();
  expect(t.words()).toEqual([]);
});

test('waits for the snapshot as long as it is told, and then says that the baseline is incomplete', async () => {
  const until = Promise.withResolvers<void>();
  const t = await setUp({ files: { 'a.txt': 'a', 'b.txt': 'b' }, until: until.promise });
  t.write('b.txt', 'mine');
  await tick();
  expect(await t.changes.ready(1)).toBe('none');
  t.changes.sessionBegan(claude);
  const ready = t.changes.ready(2_000);
  t.clock.advance(2_000);
  expect(await ready).toBe('incomplete');
  t.changes.callBegan(claude, '1', 'make');
  await tick();
  t.write('a.txt', 'made');
  t.write('new.txt', 'made');
  await tick();
  await t.changes.callEnded(claude, '1');
  until.resolve();
  await t.changes.look();
  expect(await t.changes.ready(1)).toBe('ready');
  expect(t.words()).toEqual(['edit a.txt', 'unknown new.txt']);
  expect(t.fileLines().map(({ source, canUndo }) => [source, canUndo])).toEqual(
    t.fileLines().map(({ fsPath }) => (fsPath === t.at('a.txt') ? ['commit', true] : ['unknown', false])),
  );
});

test('takes the baseline from the first source that knows it, and says which', async () => {
  const t = await setUp({
    isRepository: false,
    files: { 'node_modules/report.txt': 'x' },
    sources: {
      document: async (path) => (/document/.test(path) ? Buffer.from('document') : undefined),
      read: async (path) => (/read/.test(path) ? Buffer.from('read') : undefined),
      commit: async (path) => (path.includes('/own/') ? Buffer.from('commit') : undefined),
    },
  });
  // Without a snapshot of these folders, only the other sources know them.
  for (const name of ['own', 'node_modules']) t.write(`${name}/.keep`, '');
  await t.begin();
  t.changes.callBegan(claude, '1', 'x');
  await t.changes.callEnded(claude, '1', [
    { fsPath: t.at('node_modules/report.txt'), original: Buffer.from('report') },
  ]);
  for (const name of ['report', 'document', 'only-read']) t.write(`node_modules/${name}.txt`, 'outside');
  for (const name of ['report', 'document', 'only-read']) t.changes.fileChanged(t.at(`node_modules/${name}.txt`));
  await t.changes.settled();
  const sources = t.fileLines().map(({ fsPath, source }) => `${fsPath.replace(/^.*\//, '')} ${source}`);
  expect(sources.toSorted()).toEqual(['document.txt document', 'only-read.txt read', 'report.txt report']);
});

test('works in a folder without Git', async () => {
  const t = await setUp({ isRepository: false, files: { 'a.txt': 'a', 'deep/b.txt': 'b', 'gone.txt': 'g' } });
  await t.begin();
  t.write('a.txt', 'outside');
  t.write('new/c.txt', 'c');
  t.remove('gone.txt');
  await t.changes.look();
  expect(t.words()).toEqual(['create new/c.txt', 'delete gone.txt', 'edit a.txt']);
  const results = await t.undo.request(t.fileLines());
  expect(results.map(({ status }) => status)).toEqual(['undone', 'undone', 'undone']);
  expect([t.text('a.txt'), t.text('gone.txt'), existsSync(t.at('new/c.txt'))]).toEqual(['a', 'g', false]);
});

test('keeps its list and the snapshot until the last line is gone, and begins anew with the next session', async () => {
  const t = await setUp({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  await t.begin();
  t.write('a.txt', 'outside');
  await t.changes.sessionEnded(claude);
  expect(t.words()).toEqual(['edit a.txt']);
  expect(readdirSync(t.snapshots)).toHaveLength(1);
  t.write('b.txt', 'by the user, without an assistant');
  t.changes.fileChanged(t.at('b.txt'));
  await t.begin();
  expect(readdirSync(t.snapshots)).toHaveLength(2);
  await t.changes.look();
  expect(t.words()).toEqual(['edit a.txt']);
  await t.changes.sessionEnded(claude);
  const [line] = t.fileLines();
  expect(Buffer.from((await line?.files[0]?.before.content()) ?? []).toString()).toBe('a');
  await t.changes.keep([line?.id ?? '']);
  expect(readdirSync(t.snapshots)).toEqual([]);
  expect(t.errors).toEqual([]);
});

test('looks again at what a full disk kept it from', async () => {
  const sources = { read: async () => Buffer.from('read') };
  const t = await setUp({ files: { '.gitignore': 'old/\n' }, sources });
  t.write('old/a.txt', 'a');
  await t.begin();
  t.history.failure = new Error('the disk is full');
  t.write('old/a.txt', 'b');
  t.changes.fileChanged(t.at('old/a.txt'));
  await expect(t.changes.settled()).rejects.toThrow('the disk is full');
  t.history.failure = undefined;
  await t.changes.settled();
  expect(t.fileLines('old/a.txt')[0]).toMatchObject({ source: 'read', canUndo: true });
});

test('lists nothing while no assistant is active', async () => {
  const t = await setUp({ files: { 'a.txt': 'a' } });
  t.write('a.txt', 'b');
  t.changes.fileChanged(t.at('a.txt'));
  await t.changes.settled();
  expect([t.words(), existsSync(join(t.snapshots))]).toEqual([[], false]);
});
