import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FileHistory } from '#changes/history.ts';
import { shippedRetention } from '#changes/historyRetention.ts';
import { temporaryState } from '../home/temporaryState.ts';

/** What happens when a folder or a record is read; may throw. */
const disk = vi.hoisted(() => ({
  onReadFolder: (_path: string): void => undefined,
  afterReadFile: (_path: string): void | Promise<void> => undefined,
}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const readdir = async (path: string): Promise<string[]> => {
    disk.onReadFolder(path);
    return actual.readdir(path);
  };
  const readFile = async (path: string, encoding: 'utf8'): Promise<string> => {
    const text = await actual.readFile(path, encoding);
    await disk.afterReadFile(path);
    return text;
  };
  return { ...actual, readdir, readFile };
});

beforeEach(() => {
  disk.onReadFolder = () => undefined;
  disk.afterReadFile = () => undefined;
});

const tooManyFiles = (): never => {
  throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
};

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 21);

function setUp() {
  const state = temporaryState();
  const history = new FileHistory(state, 'w-1');
  const pathOf = (sha256: string) => join(state.history, 'content', sha256.slice(0, 2), sha256);
  const recordPath = (id: string, windowId = 'w-1') => join(state.history, 'records', windowId, `${id}.json`);
  const setAge = (path: string, milliseconds: number) => {
    const time = new Date(now - milliseconds);
    utimesSync(path, time, time);
  };
  /** A record of that age with a text of its own. */
  const put = async (id: string, approvalState: string, age: number, text = `text of ${id}`, windowId = 'w-1') => {
    const own = new FileHistory(state, windowId);
    const sha256 = await own.putContent(Buffer.from(text));
    await own.putRecord(id, { approval: { id, state: approvalState }, changes: [{ base: { sha256 } }] });
    setAge(recordPath(id, windowId), age);
    setAge(pathOf(sha256), age);
    return pathOf(sha256);
  };
  const recordsOf = (windowId = 'w-1') => readdirSync(join(state.history, 'records', windowId)).toSorted();
  return { state, history, pathOf, recordPath, setAge, put, recordsOf };
}

describe('retention of the history', () => {
  it('drops changes older than 14 days, of all windows, with their texts', async () => {
    const t = setUp();
    const old = await t.put('old', 'applied', 15 * day);
    const young = await t.put('young', 'declined', 13 * day);
    await t.put('other', 'applied', 15 * day, 'text', 'w-2');
    expect(await t.history.sweep(now)).toEqual({ records: 2, contents: 2, bytes: 15 });
    expect([t.recordsOf(), t.recordsOf('w-2')]).toEqual([['young.json'], []]);
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });

  it('drops the oldest finished changes until the rest fits', async () => {
    const t = setUp();
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries())
      await t.put(id, 'applied', (10 - index) * day, id.repeat(1000));
    await t.history.sweep(now, { ...shippedRetention, bytes: 2500 });
    expect(t.recordsOf()).toEqual(['c.json', 'd.json']);
  });

  it('never drops a waiting, applying, half-done or undoing change, whatever its age and size', async () => {
    const t = setUp();
    const kept = [
      await t.put('waiting', 'waiting', 100 * day),
      await t.put('applying', 'applying', 100 * day),
      await t.put('undoing', 'applied', 100 * day),
      await t.put('half', 'partly_applied', 100 * day),
    ];
    const undoing = { approval: { state: 'applied' }, pending: { direction: 'undo', files: [0] } };
    const [name = ''] = (kept[2] ?? '').split('/').slice(-1);
    await t.history.putRecord('undoing', { ...undoing, changes: [name] });
    t.setAge(t.recordPath('undoing'), 100 * day);
    expect(await t.history.sweep(now, { ...shippedRetention, bytes: 0 })).toMatchObject({ records: 0, contents: 0 });
    expect(await t.history.deleteAll(now)).toMatchObject({ records: 0, contents: 0 });
    expect(kept.every((path) => existsSync(path))).toBe(true);
  });

  it('keeps a text that another record still names', async () => {
    const t = setUp();
    const shared = await t.put('old', 'applied', 15 * day, 'shared');
    await t.put('young', 'applied', day, 'shared');
    t.setAge(shared, 15 * day);
    expect(await t.history.sweep(now)).toMatchObject({ records: 1, contents: 0 });
    expect(existsSync(shared)).toBe(true);
  });

  it('keeps a text that no record names for an hour after its last use', async () => {
    const t = setUp();
    const sha256 = await t.history.putContent(Buffer.from('on its way'));
    t.setAge(t.pathOf(sha256), 50 * 60_000);
    expect(await t.history.sweep(now)).toMatchObject({ contents: 0 });
    t.setAge(t.pathOf(sha256), 70 * 60_000);
    await t.history.putContent(Buffer.from('on its way'));
    expect(statSync(t.pathOf(sha256)).mtimeMs).toBeGreaterThan(now);
    t.setAge(t.pathOf(sha256), 70 * 60_000);
    expect(await t.history.sweep(now)).toMatchObject({ contents: 1 });
  });

  it('drops partial writes of a crash, and damaged records by their age', async () => {
    const t = setUp();
    await t.put('a', 'applied', day);
    const folder = join(t.state.history, 'records', 'w-1');
    for (const [name, age] of [
      ['half.json.123', 15 * day],
      ['now.json.123', 1000],
      ['bad.json', 15 * day],
      ['new.json', day],
    ] as const) {
      writeFileSync(join(folder, name), '{"half":');
      t.setAge(join(folder, name), age);
    }
    await t.history.sweep(now);
    expect(t.recordsOf()).toEqual(['a.json', 'new.json', 'now.json.123']);
  });

  it.each([
    ['a record', () => (disk.afterReadFile = tooManyFiles)],
    [
      'the folder of the records',
      () => (disk.onReadFolder = (path) => (path.endsWith('records') ? tooManyFiles() : undefined)),
    ],
    [
      'the folder of a window',
      () => (disk.onReadFolder = (path) => (path.endsWith('w-1') ? tooManyFiles() : undefined)),
    ],
  ])('F20 deletes nothing when %s cannot be read, since it may name a content', async (_what, fail) => {
    const t = setUp();
    const text = await t.put('waiting', 'waiting', 2 * 60 * 60_000);
    fail();
    await expect(t.history.sweep(now)).rejects.toThrow('EMFILE');
    expect(existsSync(text)).toBe(true);
    disk.afterReadFile = () => undefined;
    expect(t.recordsOf()).toEqual(['waiting.json']);
  });

  it('reads the records one at a time, so that it does not exhaust the open files', async () => {
    const t = setUp();
    for (let n = 0; n < 30; n += 1) await t.put(`a-${n}`, 'applied', day);
    let [reading, most] = [0, 0];
    disk.afterReadFile = async () => {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise(setImmediate);
      reading -= 1;
    };
    await t.history.sweep(now);
    expect(most).toBe(1);
  });

  it('F20 keeps a change and its texts when it is undone while it is about to be dropped', async () => {
    const t = setUp();
    const text = await t.put('old', 'applied', 15 * day);
    const [sha256 = ''] = text.split('/').slice(-1);
    disk.afterReadFile = async () => {
      const pending = { direction: 'undo', files: [0] };
      await t.history.putRecord('old', { approval: { state: 'applied' }, changes: [{ base: { sha256 } }], pending });
    };
    expect(await t.history.sweep(now)).toEqual({ records: 0, contents: 0, bytes: 0 });
    expect([t.recordsOf(), existsSync(text)]).toEqual([['old.json'], true]);
  });

  it('drops an undecided approval in the end when its window never came back', async () => {
    const t = setUp();
    const sha256 = await t.history.putContent(Buffer.from('abandoned'));
    const record = (expiresAt: number) => ({
      approval: { state: 'waiting', expiresAt },
      changes: [{ base: { sha256 } }],
    });
    await t.history.putRecord('abandoned', record(now - 15 * day));
    await t.history.putRecord('expired', record(now - 13 * day));
    for (const path of [t.recordPath('abandoned'), t.recordPath('expired')]) t.setAge(path, 16 * day);
    await t.history.sweep(now);
    expect(t.recordsOf()).toEqual(['expired.json']);
    expect(await t.history.deleteAll(now)).toMatchObject({ records: 0 });
  });

  it('deletes nothing when the history is empty', async () => {
    expect(await setUp().history.sweep(now)).toEqual({ records: 0, contents: 0, bytes: 0 });
  });
});

it('deletes every finished change and its texts on "Delete Records"', async () => {
  const t = setUp();
  const text = await t.put('young', 'applied', 5 * 60_000);
  const waiting = await t.put('waiting', 'waiting', 5 * 60_000);
  expect(await t.history.deleteAll(now)).toMatchObject({ records: 1, contents: 1 });
  expect([existsSync(text), existsSync(waiting)]).toEqual([false, true]);
  expect(t.recordsOf()).toEqual(['waiting.json']);
});
