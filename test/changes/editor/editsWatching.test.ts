import type * as fs from 'node:fs';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { edits } from '#changes/editor/edits.ts';
import { resetEditor } from '../../fakes/editor/editor.ts';
import { EditsFixture } from './editsFixture.ts';

interface Watched {
  readonly path: string;
  readonly emitter: EventEmitter;
  isClosed: boolean;
  /** Reports an event of an entry of the folder; `null` where the system names none. */
  tell(name: string | null): void;
}

const disk = vi.hoisted(() => ({ watched: [] as Watched[], refuses: false }));

vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof fs>()),
  watch(path: string, _options: object, listener: (event: string, name: string | null) => void) {
    if (disk.refuses) throw new Error('too many watchers');
    const emitter = new EventEmitter();
    const watched: Watched = { path, emitter, isClosed: false, tell: (name) => listener('rename', name) };
    disk.watched.push(watched);
    return Object.assign(emitter, { close: () => (watched.isClosed = true) });
  },
}));

let w: EditsFixture;

beforeEach(() => {
  resetEditor();
  w = new EditsFixture();
  disk.watched.length = 0;
  disk.refuses = false;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  w.remove();
});

function watchedAt(path: string): Watched {
  const found = disk.watched.find((each) => each.path === path);
  if (found === undefined) throw new Error(`${path} is not watched`);
  return found;
}

/** Watches the edit of `src/a.txt`. Returns how often the listener was called. */
async function watchEdit() {
  w.put('src/a.txt');
  const listener = vi.fn<() => void>();
  const watch = edits.watch([await w.edit('src/a.txt', 'new')], listener);
  const calls = (): number => {
    vi.runAllTimers();
    return listener.mock.calls.length;
  };
  return { watch, calls, folder: watchedAt(w.at('src')) };
}

it.each<[what: string, name: string | null, calls: number]>([
  ['the file', 'a.txt', 1],
  ['the folder itself', 'src', 1],
  ['an entry that the system does not name', null, 1],
  ['another file', 'b.txt', 0],
])('hears of an event of %s as often as it must', async (_what, name, expected) => {
  const { calls, folder } = await watchEdit();
  folder.tell(name);
  expect(calls()).toBe(expected);
});

it('checks the files when a watcher breaks', async () => {
  const { calls, folder } = await watchEdit();
  folder.emitter.emit('error', new Error('the disk is gone'));
  expect(calls()).toBe(1);
});

it('is not called after disposal by an event from before, and leaves no watcher', async () => {
  const { watch, calls, folder } = await watchEdit();
  folder.tell('a.txt');
  watch.dispose();
  expect([calls(), disk.watched.map(({ isClosed }) => isClosed)]).toEqual([0, [true]]);
});

it('does without watchers when the system refuses all', async () => {
  w.put('a.txt');
  disk.refuses = true;
  const watch = edits.watch([await w.edit('a.txt', 'new')], () => undefined);
  expect(() => watch.dispose()).not.toThrow();
});

it('watches every entry of a folder that is moved while one of its files is edited', async () => {
  w.put('src/a.txt');
  w.put('src/deep/b.txt');
  const listener = vi.fn<() => void>();
  edits.watch([await w.move('src', 'lib'), await w.edit('src/a.txt', 'new')], listener);
  expect(disk.watched.map(({ path }) => path)).toEqual([w.inside, w.at('src'), w.at('src/deep')]);
  for (const folder of ['src', join('src', 'deep')]) watchedAt(w.at(folder)).tell('new.txt');
  vi.runAllTimers();
  expect(listener).toHaveBeenCalledOnce();
});
